/* SPDX-License-Identifier: Apache-2.0 */
#include "fake_stream.h"
#include "random_chunk.h"

#include "survey/survey.h"
#include "table/delta.h"

#define S LP_NS_PER_S

/* Samples at the given times; sda counts, sdb does not. */
static struct lp_builder *two_disks(const char *host, const double *seconds,
				    size_t n)
{
	struct lp_builder *b = lp_builder_new(host);
	size_t panel = lp_builder_panel(b, &lp_class_disk);
	struct lp_row row;

	for (size_t i = 0; i < n; i++) {
		lp_builder_tick(b, (int64_t)(seconds[i] * 1e9));
		lp_builder_row(b, panel, "sda", 3, &row);
		lp_row_u64(&row, 0, 10 + i / 2);
		lp_builder_row(b, panel, "sdb", 3, &row);
		lp_row_u64(&row, 0, 77);
	}
	return b;
}

static struct lp_survey survey_of(struct fake_stream *fake)
{
	struct lp_survey survey = { .parts = LP_SURVEY_COMPONENTS |
					     LP_SURVEY_CADENCE };
	struct lp_error err;

	assert_int_equal(lp_survey_run(&survey, &fake->stream, &err), 0);
	lp_survey_finish(&survey);
	lp_stream_close(&fake->stream);
	return survey;
}

static bool is_active(const struct lp_survey *survey, const char *name)
{
	const struct lp_roster_item *item =
		lp_roster_who(&survey->roster, "h", "disk", name, NULL);

	return item && lp_roster_is_active(item);
}

static void the_cadence_is_the_usual_distance_of_samples(void **state)
{
	static const double t[] = { 100.003, 101.001, 102, 109, 110.2, 111 };
	struct fake_stream *fake = fake_new();
	struct lp_survey survey;

	(void)state;
	fake_chunk(fake, two_disks("h", t, lp_array_size(t)));
	survey = survey_of(fake);
	assert_true(lp_survey_cadence(&survey) == S);
	assert_int_equal(survey.roster.hosts[0].n_samples, 6);
	lp_survey_done(&survey);
}

static void a_counter_that_is_logged_less_often_counts(void **state)
{
	struct lp_builder *b = lp_builder_new("h");
	size_t disk = lp_builder_panel(b, &lp_class_disk);
	size_t host = lp_builder_panel(b, &lp_class_host);
	struct fake_stream *fake = fake_new();
	struct lp_survey survey;
	struct lp_row row;

	(void)state;
	for (size_t i = 0; i < 40; i++) {
		lp_builder_tick(b, (int64_t)i * S / 2);
		lp_builder_row(b, host, "-", 1, &row);
		lp_row_u64(&row, 0, i);
		if (i % 4 || i == 20)
			continue;
		lp_builder_row(b, disk, "sda", 3, &row);
		lp_row_u64(&row, 0, i);
	}
	fake_chunk(fake, b);
	survey = survey_of(fake);
	assert_true(lp_survey_cadence(&survey) == 2 * S);
	lp_survey_done(&survey);
}

static void the_longest_cadence_of_all_hosts_counts(void **state)
{
	static const double t[] = { 100, 101, 102 }, u[] = { 100, 160, 220 };
	struct fake_stream *fake = fake_new();
	struct lp_survey survey;

	(void)state;
	fake_chunk(fake, two_disks("a", t, lp_array_size(t)));
	fake_chunk(fake, two_disks("b", u, lp_array_size(u)));
	survey = survey_of(fake);
	assert_true(lp_survey_cadence(&survey) == 60 * S);
	lp_survey_done(&survey);
}

static void what_the_recorder_says_of_its_interval_holds(void **state)
{
	static const double t[] = { 100, 101, 102 };
	struct fake_stream *fake = fake_new();
	struct lp_inventory *inventory = lp_inventory_new("h", 0);
	struct lp_survey survey;

	(void)state;
	lp_inventory_label(inventory, &inventory->labels, "interval_ns",
			   "5000000000");
	fake_inventory(fake, inventory);
	fake_chunk(fake, two_disks("h", t, lp_array_size(t)));
	survey = survey_of(fake);
	assert_true(lp_survey_cadence(&survey) == 5 * S);
	lp_survey_done(&survey);
}

