/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A detector that sees all metrics of a group at once runs through the same
 * engine as those of one metric. The one here is the tests' own: in blocks of
 * 10 s, whose rank among its peers, as a share of them and averaged over the
 * metrics, is above its threshold.
 */
#include "unit.h"

#include "detect/engine.h"
#include "detect/joint.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define S INT64_C(1000000000)
#define N 6

/* ---- the detector ---- */

struct ranks {
	struct lp_joint_setup setup;
	double *sums;  /* [metric][component], of this block */
	double *ranks; /* likewise: shares of the peers that have less */
	size_t *counts;
	int64_t end_ns;
};

static bool takes(const struct lp_metric *metric)
{
	return metric->role == LP_LATENCY || metric->role == LP_QUEUE;
}

static void close_ranks(void *state)
{
	struct ranks *r = state;

	free(r->sums);
	free(r->ranks);
	free(r->counts);
	free(r);
}

static void *open_ranks(const struct lp_joint_setup *setup)
{
	size_t cells = setup->n * setup->n_metrics;
	struct ranks *r = calloc(1, sizeof(*r));

	r->setup = *setup;
	r->sums = calloc(cells, sizeof(*r->sums));
	r->ranks = calloc(cells, sizeof(*r->ranks));
	r->counts = calloc(cells, sizeof(*r->counts));
	return r;
}

static int push_ranks(void *state, int64_t time_ns, const double *const *rows)
{
	struct ranks *r = state;
	size_t n = r->setup.n;

	assert_int_equal(time_ns % r->setup.step_ns, 0);
	for (size_t m = 0; m < r->setup.n_metrics; m++)
		for (size_t i = 0; i < n; i++)
			if (!isnan(rows[m][i])) {
				r->sums[m * n + i] += rows[m][i];
				r->counts[m * n + i]++;
			}
	return 0;
}

/* The share of the others with a smaller mean; NaN: it has none itself. */
static double rank_of(const struct ranks *r, size_t m, size_t i,
		      uint32_t *others)
{
	const double *sums = r->sums + m * r->setup.n;
	const size_t *counts = r->counts + m * r->setup.n;
	size_t less = 0;

	*others = 0;
	for (size_t j = 0; j < r->setup.n; j++) {
		if (j == i || !counts[j])
			continue;
		less += sums[j] / (double)counts[j] <
			sums[i] / (double)counts[i];
		(*others)++;
	}
	return counts[i] && *others ? (double)less / *others : NAN;
}

static struct lp_verdict judge_one(struct ranks *r, size_t i)
{
	struct lp_verdict v = lp_verdict_none();
	double sum = 0, most = -1;
	size_t known = 0;

	for (size_t m = 0; m < r->setup.n_metrics; m++) {
		double rank = rank_of(r, m, i, &v.others);

		r->ranks[m * r->setup.n + i] = rank;
		if (isnan(rank))
			continue;
		sum += rank;
		known++;
		if (rank > most)
			v.metric = (uint16_t)m;
		most = fmax(most, rank);
	}
	if (known)
		v.critical = v.median_distance = sum / (double)known;
	v.flag = v.critical > r->setup.thresholds[i];
	return v;
}

static int judge_ranks(void *state, int64_t end_ns, struct lp_arena *arena,
		       struct lp_verdict *verdicts)
{
	struct ranks *r = state;
	size_t cells = r->setup.n * r->setup.n_metrics;

	(void)arena;
	r->end_ns = end_ns;
	for (size_t i = 0; i < r->setup.n; i++)
		verdicts[i] = judge_one(r, i);
	memset(r->sums, 0, cells * sizeof(*r->sums));
	memset(r->counts, 0, cells * sizeof(*r->counts));
	return 0;
}

