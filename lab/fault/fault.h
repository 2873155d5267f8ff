/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Faults: one performance problem each, put on a server from outside the file
 * system.
 *
 * To add one: a file NAME.c with its struct lab_fault (declared below), one
 * line in faults.c, a section in limpid-lab-fault(7), a line in
 * tests/e2e/lab_faults.sh that sees it in a recording. hog.h helps where
 * processes make the fault.
 */
#ifndef LAB_FAULT_FAULT_H
#define LAB_FAULT_FAULT_H

#include "site/lab.h"

#include <stdbool.h>

#define LAB_MAX_STRENGTHS 6
#define LAB_MAX_CHANGES 8

struct lab_fault;
struct lab_guard;

/* Which way the packets or bytes go that a fault is about. */
enum lab_direction { LAB_TO_NODE, LAB_FROM_NODE };

/* A fault that is on, or about to be. */
struct lab_fault_run {
	struct lab *lab;
	const struct lab_fault *fault;
	const struct lab_node *victim;
	/* A second one, which start may name; NULL: none. */
	const struct lab_node *also;
	double strength;
	/* What lab_fault_bites saw last: "212 packets dropped". */
	char seen[160];
	/* Where a count stood that tells whether it bites. */
	double before;
	void *own; /* the fault's */
	/* What it changed, in the journal; the first is LAB_FAULT. */
	size_t marks[LAB_MAX_CHANGES];
	size_t n_marks;
	struct lab_guard *guard;
};

struct lab_fault {
	const char *name;
	const char *summary;
	const char *strength_unit; /* "MB/s", "x", "%"; NULL: it has none */
	/* Those that campaigns use, ended by 0; the first is FAST'10's. */
	double strengths[LAB_MAX_STRENGTHS];
	/* Any other must lie between these. */
	double weakest, strongest;
	/* limpid's word for it ("disk-busy"), "" if it is no server's fault. */
	const char *cause;
	/* Whom it befalls: LAB_SERVER (0), LAB_CLIENT. */
	enum lab_role role;
	/* All servers at once: it has no victim, and starts with the first. */
	bool everywhere;
	/* Of those in which the two ways of a link are two faults. */
	enum lab_direction direction;
	/*
	 * Put it on. When it fails its processes are ended; changes that were
	 * noted by lab_fault_note are undone for it, then and at the end.
	 */
	int (*start)(struct lab_fault_run *run, struct lp_error *err);
	/*
	 * Take it off; also after a fault that ended by itself. NULL: there
	 * is nothing beyond the changes.
	 */
	int (*stop)(struct lab_fault_run *run, struct lp_error *err);
	/*
	 * Does it bite? Measured after a few seconds of it, from outside of
	 * what is recorded: bytes the hog moved, packets the rule dropped,
	 * time the disk gave away. What was seen goes to run->seen; -EIO with
	 * the same if it does not.
	 */
	int (*bites)(struct lab_fault_run *run, struct lp_error *err);
};

extern const struct lab_fault lab_fault_backup, lab_fault_checksum,
	lab_fault_cpu_hog, lab_fault_cpu_quota, lab_fault_debugger,
	lab_fault_disk_busy, lab_fault_disk_hog, lab_fault_firewall,
	lab_fault_flapping_link, lab_fault_jittery_disk,
	lab_fault_loaded_library, lab_fault_lock_convoy, lab_fault_log_rotation,
	lab_fault_memory_short, lab_fault_one_io_thread, lab_fault_poll,
	lab_fault_read_network_hog, lab_fault_rebuild,
	lab_fault_receive_pktloss, lab_fault_send_pktloss,
	lab_fault_slow_client, lab_fault_slow_disk, lab_fault_slow_link,
	lab_fault_spin, lab_fault_stale_readahead, lab_fault_trace_log,
	lab_fault_two_victims, lab_fault_write_network_hog;

/* Ended by NULL. */
extern const struct lab_fault *const lab_faults[];
/* NULL: there is none of that name. */
const struct lab_fault *lab_fault_find(const char *name);

/* Is it a strength this fault can have? 0 stands for its first. */
int lab_fault_check(const struct lab_fault *fault, double strength,
		    struct lp_error *err);

/* In start: note what will be changed next. */
int lab_fault_note(struct lab_fault_run *run, enum lab_thing thing,
		   const char *text, struct lp_error *err);

/* In start: what is in the journal already is to be undone with the fault. */
int lab_fault_entrust(struct lab_fault_run *run, size_t mark,
		      struct lp_error *err);

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
