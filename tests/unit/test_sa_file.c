/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of sysstat's sadc as 12.6 writes them on a 64-bit little-endian
 * machine, made byte by byte; tests/e2e has those of sadc itself.
 */
#include "unit.h"

#include "base/bytes.h"
#include "source/sa_file.h"
#include "source/source.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define START 1794776550

static void u32s(struct lp_buffer *b, const uint32_t *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		uint8_t bytes[4];

		lp_store_u32(bytes, v[i]);
		lp_buffer_put(b, bytes, sizeof(bytes));
	}
}

#define U32S(b, ...)                                                           \
	u32s(b, (const uint32_t[]){ __VA_ARGS__ },                             \
	     lp_array_size(((const uint32_t[]){ __VA_ARGS__ })))

static void u64(struct lp_buffer *b, uint64_t v)
{
	U32S(b, (uint32_t)v, (uint32_t)(v >> 32));
}

static void name(struct lp_buffer *b, const char *text, size_t n)
{
	char bytes[128] = "";

	memcpy(bytes, text, strlen(text));
	lp_buffer_put(b, bytes, n);
}

/* Interrupts, which are skipped, disks and interfaces. */
static void put_header(struct lp_buffer *b)
{
	lp_buffer_put(b, "\x96\xd5\x75\x21\x0c\x06\x01\x00", 8);
	U32S(b, 336, 0, 1, 1, 12);
	name(b, "", 48);
	u64(b, START);
	u64(b, 100);
	U32S(b, 3, 3, 126, 0, 0, 9, 2, 0, 1, 36, 24, 0);
	lp_buffer_put(b, "\x0e\x0a\x08", 3);
	name(b, "Linux", 65);
	name(b, "oss7", 65);
	name(b, "6.1", 65);
	name(b, "x86_64", 65);
	name(b, "UTC", 9);
	U32S(b, 3, 0x8a, 2, 3, 0, 4, 0, 0, 1);
	U32S(b, 11, 0x8c, 2, 1, 1, 80, 3, 3, 8);
	U32S(b, 12, 0x8d, 1, 1, 1, 80, 7, 0, 1);
}

static void put_head(struct lp_buffer *b, uint32_t second, char type)
{
	u64(b, 150000 + 100 * second);
	u64(b, START + second);
	U32S(b, 0);
	lp_buffer_put(b, &type, 1);
	lp_buffer_put(b, "\x01\x02\x03", 3);
}

/* Disks 8:0 (with a WWN), 8:16 ..., all at v; eth0 at v, too. */
static void put_sample(struct lp_buffer *b, uint32_t second, uint32_t n_disks,
		       uint32_t v)
{
	put_head(b, second, 1);
	name(b, "", 2 * 3 * 4);
	U32S(b, n_disks);
	for (uint32_t i = 0; i < n_disks; i++) {
		u64(b, v);
		u64(b, i == 0 ? 0x5000c500a1b2c3d4 : 0);
		u64(b, 0);
		u64(b, 8 * v);
		u64(b, 16 * v);
		u64(b, 24 * v);
		U32S(b, 2 * v, 3 * v, 4 * v, 5 * v, 8, 16 * i, 6 * v, 0);
	}
	U32S(b, 1);
	for (uint64_t i = 1; i <= 7; i++)
		u64(b, i * v);
	U32S(b, 1000);
	name(b, "eth0", 20);
}

