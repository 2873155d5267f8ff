/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records and fields of comma-separated text, after RFC 4180.
 */
#ifndef LP_SOURCE_CSVLEXER_H
#define LP_SOURCE_CSVLEXER_H

#include "base/memory.h"
#include "base/textfile.h"

#include <stdbool.h>

struct lp_csv_field {
	const char *text; /* not terminated */
	size_t n;
};

/*
 * Over text in memory, or the window of a file; both must stay. Lines end in LF
 * or CRLF; a field in double quotes may hold commas, line ends and, doubled,
 * quotes; blanks around a field without quotes are not part of it; empty lines
 * are skipped.
 */
struct lp_csv_lexer {
	struct lp_text_file *file; /* NULL: begin to end is all there is */
	size_t window;             /* how much of it to read next */
	uint64_t offset;           /* of begin */
	const char *begin, *at, *end;
	char separator;      /* ',' unless it is set otherwise */
	uint64_t line;       /* where the text at `at` stands, from 1 */
	uint64_t start_line; /* where the last record began */
	const char *start;
	struct lp_csv_field *fields;
	size_t n_fields, capacity;
	struct lp_arena unquoted; /* fields that had doubled quotes */
	bool used_arena;
};

/* A byte order mark at the beginning is skipped. */
void lp_csv_lexer_init(struct lp_csv_lexer *lexer, const char *text, size_t n);
/* The same over a file; errors come out with the first record. */
void lp_csv_lexer_init_file(struct lp_csv_lexer *lexer,
			    struct lp_text_file *file);
/*
 * Whether the last record is the last of all, and has no line end: then it may
 * be only the beginning of one, of a file that is being written.
 */
bool lp_csv_lexer_is_cut(const struct lp_csv_lexer *lexer);
/* The offset of a place between begin and end. */
uint64_t lp_csv_lexer_offset(const struct lp_csv_lexer *lexer, const char *at);
/* Go on at the offset, which is the beginning of a record in that line. */
void lp_csv_lexer_seek(struct lp_csv_lexer *lexer, uint64_t offset,
		       uint64_t line);
void lp_csv_lexer_done(struct lp_csv_lexer *lexer);

/*
 * The next record: its fields are valid until the next call. 1: a record; 0:
 * the end; -ENOMEM; another -errno: *what says what is wrong in line `line`.
 */
int lp_csv_lexer_next(struct lp_csv_lexer *lexer, const char **what);

#endif
