/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What logs say that healthy logs do not: evidence, by node.
 */
#ifndef LP_LOGS_LOG_STUDY_H
#define LP_LOGS_LOG_STUDY_H

#include "logs/input/log_sources.h"
#include "logs/template/log_model.h"
#include "logs/verdict/log_errno.h"
#include "logs/verdict/log_rules.h"

/* The first line that says it, and how many do. */
struct lp_log_evidence {
	uint32_t node;
	uint32_t template;
	enum lp_log_kind kind;
	const struct lp_log_rule *rule;    /* NULL: none knows it */
	const struct lp_log_errno *number; /* NULL: none */
	const char *peer;   /* as the line names it; NULL: none */
	uint32_t peer_node; /* set by lp_log_study_resolve; NONE: not known */
	bool excess;        /* healthy logs say it, too, but not so often */
	const char *phase;
	uint64_t count;
	int64_t first_ns, last_ns;
	const char *file, *text;
	uint64_t number_of_line;
};

struct lp_log_rate {
	int64_t hour; /* that n counts in */
	uint64_t n, most, hours;
};

struct lp_log_node {
	uint64_t lines, fresh; /* fresh: of templates that are not healthy */
	uint64_t warnings;     /* of these at warning or above */
	int64_t first_ns, last_ns;
	struct lp_log_rate all;    /* lines of any template */
	struct lp_log_rate *rates; /* by template */
	size_t n_rates;
};

/* What is known of a template. */
struct lp_log_about {
	uint16_t *rules; /* that may match its lines */
	uint16_t n;
	bool looked, worded;
	bool names, accuses; /* some of its rules do */
	const struct lp_log_errno *number;
};

struct lp_log_file_note {
	const char *path;
	const char *text;
};

enum lp_log_work {
	LP_LOG_LEARN, /* all lines are healthy */
	LP_LOG_CLASSIFY,
};

/* Zero-initialise to begin, then set what is above the line. */
struct lp_log_study {
	struct lp_zone zone;
	int64_t onset_ns; /* earlier lines are no evidence; or NO_TIME */
	bool without_rules;
	struct lp_log_sources sources;
	struct lp_log_model model;
	struct lp_log_rules rules;
	bool has_model;
	/* ---- */
	enum lp_log_work work;
	int64_t before_ns; /* when it learns: only of lines before that */
	struct lp_arena arena;
	struct lp_log_about *about; /* by template */
	size_t n_about, about_capacity;
	struct lp_log_node *nodes; /* by number */
	size_t n_nodes, nodes_capacity;
	struct lp_log_evidence *evidence;
	size_t n_evidence, evidence_capacity;
	struct lp_log_slots slots;    /* of evidence */
	struct lp_log_alias *aliases; /* two names of one */
	size_t n_aliases, aliases_capacity;
	struct lp_log_file_note *notes;
	size_t n_notes, notes_capacity;
	uint64_t lines, gave_up; /* regular expressions that were */
	bool crowded;            /* more evidence than is kept */
};

#define LP_LOG_MOST_EVIDENCE ((size_t)1 << 18)

/* Read all sources. A file that cannot be opened is a note, if others can. */
int lp_log_study_run(struct lp_log_study *study, enum lp_log_work work,
		     struct lp_error *err);
/* When all is read: which nodes the peers are. -ENOMEM. */
int lp_log_study_resolve(struct lp_log_study *study);
/* After learning: templates with their rates, and names, are the model's. */
int lp_log_study_freeze(struct lp_log_study *study);
/* "oss1" */
const char *lp_log_node_name(const struct lp_log_study *study, uint32_t node);
void lp_log_study_done(struct lp_log_study *study);

/* ---- log_evidence.c ---- */

/* The line is evidence. -ENOMEM. */
int lp_log_study_keep(struct lp_log_study *study,
		      const struct lp_log_record *record,
		      const struct lp_log_evidence *what);
/* The node's row, with room for rates of the template. NULL: no memory. */
struct lp_log_node *lp_log_study_node(struct lp_log_study *study,
				      uint32_t node);
/* Two names of one; the same twice is once. -ENOMEM. */
int lp_log_study_alias(struct lp_log_study *study, const char *a,
		       const char *b);
/* All names that lead to a node become names of the model's. -ENOMEM. */
int lp_log_study_learn_names(struct lp_log_study *study);

#endif
