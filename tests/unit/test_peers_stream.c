/* SPDX-License-Identifier: Apache-2.0 */
/* Rows pushed one by one give what a look at the whole recording gives. */
#include "unit.h"

#include "detect/engine.h"
#include "stats/random.h"
#include "stats/smooth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEP_NS INT64_C(1000000000)
#define POINTS 400
#define N_MOST 12

struct recording {
	size_t n;
	double x[POINTS][N_MOST];
};

/* What is known of one window; compared as bytes. */
struct outcome {
	int64_t end_ns;
	uint8_t flag[N_MOST], anomalous[N_MOST], absent[N_MOST], gone[N_MOST];
	uint32_t others[N_MOST];
};

struct outcomes {
	size_t n, count;
	struct outcome of[POINTS];
};

static void make(struct recording *rec, struct lp_random *r)
{
	rec->n = 3 + (size_t)(lp_random_uniform(r) * (N_MOST - 2));
	for (size_t t = 0; t < POINTS; t++)
		for (size_t i = 0; i < rec->n; i++) {
			double v = 2 + lp_random_exponential(r);

			if (lp_random_uniform(r) < 0.1 ||
			    (i == 0 && t % 200 > 100))
				v = NAN;
			rec->x[t][i] = i == 1 && t > 250 ? 6 * v : v;
		}
}

static int64_t time_of(size_t t)
{
	return (int64_t)(t + 1007) * STEP_NS;
}

static int keep(void *user, const struct lp_judged *judged)
{
	struct outcomes *all = user;
	struct outcome *o = &all->of[all->count++];

	memset(o, 0, sizeof(*o));
	o->end_ns = judged->end_ns;
	for (size_t i = 0; i < all->n; i++) {
		o->flag[i] = judged->verdicts[i].flag;
		o->others[i] = judged->verdicts[i].others;
		o->anomalous[i] = judged->anomalous[i];
		o->absent[i] = judged->absent[i];
		o->gone[i] = judged->gone[i];
	}
	return 0;
}

static struct lp_engine_options options_of(const struct recording *rec,
					   const struct lp_detector *detector)
{
	return (struct lp_engine_options){
		.detector = detector,
		.params = { .smooth = 7,
			    .window = 20,
			    .shift = 8,
			    .k = 2,
			    .threshold = detector->lower_is_worse ? 0.7 : 1.5 },
		.n = rec->n,
		.step_ns = STEP_NS,
		.floor.idle = 0.1,
	};
}

static void stream(const struct recording *rec,
		   const struct lp_engine_options *options,
		   const bool *left_out, struct outcomes *all)
{
	struct lp_engine *e = lp_engine_new(options);

	all->n = rec->n;
	all->count = 0;
	for (size_t t = 0; t < POINTS; t++)
		if (!left_out || !left_out[t])
			assert_int_equal(lp_engine_push(e, time_of(t),
							rec->x[t], keep, all),
					 0);
	lp_engine_free(e);
}

/* At least k of the last 2k - 1 windows, by looking back. */
static bool voted(const struct outcomes *all, size_t last, size_t i, unsigned k,
		  bool absence)
{
	unsigned votes = 0;

	for (size_t back = 0; back < 2 * k - 1 && back <= last; back++) {
		const struct outcome *o = &all->of[last - back];

		votes += absence ? o->absent[i] : o->flag[i];
	}
	return votes >= k;
}

static void look_at_window(const struct lp_engine_options *o,
			   const double *means, size_t end,
			   struct outcomes *all)
{
	size_t n = o->n, w = o->params.window, with = 0;
	double x[N_MOST * 20], thresholds[N_MOST];
	struct lp_judge_input input = { .window = { x, n, w },
					.thresholds = thresholds,
					.floor = o->floor,
					.exact = true };
	struct lp_verdict verdicts[N_MOST];
	struct lp_arena arena = { 0 };
	struct outcome *out = &all->of[all->count];

