/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A case gives the same findings whatever the pieces in which samples are put:
 * recordings of the lab, all at once, and cut at random, hosts in any order.
 */
#include "unit.h"

#include "case/case.h"
#include "diagnose/publish.h"
#include "report/findings_json.h"
#include "stats/random.h"
#include "table/input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define S LP_NS_PER_S
#define HOSTS_MAX 24
/* How far hosts may be apart in what was put of them. */
#define LAG_NS (90 * S)

static const char *const runs[] = {
	"one/1-05-ddw-read-network-hog-s5",
	"one/1-16-iozonew-receive-pktloss-s3",
	"one/1-22-ddr-disk-busy-s1",
	"ceph/1-07-ddr-disk-hog-s3",
	"benign/1-02-ddr-client-added",
};
#define RUNS (sizeof(runs) / sizeof(runs[0]))

/* ---- recordings ---- */

static struct lp_stream *open_run(const char *run)
{
	struct lp_source_options options = { 0 };
	struct lp_query query = { 0 };
	struct lp_stream *stream;
	struct lp_error err;
	char path[1024];

	lp_query_init(&query);
	snprintf(path, sizeof(path), "%s/examples/campaign/%s/recording.limpid",
		 getenv("LIMPID_SOURCE"), run);
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

static void survey(const char *run, struct lp_survey *recording)
{
	struct lp_stream *stream = open_run(run);
	struct lp_error err;

	*recording = (struct lp_survey){ .parts = LP_SURVEY_PEERS };
	assert_int_equal(lp_survey_run(recording, stream, &err), 0);
	lp_survey_finish(recording);
	lp_stream_close(stream);
}

/* A run, what it holds, and a case with all of it, for its plan. */
struct world {
	const char *run;
	int64_t step_ns;
	struct lp_detector_params params;
	struct lp_survey recording;
	struct lp_case *whole;
};

/* The plan of all that the run holds, whatever was put of it so far. */
static int plan_of_all(void *user, const struct lp_survey *recording,
		       const struct lp_matrix *matrix, struct lp_plan *plan,
		       struct lp_error *err)
{
	struct world *w = user;
	int status = lp_cluster_plan(
		NULL, recording, lp_case_input(w->whole)->matrix, plan, err);

	return status ? status : lp_plan_bind(plan, recording, matrix);
}

static struct lp_case *open_own(struct world *w,
				const struct lp_survey *recording,
				int64_t history_ns)
{
	struct lp_case_config config = {
		.step_ns = w->step_ns,
		.since_ns = LP_TIME_MIN,
		.until_ns = LP_TIME_MAX,
		.history_ns = history_ns,
		.metrics = all_metrics(),
		.recording = recording,
		.plan = recording && w->whole ? plan_of_all : NULL,
		.plan_user = w,
		.options = { .params = w->params },
	};
	struct lp_case *c = NULL;
	struct lp_error err;

	assert_int_equal(lp_case_open(&config, &c, &err), 0);
	return c;
}

static struct lp_case *open_case(struct world *w, int64_t history_ns)
{
	return open_own(w, &w->recording, history_ns);
}

static void begin_with(struct world *w, const char *run, int64_t step_ns,
		       struct lp_detector_params params)
{
	struct lp_stream *stream;
	struct lp_error err;

