/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Faults: one performance problem each, put on a server from outside the file
 * system; one file each, one line in faults.c, one section in the page.
 */
#ifndef LAB_FAULT_FAULT_H
#define LAB_FAULT_FAULT_H

#include "cluster/lab.h"

#define LAB_MAX_STRENGTHS 6

struct lab_fault;

/* A fault that is on, or about to be. */
struct lab_fault_run {
	struct lab *lab;
	const struct lab_fault *fault;
	const struct lab_node *victim;
	double strength;
	void *own; /* the fault's */
};

struct lab_fault {
	const char *name;
	const char *summary;
	const char *strength_unit; /* "MB/s", "x", "%"; NULL: it has none */
	/* Those that campaigns use, ended by 0; the first is S1's. */
	double strengths[LAB_MAX_STRENGTHS];
	/* limpid's word for it ("disk-busy"), "" if it is no server's fault. */
	const char *cause;
	/* Whom it befalls: LAB_SERVER (0), LAB_CLIENT. */
	enum lab_role role;
	/* Put it on. When it fails nothing of it is left. */
	int (*start)(struct lab_fault_run *run, struct lp_error *err);
	/* Take it off; also after a fault that ended by itself. */
	int (*stop)(struct lab_fault_run *run, struct lp_error *err);
	/*
	 * Does it bite? Measured after a few seconds of it, from outside of
	 * what is recorded: bytes the hog moved, packets the rule dropped,
	 * time the disk gave away. -EIO with what was seen if it does not.
	 */
	int (*bites)(struct lab_fault_run *run, struct lp_error *err);
};

/* Ended by NULL. */
extern const struct lab_fault *const lab_faults[];
const struct lab_fault *lab_fault_find(const char *name);

/*
 * Everything a fault makes is in the lab's journal, so that any exit and
 * `limpid lab down` undo it.
 */
int lab_fault_start(struct lab *lab, const struct lab_fault *fault,
		    const struct lab_node *victim, double strength,
		    struct lab_fault_run **run, struct lp_error *err);
int lab_fault_bites(struct lab_fault_run *run, struct lp_error *err);
/* Stops and frees. Accepts NULL. */
int lab_fault_stop(struct lab_fault_run *run, struct lp_error *err);

#endif