	memset(out, 0, sizeof(*out));
	out->end_ns = time_of(end);
	for (size_t i = 0; i < n; i++) {
		thresholds[i] = o->params.threshold;
		out->absent[i] = true;
		for (size_t s = 0; s < w; s++) {
			x[i * w + s] = means[(end + 1 - w + s) * n + i];
			if (!isnan(x[i * w + s]))
				out->absent[i] = false;
		}
		with += !out->absent[i];
	}
	assert_int_equal(o->detector->judge(&input, &arena, verdicts), 0);
	lp_arena_done(&arena);
	for (size_t i = 0; i < n; i++) {
		out->absent[i] = out->absent[i] && 2 * with > n - 1;
		out->flag[i] = verdicts[i].flag;
		out->others[i] = verdicts[i].others;
		out->anomalous[i] = voted(all, all->count, i, o->params.k, 0);
		out->gone[i] = voted(all, all->count, i, o->params.k, 1);
	}
	all->count++;
}

static void look_at_all(const struct recording *rec,
			const struct lp_engine_options *o, struct outcomes *all)
{
	double *means = calloc(POINTS * rec->n, sizeof(*means));
	struct lp_smooth *s = lp_smooth_new(rec->n, o->params.smooth);
	int64_t apart = (int64_t)o->params.shift * STEP_NS;

	all->n = rec->n;
	all->count = 0;
	for (size_t t = 0; t < POINTS; t++)
		lp_smooth_push(s, rec->x[t], means + t * rec->n);
	for (size_t t = o->params.window - 1; t < POINTS; t++)
		if (time_of(t) % apart == 0)
			look_at_window(o, means, t, all);
	lp_smooth_free(s);
	free(means);
}

static void assert_same(const struct outcomes *a, const struct outcomes *b)
{
	assert_true(a->count > 40);
	assert_int_equal(a->count, b->count);
	assert_memory_equal(a->of, b->of, a->count * sizeof(*a->of));
}

static void pushing_rows_is_looking_at_the_whole(void **state)
{
	struct outcomes *streamed = calloc(1, sizeof(*streamed));
	struct outcomes *whole = calloc(1, sizeof(*whole));
	struct recording *rec = calloc(1, sizeof(*rec));
	struct lp_random r;

	(void)state;
	lp_random_init(&r, 3, 1);
	for (int round = 0; round < 20; round++)
		for (size_t d = 0; lp_detectors[d]; d++) {
			struct lp_engine_options options;

			if (lp_detectors[d]->joint)
				continue;
			make(rec, &r);
			options = options_of(rec, lp_detectors[d]);
			stream(rec, &options, NULL, streamed);
			look_at_all(rec, &options, whole);
			assert_same(streamed, whole);
		}
	free(rec);
	free(whole);
	free(streamed);
}

/* Single points, gaps longer than the average, and than average and window. */
static void leave_out(struct recording *rec, struct lp_random *r,
		      bool *left_out)
{
	for (size_t t = 0; t < POINTS; t++) {
		left_out[t] = (lp_random_uniform(r) < 0.1 && t > 0) ||
			      (t > 50 && t < 62) || (t > 150 && t < 190) ||
			      (t > 240 && t < 330);
		for (size_t i = 0; left_out[t] && i < rec->n; i++)
			rec->x[t][i] = NAN;
	}
	/* The last one is pushed, so that all windows are judged. */
	left_out[POINTS - 1] = false;
}

static void a_row_left_out_is_a_row_of_missing_values(void **state)
{
	struct outcomes *with = calloc(1, sizeof(*with));
	struct outcomes *without = calloc(1, sizeof(*without));
	struct recording *rec = calloc(1, sizeof(*rec));
	const struct lp_detector *single[] = {
		&lp_detector_cdf,    &lp_detector_pdf,  &lp_detector_median,
		&lp_detector_thresh, &lp_detector_cwnd,
	};
	bool left_out[POINTS];
	struct lp_random r;

	(void)state;
	lp_random_init(&r, 3, 2);
	for (int round = 0; round < 20; round++) {
		struct lp_engine_options options;

		make(rec, &r);
		leave_out(rec, &r, left_out);
		options = options_of(rec, single[round % 5]);
		stream(rec, &options, NULL, with);
		stream(rec, &options, left_out, without);
		assert_same(with, without);
	}
	free(rec);
	free(without);
	free(with);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pushing_rows_is_looking_at_the_whole),
		cmocka_unit_test(a_row_left_out_is_a_row_of_missing_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
