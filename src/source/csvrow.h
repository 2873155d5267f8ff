/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lines of a CSV file: when, which host, which component.
 */
#ifndef LP_SOURCE_CSVROW_H
#define LP_SOURCE_CSVROW_H

#include "base/bytes.h"
#include "source/csvlayout.h"
#include "source/source.h"

struct lp_csv_row {
	int64_t time_ns;
	uint32_t host;        /* its number in the reader's `hosts` */
	const char *instance; /* not terminated; empty: of none */
	size_t instance_length;
	size_t value; /* long form: which of the layout's values */
};

/* The file must stay, as must path and the map. */
struct lp_csv_reader {
	const char *path;
	struct lp_csv_lexer lexer;
	struct lp_csv_layout layout;
	struct lp_buffer header; /* its whole line */
	uint64_t first;          /* the offset of the record behind it */
	uint64_t first_line;
	struct lp_names hosts;
	const char *default_host;
	struct lp_buffer scratch; /* "LOCAL>PEER" */
	uint64_t cut_line;        /* the last line, if it was cut off; 0: no */
};

/* Reads the header. lp_csv_reader_done in any case. */
int lp_csv_reader_init(struct lp_csv_reader *reader, const char *path,
		       struct lp_text_file *file,
		       const struct lp_source_options *options,
		       struct lp_error *err);
void lp_csv_reader_done(struct lp_csv_reader *reader);

/* Begin again behind the header. */
void lp_csv_reader_rewind(struct lp_csv_reader *reader);

/*
 * The next line; its fields are in the lexer. 1: a line; 0: the end; below 0:
 * -errno, with file, line and column in err.
 */
int lp_csv_reader_next(struct lp_csv_reader *reader, struct lp_csv_row *row,
		       struct lp_error *err);

/*
 * A line is not as it should be: whether it is the last one and lacks its end,
 * so that it counts as cut off, and as if it were not there.
 */
bool lp_csv_reader_cut(struct lp_csv_reader *reader);

/* "FILE:LINE: ..." of the last line. Returns -EINVAL. */
int lp_csv_reader_fail(const struct lp_csv_reader *reader, struct lp_error *err,
		       const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