/* A path that sadf is not needed for; close() forgets the file. */
static int write_file(const struct lp_buffer *b, size_t size, char path[64])
{
	int fd = memfd_create("sa", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_false(b->failed);
	assert_int_equal(write(fd, b->data, size), size);
	snprintf(path, 64, "/proc/self/fd/%d", fd);
	return fd;
}

static bool can_read(const struct lp_buffer *b, size_t size)
{
	struct lp_sa_file file = { 0 };
	char path[64];
	bool can;

	file.fd = write_file(b, size, path);
	can = lp_sa_file_read(&file);
	lp_sa_file_done(&file);
	return can;
}

static uint64_t value(const struct lp_chunk *chunk, const char *class,
		      const char *instance, const char *column, size_t sample)
{
	const struct lp_panel *panel = lp_chunk_panel(chunk, class);

	assert_non_null(panel);
	for (size_t s = 0; s < panel->n_series; s++)
		for (size_t c = 0; c < panel->n_columns; c++) {
			const struct lp_values *v = &panel->series[s].values[c];

			if (strcmp(panel->series[s].name, instance) == 0 &&
			    strcmp(panel->columns[c].name, column) == 0)
				return lp_values_has(v, sample)
					       ? v->bits[sample]
					       : UINT64_MAX;
		}
	return UINT64_MAX;
}

/* The next item of the stream, which must be of this kind. */
static struct lp_item next(struct lp_stream *stream, enum lp_item_kind kind)
{
	struct lp_error err = { "" };
	struct lp_item item;

	assert_int_equal(lp_stream_next(stream, &item, &err), 1);
	assert_int_equal(item.kind, kind);
	return item;
}

static struct lp_stream *open_stream(const char *path)
{
	struct lp_source_options options = { 0 };
	struct lp_error err = { "" };
	struct lp_stream *stream;
	struct lp_query query;

	lp_query_init(&query);
	if (lp_source_sysstat.open(path, &options, &query, &stream, &err) < 0)
		fail_msg("%s", err.text);
	return stream;
}

static void check_labels(const struct lp_inventory *inventory)
{
	const struct lp_component *sda = &inventory->components[0];

	assert_string_equal(inventory->host, "oss7");
	assert_string_equal(lp_labels_get(&inventory->labels, "kernel"), "6.1");
	assert_string_equal(lp_labels_get(&inventory->labels, "recorder"),
			    "sysstat 12.6.1");
	assert_string_equal(sda->name, "sda");
	assert_string_equal(lp_labels_get(&sda->labels, "id"),
			    "wwid:naa.5000c500a1b2c3d4");
}

static void a_file_is_read_without_sadf(void **state)
{
	static const struct {
		const char *class, *name, *column;
		uint64_t value;
	} want[] = {
		{ "disk", "sda", "ios", 10 },
		{ "disk", "sdb", "rd_sectors", 80 },
		{ "disk", "sdb", "wr_sectors", 160 },
		{ "disk", "sdb", "dc_sectors", 240 },
		{ "disk", "sdb", "rd_ms", 20 },
		{ "disk", "sdb", "wr_ms", 30 },
		{ "disk", "sdb", "io_ms", 40 },
		{ "disk", "sdb", "weighted_ms", 50 },
		{ "disk", "sdb", "dc_ms", 60 },
		{ "net", "eth0", "rx_packets", 10 },
		{ "net", "eth0", "tx_bytes", 40 },
		{ "net", "eth0", "rx_multicast", 70 },
	};
	struct lp_buffer b = { 0 };
	struct lp_stream *stream;
	struct lp_item item;
	char path[64];
	int fd;

	(void)state;
	put_header(&b);
	put_sample(&b, 0, 2, 10);
	put_sample(&b, 1, 2, 20);
	fd = write_file(&b, b.size, path);
	stream = open_stream(path);
	next(stream, LP_ITEM_EVENT);
	check_labels(next(stream, LP_ITEM_INVENTORY).inventory);
	item = next(stream, LP_ITEM_CHUNK);
	assert_int_equal(item.chunk->n_samples, 2);
	assert_int_equal(item.chunk->time_ns[0], START * LP_NS_PER_S);
	for (size_t i = 0; i < lp_array_size(want); i++) {
		assert_int_equal(value(item.chunk, want[i].class, want[i].name,
				       want[i].column, 0),
				 want[i].value);
		assert_int_equal(value(item.chunk, want[i].class, want[i].name,
				       want[i].column, 1),
				 2 * want[i].value);
	}
	lp_stream_close(stream);
	close(fd);
	free(b.data);
}

static void a_new_disk_was_at_zero_before(void **state)
{
	struct lp_buffer b = { 0 };
	struct lp_stream *stream;
	struct lp_item item;
	char path[64];
	int fd;

	(void)state;
	put_header(&b);
	put_sample(&b, 0, 1, 10);
	put_sample(&b, 1, 2, 20);
	put_head(&b, 2, 4);
	name(&b, "a comment", 64);
	put_head(&b, 3, 2);
	U32S(&b, 3);
	put_sample(&b, 4, 3, 30);
	fd = write_file(&b, b.size, path);
	stream = open_stream(path);
	next(stream, LP_ITEM_EVENT);
	next(stream, LP_ITEM_INVENTORY);
	item = next(stream, LP_ITEM_CHUNK);
	assert_int_equal(item.chunk->n_samples, 2);
	assert_int_equal(value(item.chunk, "disk", "sdb", "ios", 0), 0);
	assert_int_equal(value(item.chunk, "disk", "sdb", "ios", 1), 20);
	/* Of what came behind a restart nothing is known before. */
	assert_int_equal(value(item.chunk, "disk", "sdc", "ios", 1),
			 UINT64_MAX);
	assert_int_equal(next(stream, LP_ITEM_EVENT).event->kind,
			 LP_EVENT_START);
	next(stream, LP_ITEM_INVENTORY);
	item = next(stream, LP_ITEM_CHUNK);
	assert_int_equal(value(item.chunk, "disk", "sdc", "ios", 0), 30);
	lp_stream_close(stream);
	close(fd);
	free(b.data);
}

static void what_is_cut_off_is_left_to_sadf(void **state)
{
	struct lp_buffer b = { 0 };
	size_t header;

	(void)state;
	put_header(&b);
	header = b.size;
	put_sample(&b, 0, 2, 10);
	assert_true(can_read(&b, b.size));
	assert_true(can_read(&b, header));
	for (size_t n = 0; n < b.size; n++)
		if (n != header)
			assert_false(can_read(&b, n));
	free(b.data);
}

static void what_is_not_known_is_left_to_sadf(void **state)
{
	/* Header, its size, activities' and records' shape, long, disk. */
	static const size_t places[] = { 0,
					 2,
					 8,
					 24,
					 76 + 36,
					 76 + 40,
					 76 + 52,
					 76 + 56,
					 76 + 60,
					 76 + 66,
					 76 + 67,
					 412 + 36 + 4,
					 412 + 36 + 12,
					 412 + 36 + 20,
					 412 + 36 + 24,
					 412 + 3 * 36 + 16 };
	struct lp_buffer b = { 0 };

	(void)state;
	put_header(&b);
	put_sample(&b, 0, 2, 10);
	for (size_t i = 0; i < lp_array_size(places); i++) {
		uint8_t was = b.data[places[i]];

		b.data[places[i]] ^= 0x41;
		assert_false(can_read(&b, b.size));
		b.data[places[i]] = was;
	}
	assert_true(can_read(&b, b.size));
	free(b.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_read_without_sadf),
		cmocka_unit_test(a_new_disk_was_at_zero_before),
		cmocka_unit_test(what_is_cut_off_is_left_to_sadf),
		cmocka_unit_test(what_is_not_known_is_left_to_sadf),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
