/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recordings of the lab, put into a case whole or in random pieces: hosts in
 * any order, findings asked for in between.
 */
#ifndef LP_TESTS_CASE_PIECES_H
#define LP_TESTS_CASE_PIECES_H

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

/* ---- recordings ---- */

static inline struct lp_stream *open_run(const char *run)
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

static inline const struct lp_matrix_metric *all_metrics(void)
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

static inline void survey(const char *run, struct lp_survey *recording)
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
	int64_t since_ns;  /* 0: all of it */
	int64_t sample_ns; /* 0: points are samples */
	lp_case_samples *samples;
	struct lp_detector_params params;
	const struct lp_detector *methods[LP_DETECTORS_MOST];
	const struct lp_matrix_metric *metrics; /* NULL: all */
	struct lp_survey recording;
	struct lp_case *whole;
};

/* The plan of all that the run holds, whatever was put of it so far. */
static inline int plan_of_all(void *user, const struct lp_survey *recording,
			      const struct lp_matrix *matrix,
			      struct lp_plan *plan, struct lp_error *err)
{
	struct world *w = user;
	int status = lp_cluster_plan(
		NULL, recording, lp_case_input(w->whole)->matrix, plan, err);

	return status ? status : lp_plan_bind(plan, recording, matrix);
}

static inline struct lp_case *open_own(struct world *w,
				       const struct lp_survey *recording,
				       int64_t history_ns)
{
	struct lp_case_config config = {
		.step_ns = w->step_ns,
		.since_ns = w->since_ns ? w->since_ns : LP_TIME_MIN,
		.until_ns = LP_TIME_MAX,
		.history_ns = history_ns,
		.metrics = w->metrics ? w->metrics : all_metrics(),
		.recording = recording,
		.plan = recording && w->whole ? plan_of_all : NULL,
		.plan_user = w,
		.sample_ns = w->sample_ns,
		.samples = w->samples,
		.samples_user = w,
		.options = { .params = w->params,
			     .methods = w->methods[0] ? w->methods : NULL },
	};
	struct lp_case *c = NULL;
	struct lp_error err;

	assert_int_equal(lp_case_open(&config, &c, &err), 0);
	return c;
}

static inline struct lp_case *open_case(struct world *w, int64_t history_ns)
{
	return open_own(w, &w->recording, history_ns);
}

static inline void open_world(struct world *w)
{
	struct lp_stream *stream;
	struct lp_error err;

	survey(w->run, &w->recording);
	w->whole = open_case(w, 0);
	stream = open_run(w->run);
	assert_int_equal(lp_case_take(w->whole, stream, &err), 0);
	lp_stream_close(stream);
	assert_int_equal(lp_case_advance(w->whole, LP_TIME_MAX, &err), 0);
}

static inline void begin_with(struct world *w, const char *run, int64_t step_ns,
			      struct lp_detector_params params)
{
	*w = (struct world){ .run = run, .step_ns = step_ns, .params = params };
	lp_detectors_trained(w->methods);
	open_world(w);
}

/* With a joint detector, whose findings are dated by samples. */
static inline void begin_jointly(struct world *w, const char *run,
				 int64_t step_ns)
{
	*w = (struct world){ .run = run, .step_ns = step_ns };
	w->methods[0] = lp_detector_find("limpid");
	open_world(w);
}

static inline void begin(struct world *w, const char *run)
{
	begin_with(w, run, S, (struct lp_detector_params){ 0 });
}

static inline void end(struct world *w)
{
	lp_case_close(w->whole);
	lp_survey_done(&w->recording);
}

/* All that is said and shown, as JSON: to be freed. */
static inline char *verdict(struct lp_case *c)
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

static inline void pull(struct feed *f)
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

static inline struct lp_values cut_values(const struct lp_values *v,
					  size_t from)
{
	return (struct lp_values){ v->bits ? v->bits + from : NULL,
				   v->present ? v->present + from : NULL };
}

static inline void cut_panel(struct piece *p, const struct lp_panel *from,
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
static inline struct piece cut(const struct lp_chunk *from, size_t first,
			       size_t n)
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

static inline size_t below(struct lp_random *random, size_t n)
{
	return (size_t)(lp_random_uniform(random) * (double)n) % n;
}

/* Put the next piece of a host. */
static inline void feed_case(struct lp_case *c, struct feed *f,
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

static inline void open_feeds(struct feeds *feeds, const char *run,
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

static inline void close_feeds(struct feeds *feeds)
{
	for (size_t i = 0; i < feeds->n; i++)
		lp_stream_close(feeds->feed[i].stream);
}

/*
 * The last point of which all samples were put, of all hosts that go on;
 * LP_TIME_MAX: all are over. What is open may thus be closed before the next
 * sample comes.
 */
static inline int64_t safe_point(const struct feeds *feeds, int64_t step)
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
static inline int64_t delivered(const struct feeds *feeds)
{
	int64_t least = LP_TIME_MAX;

	for (size_t i = 0; i < feeds->n; i++)
		if (!feeds->feed[i].over && feeds->feed[i].last_ns < least)
			least = feeds->feed[i].last_ns;
	return least;
}

/* One that is not too far ahead of the others. */
static inline struct feed *choose(struct feeds *feeds, struct lp_random *random)
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

static inline void feed_all(struct lp_case *c, struct feeds *feeds,
			    uint64_t seed, const int64_t *stops, size_t n_stops,
			    look_fn *see, void *user)
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
		/* With samples apart, points are judged at the end. */
		if (lp_case_input(c)->sample_ns)
			continue;
		if (safe > 0 && safe != LP_TIME_MAX && below(&random, 12) == 0)
			assert_int_equal(lp_case_advance(c, safe, &err), 0);
		if (safe > 0 && below(&random, 100) == 0)
			free(verdict(c));
	}
}

static inline struct lp_case *case_of_pieces(struct world *w,
					     int64_t history_ns, uint64_t seed,
					     const int64_t *stops,
					     size_t n_stops, look_fn *see,
					     void *user)
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

#endif