static int explain_ranks(const void *state, size_t i, lp_reason_sink *sink,
			 void *user)
{
	const struct ranks *r = state;
	int status = 0;

	for (size_t m = 0; m < r->setup.n_metrics && status == 0; m++) {
		struct lp_reason reason = {
			.metric = r->setup.metrics[m],
			.kind = "rank",
			.begin_ns = r->end_ns - r->setup.block_ns,
			.end_ns = r->end_ns,
			.distance = r->ranks[m * r->setup.n + i],
			.limit = r->setup.thresholds[i],
			.share = NAN,
			.effect = NAN,
			.gate = NAN,
		};

		status = sink(user, &reason);
	}
	return status;
}

static const struct lp_joint joint_ranks = {
	.takes = takes,
	.block_ns = 10 * S,
	.open = open_ranks,
	.close = close_ranks,
	.push = push_ranks,
	.judge = judge_ranks,
	.explain = explain_ranks,
};

static const struct lp_detector ranks_detector = {
	.name = "ranks",
	.help = "ranks among the peers, averaged over metrics",
	.defaults = { .k = 1, .threshold = 0.9 },
	.joint = &joint_ranks,
};

/* ---- its runs ---- */

struct blocks {
	size_t n;
	int64_t ends[64];
	bool flag[64][N], absent[64][N];
	double distance[64][N];
	size_t metric[64][N];
	struct lp_reason reasons[4]; /* of component 2 in the last block */
	size_t n_reasons;
};

static int take_reason(void *user, const struct lp_reason *reason)
{
	struct blocks *b = user;

	assert_true(b->n_reasons < lp_array_size(b->reasons));
	b->reasons[b->n_reasons++] = *reason;
	return 0;
}

static int take(void *user, const struct lp_judged *judged)
{
	struct blocks *b = user;

	assert_true(b->n < 64);
	assert_null(judged->input);
	b->ends[b->n] = judged->end_ns;
	for (size_t i = 0; i < N; i++) {
		struct lp_verdict v;

		assert_int_equal(lp_judged_explain(judged, i, &v), 0);
		b->flag[b->n][i] = judged->anomalous[i];
		b->absent[b->n][i] = judged->absent[i];
		b->distance[b->n][i] = v.critical;
		b->metric[b->n][i] = v.metric;
	}
	b->n++;
	b->n_reasons = 0;
	return lp_judged_reasons(judged, 2, take_reason, b);
}

static const struct lp_metric *const metrics[] = {
	&(const struct lp_metric){ .name = "wait", .role = LP_LATENCY },
	&(const struct lp_metric){ .name = "queue", .role = LP_QUEUE },
};

static struct lp_engine *engine_at(int64_t step_ns)
{
	struct lp_engine_options options = {
		.detector = &ranks_detector,
		.n = N,
		.step_ns = step_ns,
		.metrics = metrics,
		.n_metrics = lp_array_size(metrics),
	};
	struct lp_engine *e = lp_engine_new(&options);

	assert_non_null(e);
	return e;
}

/* From 50 s on component 2 has the longest times and queues. */
static void push(struct lp_engine *e, int64_t time_s, struct blocks *b)
{
	double wait[N], queue[N];
	const double *const rows[] = { wait, queue };

	for (size_t i = 0; i < N; i++) {
		wait[i] = (double)((i + (size_t)time_s / 10) % N);
		queue[i] = (double)((2 * i + (size_t)time_s / 10) % N);
		if (i == 2 && time_s > 50)
			wait[i] = queue[i] = 10;
		if (i == 4 && time_s > 70)
			wait[i] = queue[i] = NAN;
	}
	assert_int_equal(lp_engine_push_rows(e, time_s * S, rows, take, b), 0);
}

