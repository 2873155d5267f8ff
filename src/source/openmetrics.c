/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What exporters give Prometheus, saved in files: the text of one scrape or of
 * several, or of Prometheus itself (/federate, limpid export --to openmetrics),
 * where samples have times.
 *
 * A file is read whole before anything is given: in OpenMetrics one series
 * comes after the other, each over all times.
 */
#include "base/memory.h"
#include "base/timestamp.h"
#include "source/gather.h"
#include "source/pathhost.h"
#include "source/source.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Values of one file: 16 bytes each. */
#define MOST_VALUES ((size_t)1 << 26)
/* A line: names, labels and help. */
#define MOST_LINE ((size_t)1 << 20)
#define CLOCK "node_time_seconds"

static const char *const suffixes[] = { ".prom", ".om", ".openmetrics", ".txt",
					NULL };

struct waiting {
	uint32_t series;
	double value;
};

struct reading {
	const char *path;
	const struct lp_query *query;
	struct lp_gather *gather;
	uint64_t line, bad, first_bad;
	const char *why_bad;
	bool known;      /* any metric of it */
	int64_t file_ns; /* when the file was written */
	/* The scrape that is being read, whose time comes at its end. */
	struct waiting *waiting;
	size_t n_waiting, capacity;
	uint64_t *scrape_of; /* by series: the last scrape it was in */
	size_t scrapes_capacity;
	uint64_t scrape;  /* counted from 1 */
	int64_t clock_ns; /* of the scrape; 0: not known */
};

struct text_stream {
	struct lp_stream stream;
	struct lp_gather *gather;
	char *host;
	char lost[LP_LOST_TEXT];
};

/* ---- values ---- */

static int add(struct reading *r, uint32_t series, int64_t time_ns,
	       double value, struct lp_error *err)
{
	if (!lp_query_wants_span(r->query, time_ns, time_ns))
		return 0;
	if (lp_gather_count(r->gather) >= MOST_VALUES)
		return lp_fail(err, EFBIG,
			       "%s: more than %zu values; split the file",
			       r->path, MOST_VALUES);
	if (lp_gather_value(r->gather, series, time_ns, value) < 0)
		return lp_fail_memory(err);
	return 0;
}

/* All of the scrape so far has one time: the exporter's clock, or the file's.
 */
static int end_scrape(struct reading *r, bool last, struct lp_error *err)
{
	int64_t time_ns = r->clock_ns;
	int status = 0;

	if (r->n_waiting == 0)
		return 0;
	if (time_ns == 0 && last && r->scrape == 1)
		time_ns = r->file_ns;
	if (time_ns == 0)
		return lp_fail(err, EINVAL,
			       "%s: holds several scrapes without times: there "
			       "are neither timestamps nor " CLOCK,
			       r->path);
	for (size_t i = 0; status == 0 && i < r->n_waiting; i++)
		status = add(r, r->waiting[i].series, time_ns,
			     r->waiting[i].value, err);
	r->n_waiting = 0;
	r->clock_ns = 0;
	r->scrape++;
	return status;
}

/* The series was in this scrape already: a new one begins. */
static int mark(struct reading *r, uint32_t series, bool *again)
{
	size_t old = r->scrapes_capacity;

	if (series >= old) {
		if (lp_grow(&r->scrape_of, &r->scrapes_capacity,
			    (size_t)series + 1, sizeof(*r->scrape_of)) < 0)
			return -ENOMEM;
		memset(r->scrape_of + old, 0,
		       (r->scrapes_capacity - old) * sizeof(*r->scrape_of));
	}
	*again = r->scrape_of[series] == r->scrape;
	return 0;
}

static int wait_for_time(struct reading *r, uint32_t series, double value,
			 struct lp_error *err)
{
	bool again;
	int status = 0;

	if (mark(r, series, &again) < 0)
		return lp_fail_memory(err);
	if (again)
		status = end_scrape(r, false, err);
	if (status < 0)
		return status;
	r->scrape_of[series] = r->scrape;
	if (lp_grow(&r->waiting, &r->capacity, r->n_waiting + 1,
		    sizeof(*r->waiting)) < 0)
		return lp_fail_memory(err);
	r->waiting[r->n_waiting++] = (struct waiting){ series, value };
	return 0;
}

static int take_clock(struct reading *r, double seconds, struct lp_error *err)
{
	int status = 0;

	if (!(seconds > 0 && seconds < 4e9))
		return 0;
	if (r->clock_ns)
		status = end_scrape(r, false, err);
	/* A double has no more than microseconds. */
	r->clock_ns = (int64_t)round(seconds * 1e6) * 1000;
	return status;
}

static int take_sample(struct reading *r, const struct lp_metric_line *line,
		       struct lp_error *err)
{
	uint32_t series;

	if (strcmp(line->series.metric, CLOCK) == 0 && !line->timed)
		return take_clock(r, line->value, err);
	if (lp_gather_series(r->gather, &line->series, &series) < 0)
		return lp_fail_memory(err);
	if (series == LP_GATHER_NONE)
		return 0;
	r->known = true;
	return line->timed ? add(r, series, line->time_ns, line->value, err)
			   : wait_for_time(r, series, line->value, err);
}

/* ---- lines ---- */