	*w = (struct world){ .run = run, .step_ns = step_ns, .params = params };
	survey(run, &w->recording);
	w->whole = open_case(w, 0);
	stream = open_run(run);
	assert_int_equal(lp_case_take(w->whole, stream, &err), 0);
	lp_stream_close(stream);
	assert_int_equal(lp_case_advance(w->whole, LP_TIME_MAX, &err), 0);
}

static void begin(struct world *w, const char *run)
{
	begin_with(w, run, S, (struct lp_detector_params){ 0 });
}

static void end(struct world *w)
{
	lp_case_close(w->whole);
	lp_survey_done(&w->recording);
}

/* All that is said and shown, as JSON: to be freed. */
static char *verdict(struct lp_case *c)
{
	struct lp_diagnosis d;
	struct lp_error err;
	struct lp_publication publication = { .diagnosis = &d,
					      .pictures = true };
	struct lp_findings findings;
	char *text = NULL;
	size_t size;
	FILE *out;

	if (lp_case_findings(c, &d, &err) < 0)
		fail_msg("%s", err.text);
	publication.input = lp_case_input(c);
	if (lp_findings_publish(&publication, &findings, &err) < 0)
		fail_msg("%s", err.text);
	lp_diagnosis_done(&d);
	out = open_memstream(&text, &size);
	lp_findings_write(&findings, NULL, out);
	fclose(out);
	lp_findings_done(&findings);
	return text;
}

/* ---- pieces ---- */

/* What one host recorded, handed out piece by piece. */
struct feed {
	const char *host;
	struct lp_stream *stream;
	struct lp_item item;
	size_t at; /* samples of the chunk that were put */
	int64_t last_ns;
	bool over;
};

static void pull(struct feed *f)
{
	struct lp_error err;
	int r;

	f->at = 0;
	do {
		r = lp_stream_next(f->stream, &f->item, &err);
		assert_true(r >= 0);
	} while (r > 0 && strcmp(lp_item_host(&f->item), f->host) != 0);
	f->over = r == 0;
}

struct piece {
	struct lp_chunk chunk;
	struct lp_arena arena;
};

static struct lp_values cut_values(const struct lp_values *v, size_t from)
{
	return (struct lp_values){ v->bits ? v->bits + from : NULL,
				   v->present ? v->present + from : NULL };
}

static void cut_panel(struct piece *p, const struct lp_panel *from,
		      struct lp_panel *to, size_t first)
{
	*to = *from;
	to->series =
		lp_arena_alloc(&p->arena, from->n_series * sizeof(*to->series));
	for (size_t s = 0; s < from->n_series; s++) {
		struct lp_values *values = lp_arena_alloc(
			&p->arena, from->n_columns * sizeof(*values));

		to->series[s] = from->series[s];
		for (size_t c = 0; c < from->n_columns; c++)
			values[c] =
				cut_values(&from->series[s].values[c], first);
		to->series[s].values = values;
	}
}

/* Samples [first, first + n) of a chunk. */
static struct piece cut(const struct lp_chunk *from, size_t first, size_t n)
{
	struct piece p = { .chunk = *from };

	p.chunk.time_ns = from->time_ns + first;
	p.chunk.n_samples = n;
	p.chunk.panels = lp_arena_alloc(
		&p.arena, from->n_panels * sizeof(*p.chunk.panels));
	for (size_t i = 0; i < from->n_panels; i++)
		cut_panel(&p, &from->panels[i], &p.chunk.panels[i], first);
	return p;
}

static size_t below(struct lp_random *random, size_t n)
{
	return (size_t)(lp_random_uniform(random) * (double)n) % n;
}

/* Put the next piece of a host. */
static void feed_case(struct lp_case *c, struct feed *f,
		      struct lp_random *random)
{
	struct lp_error err;
	struct piece p;
	struct lp_item item = f->item;
	size_t n;

	if (item.kind != LP_ITEM_CHUNK) {
		assert_int_equal(lp_case_put(c, &item, &err), 0);
		pull(f);
		return;
	}
	n = 1 + below(random, 70);
	if (n > item.chunk->n_samples - f->at)
		n = item.chunk->n_samples - f->at;
	p = cut(item.chunk, f->at, n);
	item.chunk = &p.chunk;
	assert_int_equal(lp_case_put(c, &item, &err), 0);
	f->last_ns = p.chunk.time_ns[n - 1];
	f->at += n;
	lp_arena_done(&p.arena);
	if (f->at == f->item.chunk->n_samples)
		pull(f);
}

struct feeds {
	struct feed feed[HOSTS_MAX];
	size_t n;
};

static void open_feeds(struct feeds *feeds, const char *run,
		       const struct lp_survey *recording)
{
	feeds->n = recording->roster.n_hosts;
	assert_true(feeds->n <= HOSTS_MAX);
	for (size_t i = 0; i < feeds->n; i++) {
		feeds->feed[i] = (struct feed){
			.host = recording->roster.hosts[i].name,
			.stream = open_run(run),
			.last_ns = LP_TIME_MIN,
		};
		pull(&feeds->feed[i]);
	}
}

static void close_feeds(struct feeds *feeds)
{
	for (size_t i = 0; i < feeds->n; i++)
		lp_stream_close(feeds->feed[i].stream);
}

/*
 * The last point of which all samples were put, of all hosts that go on;
 * LP_TIME_MAX: all are over. What is open may thus be closed before the next
 * sample comes.
 */
static int64_t safe_point(const struct feeds *feeds, int64_t step)
{
	int64_t least = LP_TIME_MAX;

	for (size_t i = 0; i < feeds->n; i++) {
		const struct feed *f = &feeds->feed[i];
		int64_t next;

		if (f->over)
			continue;
		if (f->last_ns == LP_TIME_MIN)
			return LP_TIME_MIN;
		next = f->item.kind == LP_ITEM_CHUNK
			       ? f->item.chunk->time_ns[f->at]
			       : f->last_ns;
		next = ((next + step / 2) / step - 1) * step;
		least = next < least ? next : least;
	}
	return least;
}

/* Up to where all hosts that go on have delivered; LP_TIME_MAX: all over. */
static int64_t delivered(const struct feeds *feeds)
{
	int64_t least = LP_TIME_MAX;

	for (size_t i = 0; i < feeds->n; i++)
		if (!feeds->feed[i].over && feeds->feed[i].last_ns < least)
			least = feeds->feed[i].last_ns;
	return least;
}

/* One that is not too far ahead of the others. */
static struct feed *choose(struct feeds *feeds, struct lp_random *random)
{
	int64_t least = delivered(feeds);