static void it_judges_blocks_of_all_metrics(void **state)
{
	struct lp_engine *e = engine_at(S);
	struct blocks b = { 0 };

	(void)state;
	for (int64_t t = 13; t <= 100; t++)
		push(e, t, &b);
	lp_engine_free(e);
	/* Blocks begin at multiples of their length since the epoch. */
	assert_int_equal(b.n, 9);
	for (size_t k = 0; k < b.n; k++) {
		assert_int_equal(b.ends[k], (int64_t)(k + 2) * 10 * S);
		for (size_t i = 0; i < N; i++) {
			bool ill = i == 2 && k >= 4;

			assert_int_equal(b.flag[k][i], ill);
			assert_int_equal(b.absent[k][i], i == 4 && k >= 6);
		}
	}
	assert_true(b.distance[8][2] == 1);
	assert_true(isnan(b.distance[8][4]));
}

static void it_says_why(void **state)
{
	struct lp_engine *e = engine_at(S);
	struct blocks b = { 0 };

	(void)state;
	for (int64_t t = 1; t <= 60; t++)
		push(e, t, &b);
	lp_engine_free(e);
	assert_int_equal(b.n_reasons, 2);
	for (size_t m = 0; m < 2; m++) {
		const struct lp_reason *r = &b.reasons[m];

		assert_ptr_equal(r->metric, metrics[m]);
		assert_string_equal(r->kind, "rank");
		assert_int_equal(r->begin_ns, 50 * S);
		assert_int_equal(r->end_ns, 60 * S);
		assert_true(r->distance == 1 && r->limit == 0.9);
		assert_true(lp_reason_nearness(r) > 1);
	}
}

static void a_gap_is_blocks_without_samples(void **state)
{
	struct lp_engine *e = engine_at(S);
	struct blocks b = { 0 };

	(void)state;
	for (int64_t t = 1; t <= 10; t++)
		push(e, t, &b);
	push(e, 45, &b);
	lp_engine_free(e);
	assert_int_equal(b.n, 4);
	for (size_t k = 1; k < 4; k++)
		for (size_t i = 0; i < N; i++) {
			assert_true(isnan(b.distance[k][i]));
			assert_false(b.flag[k][i] || b.absent[k][i]);
		}
}

static void a_block_is_no_shorter_than_a_step(void **state)
{
	struct lp_engine *e = engine_at(60 * S);
	struct blocks b = { 0 };

	(void)state;
	for (int64_t t = 60; t <= 600; t += 60)
		push(e, t, &b);
	lp_engine_free(e);
	assert_int_equal(b.n, 10);
	assert_int_equal(b.ends[9], 600 * S);
}

static void it_is_asked_as_the_others_are(void **state)
{
	const struct lp_detector *const list[] = { &ranks_detector, NULL };
	struct lp_detector_params given = { .threshold = 0.5, .window = 7 };
	struct lp_detector_params p =
		lp_detector_params_at(&ranks_detector, &given, 2 * S);

	(void)state;
	/* The length of its blocks is its own. */
	assert_int_equal(p.window, 5);
	assert_int_equal(p.shift, 5);
	assert_int_equal(p.k, 1);
	assert_true(p.threshold == 0.5);
	assert_int_equal(lp_detector_check(&p, NULL), 0);
	assert_true(lp_detector_applies(&ranks_detector, metrics[0]));
	assert_false(lp_detector_applies(
		&ranks_detector, &(struct lp_metric){ .role = LP_LOAD }));
	assert_true(lp_detector_is_ready(&ranks_detector));
	assert_ptr_equal(lp_detector_main(list), &ranks_detector);
}

static void it_needs_metrics(void **state)
{
	struct lp_engine_options options = { .detector = &ranks_detector,
					     .n = N,
					     .step_ns = S };

	(void)state;
	assert_null(lp_engine_new(&options));
	assert_int_equal(errno, EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_judges_blocks_of_all_metrics),
		cmocka_unit_test(it_says_why),
		cmocka_unit_test(a_gap_is_blocks_without_samples),
		cmocka_unit_test(a_block_is_no_shorter_than_a_step),
		cmocka_unit_test(it_is_asked_as_the_others_are),
		cmocka_unit_test(it_needs_metrics),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
