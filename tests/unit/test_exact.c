/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any step's values equal those of a plain reference on random recordings,
 * bit for bit, wherever the chunks are cut.
 *
 * The reference holds a whole recording in arrays and does one thing after
 * the other, by the rules in steps.h; steps.c does the same in one pass.
 */
#include "fake_stream.h"

#define S LP_NS_PER_S
#define TICKS 700 /* more than a slice */
#define SERIES 4
#define ROUNDS 40

enum { IOS, MS, FLIGHT, COLUMNS };
static const char *const column_names[COLUMNS] = { "rd_ios", "rd_ms",
						   "in_flight" };
static const char *const series_names[SERIES] = { "sda", "sdb", "sdc", "sdd" };

struct recording {
	int64_t time_ns[TICKS];
	uint64_t value[SERIES][COLUMNS][TICKS];
	bool has[SERIES][COLUMNS][TICKS];
	bool reset[SERIES][TICKS]; /* a counter of it began anew, or the clock
				      was set back */
};

static uint64_t random_state;

/* xorshift64: the same on every machine. */
static uint64_t random_u64(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

static bool one_in(uint64_t n)
{
	return random_u64() % n == 0;
}

static void random_times(struct recording *r, bool rough)
{
	int64_t t = 1000 * S + (int64_t)(random_u64() % 1000);

	for (size_t i = 0; i < TICKS; i++) {
		t += S;
		if (rough && one_in(40))
			t += (int64_t)(random_u64() % 20) * S;
		if (rough && one_in(60))
			t -= (int64_t)(random_u64() % 8) * S;
		r->time_ns[i] = t + (int64_t)(random_u64() % (S / 5));
		if (rough && one_in(50) && i)
			r->time_ns[i] = r->time_ns[i - 1];
	}
	for (size_t s = 0; s < SERIES; s++)
		for (size_t i = 0; i < TICKS; i++)
			r->reset[s][i] = i && r->time_ns[i] < r->time_ns[i - 1];
}

/* Counters that wrap at 2^32 (ms) and 2^64 (ios), and now and then restart. */
static void random_series(struct recording *r, size_t s, bool rough)
{
	uint64_t ios = UINT64_MAX - random_u64() % 100000, flight;
	uint32_t ms = (uint32_t)random_u64();
	bool all = !rough || one_in(2);

	for (size_t i = 0; i < TICKS; i++) {
		bool gone = !all && one_in(15);

		ios += random_u64() % 1000;
		ms += (uint32_t)(random_u64() % 200000000);
		flight = random_u64() % 10;
		if (rough && one_in(80) && !gone && ios > 100000 &&
		    ios < UINT64_MAX / 2) {
			ios = random_u64() % 100;
			r->reset[s][i] = true;
		}
		r->value[s][IOS][i] = ios;
		r->value[s][MS][i] = ms;
		r->value[s][FLIGHT][i] = flight;
		r->has[s][IOS][i] = !gone;
		r->has[s][MS][i] = !gone && (all || !one_in(20));
		r->has[s][FLIGHT][i] = !gone && (all || !one_in(10));
	}
}

static int64_t reference_point(int64_t t, int64_t step)
{
	return (2 * t + step) / (2 * step); /* times are positive here */
}

/* The sample of slot [from, to) that stands for it, or -1. */
static long representative(const struct recording *r, size_t s, size_t c,
			   size_t from, size_t to, int64_t step)
{
	int64_t point = step ? reference_point(r->time_ns[from], step) * step
			     : r->time_ns[from];
	long best = -1;

	for (size_t i = from; i < to; i++) {
		bool newer = r->reset[s][i];

		/* What stood before a reset counts only if nothing follows. */
		for (size_t j = i; newer && j < to; j++)
			if (r->has[s][c][j]) {
				best = -1;
				break;
			}
		if (!r->has[s][c][i])
			continue;
		if (best < 0 || llabs(r->time_ns[i] - point) <=
					llabs(r->time_ns[best] - point))
			best = (long)i;
	}
	return best;
}

static double reference_increase(const struct recording *r, size_t s, size_t c,
				 long from, long to)
{
	uint64_t sum = 0, last = r->value[s][c][from];

	if (r->time_ns[to] <= r->time_ns[from])
		return NAN;
	for (long i = from + 1; i <= to; i++) {
		if (r->reset[s][i])
			return NAN;
		if (!r->has[s][c][i])
			continue;
		sum += c == MS ? (uint32_t)(r->value[s][c][i] - last)
			       : r->value[s][c][i] - last;
		last = r->value[s][c][i];
	}
	return (double)sum;
}

static double reference_mean(const struct recording *r, size_t s, long from,
			     long to)
{
	double sum = 0, n = 0, only = NAN;

	for (long i = from; i <= to; i++)
		if (r->has[s][FLIGHT][i]) {
			sum += (double)r->value[s][FLIGHT][i];
			only = (double)r->value[s][FLIGHT][i];
			n++;
		}
	return n == 1 ? only : sum / n;
}

struct expected {
	int64_t point_ns;
	double value;
};

/* The level of the slot [from, to), whose neighbour began at `before`. */
static double reference_level(const struct recording *r, size_t s, size_t from,
			      long rep, long rep_before, bool follows)
{
	long first = follows && rep_before >= 0 ? rep_before + 1 : (long)from;

	if (rep < 0)
		return NAN;
	for (long i = (long)from; i <= rep; i++)
		if (r->reset[s][i] && i > (long)from) {
			bool earlier = false;

			for (long j = (long)from; j < i; j++)
				earlier |= r->has[s][FLIGHT][j];
			if (earlier)
				first = i;
		}
	return reference_mean(r, s, first, rep);
}

static size_t reference(const struct recording *r, size_t s, size_t c,
			int64_t step, struct expected *out)
{
	size_t n = 0, from = 0, to;
	long before = -1;
	int64_t point, point_before = INT64_MIN;

	for (; from < TICKS; from = to, n++) {
		bool follows;
		long rep;

		point = step ? reference_point(r->time_ns[from], step)
			     : (int64_t)n;
		for (to = from + 1; step && to < TICKS; to++)
			if (reference_point(r->time_ns[to], step) != point)
				break;
		rep = representative(r, s, c, from, to, step);
		follows = point - 1 == point_before;
		out[n].point_ns = step ? point * step : r->time_ns[from];
		if (c == FLIGHT)
			out[n].value = reference_level(r, s, from, rep, before,
						       follows);
		else
			out[n].value = follows && rep >= 0 && before >= 0
					       ? reference_increase(r, s, c,
								    before, rep)
					       : NAN;
		if (rep >= 0 || step)
			before = rep;
		point_before = point;
	}
	return n;
}

static void put_tick(struct lp_builder *b, const struct recording *r, size_t i)
{
	size_t panel = lp_builder_panel(b, &lp_class_disk);
	struct lp_row row;

	lp_builder_tick(b, r->time_ns[i]);
	for (size_t s = 0; s < SERIES; s++)
		for (size_t c = 0; c < COLUMNS; c++) {
			if (!r->has[s][c][i])
				continue;
			lp_builder_row(b, panel, series_names[s], 3, &row);
			lp_row_u64(&row,
				   (size_t)lp_class_column(&lp_class_disk,
							   column_names[c]),
				   r->value[s][c][i]);
		}
}

/* The recording as chunks of `most` ticks; 0: of any random length. */
static struct fake_stream *stream_of(const struct recording *r, size_t most)
{
	struct fake_stream *fake = fake_new();

	for (size_t i = 0; i < TICKS;) {
		size_t n = most ? most : 1 + random_u64() % 60;
		struct lp_builder *b = lp_builder_new("h");

		for (; n > 0 && i < TICKS; n--, i++)
			put_tick(b, r, i);
		fake_chunk(fake, b);
	}
	return fake;
}

/* The values of one column in the order in which they came. */
static size_t select_column(const struct fake_table *t, size_t s, size_t c,
			    const struct fake_value **out)
{
	char component[16];
	size_t n = 0;

	snprintf(component, sizeof(component), "h/%s", series_names[s]);
	for (size_t i = 0; i < t->count; i++)
		if (strcmp(t->items[i].component, component) == 0 &&
		    strcmp(t->items[i].column, column_names[c]) == 0)
			out[n++] = &t->items[i];
	return n;
}

static bool same_number(double a, double b)
{
	return isnan(a) ? isnan(b) : a == b;
}

/* Points that were left out are missing: the reference must say NaN. */
static void compare(const struct recording *r, const struct fake_table *t,
		    size_t s, size_t c, int64_t step)
{
	static struct expected want[TICKS];
	static const struct fake_value *have[2 * TICKS];
	size_t n = reference(r, s, c, step, want), k = 0;
	size_t n_have = select_column(t, s, c, have);

	for (size_t i = 0; i < n; i++) {
		bool met = k < n_have && have[k]->point_ns == want[i].point_ns;
		double v = met ? have[k]->value : NAN;

		if (!same_number(v, want[i].value))
			fail_msg("%s %s step %g s, slot %zu at %g: %.17g, not "
				 "%.17g",
				 series_names[s], column_names[c],
				 (double)step / 1e9, i,
				 (double)want[i].point_ns / 1e9, v,
				 want[i].value);
		k += met;
	}
	assert_int_equal(k, n_have);
}

static void compare_all(const struct recording *r, int64_t step, size_t most)
{
	struct fake_table t = fake_run(stream_of(r, most), step);

	for (size_t s = 0; s < SERIES; s++)
		for (size_t c = 0; c < COLUMNS; c++)
			compare(r, &t, s, c, step);
	free(t.items);
}

static void check(bool rough)
{
	static const int64_t steps[] = { 0, S, 2 * S, 5 * S, 15 * S, 60 * S };
	struct recording *r = calloc(1, sizeof(*r));

	assert_non_null(r);
	random_times(r, rough);
	for (size_t s = 0; s < SERIES; s++)
		random_series(r, s, rough);
	for (size_t i = 0; i < lp_array_size(steps); i++) {
		compare_all(r, steps[i], TICKS);
		compare_all(r, steps[i], 0);
	}
	free(r);
}

static void every_step_of_a_smooth_recording_is_exact(void **state)
{
	(void)state;
	random_state = 88172645463325252u;
	for (int i = 0; i < 5; i++)
		check(false);
}

static void every_step_of_a_rough_recording_is_exact(void **state)
{
	(void)state;
	random_state = 1234567890123456789u;
	for (int i = 0; i < ROUNDS; i++)
		check(true);
}

static void chunks_of_one_tick_give_the_same(void **state)
{
	struct recording *r = calloc(1, sizeof(*r));
	struct fake_table whole, single;

	(void)state;
	assert_non_null(r);
	random_state = 42;
	random_times(r, true);
	for (size_t s = 0; s < SERIES; s++)
		random_series(r, s, true);
	whole = fake_run(stream_of(r, TICKS), 5 * S);
	single = fake_run(stream_of(r, 2), 5 * S);
	for (size_t i = 0; i < whole.count; i++) {
		const struct fake_value *v = &whole.items[i];
		const struct fake_value *w = fake_find(&single, v->component,
						       v->column, v->point_ns);
		const struct fake_value *u =
			fake_find(&whole, v->component, v->column, v->point_ns);

		assert_true(w ? same_number(u->value, w->value)
			      : isnan(u->value));
	}
	free(whole.items);
	free(single.items);
	free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_step_of_a_smooth_recording_is_exact),
		cmocka_unit_test(every_step_of_a_rough_recording_is_exact),
		cmocka_unit_test(chunks_of_one_tick_give_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