static void a_component_that_never_counted_is_idle(void **state)
{
	static const double t[] = { 100, 101, 102 };
	struct fake_stream *fake = fake_new();
	struct lp_survey survey;

	(void)state;
	fake_chunk(fake, two_disks("h", t, lp_array_size(t)));
	survey = survey_of(fake);
	assert_true(is_active(&survey, "sda"));
	assert_false(is_active(&survey, "sdb"));
	assert_false(is_active(&survey, "sdc"));
	lp_survey_done(&survey);
}

static void activity_between_two_chunks_is_seen(void **state)
{
	static const double t[] = { 100 }, u[] = { 101, 102, 103 };
	struct fake_stream *fake = fake_new();
	struct lp_builder *b = two_disks("h", t, 1);
	struct lp_survey survey;
	struct lp_row row;

	(void)state;
	lp_builder_row(b, 0, "sdb", 3, &row);
	lp_row_u64(&row, 0, 76);
	fake_chunk(fake, b);
	fake_chunk(fake, two_disks("h", u, lp_array_size(u)));
	survey = survey_of(fake);
	assert_true(is_active(&survey, "sdb"));
	lp_survey_done(&survey);
}

/* ---- random streams, beside code that is as simple as can be ---- */

#define HOSTS 3
#define NAMES 4
#define TICKS 40
#define CLASSES 3
#define COLUMNS 32

static const struct lp_class *class_at(size_t c)
{
	const struct lp_class *const classes[CLASSES] = { &lp_class_disk,
							  &lp_class_net,
							  &random_later };

	return classes[c];
}

/* All values of a stream; a value is there if has is set. */
struct world {
	struct {
		int64_t time_ns;
		struct {
			bool has[COLUMNS];
			uint64_t bits[COLUMNS];
		} of[CLASSES][NAMES];
	} ticks[HOSTS][TICKS];
	size_t n_ticks[HOSTS];
};

static bool is_number_above_zero(const struct lp_column *column, uint64_t bits)
{
	double v;

	if (column->type == LP_U64)
		return bits > 0;
	memcpy(&v, &bits, sizeof(v));
	return column->type == LP_F64 && v > 0;
}

/* Half of the components stand still; values are missing now and then. */
static void fill_component(struct world *w, size_t h, size_t c, size_t name,
			   uint64_t *rng)
{
	const struct lp_class *class = class_at(c);
	bool still = random_below(rng, 2), up = random_below(rng, 2);

	for (size_t t = 0; t < w->n_ticks[h]; t++)
		for (size_t k = 0; k < class->n_columns; k++) {
			const struct lp_column *column = &class->columns[k];
			bool level = column->kind == LP_GAUGE ||
				     column->kind == LP_WEIGHTED;
			uint64_t v = level ? up : still ? 7 : t / 3;

			/* Whether there are counters shows at once. */
			w->ticks[h][t].of[c][name].has[k] =
				column->type != LP_TEXT &&
				(t == 0 || random_below(rng, 4));
			w->ticks[h][t].of[c][name].bits[k] =
				column->type == LP_F64
					? lp_double_bits((double)v)
					: v;
		}
}

static struct world *make_world(uint64_t *rng)
{
	struct world *w = calloc(1, sizeof(*w));

	assert_non_null(w);
	for (size_t h = 0; h < HOSTS; h++) {
		int64_t interval = (int64_t)(1 + random_below(rng, 3)) * S;

		w->n_ticks[h] = 2 + random_below(rng, TICKS - 2);
		for (size_t t = 0; t < w->n_ticks[h]; t++)
			w->ticks[h][t].time_ns = (int64_t)t * interval;
		for (size_t c = 0; c < CLASSES; c++)
			for (size_t n = random_below(rng, NAMES); n < NAMES;
			     n++)
				fill_component(w, h, c, n, rng);
	}
	return w;
}

static void put_tick(const struct world *w, size_t h, size_t t,
		     struct lp_builder *b)
{
	lp_builder_tick(b, w->ticks[h][t].time_ns);
	for (size_t c = 0; c < CLASSES; c++) {
		size_t panel = lp_builder_panel(b, class_at(c));

		for (size_t n = 0; n < NAMES; n++)
			for (size_t k = 0; k < class_at(c)->n_columns; k++) {
				const char name[] = { (char)('a' + n), '\0' };
				struct lp_row row;

				if (!w->ticks[h][t].of[c][n].has[k])
					continue;
				lp_builder_row(b, panel, name, 1, &row);
				lp_row_u64(&row, k,
					   w->ticks[h][t].of[c][n].bits[k]);
			}
	}
}

