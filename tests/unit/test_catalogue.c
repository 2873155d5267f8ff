/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "model/catalogue.h"

#include <string.h>

#define EACH_CLASS(class)                                                      \
	const struct lp_class *const *at = lp_classes, *class;                 \
	(class = *at) != NULL;                                                 \
	at++

static bool named(const char *text)
{
	return text && *text;
}

static void classes_have_different_names_and_are_found_by_them(void **state)
{
	(void)state;
	for (EACH_CLASS(class))
		assert_ptr_equal(lp_class_find(class->name), class);
	assert_null(lp_class_find("nonsense"));
}

static void every_way_to_find_peers_has_a_class(void **state)
{
	(void)state;
	for (int kin = 0; kin < LP_KINS; kin++) {
		const struct lp_class *class =
			lp_class_of_kin((enum lp_kin)kin);

		assert_int_equal(class->kin, kin);
		assert_ptr_equal(lp_class_find(class->name), class);
	}
}

static void a_column_has_a_unique_name_a_width_and_a_help_line(void **state)
{
	(void)state;
	for (EACH_CLASS(class))
		for (size_t i = 0; i < class->n_columns; i++) {
			const struct lp_column *c = &class->columns[i];
			bool counts = c->kind == LP_COUNTER ||
				      c->kind == LP_SATURATING;

			assert_int_equal(lp_class_column(class, c->name), i);
			assert_true(named(c->help));
			assert_non_null(c->unit);
			assert_true(!counts || (c->width && c->width <= 64));
			assert_true(counts || !c->width);
			assert_int_equal(c->kind == LP_STATE,
					 c->type == LP_TEXT);
		}
}

static void a_weighted_column_has_its_weight_in_the_class(void **state)
{
	(void)state;
	for (EACH_CLASS(class))
		for (size_t i = 0; i < class->n_columns; i++)
			if (class->columns[i].kind == LP_WEIGHTED)
				assert_true(
					lp_class_column(
						class,
						class->columns[i].partner) >=
					0);
}

static void assert_columns(const struct lp_class *class,
			   const char *const terms[LP_METRIC_TERMS])
{
	for (size_t i = 0; i < LP_METRIC_TERMS && terms[i]; i++)
		if (lp_class_column(class, terms[i]) < 0)
			fail_msg("%s has no column %s", class->name, terms[i]);
}

static void a_metric_is_made_of_columns_of_its_class(void **state)
{
	(void)state;
	for (EACH_CLASS(class))
		for (size_t i = 0; i < class->n_metrics; i++) {
			const struct lp_metric *m = &class->metrics[i];

			assert_ptr_equal(lp_class_metric(class, m->name), m);
			assert_true(named(m->help) && named(m->unit));
			assert_true(m->scale > 0 && m->above[0]);
			assert_columns(class, m->above);
			assert_columns(class, m->below);
			assert_columns(class, m->instead_above);
			assert_columns(class, m->instead_below);
		}
}

/* A sum of a counter and a level would mean nothing. */
static void terms_of_one_sum_are_all_counters_or_all_levels(void **state)
{
	(void)state;
	for (EACH_CLASS(class))
		for (size_t i = 0; i < class->n_metrics; i++) {
			const char *const *above = class->metrics[i].above;
			int first = lp_class_column(class, above[0]);

			for (size_t k = 1; k < LP_METRIC_TERMS && above[k]; k++)
				assert_int_equal(
					class->columns[lp_class_column(
							       class, above[k])]
						.kind,
					class->columns[first].kind);
		}
}

static void a_formula_names_all_its_columns(void **state)
{
	char text[LP_FORMULA_TEXT];

	(void)state;
	for (EACH_CLASS(class))
		for (size_t i = 0; i < class->n_metrics; i++) {
			const struct lp_metric *m = &class->metrics[i];

			lp_metric_formula(class, m, text);
			for (size_t k = 0; k < LP_METRIC_TERMS; k++) {
				if (m->above[k])
					assert_non_null(
						strstr(text, m->above[k]));
				if (m->below[k])
					assert_non_null(
						strstr(text, m->below[k]));
			}
		}
}

static void formulas_read_as_in_the_page(void **state)
{
	char text[LP_FORMULA_TEXT];
	const struct lp_class *disk = &lp_class_disk;

	(void)state;
	assert_string_equal(
		lp_metric_formula(disk, lp_class_metric(disk, "await"), text),
		"Δ(rd_ms + wr_ms + dc_ms) / "
		"Δ(rd_ios + wr_ios + dc_ios)");
	assert_string_equal(
		lp_metric_formula(disk, lp_class_metric(disk, "%util"), text),
		"0.1 · Δ(io_ms) / s");
	assert_string_equal(
		lp_metric_formula(&lp_class_tcp,
				  lp_class_metric(&lp_class_tcp, "cwnd"), text),
		"cwnd");
}

