/* SPDX-License-Identifier: Apache-2.0 */
#include "fake_stream.h"

#define S LP_NS_PER_S

struct result {
	const struct lp_metric *metric;
	double last; /* at the last point */
	bool known;
};

static int keep_last(void *user, const struct lp_span *span,
		     struct lp_error *err)
{
	struct result *result = user;
	struct lp_metric_plan plan;
	double value[8];

	(void)err;
	assert_true(span->n_points <= 8);
	lp_metric_plan(&plan, result->metric, span->columns, span->n_columns);
	result->known = lp_metric_evaluate(&plan, span, value);
	if (result->known)
		result->last = value[span->n_points - 1];
	return 0;
}

/* The metric over the two samples of a builder, which is freed. */
static struct result evaluate_with(const struct lp_inventory *inventory,
				   struct lp_builder *b,
				   const struct lp_class *class,
				   const char *name)
{
	struct lp_item known = { .kind = LP_ITEM_INVENTORY,
				 .inventory = inventory };
	struct result result = { lp_class_metric(class, name), NAN, false };
	struct lp_query query;
	struct lp_steps_options options;
	struct lp_steps *steps;
	struct lp_item item = { .kind = LP_ITEM_CHUNK,
				.chunk = lp_builder_chunk(b) };
	struct lp_error err;

	assert_non_null(result.metric);
	lp_query_init(&query);
	options = lp_steps_options(&query, 0);
	options.sink = keep_last;
	options.user = &result;
	steps = lp_steps_new(&options);
	if (inventory)
		assert_int_equal(lp_steps_put(steps, &known, &err), 0);
	assert_int_equal(lp_steps_put(steps, &item, &err), 0);
	lp_steps_free(steps);
	lp_builder_free(b);
	return result;
}

static struct result evaluate(struct lp_builder *b,
			      const struct lp_class *class, const char *name)
{
	return evaluate_with(NULL, b, class, name);
}

struct pair {
	const char *column;
	uint64_t before, after;
};

/* Two samples, two seconds apart; the list ends with a NULL column. */
static struct lp_builder *two_samples(const struct lp_class *class,
				      const struct pair *pairs)
{
	struct lp_builder *b = lp_builder_new("h");
	size_t panel = lp_builder_panel(b, class);
	struct lp_row row;

	for (int i = 0; i < 2; i++) {
		lp_builder_tick(b, 1000 * S + i * 2 * S);
		lp_builder_row(b, panel, "x", 1, &row);
		for (const struct pair *p = pairs; p->column; p++)
			lp_row_u64(&row,
				   (size_t)lp_class_column(class, p->column),
				   i ? p->after : p->before);
	}
	return b;
}

static double disk_metric(const char *name, const struct pair *pairs)
{
	return evaluate(two_samples(&lp_class_disk, pairs), &lp_class_disk,
			name)
		.last;
}

/* 10 reads of 80 sectors in 30 ms, 6 writes of 48 in 50, 4 discards. */
static const struct pair busy[] = {
	{ "rd_ios", 100, 110 },     { "rd_sectors", 1000, 1080 },
	{ "rd_ms", 7, 37 },         { "wr_ios", 50, 56 },
	{ "wr_sectors", 500, 548 }, { "wr_ms", 10, 60 },
	{ "io_ms", 400, 1400 },     { "weighted_ms", 0, 3000 },
	{ "dc_ios", 1, 5 },         { "dc_sectors", 0, 32 },
	{ "dc_ms", 0, 20 },         { NULL, 0, 0 },
};

static void disk_metrics_are_those_of_sysstat(void **state)
{
	(void)state;
	assert_true(disk_metric("tps", busy) == 20 / 2.0);
	assert_true(disk_metric("rd_sec", busy) == 40);
	assert_true(disk_metric("wr_sec", busy) == 24);
	assert_true(disk_metric("avgrq-sz", busy) == (80 + 48 + 32) / 20.0);
	assert_true(disk_metric("avgqu-sz", busy) == 0.001 * 3000 / 2);
	assert_true(disk_metric("await", busy) == (30 + 50 + 20) / 20.0);
	assert_true(disk_metric("svctm", busy) == 1000 / 20.0);
	assert_true(disk_metric("%util", busy) == 0.1 * 1000 / 2);
	assert_true(disk_metric("r_await", busy) == 3);
}

static void without_requests_await_is_0(void **state)
{
	const struct pair idle[] = {
		{ "rd_ios", 1, 1 }, { "wr_ios", 2, 2 }, { "rd_ms", 3, 3 },
		{ "wr_ms", 4, 4 },  { NULL, 0, 0 },
	};

	(void)state;
	assert_true(disk_metric("await", idle) == 0);
}

static void old_kernels_without_discards_count_none(void **state)
{
	const struct pair old[] = { { "rd_ios", 1, 4 },
				    { "wr_ios", 2, 3 },
				    { NULL, 0, 0 } };

	(void)state;
	assert_true(disk_metric("tps", old) == 2);
}

