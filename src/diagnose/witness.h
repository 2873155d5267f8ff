/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Witnesses: what makes evidence of items that are no samples (counts of
 * functions, lines of logs, the state of a target), beside the detectors, which
 * make it of metrics.
 *
 * To add one: a file with its struct lp_witness, and a line in witnesses.c. How
 * its kind of evidence looks is for report/evidence_kind.h; without a line
 * there, its sentence is shown.
 *
 * What a witness says of a component during a finding of it becomes evidence
 * of that finding. What it says of times that overlap is one, with the words
 * of the strongest. A witness that may accuse alone makes a finding of its own
 * where there is none.
 */
#ifndef LP_DIAGNOSE_WITNESS_H
#define LP_DIAGNOSE_WITNESS_H

#include "model/catalogue.h"
#include "model/finding.h"
#include "model/stream.h"

/* What a witness says; whoever hears it copies it. */
struct lp_testimony {
	const char *kind; /* of the evidence */
	const char *host;
	/* As in the samples; both NULL: the host. */
	const char *class_name, *component;
	enum lp_resource resource; /* that it is about */
	/* Of a finding that nobody else makes; 0: unknown. */
	enum lp_cause cause;
	int64_t since_ns, until_ns;
	double strength; /* how many times what would be normal; NaN: unknown */
	const char *sentence; /* without its dot */
	const char *data;     /* a value of JSON, or NULL */
	bool accuses_alone;   /* set by whoever hears it, of the witness */
};

/* 0 or -ENOMEM. */
typedef int lp_testify(void *user, const struct lp_testimony *testimony);

struct lp_witness {
	const char *name;
	bool accuses_alone;
	/* Whether it wants to see this item. */
	bool (*takes)(const struct lp_item *item);
	/* What it remembers from item to item; NULL: out of memory. */
	void *(*open)(void);
	void (*close)(void *memory);
	/* The next item that it takes, of each host in their order. 0, -ENOMEM.
	 */
	int (*push)(void *memory, const struct lp_item *item);
	/*
	 * Nothing more comes of the time up to `until_ns`: say what is to be
	 * said of it. How often this is called must not change what is said.
	 */
	int (*advance)(void *memory, int64_t until_ns, lp_testify *say,
		       void *user);
};

extern const struct lp_witness lp_witness_logs, lp_witness_logs_verdict,
	lp_witness_software;

/* All of limpid's, ended by NULL. */
extern const struct lp_witness *const lp_witnesses[];

#endif
