/* SPDX-License-Identifier: Apache-2.0 */
/*
 * On all kept runs, the fast way of limpid's own detector accuses the same
 * components of the same quantities in the same blocks as the plain one.
 */
#include "unit.h"

#include "case/case.h"
#include "table/input.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct lp_stream *open_run(const char *path)
{
	struct lp_source_options options = { 0 };
	struct lp_query query = { 0 };
	struct lp_stream *stream;
	struct lp_error err;

	lp_query_init(&query);
	if (lp_input_open(path, NULL, &options, &query, &stream, &err) < 0)
		fail_msg("%s", err.text);
	return stream;
}

static const struct lp_matrix_metric *all_metrics(void)
{
	static struct lp_matrix_metric list[256];
	size_t n = 0;

	for (size_t c = 0; lp_classes[c]; c++)
		for (size_t m = 0; m < lp_classes[c]->n_metrics; m++)
			if (lp_class_is_compared(lp_classes[c]))
				list[n++] = (struct lp_matrix_metric){
					lp_classes[c],
					&lp_classes[c]->metrics[m]
				};
	assert_true(n < 255);
	list[n].class = NULL;
	return list;
}

static struct lp_case *judge(const char *path, const struct lp_survey *survey,
			     bool exact, struct lp_diagnosis *diagnosis)
{
	static const struct lp_detector *const methods[] = {
		&lp_detector_limpid, NULL
	};
	struct lp_case_config config = {
		.step_ns = LP_NS_PER_S,
		.since_ns = LP_TIME_MIN,
		.until_ns = LP_TIME_MAX,
		.metrics = all_metrics(),
		.recording = survey,
		.options = { .methods = methods, .exact = exact },
	};
	struct lp_stream *stream = open_run(path);
	struct lp_case *c = NULL;
	struct lp_error err;

	assert_int_equal(lp_case_open(&config, &c, &err), 0);
	assert_int_equal(lp_case_take(c, stream, &err), 0);
	lp_stream_close(stream);
	assert_int_equal(lp_case_advance(c, LP_TIME_MAX, &err), 0);
	assert_int_equal(lp_case_findings(c, diagnosis, &err), 0);
	return c;
}

static void compare_peaks(const char *path, const struct lp_unit *plain,
			  const struct lp_unit *fast)
{
	if (plain->n_peaks != fast->n_peaks)
		fail_msg("%s, %s: %zu episodes, fast %zu", path,
			 plain->metric->name, plain->n_peaks, fast->n_peaks);
	for (size_t k = 0; k < plain->n_peaks; k++) {
		const struct lp_peak *a = &plain->peaks[k];
		const struct lp_peak *b = &fast->peaks[k];

		assert_int_equal(a->peer, b->peer);
		assert_true(a->first_ns == b->first_ns);
		assert_true(a->last_ns == b->last_ns);
		assert_int_equal(a->blocks, b->blocks);
		assert_true(fabs(a->worst.distance - b->worst.distance) <=
			    0.02 * a->worst.distance);
	}
}

static size_t compare_units(const char *path, const struct lp_diagnosis *plain,
			    const struct lp_diagnosis *fast)
{
	size_t peaks = 0;

	assert_int_equal(plain->n_units, fast->n_units);
	for (size_t u = 0; u < plain->n_units; u++) {
		const struct lp_unit *a = &plain->units[u];
		const struct lp_unit *b = &fast->units[u];

		assert_int_equal(a->windows, b->windows);
		compare_peaks(path, a, b);
		assert_memory_equal(a->track, b->track,
				    a->windows * a->group->n);
		peaks += a->n_peaks;
	}
	return peaks;
}

static size_t compare_run(const char *path)
{
	struct lp_survey survey = { .parts = LP_SURVEY_PEERS };
	struct lp_stream *stream = open_run(path);
	struct lp_diagnosis plain, fast;
	struct lp_case *cases[2];
	struct lp_error err;
	size_t peaks;

	assert_int_equal(lp_survey_run(&survey, stream, &err), 0);
	lp_survey_finish(&survey);
	lp_stream_close(stream);
	cases[0] = judge(path, &survey, true, &plain);
	cases[1] = judge(path, &survey, false, &fast);
	peaks = compare_units(path, &plain, &fast);
	lp_diagnosis_done(&plain);
	lp_diagnosis_done(&fast);
	lp_case_close(cases[0]);
	lp_case_close(cases[1]);
	lp_survey_done(&survey);
	return peaks;
}

static void kept_runs_have_the_same_episodes(void **state)
{
	char pattern[1024];
	size_t peaks = 0;
	glob_t found;

	(void)state;
	snprintf(pattern, sizeof(pattern),
		 "%s/examples/campaign/*/*/recording.limpid",
		 getenv("LIMPID_SOURCE"));
	assert_int_equal(glob(pattern, 0, NULL, &found), 0);
	assert_true(found.gl_pathc > 80);
	for (size_t k = 0; k < found.gl_pathc; k++)
		peaks += compare_run(found.gl_pathv[k]);
	print_message("# %zu episodes\n", peaks);
	assert_true(peaks > 60);
	globfree(&found);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kept_runs_have_the_same_episodes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
