/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules: what a line means, and of whom it speaks. The format of their files
 * is limpid-logs-rules(5).
 *
 * To add a kind: its word here, a row in log_kinds.c, and, if it decides
 * something, a line in accuse.c.
 */
#ifndef LP_LOGS_LOG_RULES_H
#define LP_LOGS_LOG_RULES_H

#include "base/memory.h"
#include "logs/template/templates.h"
#include "logs/verdict/log_pattern.h"

enum lp_log_kind {
	LP_LOG_UNKNOWN, /* new and bad, and no rule knows it */
	LP_LOG_DEVICE,
	LP_LOG_NETWORK_SELF,
	LP_LOG_NETWORK_PEER,
	LP_LOG_NO_ANSWER,
	LP_LOG_RESTART,
	LP_LOG_INCONSISTENT,
	LP_LOG_SPACE,
	LP_LOG_ASSERT,
	LP_LOG_CONFIG,
	/* No evidence: they say what others call this node, ... */
	LP_LOG_NAME,
	/* ... and which two names are of one. */
	LP_LOG_ALIAS,
	LP_LOG_KINDS,
};

struct lp_log_kind_row {
	const char *name;
	const char *says; /* of a node, without a dot */
	bool is_hearsay;  /* it is about a peer */
	bool is_naming;
};

extern const struct lp_log_kind_row lp_log_kinds[LP_LOG_KINDS];

struct lp_log_rule {
	const char *name;
	const struct lp_log_format *format;
	enum lp_log_kind kind;
	const char *function;           /* all of it, or NULL */
	const char *text;               /* that the message has, or NULL */
	struct lp_log_pattern *pattern; /* of the message, or NULL */
	const char *peer;    /* "target %1": of whom it speaks; NULL: itself */
	const char *same;    /* of an alias: the other name */
	const char *meaning; /* for people, or NULL */
	enum lp_log_level level; /* the least */
};

/* Zero-initialise to begin. */
struct lp_log_rules {
	struct lp_arena arena;
	struct lp_log_rule *all;
	size_t n, capacity;
};

#define LP_LOG_MOST_RULES 2000

/* Rules of a text, behind those that are there; they are tried in order. */
int lp_log_rules_parse(struct lp_log_rules *rules, const char *name,
		       const char *text, struct lp_error *err);
/* Those of a file, or of all NAME.conf of a directory. */
int lp_log_rules_read(struct lp_log_rules *rules, const char *path,
		      struct lp_error *err);
/* Those that come with limpid. */
int lp_log_rules_shipped(struct lp_log_rules *rules, struct lp_error *err);
void lp_log_rules_done(struct lp_log_rules *rules);

/*
 * Whether lines of this template, whose text is given, can match: the function
 * and the words of `text` stand in it. Once per template, so that hardly any
 * line meets a regular expression.
 */
bool lp_log_rule_may(const struct lp_log_rule *rule,
		     const struct lp_log_template *template, const char *text);
/* Whether the line matches, and its groups. */
bool lp_log_rule_matches(const struct lp_log_rule *rule,
			 const struct lp_log_line *line,
			 struct lp_log_text groups[LP_LOG_GROUPS],
			 bool *too_long);
/* "target %1" with its groups; false: one of them is empty. */
#define LP_LOG_PEER_TEXT 160
bool lp_log_rule_name(const char *form,
		      const struct lp_log_text groups[LP_LOG_GROUPS],
		      char text[LP_LOG_PEER_TEXT]);

#endif
