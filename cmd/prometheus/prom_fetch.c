/* SPDX-License-Identifier: Apache-2.0 */
/*
 * query_range makes up times: each step gets the last value before it. An
 * instant query with a range selector, metric[300s], gives the samples as they
 * were scraped. Prometheus 2 takes both ends of the range, Prometheus 3 leaves
 * out its beginning: what is at the beginning of a piece is left out here.
 */
#include "prom_fetch.h"

#include "progress.h"

#include "archive/archive.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/timestamp.h"
#include "source/exported.h"
#include "source/gather.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Samples of a piece: 16 bytes each, all of it in memory. */
#define WANTED_VALUES 1500000.0
#define MOST_VALUES ((size_t)4 << 20)
#define FIRST_PIECE_NS (300 * LP_NS_PER_S)
#define MOST_PIECE_NS (24 * 3600 * LP_NS_PER_S)
#define LEAST_PIECE_NS LP_NS_PER_S
/* A piece is at most that many times the one before. */
#define MOST_GROWTH 4
/* One that is too large is asked for again in this many parts. */
#define TOO_MUCH 16

struct fetch {
	const struct lp_prom_request *request;
	struct lp_prom_http *http;
	struct lp_gather *gather;
	struct lp_archive_writer *writer;
	struct lp_names metrics;
	struct lp_progress progress;
	uint64_t values;          /* in the archive */
	int64_t begin_ns, end_ns; /* of the piece: (begin, end] */
};

/* Who takes the answer to one query. */
struct asked {
	struct fetch *fetch;
	const char *metric;
	uint32_t series; /* the last one */
};

/* ---- what an answer holds ---- */

static int take_series(void *context, const struct lp_metric_series *series,
		       struct lp_error *err)
{
	struct asked *asked = context;
	struct lp_metric_series named = *series;

	named.metric = asked->metric;
	if (lp_gather_series(asked->fetch->gather, &named, &asked->series) < 0)
		return lp_fail_memory(err);
	return 0;
}

static int take_value(void *context, int64_t time_ns, double value,
		      struct lp_error *err)
{
	struct asked *asked = context;
	struct fetch *f = asked->fetch;

	if (asked->series == LP_GATHER_NONE || time_ns <= f->begin_ns ||
	    time_ns > f->end_ns)
		return 0;
	if (lp_gather_count(f->gather) >= MOST_VALUES)
		return lp_fail(err, E2BIG, "more than %zu samples in a second",
			       MOST_VALUES);
	if (lp_gather_value(f->gather, asked->series, time_ns, value) < 0)
		return lp_fail_memory(err);
	return 0;
}

static int take_name(void *context, const char *text, struct lp_error *err)
{
	struct fetch *f = context;
	struct lp_exported exported;

	if (!lp_exported_find(text, &exported) ||
	    exported.kind == LP_EXPORTED_CLOCK)
		return 0;
	return lp_names_add(&f->metrics, text) == LP_NAME_NONE
		       ? lp_fail_memory(err)
		       : 0;
}

/* ---- what is asked ---- */

/* "1794775514.250": Prometheus knows milliseconds. */
#define SECONDS_TEXT 40
static const char *seconds(int64_t time_ns, char text[SECONDS_TEXT])
{
	int64_t ms = time_ns / LP_NS_PER_MS;

	snprintf(text, SECONDS_TEXT, "%" PRId64 ".%03" PRId64, ms / 1000,
		 ms % 1000);
	return text;
}

/* Which metrics there are at all: most servers lack InfiniBand. */
static char *names_path(const struct fetch *f)
{
	const char *match = f->request->settings->match;
	lp_auto_free char *selector = NULL, *escaped = NULL;
	char since[SECONDS_TEXT], until[SECONDS_TEXT], *path;

	if (asprintf(&selector, "{__name__=~\"%s\"%s%s}", lp_exported_pattern,
		     *match ? "," : "", match) < 0) {
		selector = NULL;
		return NULL;
	}
	escaped = lp_prom_http_escape(selector);
	if (!escaped ||
	    asprintf(&path,
		     "/api/v1/label/__name__/values?match%%5B%%5D=%s&start=%s"
		     "&end=%s",
		     escaped, seconds(f->request->since_ns, since),
		     seconds(f->request->until_ns, until)) < 0)
		return NULL;
	return path;
}