static void the_sum_of_requests_stands_in_for_its_parts(void **state)
{
	const struct pair sysstat[] = {
		{ "ios", 10, 30 },    { "rd_ms", 0, 40 }, { "wr_ms", 0, 60 },
		{ "io_ms", 0, 1000 }, { NULL, 0, 0 },
	};

	(void)state;
	assert_true(disk_metric("tps", sysstat) == 10);
	assert_true(disk_metric("await", sysstat) == 5);
	assert_true(disk_metric("svctm", sysstat) == 50);
	assert_true(isnan(disk_metric("r_await", sysstat)));
}

static void a_metric_without_its_columns_is_not_known(void **state)
{
	const struct pair few[] = { { "rd_ios", 1, 2 }, { NULL, 0, 0 } };

	(void)state;
	assert_false(evaluate(two_samples(&lp_class_disk, few), &lp_class_disk,
			      "await")
			     .known);
	assert_false(evaluate(two_samples(&lp_class_disk, few), &lp_class_disk,
			      "tps")
			     .known);
}

static struct lp_builder *imported(const struct lp_class *class,
				   const char *metric, double v)
{
	struct lp_builder *b = lp_builder_new("h");
	size_t panel = lp_builder_panel(b, class);
	struct lp_column column =
		lp_metric_column(lp_class_metric(class, metric), NULL);
	size_t c;
	struct lp_row row;

	c = lp_builder_column(b, panel, &column);
	lp_builder_tick(b, 1000 * S);
	lp_builder_row(b, panel, "x", 1, &row);
	lp_row_f64(&row, c, v);
	return b;
}

static void an_imported_level_is_used_as_it_is(void **state)
{
	(void)state;
	assert_true(evaluate(imported(&lp_class_disk, "await", 7.25),
			     &lp_class_disk, "await")
			    .last == 7.25);
}

static void levels_are_not_divided_by_time(void **state)
{
	const struct pair pairs[] = { { "dirty", 10, 30 }, { NULL, 0, 0 } };

	(void)state;
	assert_true(evaluate(two_samples(&lp_class_host, pairs), &lp_class_host,
			     "dirty")
			    .last == 30);
}

static void discards_that_nobody_counted_are_missing_not_0(void **state)
{
	const struct pair old[] = { { "rd_sectors", 0, 8 }, { NULL, 0, 0 } };
	const struct pair now[] = { { "rd_sectors", 0, 8 },
				    { "dc_sectors", 10, 30 },
				    { NULL, 0, 0 } };

	(void)state;
	assert_false(evaluate(two_samples(&lp_class_disk, old), &lp_class_disk,
			      "dc_sec")
			     .known);
	assert_true(disk_metric("dc_sec", now) == 10);
}

/* The interface x of a host, with these labels. */
static struct lp_inventory *link_of(const char *speed, const char *duplex)
{
	struct lp_inventory *inventory = lp_inventory_new("h", 0);
	struct lp_component *c = lp_inventory_add(inventory, "net", "x");

	lp_inventory_label(inventory, &c->labels, "speed_mbit", speed);
	lp_inventory_label(inventory, &c->labels, "duplex", duplex);
	return inventory;
}

static void a_link_is_as_busy_as_its_busier_direction(void **state)
{
	const struct pair pairs[] = { { "rx_bytes", 0, 25000000 },
				      { "tx_bytes", 0, 75000000 },
				      { NULL, 0, 0 } };
	static const struct {
		const char *speed, *duplex;
		double percent; /* NaN: not known */
	} links[] = {
		/* 37.5 MB/s are 300 Mbit/s. */
		{ "1000", "full", 30 },  { "10000", NULL, 3 },
		{ "1000", "half", NAN }, { NULL, "full", NAN },
		{ "0", "full", NAN },
	};

	(void)state;
	for (size_t i = 0; i < lp_array_size(links); i++) {
		struct lp_inventory *known =
			link_of(links[i].speed, links[i].duplex);
		struct result r =
			evaluate_with(known, two_samples(&lp_class_net, pairs),
				      &lp_class_net, "%ifutil");

		assert_int_equal(r.known, !isnan(links[i].percent));
		if (r.known)
			assert_true(fabs(r.last - links[i].percent) < 1e-9);
		lp_inventory_free(known);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(disk_metrics_are_those_of_sysstat),
		cmocka_unit_test(without_requests_await_is_0),
		cmocka_unit_test(old_kernels_without_discards_count_none),
		cmocka_unit_test(the_sum_of_requests_stands_in_for_its_parts),
		cmocka_unit_test(a_metric_without_its_columns_is_not_known),
		cmocka_unit_test(an_imported_level_is_used_as_it_is),
		cmocka_unit_test(levels_are_not_divided_by_time),
		cmocka_unit_test(
			discards_that_nobody_counted_are_missing_not_0),
		cmocka_unit_test(a_link_is_as_busy_as_its_busier_direction),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
