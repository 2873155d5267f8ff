/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of `limpid show`: what is asked for, the rows that answer it, and
 * the forms in which they are written.
 */
#ifndef LP_CMD_SHOW_H
#define LP_CMD_SHOW_H

#include "inputs.h"

#include "base/option.h"
#include "table/metric_value.h"
#include "table/overview.h"

struct show_options {
	struct lp_option_list metrics, classes, hosts, devices;
	int64_t since_ns, until_ns, step_ns;
	bool csv, json, summary, raw, all;
	struct lp_input_options input;
};

/* ---- show_select.c: which metrics of which classes ---- */

struct show_item {
	const char *name, *unit;
	const struct lp_metric *metric; /* NULL: a recorded column */
	size_t column;                  /* in the class, without a metric */
	bool counts; /* covers an interval: the first point has none */
};

struct show_class {
	const struct lp_class *class;
	struct show_item *items;
	size_t n_items, capacity;
};

#define SHOW_CLASSES 16

struct show_selection {
	struct show_class classes[SHOW_CLASSES];
	size_t n_classes;
	size_t widest;                       /* most items of any class */
	const char *names[SHOW_CLASSES + 1]; /* of the classes, for a query */
};

/* 0, or -EINVAL with a line that names what there is. */
int show_select(struct show_selection *selection,
		const struct show_options *options, struct lp_error *err);
void show_selection_done(struct show_selection *selection);

/* ---- show_rows.c: from spans to rows in order ---- */

/* No pattern at all, or one that matches. */
bool show_matches(const struct lp_option_list *globs, const char *text);

struct show_component {
	size_t number; /* 0, 1, 2 ... as they were met */
	size_t class;  /* of the selection */
	char *host, *name, *id;
	char *display; /* "oss1/sda" */
};

struct show_row {
	int64_t time_ns;
	const struct show_component *component;
	size_t sequence; /* as they came */
	double value[];  /* of the class's items */
};

struct show_rows;

/*
 * Gets the rows by time, class, host and name; one per point and component,
 * the last recorded.
 */
typedef void show_write(void *user, const struct show_row *row);

struct show_rows_config {
	const struct show_options *options;
	const struct show_selection *selection;
	const struct lp_overview *overview;
	bool hide_idle;
	show_write *write;
	void *user;
};

struct show_rows *show_rows_new(const struct show_rows_config *config);
void show_rows_free(struct show_rows *rows);
/* The sink of the steps. */
int show_rows_take(void *rows, const struct lp_span *span,
		   struct lp_error *err);
/* Write what is older than all that a stream, now at this time, may give. */
void show_rows_advance(struct show_rows *rows, int64_t time_ns);
/* Write the rest. */
void show_rows_flush(struct show_rows *rows);

struct show_counts {
	size_t written; /* rows */
	size_t matched; /* components that were asked for and not idle */
	size_t idle;    /* that the overview knows as idle and were left out */
};

/* Add what these rows came to. */
void show_rows_count(const struct show_rows *rows, struct show_counts *counts);

/* ---- show_nothing.c: why there is nothing, and what there would be ---- */

/* One line; `seen` is of the time asked for, `all` of any time. */
void show_nothing(const char *command, const struct lp_overview *seen,
		  const struct lp_overview *all, size_t matched);

/* ---- forms: to standard output ---- */

struct show_text {
	const struct show_selection *selection;
	int64_t step_ns;
	size_t class, component_width;
	size_t screen; /* lines of the terminal; 0: none */
	size_t lines;  /* since the last header */
	bool colours, begun;
	char date[16];
};

/* One section: a class, with a header. */
void show_text_begin(struct show_text *text,
		     const struct show_selection *selection, size_t class,
		     int64_t step_ns, const struct lp_overview *overview,
		     bool idle_too);
show_write show_text_row;

void show_csv_begin(void);
show_write show_csv_row;  /* user: the selection */
show_write show_json_row; /* user: the selection */
/* "a,b" becomes "\"a,b\"". */
void show_csv_text(const char *text);

/* ---- show_summary.c ---- */

struct show_summary;

struct show_summary *show_summary_new(const struct show_options *options,
				      const struct show_selection *selection,
				      int64_t step_ns);
void show_summary_free(struct show_summary *summary);
show_write show_summary_row;
/* Print it. -ENOMEM if rows were lost. */
int show_summary_print(struct show_summary *summary);

#endif