/* The hosts' ticks in chunks of random lengths, in turns. */
static struct fake_stream *stream_of(const struct world *w, uint64_t *rng)
{
	static const char *const names[HOSTS] = { "h0", "h1", "h2" };
	static const struct lp_event event = { .host = "h1",
					       .time_ns = 5,
					       .kind = LP_EVENT_STOP };
	struct fake_stream *fake = fake_new();
	size_t at[HOSTS] = { 0 }, left = HOSTS;

	while (left > 0) {
		size_t h = random_below(rng, HOSTS);
		size_t n = 1 + random_below(rng, 12);
		struct lp_builder *b;

		if (at[h] == w->n_ticks[h])
			continue;
		b = lp_builder_new(names[h]);
		for (; n > 0 && at[h] < w->n_ticks[h]; n--)
			put_tick(w, h, at[h]++, b);
		fake_chunk(fake, b);
		left -= at[h] == w->n_ticks[h];
	}
	fake_event(fake, &event);
	return fake;
}

/* What the survey ought to know of a component. */
struct answer {
	size_t n_samples;
	int64_t first_ns, last_ns;
	bool moved, up;
};

static struct answer answer_for(const struct world *w, size_t h, size_t c,
				size_t n)
{
	const struct lp_class *class = class_at(c);
	bool known = lp_class_find(class->name);
	struct answer a = { 0 };

	for (size_t t = 0; t < w->n_ticks[h]; t++) {
		bool there = false;

		for (size_t k = 0; k < class->n_columns; k++) {
			const struct lp_column *column = &class->columns[k];
			uint64_t v = w->ticks[h][t].of[c][n].bits[k];

			if (!w->ticks[h][t].of[c][n].has[k])
				continue;
			there = true;
			if (!lp_delta_counts(column))
				a.up |= is_number_above_zero(column, v);
			else if (known)
				a.moved |= v != w->ticks[h][0].of[c][n].bits[k];
		}
		if (!there)
			continue;
		a.first_ns = a.n_samples ? a.first_ns : w->ticks[h][t].time_ns;
		a.last_ns = w->ticks[h][t].time_ns;
		a.n_samples++;
	}
	a.moved |= !known && a.up;
	return a;
}

static void check_component(const struct world *w,
			    const struct lp_survey *survey, size_t h, size_t c,
			    size_t n)
{
	const char host[] = { 'h', (char)('0' + h), '\0' };
	const char name[] = { (char)('a' + n), '\0' };
	const struct lp_roster_item *item = lp_roster_who(
		&survey->roster, host, class_at(c)->name, name, NULL);
	struct answer a = answer_for(w, h, c, n);

	assert_int_equal(item != NULL, a.n_samples > 0);
	if (!item)
		return;
	assert_int_equal(item->n_samples, a.n_samples);
	assert_int_equal(item->first_ns, a.first_ns);
	assert_int_equal(item->last_ns, a.last_ns);
	assert_int_equal(item->moved, a.moved);
	assert_int_equal(lp_roster_is_active(item), a.moved || a.up);
}

/* Of the class and, if `only` is set, of the component "b" alone. */
static bool has_column(const struct world *w, size_t c, size_t k, bool only)
{
	for (size_t h = 0; h < HOSTS; h++)
		for (size_t t = 0; t < w->n_ticks[h]; t++)
			for (size_t n = 0; n < NAMES; n++)
				if (w->ticks[h][t].of[c][n].has[k] &&
				    (!only || n == 1))
					return true;
	return false;
}

static void check_columns(const struct world *w, const struct lp_seen *seen,
			  bool only)
{
	for (size_t c = 0; c < CLASSES; c++) {
		const struct lp_class *class = class_at(c);
		size_t n = 0;

		for (size_t k = 0; k < class->n_columns; k++) {
			bool has = has_column(w, c, k, only);

			n += has;
			assert_int_equal(lp_seen_column(seen, class,
							class->columns[k].name),
					 has);
		}
		assert_int_equal(lp_seen_find(seen, class->name) != NULL,
				 n > 0);
	}
}

