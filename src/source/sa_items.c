/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Disks and interfaces in a sample of a sysstat file.
 *
 * sadf prints the values of a sample beside those before, so that the first of
 * a file shows only there. Here every sample has its own, and what is left of
 * `before` is that a new disk was at zero.
 */
#include "source/sa_file.h"

#include "base/bytes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Which item it is, its number or name first; the rest is 0. */
#define IDENTITY 32
#define IFACE_SIZE 16

/* Offset and bytes of each of the activity's fields. */
static const struct layout {
	uint32_t magic, shape[3], least;
	struct {
		uint8_t at, bytes;
	} fields[LP_SADF_FIELDS];
	uint32_t name; /* of an interface */
} layouts[LP_SADF_ACTIVITIES] = {
	{ .magic = 0x8c,
	  .shape = { 3, 3, 8 },
	  .least = 80,
	  .fields = { { 0, 8 },
		      { 24, 8 },
		      { 32, 8 },
		      { 40, 8 },
		      { 48, 4 },
		      { 52, 4 },
		      { 72, 4 },
		      { 56, 4 },
		      { 60, 4 } } },
	{ .magic = 0x8d,
	  .shape = { 7, 0, 1 },
	  .least = 76,
	  .name = 60,
	  .fields = { { 0, 8 },
		      { 8, 8 },
		      { 16, 8 },
		      { 24, 8 },
		      { 32, 8 },
		      { 40, 8 },
		      { 48, 8 } } },
	/* coll, rxerr, txerr, rxdrop, txdrop, rxfifo, txfifo, rxfram, txcarr */
	{ .magic = 0x8c,
	  .shape = { 9, 0, 0 },
	  .least = 88,
	  .name = 72,
	  .fields = { { 8, 8 },
		      { 16, 8 },
		      { 0, 8 },
		      { 24, 8 },
		      { 32, 8 },
		      { 64, 8 },
		      { 56, 8 },
		      { 40, 8 },
		      { 48, 8 } } },
};

/* A disk's numbers, behind its counters. */
enum {
	DISK_WWN = 8,
	DISK_MAJOR = 64,
	DISK_MINOR = 68,
	DISK_PARTITION = 76,
};

bool lp_sa_items_known(size_t activity, uint32_t magic, uint32_t size,
		       const uint32_t shape[3])
{
	const struct layout *layout = &layouts[activity];

	return magic == layout->magic && size >= layout->least &&
	       memcmp(shape, layout->shape, sizeof(layout->shape)) == 0;
}

struct known {
	uint8_t identity[IDENTITY];
	uint32_t key;
};

struct sample {
	struct known *items;
	size_t n, capacity;
};

struct lp_sa_items {
	struct lp_sa_file *file;
	size_t activity;
	size_t next; /* record */
	struct sample before, now;
	bool fresh; /* nothing is known of before */
};

struct lp_sa_items *lp_sa_items_new(struct lp_sa_file *file, size_t activity)
{
	struct lp_sa_items *items = calloc(1, sizeof(*items));

	if (!items)
		return NULL;
	items->file = file;
	items->activity = activity;
	items->fresh = true;
	return items;
}

void lp_sa_items_free(struct lp_sa_items *items)
{
	if (!items)
		return;
	free(items->before.items);
	free(items->now.items);
	free(items);
}

static bool is_disk(const struct lp_sa_items *s)
{
	return lp_sadf_activities[s->activity].numbered;
}

static struct known identify(const struct lp_sa_items *s, const uint8_t *item)
{
	struct known known = { .key = LP_NAME_NONE };

	if (is_disk(s)) {
		memcpy(known.identity, item + DISK_MAJOR, 8);
		memcpy(known.identity + 8, item + DISK_WWN, 16);
		memcpy(known.identity + 24, item + DISK_PARTITION, 4);
	} else {
		memcpy(known.identity, item + layouts[s->activity].name,
		       IFACE_SIZE);
	}
	return known;
}

/* Items mostly stay where they are. NULL: not among those before. */
static const struct known *find_before(const struct lp_sa_items *s, size_t at,
				       const struct known *known, size_t n)
{
	for (size_t i = 0; i < s->before.n; i++) {
		const struct known *other =
			&s->before.items[(at + i) % s->before.n];

		if (memcmp(other->identity, known->identity, n) == 0)
			return other;
	}
	return NULL;
}

/* As a track's: "7:0 0x5000c500a1b2c3d4-1", "eth0". */
static uint32_t make_key(const struct lp_sa_items *s, const uint8_t *item,
			 struct lp_names *keys)
{
	uint64_t wwn = lp_load_u64(item + DISK_WWN);
	uint64_t more = lp_load_u64(item + DISK_WWN + 8);
	uint32_t part;
	char text[128];
	int n;

