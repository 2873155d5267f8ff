/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid as a library: read recordings, write archives, and find the component
 * that makes a parallel file system slow. limpid(3) lists the functions.
 *
 * - Functions that can fail return 0 or -errno, and write one line for a person
 *   into the error, which must not be NULL. Results are unchanged then.
 * - The library never prints and never exits. It has no global state: objects
 *   of different threads are independent; one object is for one thread at a
 *   time.
 * - Times are nanoseconds since the epoch, UTC. A missing number is NaN.
 * - Indices count from 0. Behind the last one, functions return NULL, 0 or NaN.
 * - _free, _close and _abandon accept NULL.
 * - Structs with members are the library's memory: later versions may add
 *   members at their end.
 */
#ifndef LIMPID_LIMPID_H
#define LIMPID_LIMPID_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define LIMPID_API __attribute__((visibility("default")))
#else
#define LIMPID_API
#endif

#define LIMPID_ERROR_TEXT 512

struct limpid_error {
	char text[LIMPID_ERROR_TEXT]; /* without a newline */
};

/* Before and behind all times. */
#define LIMPID_TIME_MIN INT64_MIN
#define LIMPID_TIME_MAX INT64_MAX

/* "0.1.0" */
LIMPID_API const char *limpid_version(void);

/* ---- catalogue: what limpid measures, limpid-metrics(7) ------------------ */

/* "disk", "net", "tcp" ... */
LIMPID_API const char *limpid_class_name(size_t of_class);
/* "await", by class and number. */
LIMPID_API const char *limpid_metric_name(size_t of_class, size_t metric);
LIMPID_API const char *limpid_metric_unit(size_t of_class, size_t metric);
LIMPID_API const char *limpid_metric_help(size_t of_class, size_t metric);
/* "latency", "load", "loss" ...: what it says of its component. */
LIMPID_API const char *limpid_metric_role(size_t of_class, size_t metric);
/* 1: a component can be accused because of it; 0: it is evidence only. */
LIMPID_API int limpid_metric_accuses(size_t of_class, size_t metric);
/* "disk-busy" ... */
LIMPID_API const char *limpid_cause_name(size_t cause);
/* A sentence without its dot. */
LIMPID_API const char *limpid_cause_text(size_t cause);

/* ---- streams: recordings, item by item ----------------------------------- */

struct limpid_stream;
struct limpid_item;

/*
 * Open a recording: an archive of limpid, or a file of sysstat, PCP or CSV,
 * also compressed. format: "limpid", "sysstat", "pcp", "csv", or NULL: by its
 * content.
 */
LIMPID_API int limpid_stream_open(const char *path, const char *format,
				  struct limpid_stream **stream,
				  struct limpid_error *err);
/*
 * 1: *item is the next item, until the next call for this stream; 0: the end;
 * below 0: -errno.
 */
LIMPID_API int limpid_stream_next(struct limpid_stream *stream,
				  const struct limpid_item **item,
				  struct limpid_error *err);
/* At the end: what could not be read, for a person; NULL: all was read. */
LIMPID_API const char *limpid_stream_lost(const struct limpid_stream *stream);
LIMPID_API void limpid_stream_close(struct limpid_stream *stream);

enum limpid_item_kind {
	LIMPID_SAMPLES,   /* values of components over a span of time */
	LIMPID_INVENTORY, /* which components a host has */
	LIMPID_EVENT,     /* what happened to a host or its recording */
	LIMPID_COUNTS     /* how often texts were seen, for example a profile */
};

LIMPID_API enum limpid_item_kind limpid_item_kind(
	const struct limpid_item *item);
LIMPID_API const char *limpid_item_host(const struct limpid_item *item);
/* When it begins. */
LIMPID_API int64_t limpid_item_time(const struct limpid_item *item);

/*
 * Samples: for each class a table of components × columns × samples. Columns
 * are raw: counters as the kernel counts them, not rates.
 */
LIMPID_API size_t limpid_item_samples(const struct limpid_item *item);
LIMPID_API int64_t limpid_item_sample_time(const struct limpid_item *item,
					   size_t sample);
/* The name of a class in this item. */
LIMPID_API const char *limpid_item_class(const struct limpid_item *item,
					 size_t of_class);
LIMPID_API const char *limpid_item_column(const struct limpid_item *item,
					  size_t of_class, size_t column);
/* The name of a component: "sda". */
LIMPID_API const char *limpid_item_series(const struct limpid_item *item,
					  size_t of_class, size_t series);
LIMPID_API double limpid_item_value(const struct limpid_item *item,
				    size_t of_class, size_t series,
				    size_t column, size_t sample);

/* Inventory: the name of a component, and (unless NULL) its class. */
LIMPID_API const char *limpid_item_component(const struct limpid_item *item,
					     size_t component,
					     const char **of_class);
/* The key of a label of a component, or of the host; its value in *value. */
#define LIMPID_HOST SIZE_MAX
LIMPID_API const char *limpid_item_label(const struct limpid_item *item,
					 size_t component, size_t label,
					 const char **value);

/* Event: its kind ("start", "stop", "boot" ...), and the value of a key. */
LIMPID_API const char *limpid_item_event(const struct limpid_item *item);
LIMPID_API const char *limpid_item_event_get(const struct limpid_item *item,
					     const char *key);

/* ---- archives: what limpid itself writes, limpid-archive(5) -------------- */

struct limpid_archive;

