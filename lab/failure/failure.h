/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Failures: what breaks on one node or on several at the same moment, done from
 * outside of the file system.
 *
 * To add one: a struct lab_failure in one of the files on_*.c, a line in
 * failures.c, a paragraph in limpid-lab-failure(7).
 */
#ifndef LAB_FAILURE_FAILURE_H
#define LAB_FAILURE_FAILURE_H

#include "fault/guard.h"
#include "site/lab.h"

#include <stdbool.h>

#define LAB_FAILURE_MARKS 64

struct lab_failure;

/* A failure that is there, or about to be. */
struct lab_failure_run {
	struct lab *lab;
	const struct lab_failure *failure;
	const struct lab_node *node[LAB_MAX_SERVERS];
	size_t n;
	double strength;
	uint64_t seed;
	/* What it did, and what lab_failure_bites saw: "59 files". */
	char seen[200];
	uint64_t before; /* a counter, before it was done */
	size_t marks[LAB_FAILURE_MARKS];
	size_t n_marks;
	struct lab_guard *guard;
};

struct lab_failure {
	const char *name;
	const char *summary;
	const char *strength_unit; /* "%"; NULL: it has no strength */
	double usual;
	/* Takes a virtual disk, or backend files that can be seen. */
	bool takes_disk, takes_files;
	int (*make)(struct lab_failure_run *run, struct lp_error *err);
	/* From outside: does it? -EIO with what was seen if it does not. */
	int (*bites)(struct lab_failure_run *run, struct lp_error *err);
	/*
	 * What is to be done when the changes that were noted are undone:
	 * file systems mounted again, daemons started. NULL: nothing.
	 */
	int (*repair)(struct lab_failure_run *run, struct lp_error *err);
};

/* Ended by NULL. */
extern const struct lab_failure *const lab_failures[];
const struct lab_failure *lab_failure_find(const char *name);

extern const struct lab_failure lab_failure_bit_rot, lab_failure_cut_off,
	lab_failure_device_error, lab_failure_device_gone,
	lab_failure_device_stuck, lab_failure_disk_full, lab_failure_killed,
	lab_failure_local_damage, lab_failure_missing_files,
	lab_failure_one_way_in, lab_failure_one_way_out, lab_failure_power_cut,
	lab_failure_read_only;

/* -EINVAL with a reason: it cannot be had in such a lab. */
int lab_failure_check(const struct lab_failure *failure, double strength,
		      const struct lab_spec *spec, struct lp_error *err);

/*
 * Do it on these nodes; strength 0: the usual one. What it changes is in the
 * journal: any exit and `limpid lab down` undo it.
 */
int lab_failure_start(struct lab *lab, const struct lab_failure *failure,
		      const struct lab_node *const *nodes, size_t n,
		      double strength, uint64_t seed,
		      struct lab_failure_run **run, struct lp_error *err);
int lab_failure_bites(struct lab_failure_run *run, struct lp_error *err);
/* Undoes what can be undone, and frees. Accepts NULL. */
int lab_failure_undo(struct lab_failure_run *run, struct lp_error *err);

/* In make: note what will be changed next. */
int lab_failure_note(struct lab_failure_run *run, enum lab_thing thing,
		     const char *text, struct lp_error *err);

/* Fits `repair`: the nodes' local file systems off and on, daemons started. */
int lab_revive_all(struct lab_failure_run *run, struct lp_error *err);

/* Files of a node's brick, as the file system keeps them there. */
struct lab_backend_files {
	char **path;
	size_t n, capacity;
};
int lab_backend_list(const struct lab *lab, const struct lab_node *node,
		     struct lab_backend_files *files, struct lp_error *err);
/* Only so many percent of them, at least one, drawn by the seed. */
void lab_backend_draw(struct lab_backend_files *files, double percent,
		      uint64_t seed);
void lab_backend_done(struct lab_backend_files *files);

#endif