static int take_bad(struct reading *r, const char *what, struct lp_error *err)
{
	if (!r->query->tolerant)
		return lp_fail(err, EINVAL, "%s:%" PRIu64 ": %s", r->path,
			       r->line, what);
	if (r->bad++ == 0) {
		r->first_bad = r->line;
		r->why_bad = what;
	}
	return 0;
}

static int take_line(struct reading *r, char *text, size_t n,
		     struct lp_error *err)
{
	struct lp_metric_line line;
	const char *what;

	if (n > MOST_LINE)
		return take_bad(r, "the line is longer than 1 MiB", err);
	switch (lp_metric_line_parse(text, n, &line, &what)) {
	case LP_METRIC_SAMPLE:
		return take_sample(r, &line, err);
	case LP_METRIC_EOF:
		return end_scrape(r, false, err);
	case LP_METRIC_BAD:
		return take_bad(r, what, err);
	default:
		return 0;
	}
}

static int read_lines(struct reading *r, FILE *file, struct lp_error *err)
{
	lp_auto_free char *text = NULL;
	size_t room = 0;
	ssize_t n;
	int status = 0;

	while (status == 0 && (n = getline(&text, &room, file)) > 0) {
		size_t length = (size_t)n;

		r->line++;
		if (text[length - 1] == '\n')
			status = take_line(r, text, length - 1, err);
		else
			status = take_bad(r, "the file ends within the line",
					  err);
	}
	if (status == 0 && ferror(file))
		return lp_fail_errno(err, errno, "%s: cannot read", r->path);
	return status == 0 ? end_scrape(r, true, err) : status;
}

static void tell_lost(const struct reading *r, char lost[LP_LOST_TEXT])
{
	uint64_t odd = lp_gather_odd(r->gather);

	if (r->bad)
		snprintf(lost, LP_LOST_TEXT,
			 "%" PRIu64 " lines left out; the first is line "
			 "%" PRIu64 ": %s",
			 r->bad, r->first_bad, r->why_bad);
	else if (odd)
		snprintf(lost, LP_LOST_TEXT,
			 "%" PRIu64 " values left out, which were negative or "
			 "infinite",
			 odd);
}

/* ---- the stream ---- */

static int text_next(struct lp_stream *stream, struct lp_item *item,
		     struct lp_error *err)
{
	return lp_gather_next(((struct text_stream *)stream)->gather, item,
			      err);
}

static void text_close(struct lp_stream *stream)
{
	struct text_stream *s = (struct text_stream *)stream;

	lp_gather_free(s->gather);
	free(s->host);
	free(s);
}

static const char *text_lost(const struct lp_stream *stream)
{
	const struct text_stream *s = (const struct text_stream *)stream;

	return s->lost[0] ? s->lost : NULL;
}

static int read_file(struct text_stream *s, const char *path,
		     const struct lp_source_options *options,
		     const struct lp_query *query, struct lp_error *err)
{
	lp_auto_fclose FILE *file =
		fopen(options->content ? options->content : path, "re");
	struct reading r = {
		.path = path, .query = query, .gather = s->gather, .scrape = 1
	};
	struct stat st;
	int status;

	if (!file || fstat(fileno(file), &st) < 0)
		return lp_fail_errno(err, errno, "cannot open %s", path);
	r.file_ns =
		(int64_t)st.st_mtim.tv_sec * LP_NS_PER_S + st.st_mtim.tv_nsec;
	status = read_lines(&r, file, err);
	if (status == 0 && !r.known)
		status = lp_fail(err, EINVAL,
				 "%s: holds no metric that limpid knows, which "
				 "are those of node_exporter%s%s",
				 path,
				 r.bad ? "; in a line that is left out " : "",
				 r.bad ? r.why_bad : "");
	tell_lost(&r, s->lost);
	free(r.waiting);
	free(r.scrape_of);
	return status;
}

static int text_open(const char *path, const struct lp_source_options *options,
		     const struct lp_query *query, struct lp_stream **stream,
		     struct lp_error *err)
{
	static const struct lp_stream_ops ops = {
		.next = text_next,
		.close = text_close,
		.lost = text_lost,
	};
	struct text_stream *s = calloc(1, sizeof(*s));
	int status;

	if (!s)
		return lp_fail_memory(err);
	s->stream.ops = &ops;
	s->gather = lp_gather_new("instance");
	s->host = lp_path_host(path, options, suffixes);
	if (!s->gather || !s->host) {
		text_close(&s->stream);
		return lp_fail_memory(err);
	}
	lp_gather_host(s->gather, s->host,
		       options->host || options->host_from_path);
	status = read_file(s, path, options, query, err);
	if (status < 0) {
		text_close(&s->stream);
		return status;
	}
	*stream = &s->stream;
	return 0;
}

static bool begins(const uint8_t *head, size_t n, const char *word)
{
	return n >= strlen(word) && memcmp(head, word, strlen(word)) == 0;
}

/* Text that begins with a comment of the format, or with a metric that limpid
 * knows. */
static bool text_recognise(const char *path, const uint8_t *head, size_t n)
{
	(void)path;
	return begins(head, n, "# HELP ") || begins(head, n, "# TYPE ") ||
	       begins(head, n, "# UNIT ") || begins(head, n, "# EOF") ||
	       begins(head, n, "node_") || begins(head, n, "limpid_");
}

const struct lp_source lp_source_openmetrics = {
	.name = "openmetrics",
	.summary = "text of node_exporter and of limpid export, for Prometheus",
	.recognise = text_recognise,
	.by_time = true,
	.open = text_open,
};