/*
 * A new archive. It appears at the path, and replaces an older archive there,
 * only when it is finished.
 */
LIMPID_API int limpid_archive_create(const char *path,
				     struct limpid_archive **archive,
				     struct limpid_error *err);
LIMPID_API int limpid_archive_put(struct limpid_archive *archive,
				  const struct limpid_item *item,
				  struct limpid_error *err);
/* Write all, and free the archive, whatever happens. */
LIMPID_API int limpid_archive_finish(struct limpid_archive *archive,
				     struct limpid_error *err);
/* Give it up: nothing appears. */
LIMPID_API void limpid_archive_abandon(struct limpid_archive *archive);

/* ---- options of a diagnosis ---------------------------------------------- */

struct limpid_options;

/* NULL: out of memory. */
LIMPID_API struct limpid_options *limpid_options_new(void);
/*
 * Set one by its name; values are written as on the command line,
 * limpid-diagnose(1): step ("1s", "15s"), since, until, history (how long a
 * case keeps samples: "1h"; default: all), metric ("await,rd_sec"), cluster (a
 * file, limpid-cluster(5)), threshold, threads. -EINVAL: no such option, or not
 * such a value.
 */
LIMPID_API int limpid_options_set(struct limpid_options *options,
				  const char *name, const char *value,
				  struct limpid_error *err);
LIMPID_API void limpid_options_free(struct limpid_options *options);

/* ---- findings ------------------------------------------------------------ */

enum limpid_outcome {
	LIMPID_NONE,     /* no component differs from its peers */
	LIMPID_FAULT,    /* at least one does */
	LIMPID_UNDECIDED /* cannot tell, for a reason */
};

struct limpid_evidence {
	const char *kind;      /* "metric", "absence", "idleness" ... */
	const char *component; /* as a rule that of the finding */
	int64_t since_ns, until_ns;
	int accuses;          /* 0: it is only shown */
	const char *sentence; /* without its dot; "" if the kind has none */
	const char *metric;   /* NULL: this kind has none, and no numbers */
	double value;         /* of the component, in the metric's unit */
	double peers_median;
	double distance, threshold; /* to its peers, and how far is too far */
};

struct limpid_finding {
	const char *component; /* "oss3/sdc" */
	const char *id;        /* the same by WWID or serial number, if known */
	const char *host;      /* NULL: not known */
	const char *cause;     /* a word of the catalogue */
	const char *text;      /* a sentence without its dot */
	const char *next;      /* the check to make next */
	int64_t since_ns, until_ns;
	int lasting;  /* up to the end of what was put */
	double score; /* larger is worse */
	const struct limpid_evidence *evidence; /* what accuses first */
	size_t n_evidence;
};

/* They stand for themselves: what they were made from may go. */
struct limpid_findings;

LIMPID_API enum limpid_outcome limpid_findings_outcome(
	const struct limpid_findings *findings);
/* Why nothing can be told; "" otherwise. */
LIMPID_API const char *limpid_findings_reason(
	const struct limpid_findings *findings);
LIMPID_API size_t limpid_findings_count(const struct limpid_findings *findings);
/* The worst first. */
LIMPID_API const struct limpid_finding *limpid_findings_get(
	const struct limpid_findings *findings, size_t finding);
/* What a reader should know, a sentence each. */
LIMPID_API const char *limpid_findings_note(
	const struct limpid_findings *findings, size_t note);
/* One line, limpid-findings(5), for limpid-report(1) and the function below. */
LIMPID_API int limpid_findings_write_json(
	const struct limpid_findings *findings, FILE *out,
	struct limpid_error *err);
LIMPID_API int limpid_findings_read(const char *path,
				    struct limpid_findings **findings,
				    struct limpid_error *err);
LIMPID_API void limpid_findings_free(struct limpid_findings *findings);

/* ---- diagnosis ----------------------------------------------------------- */

/*
 * Diagnose n recordings as one, as limpid-diagnose(1) does with --no-cluster. A
 * file that cannot be read is an error. One that was cut off is read as far as
 * it goes, and noted. options: NULL for the defaults.
 */
LIMPID_API int limpid_diagnose_files(const char *const *paths, size_t n,
				     const struct limpid_options *options,
				     struct limpid_findings **findings,
				     struct limpid_error *err);

/*
 * A case is a diagnosis that goes on: put what comes, say how far it is
 * complete, and ask for findings at any time.
 *
 *     open ── put, put ... ── advance ── findings ── put ... ── close
 */
struct limpid_case;

/* The options must have a step; they may be freed afterwards. */
LIMPID_API int limpid_case_open(const struct limpid_options *options,
				struct limpid_case **opened,
				struct limpid_error *err);
/* An item of any host; those of one host in their order. */
LIMPID_API int limpid_case_put(struct limpid_case *c,
			       const struct limpid_item *item,
			       struct limpid_error *err);
/*
 * Judge everything up to this time. What comes later for that time is ignored.
 * LIMPID_TIME_MAX: nothing follows.
 */
LIMPID_API int limpid_case_advance(struct limpid_case *c, int64_t until_ns,
				   struct limpid_error *err);
/* Of the time up to the last advance. -EINVAL: there was none. */
LIMPID_API int limpid_case_findings(struct limpid_case *c,
				    struct limpid_findings **findings,
				    struct limpid_error *err);
LIMPID_API void limpid_case_close(struct limpid_case *c);

#ifdef __cplusplus
}
#endif

#endif
