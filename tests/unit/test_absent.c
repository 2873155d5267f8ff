/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who does nothing, and who only seems to: work in bursts has a median of 0.
 */
#include "six_servers.h"

static const struct lp_finding *finding_of(const struct world *w,
					   const char *component)
{
	for (size_t i = 0; i < w->d.n_findings; i++)
		if (strcmp(w->d.findings[i].component, component) == 0)
			return &w->d.findings[i];
	return NULL;
}

static void assert_nobody_is_absent(const struct world *w)
{
	for (size_t i = 0; i < w->d.n_findings; i++)
		assert_true(w->d.findings[i].cause != LP_CAUSE_ABSENT);
}

/* What it has to do in eight seconds, done in one. */
static void work_in_bursts(struct second *s, double times)
{
	s->ios *= times;
	s->sectors *= times;
}

static void one_in_bursts(struct second *s, int host, int t)
{
	if (host == 2)
		work_in_bursts(s, t % 8 ? 0 : 16);
}

static void the_busiest_disk_is_not_absent_though_its_median_is_0(void **state)
{
	struct world w = { .ill = one_in_bursts };

	(void)state;
	diagnose(&w);
	assert_nobody_is_absent(&w);
	done(&w);
}

static void all_in_bursts(struct second *s, int host, int t)
{
	work_in_bursts(s, (t + host) % 8 ? 0 : 8);
	s->latency_ms = 5;
	if (host == 2 && is_sick_time(t))
		s->sectors *= 20;
}

static void evidence_of_bursts_is_their_mean(void **state)
{
	struct world w = { .ill = all_in_bursts };
	const struct lp_finding *f;
	const struct lp_evidence *e;

	(void)state;
	diagnose(&w);
	f = finding_of(&w, "s3/sdb");
	assert_non_null(f);
	assert_int_equal(f->cause, LP_CAUSE_DISK_HOG);
	e = &f->evidence[0];
	assert_string_equal(e->metric->name, "rd_sec");
	assert_true(e->means);
	assert_true(e->value > 10 * e->peers_median && e->peers_median > 0);
	done(&w);
}

static void no_finding_is_without_values_that_show_it(void **state)
{
	static illness *const ills[] = { one_in_bursts, all_in_bursts };

	(void)state;
	for (size_t i = 0; i < lp_array_size(ills); i++) {
		struct world w = { .ill = ills[i] };

		diagnose(&w);
		for (size_t f = 0; f < w.d.n_findings; f++) {
			const struct lp_evidence *e =
				&w.d.findings[f].evidence[0];

			assert_true(e->accuses);
			assert_true(e->value != e->peers_median);
		}
		done(&w);
	}
}

/* Faster than the kernel's clock of milliseconds: it works at latency 0. */
static void fast_disk(struct second *s, int host, int t)
{
	if (host == 2 && is_sick_time(t))
		s->latency_ms = 0;
}

static void a_disk_too_fast_for_its_clock_is_not_absent(void **state)
{
	struct world w = { .ill = fast_disk };

	(void)state;
	diagnose(&w);
	assert_nobody_is_absent(&w);
	done(&w);
}

static void idle_disk(struct second *s, int host, int t)
{
	if (host == 2 && is_sick_time(t))
		s->ios = s->sectors = s->latency_ms = 0;
}

static void a_disk_without_any_work_is_absent(void **state)
{
	struct world w = { .ill = idle_disk };

	(void)state;
	diagnose(&w);
	assert_found(&w, "s3/sdb", LP_CAUSE_ABSENT);
	assert_string_equal(w.d.findings[0].evidence[0].kind,
			    LP_EVIDENCE_IDLENESS);
	done(&w);
}

static void briefly_slow(struct second *s, int host, int t)
{
	if (host == 2 && t >= SICK_FROM && t < SICK_FROM + 70)
		s->latency_ms *= 8;
}

/* A vote takes three windows, and so does what is shown of it. */
static void the_windows_shown_are_those_that_voted(void **state)
{
	struct world w = { .ill = briefly_slow };
	const struct lp_finding *f;

	(void)state;
	diagnose(&w);
	assert_found(&w, "s3/sdb", LP_CAUSE_DISK_BUSY);
	f = &w.d.findings[0];
	for (size_t i = 0; i < f->n_evidence; i++)
		if (f->evidence[i].accuses)
			assert_true(f->evidence[i].flagged >= 3);
	done(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			the_busiest_disk_is_not_absent_though_its_median_is_0),
		cmocka_unit_test(evidence_of_bursts_is_their_mean),
		cmocka_unit_test(no_finding_is_without_values_that_show_it),
		cmocka_unit_test(a_disk_too_fast_for_its_clock_is_not_absent),
		cmocka_unit_test(a_disk_without_any_work_is_absent),
		cmocka_unit_test(the_windows_shown_are_those_that_voted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
