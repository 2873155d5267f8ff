/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernel files with one instance a line: a name and its counters. A reader of
 * such a file gives only the function that understands one line.
 */
#ifndef LP_SOURCE_LINES_H
#define LP_SOURCE_LINES_H

#include "source/filter.h"
#include "source/procfile.h"

#define LP_LINE_VALUES 32
/* Texts that are held for later: the recorder writes every ten seconds. */
#define LP_HELD_TEXTS 12
#define LP_HELD_BYTES 16384 /* at most, of one text */

struct lp_input_line {
	const char *name; /* within the line */
	size_t name_length;
	uint64_t values[LP_LINE_VALUES];
	size_t n_values;
	/* The column of each value; NULL: values[i] is column i. */
	const uint8_t *columns;
};

enum lp_line_outcome { LP_LINE_OK, LP_LINE_SKIP, LP_LINE_BAD };

struct lp_line_format {
	const char *path;
	const struct lp_class *class;
	enum lp_line_outcome (*understand)(const char *at, const char *end,
					   struct lp_input_line *line);
};

struct lp_text {
	char *bytes;
	size_t size, capacity;
	size_t sample; /* of the builder, from 1 */
};

/* What a line of the last text was found to be. */
struct lp_kept_line {
	uint32_t at, size;          /* in the text, with its newline */
	uint32_t name, name_length; /* in the line; 0: there is no row of it */
	uint32_t series;            /* that row, in its builder's panel */
	bool whole;                 /* understood, up to its newline */
};

/*
 * Most lines are the same in tick after tick (idle devices, partitions), and
 * to see that is much cheaper than to read their numbers: the text parsed last
 * is kept, and a line equal to the one in its place repeats its row.
 */
struct lp_lines {
	const struct lp_line_format *format;
	struct lp_procfile file;
	struct lp_chooser choice;
	uint64_t instances; /* hash of the names seen last */

	struct lp_text last;              /* parsed last, and */
	const struct lp_builder *builder; /* put into this one, */
	uint64_t epoch;                   /* at this time of its life */
	struct lp_kept_line *kept;
	size_t n_kept, kept_capacity;
	struct lp_text held[LP_HELD_TEXTS]; /* to be parsed */
	size_t n_held;
};

/* What a reader's functions are made of; state is a struct lp_lines. */
int lp_lines_open(const struct lp_line_format *format,
		  const struct lp_reader_context *context, void **state);
int lp_lines_fetch(void *state, struct lp_error *err);
/* Takes what was fetched: once. */
int lp_lines_parse(void *state, struct lp_builder *builder,
		   struct lp_error *err);
bool lp_lines_hold(void *state, size_t sample);
int lp_lines_catch_up(void *state, struct lp_builder *builder,
		      struct lp_error *err);
void lp_lines_close(void *state);
uint64_t lp_lines_instances(const void *state);

/*
 * Numbers up to the end of the line. False: something else stands there, or
 * more than LP_LINE_VALUES and not numbers.
 */
bool lp_line_numbers(const char *at, const char *end,
		     struct lp_input_line *line);

/* The formats, for the fuzzers. */
extern const struct lp_line_format lp_format_diskstats, lp_format_net_dev;

#endif