static struct lp_survey run_survey(const struct world *w, uint64_t *rng,
				   unsigned parts,
				   const struct lp_selection *selection)
{
	struct lp_survey survey = { .parts = parts, .selection = selection };
	struct fake_stream *fake = stream_of(w, rng);

	assert_int_equal(lp_survey_run(&survey, &fake->stream, NULL), 0);
	lp_survey_finish(&survey);
	lp_stream_close(&fake->stream);
	return survey;
}

static void check_hosts(const struct world *w, const struct lp_survey *survey)
{
	assert_int_equal(survey->roster.n_hosts, HOSTS);
	for (size_t h = 0; h < HOSTS; h++) {
		const char name[] = { 'h', (char)('0' + h), '\0' };
		const struct lp_roster_host *host =
			lp_survey_host(survey, name);
		size_t n = w->n_ticks[h];

		assert_non_null(host);
		assert_int_equal(host->n_samples, n);
		assert_int_equal(host->first_ns, 0);
		assert_int_equal(host->last_ns, w->ticks[h][n - 1].time_ns);
		assert_int_equal(host->interval_ns, w->ticks[h][1].time_ns);
	}
}

static void a_survey_is_right_in_any_chunks(void **state)
{
	uint64_t rng = 15;

	(void)state;
	for (int round = 0; round < 60; round++) {
		struct world *w = make_world(&rng);
		struct lp_survey survey = run_survey(
			w, &rng, LP_SURVEY_PEERS | LP_SURVEY_COLUMNS, NULL);

		check_hosts(w, &survey);
		for (size_t h = 0; h < HOSTS; h++)
			for (size_t c = 0; c < CLASSES; c++)
				for (size_t n = 0; n < NAMES; n++)
					check_component(w, &survey, h, c, n);
		check_columns(w, &survey.seen, false);
		assert_int_equal(survey.n_events, 1);
		assert_true(lp_survey_stopped(&survey, "h1", S));
		lp_survey_done(&survey);
		free(w);
	}
}

static void columns_are_those_of_the_selection(void **state)
{
	const char *text[] = { "b" };
	struct lp_selection selection = { .devices = { .text = text,
						       .count = 1 },
					  .since_ns = LP_TIME_MIN,
					  .until_ns = LP_TIME_MAX };
	uint64_t rng = 16;

	(void)state;
	for (int round = 0; round < 20; round++) {
		struct world *w = make_world(&rng);
		struct lp_survey survey =
			run_survey(w, &rng, LP_SURVEY_COLUMNS, &selection);

		check_columns(w, &survey.seen, true);
		/* Nobody asked for more. */
		assert_int_equal(survey.roster.n_hosts, 0);
		assert_int_equal(survey.n_events, 0);
		lp_survey_done(&survey);
		free(w);
	}
}

static void a_component_is_found_by_its_identity(void **state)
{
	static const double t[] = { 100, 101, 102 };
	static const char *const names[] = { "sda", "sdb" };
	struct fake_stream *fake = fake_new();
	struct lp_survey survey;

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct lp_inventory *inventory = lp_inventory_new("h", 0);
		struct lp_component *c =
			lp_inventory_add(inventory, "disk", names[i]);

		lp_inventory_label(inventory, &c->labels, "id", "wwn-1");
		fake_inventory(fake, inventory);
		if (i == 0)
			fake_chunk(fake, two_disks("h", t, lp_array_size(t)));
	}
	survey = survey_of(fake);
	/* It is called sdb by now. */
	assert_true(lp_roster_is_active(
		lp_roster_who(&survey.roster, "h", "disk", "sda", "wwn-1")));
	assert_null(lp_roster_who(&survey.roster, "h", "disk", "sda", NULL));
	lp_survey_done(&survey);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_cadence_is_the_usual_distance_of_samples),
		cmocka_unit_test(a_counter_that_is_logged_less_often_counts),
		cmocka_unit_test(the_longest_cadence_of_all_hosts_counts),
		cmocka_unit_test(what_the_recorder_says_of_its_interval_holds),
		cmocka_unit_test(a_component_that_never_counted_is_idle),
		cmocka_unit_test(activity_between_two_chunks_is_seen),
		cmocka_unit_test(a_survey_is_right_in_any_chunks),
		cmocka_unit_test(columns_are_those_of_the_selection),
		cmocka_unit_test(a_component_is_found_by_its_identity),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