/* All raw samples of a metric in the piece; of labels only the last one. */
static char *values_path(const struct fetch *f, const char *metric)
{
	int64_t ms = (f->end_ns - f->begin_ns) / LP_NS_PER_MS;
	lp_auto_free char *query = NULL, *escaped = NULL;
	struct lp_exported exported = { 0 };
	char end[SECONDS_TEXT], *path;
	bool last;

	lp_exported_find(metric, &exported);
	last = exported.kind == LP_EXPORTED_INFO ||
	       exported.kind == LP_EXPORTED_HOST ||
	       exported.kind == LP_EXPORTED_SPEED;
	if (asprintf(&query, "%s%s{%s}[%" PRId64 "ms]%s",
		     last ? "last_over_time(" : "", metric,
		     f->request->settings->match, ms, last ? ")" : "") < 0) {
		query = NULL;
		return NULL;
	}
	escaped = lp_prom_http_escape(query);
	if (!escaped || asprintf(&path, "/api/v1/query?query=%s&time=%s",
				 escaped, seconds(f->end_ns, end)) < 0)
		return NULL;
	return path;
}

static int find_metrics(struct fetch *f, struct lp_error *err)
{
	struct lp_prom_query query = { .path = names_path(f),
				       .taker = { .text = take_name,
						  .series = take_series,
						  .value = take_value,
						  .context = f } };
	int status = query.path ? lp_prom_http_run(f->http, &query, 1, err)
				: lp_fail_memory(err);

	free(query.path);
	if (status < 0 || f->metrics.count > 0)
		return status;
	return lp_fail(err, ENODATA,
		       "it has no metric of node_exporter in that time%s",
		       *f->request->settings->match ? " that matches" : "");
}

/* ---- a piece ---- */

static int ask_all(struct fetch *f, struct lp_prom_query *queries,
		   struct asked *asked, struct lp_error *err)
{
	size_t n = f->metrics.count;

	for (size_t i = 0; i < n; i++) {
		asked[i] = (struct asked){ .fetch = f,
					   .metric = f->metrics.text[i],
					   .series = LP_GATHER_NONE };
		queries[i].path = values_path(f, f->metrics.text[i]);
		if (!queries[i].path)
			return lp_fail_memory(err);
		queries[i].taker = (struct lp_prom_taker){
			.series = take_series,
			.value = take_value,
			.context = &asked[i],
		};
	}
	return lp_prom_http_run(f->http, queries, n, err);
}

/* On failure nothing of the piece is left. */
static int fetch_piece(struct fetch *f, struct lp_error *err)
{
	size_t n = f->metrics.count;
	struct lp_prom_query *queries = calloc(n, sizeof(*queries));
	struct asked *asked = calloc(n, sizeof(*asked));
	int status = queries && asked ? ask_all(f, queries, asked, err)
				      : lp_fail_memory(err);

	if (status < 0)
		lp_gather_clear(f->gather);
	for (size_t i = 0; queries && i < n; i++)
		free(queries[i].path);
	free(queries);
	free(asked);
	return status;
}

static int write_piece(struct fetch *f, struct lp_error *err)
{
	struct lp_item item;
	int status;

	f->values += lp_gather_count(f->gather);
	while ((status = lp_gather_next(f->gather, &item, err)) > 0) {
		status = lp_archive_put_item(f->writer, &item, err);
		if (status < 0)
			return status;
	}
	return status;
}

/* As long as it should be by what the last one held. */
static int64_t next_length(int64_t length_ns, size_t values)
{
	double factor = WANTED_VALUES / (values ? (double)values : 1);

	if (factor > MOST_GROWTH)
		factor = MOST_GROWTH;
	length_ns = (int64_t)((double)length_ns * factor) / LP_NS_PER_S *
		    LP_NS_PER_S;
	if (length_ns < LEAST_PIECE_NS)
		return LEAST_PIECE_NS;
	return length_ns < MOST_PIECE_NS ? length_ns : MOST_PIECE_NS;
}