	for (;;) {
		struct feed *f = &feeds->feed[below(random, feeds->n)];

		if (!f->over &&
		    (least == LP_TIME_MIN ? f->last_ns == LP_TIME_MIN
					  : f->last_ns - least <= LAG_NS))
			return f;
	}
}

/*
 * Put all in random pieces and advance now and then, asking for findings; at
 * the times of `stops` in any case, where `see` looks at the case.
 */
typedef void look_fn(void *user, struct lp_case *c, size_t stop);

static void feed_all(struct lp_case *c, struct feeds *feeds, uint64_t seed,
		     const int64_t *stops, size_t n_stops, look_fn *see,
		     void *user)
{
	struct lp_random random;
	struct lp_error err;
	size_t stop = 0;

	lp_random_init(&random, seed, 0);
	while (delivered(feeds) != LP_TIME_MAX) {
		int64_t safe;

		feed_case(c, choose(feeds, &random), &random);
		safe = safe_point(feeds, lp_case_input(c)->step_ns);
		while (stop < n_stops && safe >= stops[stop]) {
			assert_int_equal(lp_case_advance(c, stops[stop], &err),
					 0);
			see(user, c, stop++);
		}
		if (safe > 0 && safe != LP_TIME_MAX && below(&random, 12) == 0)
			assert_int_equal(lp_case_advance(c, safe, &err), 0);
		if (safe > 0 && below(&random, 100) == 0)
			free(verdict(c));
	}
}

static struct lp_case *case_of_pieces(struct world *w, int64_t history_ns,
				      uint64_t seed, const int64_t *stops,
				      size_t n_stops, look_fn *see, void *user)
{
	struct lp_case *c = open_case(w, history_ns);
	struct feeds feeds;
	struct lp_error err;

	open_feeds(&feeds, w->run, &w->recording);
	feed_all(c, &feeds, seed, stops, n_stops, see, user);
	close_feeds(&feeds);
	assert_int_equal(lp_case_advance(c, LP_TIME_MAX, &err), 0);
	return c;
}

static void pieces_in_any_order_give_the_same_findings(void **state)
{
	(void)state;
	for (size_t r = 0; r < RUNS; r++) {
		/* Windows of 12 points, so that long steps have some. */
		struct lp_detector_params few = {
			.window = 12, .shift = 6, .smooth = 2, .k = 2
		};
		struct world w;
		char *whole;

		begin_with(&w, runs[r], (int64_t)(1 + 2 * r) * S, few);
		whole = verdict(w.whole);
		for (uint64_t seed = 1; seed <= 3; seed++) {
			struct lp_case *c = case_of_pieces(&w, 0, seed, NULL, 0,
							   NULL, NULL);
			char *pieces = verdict(c);

			assert_string_equal(pieces, whole);
			free(pieces);
			lp_case_close(c);
		}
		free(whole);
		end(&w);
	}
}

/* ---- findings on the way ---- */

#define STOPS 6

struct seen {
	char *text[STOPS];
};

static void keep_verdict(void *user, struct lp_case *c, size_t stop)
{
	((struct seen *)user)->text[stop] = verdict(c);
}

static void make_stops(const struct world *w, int64_t stops[STOPS])
{
	const struct lp_roster *roster = &w->recording.roster;
	int64_t span = roster->last_ns - roster->first_ns;

	for (int i = 0; i < STOPS; i++)
		stops[i] = roster->first_ns + (i + 1) * span / (STOPS + 1);
}

static void compare_on_the_way(struct world *w, int64_t history_ns)
{
	struct seen first = { { 0 } }, second = { { 0 } };
	int64_t stops[STOPS];

	make_stops(w, stops);
	lp_case_close(case_of_pieces(w, history_ns, 11, stops, STOPS,
				     keep_verdict, &first));
	lp_case_close(case_of_pieces(w, history_ns, 12, stops, STOPS,
				     keep_verdict, &second));
	for (int i = 0; i < STOPS; i++) {
		assert_non_null(first.text[i]);
		assert_non_null(second.text[i]);
		assert_string_equal(first.text[i], second.text[i]);
		free(first.text[i]);
		free(second.text[i]);
	}
}

static void findings_on_the_way_do_not_depend_on_the_pieces(void **state)
{
	(void)state;
	for (size_t r = 0; r < RUNS; r++) {
		struct world w;

		begin(&w, runs[r]);
		compare_on_the_way(&w, 0);
		compare_on_the_way(&w, 300 * S);
		end(&w);
	}
}

/* ---- what was forgotten ---- */

static struct lp_finding *first_finding(struct lp_case *c,
					struct lp_diagnosis *d)
{
	struct lp_error err;

