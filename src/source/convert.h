/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a helper that writes what it read as an archive into a descriptor that
 * it inherits.
 */
#ifndef LP_SOURCE_CONVERT_H
#define LP_SOURCE_CONVERT_H

#include "source/source.h"

#include <limits.h>

#define LP_CONVERT_WORDS 128

/* Its command line, and the room of words that are made. Zero-initialise. */
struct lp_convert {
	const char *argv[LP_CONVERT_WORDS];
	size_t count;
	char program[PATH_MAX], fd[16];
	char since[LP_TIME_TEXT], until[LP_TIME_TEXT];
};

/* Begin with limpid-NAME. -ENOENT: it is not there, but at convert->program. */
int lp_convert_begin(struct lp_convert *convert, const char *name);
/* What does not fit is left out. */
void lp_convert_option(struct lp_convert *convert, const char *option,
		       const char *value);
/* --since and --until of the query, as far as it has any. */
void lp_convert_period(struct lp_convert *convert,
		       const struct lp_query *query);
/*
 * End the command line with the operand and the descriptor, and run it. lost
 * gets the line that it prints, or "". On failure err is its last words.
 */
int lp_convert_run(struct lp_convert *convert, const char *operand, int fd,
		   char lost[LP_LOST_TEXT], struct lp_error *err);

#endif
