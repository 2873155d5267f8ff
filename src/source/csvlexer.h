/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records and fields of comma-separated text, after RFC 4180.
 */
#ifndef LP_SOURCE_CSVLEXER_H
#define LP_SOURCE_CSVLEXER_H

#include "base/memory.h"

#include <stdbool.h>

struct lp_csv_field {
	const char *text; /* not terminated */
	size_t n;
};

/*
 * Over text in memory, which must stay. Lines end in LF or CRLF; a field in
 * double quotes may hold commas, line ends and, doubled, quotes; blanks around
 * a field without quotes are not part of it; empty lines are skipped.
 */
struct lp_csv_lexer {
	const char *begin, *at, *end;
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
/* Go on at `at`, which is the beginning of a record in that line. */
void lp_csv_lexer_seek(struct lp_csv_lexer *lexer, const char *at,
		       uint64_t line);
void lp_csv_lexer_done(struct lp_csv_lexer *lexer);

/*
 * The next record: its fields are valid until the next call. 1: a record; 0:
 * the end; -ENOMEM; -EINVAL: *what says what is wrong in line `line`.
 */
int lp_csv_lexer_next(struct lp_csv_lexer *lexer, const char **what);

#endif