	assert_int_equal(lp_case_findings(c, d, &err), 0);
	assert_true(d->n_findings > 0);
	return &d->findings[0];
}

/* The fault lasts longer than what is kept. */
static void a_finding_remembers_when_it_began(void **state)
{
	struct world w;
	struct lp_diagnosis all, few;
	struct lp_finding *a, *b;
	struct lp_case *c;

	(void)state;
	/* Short windows, so that little needs to be kept. */
	begin_with(&w, "one/1-22-ddr-disk-busy-s1", S,
		   (struct lp_detector_params){
			   .window = 20, .shift = 10, .smooth = 5, .k = 2 });
	c = case_of_pieces(&w, 1, 5, NULL, 0, NULL, NULL);
	a = first_finding(w.whole, &all);
	b = first_finding(c, &few);
	assert_true(few.first_ns > a->since_ns);
	assert_string_equal(a->component, b->component);
	assert_true(a->since_ns == b->since_ns);
	assert_true(a->until_ns == b->until_ns);
	assert_int_equal(a->cause, b->cause);
	assert_int_equal(a->persistence, b->persistence);
	assert_int_equal(a->evidence[0].windows, b->evidence[0].windows);
	assert_int_equal(a->evidence[0].flagged, b->evidence[0].flagged);
	lp_diagnosis_done(&all);
	lp_diagnosis_done(&few);
	lp_case_close(c);
	end(&w);
}

/* ---- a case that makes its own survey ---- */

static void a_running_case_plans_by_itself(void **state)
{
	struct world w;
	struct lp_diagnosis all, own;
	struct lp_finding *a, *b;
	struct feeds feeds;
	struct lp_case *c;
	struct lp_error err;

	(void)state;
	begin(&w, "one/1-22-ddr-disk-busy-s1");
	c = open_own(&w, NULL, 7200 * S);
	open_feeds(&feeds, w.run, &w.recording);
	feed_all(c, &feeds, 7, NULL, 0, NULL, NULL);
	close_feeds(&feeds);
	assert_int_equal(lp_case_advance(c, LP_TIME_MAX, &err), 0);
	a = first_finding(w.whole, &all);
	b = first_finding(c, &own);
	assert_string_equal(a->component, b->component);
	assert_int_equal(a->cause, b->cause);
	assert_true(a->since_ns == b->since_ns);
	lp_diagnosis_done(&all);
	lp_diagnosis_done(&own);
	lp_case_close(c);
	end(&w);
}

static void see_nothing_yet(void *user, struct lp_case *c, size_t stop)
{
	struct lp_diagnosis d;
	struct lp_error err;

	(void)stop;
	assert_int_equal(lp_case_findings(c, &d, &err), 0);
	assert_int_equal(d.outcome, LP_OUTCOME_UNDECIDED);
	assert_non_null(strstr(d.reason, "only just begun"));
	lp_diagnosis_done(&d);
	*(bool *)user = true;
}

static void a_running_case_says_that_it_has_just_begun(void **state)
{
	struct feeds feeds;
	struct lp_case *c;
	struct world w;
	bool seen = false;
	int64_t early;

	(void)state;
	begin(&w, "one/1-22-ddr-disk-busy-s1");
	early = w.recording.roster.first_ns + 60 * S;
	c = open_own(&w, NULL, 7200 * S);
	open_feeds(&feeds, w.run, &w.recording);
	feed_all(c, &feeds, 8, &early, 1, see_nothing_yet, &seen);
	assert_true(seen);
	close_feeds(&feeds);
	lp_case_close(c);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_in_any_order_give_the_same_findings),
		cmocka_unit_test(
			findings_on_the_way_do_not_depend_on_the_pieces),
		cmocka_unit_test(a_finding_remembers_when_it_began),
		cmocka_unit_test(a_running_case_plans_by_itself),
		cmocka_unit_test(a_running_case_says_that_it_has_just_begun),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