/* Piece by piece; what is too much is asked for in smaller ones. */
static int fetch_pieces(struct fetch *f, struct lp_error *err)
{
	const struct lp_prom_request *r = f->request;
	int64_t whole_ns = r->until_ns - f->begin_ns, length = FIRST_PIECE_NS;
	int64_t first_ns = f->begin_ns;

	while (f->begin_ns < r->until_ns) {
		size_t values;
		int status;

		f->end_ns = lp_time_add(f->begin_ns, length);
		if (f->end_ns > r->until_ns)
			f->end_ns = r->until_ns;
		status = fetch_piece(f, err);
		if (status == -E2BIG && length / TOO_MUCH >= LEAST_PIECE_NS) {
			length /= TOO_MUCH;
			continue;
		}
		values = lp_gather_count(f->gather);
		if (status == 0)
			status = write_piece(f, err);
		if (status < 0)
			return status;
		length = next_length(length, values);
		f->begin_ns = f->end_ns;
		lp_progress_update(&f->progress,
				   (double)(f->end_ns - first_ns) /
					   (double)whole_ns,
				   f->values);
	}
	return 0;
}

/* ---- all of it ---- */

static void tell_odd(const struct fetch *f, char lost[LP_PROM_LOST])
{
	uint64_t odd = lp_gather_odd(f->gather);
	uint64_t histograms = lp_prom_http_histograms(f->http);

	if (odd)
		snprintf(lost, LP_PROM_LOST,
			 "%" PRIu64 " values left out, which were negative or "
			 "infinite",
			 odd);
	else if (histograms)
		snprintf(lost, LP_PROM_LOST,
			 "%" PRIu64 " series left out, which are histograms",
			 histograms);
}

/* What was fetched before a failure is kept. */
static int fetch_all(struct fetch *f, char lost[LP_PROM_LOST],
		     struct lp_error *err)
{
	char time[LP_TIME_TEXT];
	struct lp_error why;
	int status = find_metrics(f, err);

	if (status < 0)
		return status;
	lp_progress_begin(&f->progress, "fetching", "samples");
	status = fetch_pieces(f, &why);
	lp_progress_end(&f->progress);
	if (status < 0 && (f->values == 0 || status == -ENOMEM))
		return lp_fail(err, -status, "%s", why.text);
	if (status < 0)
		snprintf(lost, LP_PROM_LOST, "only fetched up to %s: %.190s",
			 lp_time_format(f->begin_ns, time), why.text);
	else if (f->values == 0)
		return lp_fail(err, ENODATA,
			       "it has no sample of node_exporter in that "
			       "time");
	else
		tell_odd(f, lost);
	status = lp_archive_finish(f->writer, err);
	f->writer = NULL;
	return status;
}

static int check_times(struct lp_prom_request *request, struct lp_error *err)
{
	int64_t now_ns = lp_time_now();

	if (request->since_ns == LP_TIME_MIN)
		return lp_fail(err, EINVAL,
			       "say which time is to be fetched: --since -2h");
	if (request->until_ns > now_ns)
		request->until_ns = now_ns;
	if (request->since_ns < 0)
		request->since_ns = 0;
	if (request->since_ns > request->until_ns)
		return lp_fail(err, EINVAL, "that time is still to come");
	return 0;
}

int lp_prom_fetch(const struct lp_prom_request *asked, char lost[LP_PROM_LOST],
		  struct lp_error *err)
{
	struct lp_prom_request request = *asked;
	struct fetch f = { .request = &request };
	int status = check_times(&request, err);

	lost[0] = '\0';
	/* In milliseconds, as Prometheus counts: 1 ms before the first. */
	f.begin_ns =
		request.since_ns / LP_NS_PER_MS * LP_NS_PER_MS - LP_NS_PER_MS;
	if (status == 0)
		status = lp_archive_create_fd(request.fd, "the output",
					      &f.writer, err);
	else
		close(request.fd);
	if (status == 0)
		status = lp_prom_http_new(request.url, request.settings,
					  &f.http, err);
	if (status == 0) {
		f.gather = lp_gather_new(request.settings->host);
		status = f.gather ? fetch_all(&f, lost, err)
				  : lp_fail_memory(err);
	}
	lp_archive_abandon(f.writer);
	lp_prom_http_free(f.http);
	lp_gather_free(f.gather);
	lp_names_done(&f.metrics);
	return status;
}
