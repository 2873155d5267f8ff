/* SPDX-License-Identifier: Apache-2.0 */
/* Where the recorder puts an inventory that changed. */
#include "journal_bench.h"

static struct lp_inventory *inventory_of(const char *name)
{
	struct lp_inventory *inventory = lp_inventory_new("h", 1);
	struct lp_component *disk = lp_inventory_add(inventory, "disk", name);

	assert_int_equal(
		lp_inventory_label(inventory, &disk->labels, "id", "wwid:1"),
		0);
	return inventory;
}

/* The items of the only file: "I" an inventory, "sdb:40 " a series and its
 * samples. */
static void outline(const struct bench *b, char *text, size_t size)
{
	FILE *out = fmemopen(text, size, "w");
	struct dirent **entries;
	struct lp_stream *stream;
	struct lp_query query;
	struct lp_error err;
	struct lp_item item;
	char path[400];

	assert_int_equal(list(b, &entries), 1);
	snprintf(path, sizeof(path), "%s/%s", b->dir, entries[0]->d_name);
	forget(entries, 1);
	lp_query_init(&query);
	assert_int_equal(lp_archive_open(path, &query, &stream, &err), 0);
	while (lp_stream_next(stream, &item, &err) > 0) {
		if (item.inventory)
			fprintf(out, "I ");
		if (!item.chunk)
			continue;
		for (size_t s = 0; s < item.chunk->panels[0].n_series; s++)
			fprintf(out, "%s:%zu ",
				item.chunk->panels[0].series[s].name,
				item.chunk->n_samples);
	}
	lp_stream_close(stream);
	fclose(out);
}

/* sdb is sdc from sample 45 on; the inventory comes with sample 60. */
static void record_rename(struct bench *b, struct gathering *g)
{
	int64_t first = at("2026-11-15T12:00:00Z");

	g->batch.inventory = inventory_of("sdb");
	gather_of(g, "sdb", first, 40);
	hand_over(b, g);
	gather_of(g, "sdb", first + 40 * LP_NS_PER_S, 5);
	gather_of(g, "sdc", first + 45 * LP_NS_PER_S, 15);
	g->batch.inventory = inventory_of("sdc");
	hand_over(b, g);
}

static void a_changed_inventory_stands_where_devices_changed(void **state)
{
	struct bench *b = *state;
	struct gathering g = begin_gathering();
	char text[200] = "";

	record_rename(b, &g);
	outline(b, text, sizeof(text));
	assert_string_equal(text, "I sdb:45 I sdc:15 ");
	gather_of(&g, "sdc", at("2026-11-15T12:01:00Z"), 60);
	hand_over(b, &g);
	end_gathering(b, &g);
	outline(b, text, sizeof(text));
	assert_string_equal(text, "I sdb:45 I sdc:75 ");
}

static void a_change_while_nothing_can_be_written_is_kept_apart(void **state)
{
	struct bench *b = *state;
	struct gathering g = begin_gathering();
	char text[200] = "";

	assert_int_equal(rmdir(b->dir), 0);
	record_rename(b, &g);
	assert_int_equal(mkdir(b->dir, 0700), 0);
	end_gathering(b, &g);
	outline(b, text, sizeof(text));
	assert_string_equal(text, "sdb:45 I sdc:15 ");
}

static void a_block_waits_for_the_inventory_that_divides_it(void **state)
{
	struct bench *b = *state;
	struct gathering g = begin_gathering();
	int64_t first = at("2026-11-15T12:00:00Z");
	char text[200] = "";

	g.batch.inventory = inventory_of("sdb");
	gather_of(&g, "sdb", first, 55);
	gather_of(&g, "sdc", first + 55 * LP_NS_PER_S, 15);
	g.batch.unsettled = true;
	hand_over(b, &g);
	assert_int_equal(g.sealed, 0);
	gather_of(&g, "sdc", first + 70 * LP_NS_PER_S, 10);
	g.batch.inventory = inventory_of("sdc");
	g.batch.unsettled = false;
	hand_over(b, &g);
	end_gathering(b, &g);
	outline(b, text, sizeof(text));
	assert_string_equal(text, "I sdb:55 I sdc:25 ");
}

static void a_block_does_not_wait_for_an_inventory_for_ever(void **state)
{
	struct bench *b = *state;
	struct gathering g = begin_gathering();

	g.batch.unsettled = true;
	gather(&g, at("2026-11-15T12:00:00Z"), 127);
	hand_over(b, &g);
	assert_int_equal(g.sealed, 0);
	gather(&g, at("2026-11-15T12:02:07Z"), 1);
	hand_over(b, &g);
	assert_int_equal(g.sealed, 1);
	asked.ahead_ns += 100 * LP_NS_PER_S;
	gather(&g, at("2026-11-15T12:03:47Z"), 1);
	hand_over(b, &g);
	assert_int_equal(g.sealed, 1);
	asked.ahead_ns += 20 * LP_NS_PER_S;
	gather(&g, at("2026-11-15T12:04:07Z"), 1);
	hand_over(b, &g);
	assert_int_equal(g.sealed, 2);
	end_gathering(b, &g);
}
int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_changed_inventory_stands_where_devices_changed),
		TEST(a_change_while_nothing_can_be_written_is_kept_apart),
		TEST(a_block_waits_for_the_inventory_that_divides_it),
		TEST(a_block_does_not_wait_for_an_inventory_for_ever),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
