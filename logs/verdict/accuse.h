/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From evidence to a verdict: which nodes fail, and how.
 *
 * What a node says of itself goes before what others say of it. Then reporters
 * are counted, never lines: who is cut off writes most, and about innocent
 * nodes. See docs/decisions/self-before-hearsay.md.
 */
#ifndef LP_LOGS_ACCUSE_H
#define LP_LOGS_ACCUSE_H

#include "logs/verdict/log_study.h"

enum lp_log_class {
	LP_LOG_CLASS_NONE,
	LP_LOG_CLASS_UNKNOWN, /* something is new, and no rule knows it */
	LP_LOG_CLASS_DEVICE,
	LP_LOG_CLASS_INCONSISTENT, /* or restarted, maybe repaired */
	LP_LOG_CLASS_NETWORK,
	LP_LOG_CLASS_DEAD,
	LP_LOG_CLASS_SPACE,
	LP_LOG_CLASSES,
};

struct lp_log_class_row {
	const char *name;  /* of JSON: "device" */
	const char *title; /* "failing device" */
	const char *says;  /* of one node, without a dot */
	const char *next;  /* the check to make next */
};

extern const struct lp_log_class_row lp_log_classes[LP_LOG_CLASSES];

struct lp_log_accused {
	uint32_t node;
	enum lp_log_class class;
	bool by_itself;     /* else only others say it */
	uint32_t reporters; /* nodes that report it */
	uint32_t reports;   /* nodes that it reports */
	/* What decided: the first line of it. */
	const struct lp_log_evidence *first;
};

struct lp_log_verdict {
	enum lp_log_class class;
	struct lp_log_accused *accused;
	size_t n_accused;
	uint32_t with_logs; /* nodes */
	uint64_t lines, fresh, warnings;
	bool silent;      /* no node says anything at warning that is new */
	int64_t onset_ns; /* the first line of evidence, or NO_TIME */
};

/* The study is read and resolved; it must stay. -ENOMEM. */
int lp_log_accuse(const struct lp_log_study *study,
		  struct lp_log_verdict *verdict);
void lp_log_verdict_done(struct lp_log_verdict *verdict);

#endif