static void an_alternative_replaces_only_what_it_names(void **state)
{
	const struct lp_metric *await =
		lp_class_metric(&lp_class_disk, "await");
	const struct lp_metric *rd = lp_class_metric(&lp_class_disk, "rd_sec");
	struct lp_metric other;

	(void)state;
	assert_true(lp_metric_alternative(await, &other));
	assert_string_equal(other.above[0], "rd_ms");
	assert_string_equal(other.below[0], "ios");
	assert_null(other.below[1]);
	assert_false(lp_metric_alternative(rd, &other));
}

/* The list of the documents. */
static void the_six_metrics_of_the_method_accuse(void **state)
{
	static const struct {
		const struct lp_class *class;
		const char *metric;
	} accusers[] = {
		{ &lp_class_disk, "rd_sec" }, { &lp_class_disk, "wr_sec" },
		{ &lp_class_disk, "await" },  { &lp_class_net, "rxbyt" },
		{ &lp_class_net, "txbyt" },   { &lp_class_ib, "rxbyt" },
		{ &lp_class_ib, "txbyt" },    { &lp_class_tcp, "cwnd" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(accusers) / sizeof(*accusers); i++)
		assert_true(
			lp_class_metric(accusers[i].class, accusers[i].metric)
				->indicts);
	assert_false(lp_class_metric(&lp_class_tcp, "rxbyt")->indicts);
}

static void an_imported_metric_becomes_a_column_of_its_own(void **state)
{
	const struct lp_metric *await =
		lp_class_metric(&lp_class_disk, "await");
	struct lp_column plain = lp_metric_column(await, NULL);
	struct lp_column weighted = lp_metric_column(await, "tps");

	(void)state;
	assert_string_equal(plain.name, "await");
	assert_int_equal(plain.kind, LP_GAUGE);
	assert_int_equal(plain.type, LP_F64);
	assert_int_equal(weighted.kind, LP_WEIGHTED);
	assert_string_equal(weighted.partner, "tps");
}

static void what_accuses_has_a_role_and_belongs_to_what_is_compared(
	void **state)
{
	(void)state;
	for (EACH_CLASS(class))
		for (size_t i = 0; i < class->n_metrics; i++) {
			const struct lp_metric *m = &class->metrics[i];

			if (!m->indicts)
				continue;
			assert_true(lp_class_is_compared(class));
			assert_int_not_equal(m->role, LP_LEVEL);
			assert_int_equal(m->resource, class->resource);
			assert_int_equal(m->lower_is_worse,
					 m->role == LP_CONGESTION);
		}
}

static void metrics_of_one_unit_have_one_floor(void **state)
{
	static const struct {
		const char *unit;
		double idle, always;
	} floors[] = {
		{ "ms", 1, 0 },
		{ "sectors/s", 20, 20 },
		{ "B/s", 10e3, 10e3 },
		{ "packets/s", 10, 10 },
	};

	(void)state;
	for (EACH_CLASS(class))
		for (size_t i = 0; i < class->n_metrics; i++) {
			const struct lp_metric *m = &class->metrics[i];
			double idle = 0, always = 0;

			for (size_t f = 0; f < 4; f++)
				if (strcmp(m->unit, floors[f].unit) == 0) {
					idle = floors[f].idle;
					always = floors[f].always;
				}
			assert_float_equal(m->floor.idle, idle, 0);
			assert_float_equal(m->floor.always, always, 0);
		}
}

static void a_column_tells_how_many_bytes_it_counts(void **state)
{
	static const struct {
		const struct lp_class *class;
		const char *column;
		double bytes;
	} cases[] = {
		{ &lp_class_disk, "rd_sectors", 512 },
		{ &lp_class_disk, "wr_sec", 512 },
		{ &lp_class_disk, "throughput", 1 },
		{ &lp_class_disk, "dc_sectors", 0 },
		{ &lp_class_disk, "rd_ios", 0 },
		{ &lp_class_disk, "avgrq-sz", 0 },
		{ &lp_class_disk, "nonsense", 0 },
		{ &lp_class_net, "rx_bytes", 1 },
		{ &lp_class_net, "txbyt", 1 },
		{ &lp_class_net, "%ifutil", 0 },
		{ &lp_class_ib, "rcv_data", 4 },
		{ &lp_class_ib, "rxbyt", 1 },
		{ &lp_class_tcp, "bytes_sent", 1 },
		{ &lp_class_tcp, "ackbyt", 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_float_equal(
			lp_class_column_bytes(cases[i].class, cases[i].column),
			cases[i].bytes, 0);
}

static void names_in_the_lists_of_a_class_exist(void **state)
{
	(void)state;
	for (EACH_CLASS(class)) {
		const char *const *name;

		for (name = class->present_by; name && *name; name++)
			assert_true(lp_class_column(class, *name) >= 0);
		for (name = class->reset_by; name && *name; name++)
			assert_true(lp_class_column(class, *name) >= 0);
		for (name = class->active_by; name && *name; name++)
			assert_non_null(lp_class_metric(class, *name));
	}
}

/* How often the name stands in a list with commas. */
static size_t count_listed(const char *list, const char *name)
{
	size_t length = strlen(name), n = 0;

	for (; list; list = strchr(list, ',')) {
		list += strspn(list, ", ");
		n += strcspn(list, ",") == length &&
		     memcmp(list, name, length) == 0;
	}
	return n;
}

static void names_of_what_accuses_stand_once(void **state)
{
	char text[LP_ACCUSING_TEXT];

	(void)state;
	lp_accusing_names(false, text);
	assert_int_equal(strncmp(text, "rd_sec, wr_sec, await, ", 23), 0);
	for (EACH_CLASS(class))
		for (size_t i = 0; i < class->n_metrics; i++)
			if (class->metrics[i].indicts)
				assert_int_equal(
					count_listed(text,
						     class->metrics[i].name),
					1);
	assert_int_equal(count_listed(text, "tps"), 0);
}

static void kinds_and_resources_have_names(void **state)
{
	(void)state;
	for (enum lp_kind kind = 0; kind < LP_KINDS; kind++)
		assert_true(named(lp_kind_name(kind)));
	for (enum lp_resource r = 0; r < LP_RESOURCES; r++)
		assert_true(named(lp_resource_name(r)));
	assert_string_equal(lp_kind_name(LP_KINDS), "unknown");
	assert_string_equal(lp_resource_name(LP_RESOURCES), "unknown");
}

/* How many metrics of the class a person may mean by the name. */
static size_t count_named(const struct lp_class *class, const char *name)
{
	size_t n = 0;

	for (size_t i = 0; i < class->n_metrics; i++)
		n += lp_metric_is_named(&class->metrics[i], name, strlen(name));
	return n;
}

static void every_name_of_a_metric_means_that_metric_alone(void **state)
{
	(void)state;
	for (EACH_CLASS(class))
		for (size_t i = 0; i < class->n_metrics; i++) {
			const struct lp_metric *m = &class->metrics[i];

			assert_int_equal(count_named(class, m->name), 1);
			if (!m->sar_name)
				continue;
			assert_int_equal(count_named(class, m->sar_name), 1);
			assert_true(named(m->sar_unit) && m->sar_factor > 0);
		}
	assert_int_equal(count_named(&lp_class_disk, "rkB"), 0);
	assert_int_equal(count_named(&lp_class_disk, ""), 0);
}

static void what_sar_shows_is_in_the_catalogue(void **state)
{
	(void)state;
	for (EACH_CLASS(class))
		for (size_t i = 0; class->sar_usual && class->sar_usual[i]; i++)
			assert_int_equal(
				count_named(class, class->sar_usual[i]), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_way_to_find_peers_has_a_class),
		cmocka_unit_test(
			classes_have_different_names_and_are_found_by_them),
		cmocka_unit_test(
			a_column_has_a_unique_name_a_width_and_a_help_line),
		cmocka_unit_test(a_weighted_column_has_its_weight_in_the_class),
		cmocka_unit_test(a_metric_is_made_of_columns_of_its_class),
		cmocka_unit_test(
			terms_of_one_sum_are_all_counters_or_all_levels),
		cmocka_unit_test(a_formula_names_all_its_columns),
		cmocka_unit_test(formulas_read_as_in_the_page),
		cmocka_unit_test(an_alternative_replaces_only_what_it_names),
		cmocka_unit_test(the_six_metrics_of_the_method_accuse),
		cmocka_unit_test(
			an_imported_metric_becomes_a_column_of_its_own),
		cmocka_unit_test(
			what_accuses_has_a_role_and_belongs_to_what_is_compared),
		cmocka_unit_test(metrics_of_one_unit_have_one_floor),
		cmocka_unit_test(a_column_tells_how_many_bytes_it_counts),
		cmocka_unit_test(names_in_the_lists_of_a_class_exist),
		cmocka_unit_test(names_of_what_accuses_stand_once),
		cmocka_unit_test(kinds_and_resources_have_names),
		cmocka_unit_test(
			every_name_of_a_metric_means_that_metric_alone),
		cmocka_unit_test(what_sar_shows_is_in_the_catalogue),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
