/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work that can be checked: files whose blocks say what they are, and what a
 * reader got instead. Each step runs in a child on a client and is bounded:
 * who hangs is killed, and freed by aborting the FUSE connection if SIGKILL
 * has no effect.
 */
#ifndef LAB_VERIFY_VERIFY_H
#define LAB_VERIFY_VERIFY_H

#include "site/lab.h"
#include "verify/selfblock.h"

#include <stdbool.h>

/* What to do; as `lab run verify-NAME` has it. */
enum lab_verify_step {
	LAB_VERIFY_AGE,   /* copy, tar, delete */
	LAB_VERIFY_WRITE, /* the files that are read later; synced */
	LAB_VERIFY_READ,  /* all that the ledger knows */
	LAB_VERIFY_ASYNC, /* new files, not synced, read back at once */
	LAB_VERIFY_SYNC,  /* the same with O_SYNC */
	LAB_VERIFY_LOOP,  /* write new files until it is ended */
	LAB_VERIFY_STEPS
};

/* "verify-age"; LAB_VERIFY_STEPS: no such step, or none for users. */
const char *lab_verify_name(enum lab_verify_step step);
enum lab_verify_step lab_verify_find(const char *name);

#define LAB_PASSES 3

struct lab_verify_spec {
	const char *ledger; /* path of the ledger, outside of the file system */
	unsigned files;     /* how many the steps write */
	uint64_t bytes;     /* in all, about */
	uint64_t seed;
	double limit_s;  /* without any file finished; five times that in all */
	unsigned passes; /* of LAB_VERIFY_READ; at most LAB_PASSES */
};

#define LAB_VERIFY_USUAL                                                       \
	((struct lab_verify_spec){ .files = 72,                                \
				   .bytes = 76000000,                          \
				   .seed = 1,                                  \
				   .limit_s = 60,                              \
				   .passes = LAB_PASSES })

/* Shared by the child and whoever waits; also what is kept of a step. */
struct lab_verify_result {
	unsigned wanted, done;            /* files, of all passes */
	unsigned count[LAB_VERDICTS];     /* files by verdict, worst of all
					     passes */
	unsigned bad_of_pass[LAB_PASSES]; /* files that were not ok */
	unsigned legal; /* unsynced files that are gone or older: no loss */
	double seconds, slowest_s; /* all, and the slowest file */
	char first[200]; /* the first that was not ok: "v-0007: block 3 is
			    corrupt" */
	bool finished;
	bool freed; /* SIGKILL did not end it */
};

/* The worst of all files; LAB_IS_HANG if it did not finish. */
enum lab_verdict lab_verify_verdict(const struct lab_verify_result *result);

/* Run a step on a client and wait. -errno only if it could not be started. */
int lab_verify(struct lab *lab, const struct lab_node *client,
	       enum lab_verify_step step, const struct lab_verify_spec *spec,
	       struct lab_verify_result *result, struct lp_error *err);

/* Writers that go on until they are stopped. */
struct lab_verify_run;
int lab_verify_start(struct lab *lab, const struct lab_node *client,
		     enum lab_verify_step step,
		     const struct lab_verify_spec *spec,
		     struct lab_verify_run **run, struct lp_error *err);
/* Ends it and frees; the result says what it did. Accepts NULL. */
void lab_verify_stop(struct lab_verify_run *run,
		     struct lab_verify_result *result);

/* ---- in the child; tests run it in a plain directory ---- */

void lab_verify_do(const char *mount, enum lab_verify_step step,
		   const struct lab_verify_spec *spec,
		   struct lab_verify_result *result);

/* ---- the FUSE connection ---- */

/*
 * Let go whoever waits for the FUSE file system at a path, which need not
 * answer: its connection is aborted. 0; -ENOENT: none is mounted there.
 */
int lab_fuse_abort(const char *mount, struct lp_error *err);

#endif
