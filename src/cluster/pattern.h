/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Patterns of a cluster file: "oss*" as in a shell, "/oss([0-9]+)/" a regular
 * expression (POSIX extended) that must match the whole name and whose groups
 * are $1, $2 ... elsewhere.
 */
#ifndef LP_CLUSTER_PATTERN_H
#define LP_CLUSTER_PATTERN_H

#include "base/memory.h"

#include <regex.h>
#include <stdbool.h>

struct lp_pattern {
	const char *text;
	bool is_regex;
	regex_t regex;
};

/* Any of them; none: everything matches. Zero-initialise. */
struct lp_patterns {
	struct lp_pattern *items;
	size_t count, capacity;
};

/* What the groups of regular expressions matched. Zero-initialise. */
#define LP_CAPTURES 9
struct lp_captures {
	struct {
		const char *text;
		size_t length;
	} items[LP_CAPTURES];
	size_t count;
};

#define LP_PATTERN_WHY 128
/*
 * Add a pattern; the text must stay. 0, -ENOMEM, or -EINVAL and in why what is
 * wrong with the regular expression.
 */
int lp_patterns_add(struct lp_patterns *patterns, const char *text,
		    char why[LP_PATTERN_WHY]);
void lp_patterns_done(struct lp_patterns *patterns);

/* Captures, if not NULL, are added to; they point into text. */
bool lp_patterns_match(const struct lp_patterns *patterns, const char *text,
		       struct lp_captures *captures);
/* How many groups every one of the patterns has. */
size_t lp_patterns_groups(const struct lp_patterns *patterns);

/* The highest $N in a text; 0: none. */
size_t lp_captures_highest(const char *text);
/* The text with its $N replaced, in the arena. NULL: out of memory. */
const char *lp_captures_expand(const struct lp_captures *captures,
			       const char *text, struct lp_arena *arena);

#endif