	if (!is_disk(s)) {
		const char *name =
			(const char *)item + layouts[s->activity].name;

		return lp_names_add_n(keys, name, IFACE_SIZE);
	}
	part = lp_load_u32(item + DISK_PARTITION);
	n = snprintf(text, sizeof(text), "%u:%u ",
		     lp_load_u32(item + DISK_MAJOR),
		     lp_load_u32(item + DISK_MINOR));
	if (wwn)
		n += snprintf(text + n, sizeof(text) - (size_t)n, "0x%016llx",
			      (unsigned long long)wwn);
	if (wwn && more)
		n += snprintf(text + n, sizeof(text) - (size_t)n, "%016llx",
			      (unsigned long long)more);
	if (wwn && part)
		snprintf(text + n, sizeof(text) - (size_t)n, "-%u", part);
	return lp_names_add(keys, text);
}

/* Note the item, and whether it was there before. */
static int look_up(struct lp_sa_items *s, const uint8_t *item, size_t i,
		   struct lp_names *keys, struct lp_sadf_row *row)
{
	struct known known = identify(s, item);
	const struct known *before = find_before(s, i, &known, IDENTITY);

	known.key = before ? before->key : make_key(s, item, keys);
	if (known.key == LP_NAME_NONE)
		return -ENOMEM;
	s->now.items[s->now.n++] = known;
	row->key = known.key;
	/* A disk is the same for sysstat as long as its number is. */
	row->is_new = !s->fresh && !before &&
		      !(is_disk(s) && find_before(s, i, &known, 8));
	return 0;
}

static void take_values(const struct lp_sa_items *s, const uint8_t *item,
			struct lp_sadf_row *row)
{
	const struct layout *layout = &layouts[s->activity];

	for (size_t i = 0; i < lp_sadf_activities[s->activity].n_fields; i++) {
		const uint8_t *at = item + layout->fields[i].at;

		row->now[i] = layout->fields[i].bytes == 8 ? lp_load_u64(at)
							   : lp_load_u32(at);
		row->present |= 1u << i;
	}
	if (!is_disk(s))
		return;
	row->major = lp_load_u32(item + DISK_MAJOR);
	row->minor = lp_load_u32(item + DISK_MINOR);
}

static int read_items(struct lp_sa_items *s, const struct lp_sa_record *from,
		      struct lp_names *keys, struct lp_sadf_record *record,
		      struct lp_error *err)
{
	uint32_t size = s->file->item_size[s->activity];
	uint64_t at = from->items[s->activity].offset;

	for (size_t i = 0; i < from->items[s->activity].n; i++, at += size) {
		const uint8_t *item = lp_sa_file_bytes(s->file, at, size);
		struct lp_sadf_row *row = &record->rows[record->n_rows];

		if (!item)
			return lp_fail(err, EIO, "%s: it can no longer be read",
				       s->file->path);
		if (!is_disk(s) && !item[layouts[s->activity].name])
			continue; /* a place without an interface */
		*row = (struct lp_sadf_row){ 0 };
		if (look_up(s, item, i, keys, row) < 0)
			return lp_fail_memory(err);
		take_values(s, item, row);
		record->n_rows++;
	}
	return 0;
}

static int read_sample(struct lp_sa_items *s, const struct lp_sa_record *from,
		       struct lp_names *keys, struct lp_sadf_record *record,
		       struct lp_error *err)
{
	size_t n = from->items[s->activity].n;
	struct sample was = s->before;
	int status;

	s->now.n = 0;
	if (lp_grow(&record->rows, &record->capacity, n,
		    sizeof(*record->rows)) < 0 ||
	    lp_grow(&s->now.items, &s->now.capacity, n, sizeof(*s->now.items)) <
		    0)
		return lp_fail_memory(err);
	status = read_items(s, from, keys, record, err);
	s->before = s->now;
	s->now = was;
	s->fresh = false;
	return status;
}

int lp_sa_items_read(struct lp_sa_items *s, struct lp_names *keys,
		     struct lp_sadf_record *record, struct lp_error *err)
{
	const struct lp_sa_record *from;
	int status = 0;

	if (s->next == s->file->n_records) {
		lp_sa_file_rest(s->file);
		return 0;
	}
	from = &s->file->records[s->next++];
	record->head = from->head;
	record->n_rows = 0;
	if (lp_sadf_is_sample(&from->head))
		status = read_sample(s, from, keys, record, err);
	else if (from->head.type == LP_SADF_RESTART)
		s->fresh = true;
	return status < 0 ? status : 1;
}
