/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The templates of many lines, each with a number: 0, 1, 2 ...
 *
 * A line is masked and looked up by its hash. Only what is new goes further:
 * templates of one format, level, function and length that are many and mostly
 * alike become one, whose differing words are masked (the tree of Drain, He et
 * al. 2017, with its two upper levels).
 */
#ifndef LP_LOGS_TEMPLATES_H
#define LP_LOGS_TEMPLATES_H

#include "base/memory.h"
#include "logs/input/log_format.h"
#include "logs/template/log_slots.h"

#define LP_LOG_TEMPLATE_NONE UINT32_MAX

struct lp_log_template {
	const struct lp_log_format *format;
	enum lp_log_level level;
	const char *text; /* as mask.h makes it */
	uint64_t count;   /* lines */
	/* What healthy logs say of it, once it is frozen. */
	bool healthy;
	uint64_t healthy_rate;  /* the most lines in an hour of a node */
	uint64_t healthy_hours; /* hours of nodes that have it */
	/* ---- of templates.c ---- */
	uint64_t bucket;
	uint32_t next; /* of its bucket */
	uint32_t words;
};

/* Zero-initialise to begin. */
struct lp_log_templates {
	struct lp_arena arena;
	struct lp_log_template *all;
	size_t n, capacity;
	struct lp_log_slots hashes;
	struct lp_log_slots buckets; /* the newest template of each */
};

/*
 * The number of the line's template, which is added if it is new;
 * LP_LOG_TEMPLATE_NONE: out of memory.
 */
uint32_t lp_log_templates_of(struct lp_log_templates *templates,
			     const struct lp_log_line *line);
/* Add one that a model knows. 0 or -ENOMEM. */
int lp_log_templates_add(struct lp_log_templates *templates,
			 const struct lp_log_template *known);
void lp_log_templates_done(struct lp_log_templates *templates);

#endif
