/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of `limpid show`: what is asked for, the rows that answer it, and
 * the forms in which they are written.
 */
#ifndef LP_CMD_SHOW_H
#define LP_CMD_SHOW_H

#include "inputs.h"
#include "period.h"

#include "base/option.h"
#include "survey/survey.h"
#include "table/metric_value.h"

struct show_options {
	struct lp_option_list metrics, classes, devices;
	struct lp_period_options period;
	int64_t since_ns, until_ns, step_ns; /* since, until: of the period */
	bool csv, json, summary, raw, all, human;
	const char *names; /* "sar", "classic"; NULL: not given */
	const char *sort;  /* METRIC[:FIGURE]; NULL: not given */
	unsigned long top; /* 0: not given */
	struct lp_input_options input;
};

/* ---- show_select.c: which metrics of which classes ---- */

struct show_item {
	const char *name, *unit;
	double factor; /* of what is shown */
	bool wish;     /* shown where it was recorded, unless asked for */
	const struct lp_metric *metric; /* NULL: a recorded column */
	size_t column;                  /* in the class, without a metric */
	bool counts; /* covers an interval: the first point has none */
};

struct show_class {
	const struct lp_class *class;
	struct show_item *items;
	size_t n_items, capacity;
	size_t sort; /* the item that --sort names */
};

#define SHOW_CLASSES 16

/* By what a summary is sorted. */
enum show_figure { SHOW_MEAN, SHOW_MEDIAN, SHOW_P95, SHOW_MAX, SHOW_FIGURES };

struct show_selection {
	struct show_class classes[SHOW_CLASSES];
	size_t n_classes;
	size_t widest; /* most items of any class */
	enum show_figure figure;
	const char *names[SHOW_CLASSES + 1]; /* of the classes, for a query */
};

/* 0, or -EINVAL with a line that names what there is. */
int show_select(struct show_selection *selection,
		const struct show_options *options, struct lp_error *err);
void show_selection_done(struct show_selection *selection);
/* Leave out columns that nobody asked for and nobody recorded. */
void show_selection_prune(struct show_selection *selection,
			  const struct lp_survey *survey);

/* ---- show_rows.c: from spans to rows in order ---- */

/* Whether components that were idle all the time are left out. */
bool show_hides_idle(const struct show_options *options);

/* No pattern at all, or one that matches. */
bool show_matches(const struct lp_option_list *globs, const char *text);

/*
 * Whether a step covers one sample of this host only: its rows then bear the
 * time of that sample. Otherwise they bear the end of the step.
 */
bool show_own_times(const struct lp_survey *survey, const char *host,
		    int64_t step_ns);

struct show_component {
	size_t number; /* 0, 1, 2 ... as they were met */
	size_t class;  /* of the selection */
	char *host, *name, *id;
	char *display; /* "oss1/sda" */
};

struct show_row {
	int64_t point_ns; /* of the step: rows of one step belong together */
	int64_t time_ns;  /* that is shown: the sample's own, or point_ns */
	const struct show_component *component;
	size_t sequence; /* as they came */
	double value[];  /* of the class's items */
};

struct show_rows;

/*
 * Gets the rows by step, class, host and name; one per step and component,
 * the last recorded.
 */
typedef void show_write(void *user, const struct show_row *row);

struct show_rows_config {
	const struct show_options *options;
	const struct show_selection *selection;
	const struct lp_survey *survey;
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
	size_t idle;    /* that the survey knows as idle and were left out */
};

/* Add what these rows came to. */
void show_rows_count(const struct show_rows *rows, struct show_counts *counts);

/* ---- show_nothing.c: why there is nothing, and what there would be ---- */

/* One line; `seen` is of the time asked for, `all` of any time. */
void show_nothing(const char *command, const struct lp_roster *seen,
		  const struct lp_roster *all, int64_t since_ns,
		  const struct lp_zone *zone, size_t matched);

/* ---- show_units.c: numbers of a table ---- */

#define SHOW_NUMBER_TEXT 40

/* The unit, and the number in it; "-": missing. */
const char *show_unit(const struct show_item *item, bool human);
const char *show_number(const struct show_item *item, bool human, double v,
			char text[SHOW_NUMBER_TEXT]);

/* ---- forms: to standard output ---- */

#define SHOW_ITEMS 64

struct show_text {
	const struct show_selection *selection;
	const struct lp_zone *zone;
	int64_t step_ns;
	size_t class, component_width;
	size_t screen; /* lines of the terminal; 0: none */
	size_t lines;  /* since the last header */
	size_t number_width;
	bool hidden[SHOW_ITEMS]; /* items for which there is no room */
	bool human, colours, begun;
	bool fractions;                         /* milliseconds are shown */
	char date[16], zone_name[LP_ZONE_TEXT]; /* of the header */
};

/* One section: a class, with a header. */
void show_text_begin(struct show_text *text,
		     const struct show_selection *selection, size_t class,
		     const struct show_options *options,
		     const struct lp_zone *zone,
		     const struct lp_survey *survey);
show_write show_text_row;
/* On standard error: which columns this section left out, if any. */
void show_text_end(const struct show_text *text, const char *command);

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
