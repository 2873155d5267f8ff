/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The journal: everything the lab is about to make, one line each, on disk
 * before it is made. Whatever happens to the lab, `limpid lab down` walks the
 * lines backwards and undoes each; what is not in the journal is not the
 * lab's and is not touched.
 *
 * Every kind's undo may be run twice, runs when the thing was never made or is
 * gone already, and checks that the thing is still the lab's own (a process by
 * its start time, a loop device by its backing file).
 */
#ifndef LAB_CLUSTER_JOURNAL_H
#define LAB_CLUSTER_JOURNAL_H

#include "base/error.h"

#include <stdbool.h>
#include <sys/types.h>

enum lab_thing {
	LAB_DIRECTORY, /* path: removed with all that is in it */
	LAB_NETNS,     /* name in /run/netns */
	LAB_MOUNT,     /* path: unmounted, lazily if it must be */
	LAB_LOOP,      /* path of the backing file: its device is detached */
	LAB_CGROUP,    /* path: its processes are ended, then removed */
	LAB_PROCESS,   /* "PID START": ended with its session, TERM then KILL */
	LAB_RULE,      /* "NETNS iptables-arguments": a rule to be deleted */
	LAB_THINGS
};

struct lab_journal;

/*
 * Open the journal of the lab in dir, made if it is missing; held by a lock
 * while open, so that two commands do not change one lab at once (-EBUSY).
 */
int lab_journal_open(const char *dir, struct lab_journal **journal,
		     struct lp_error *err);
void lab_journal_close(struct lab_journal *journal);

/*
 * Note what will be made next; on disk when this returns. *mark (may be NULL)
 * is for lab_journal_undo.
 */
int lab_journal_note(struct lab_journal *journal, enum lab_thing thing,
		     const char *text, size_t *mark, struct lp_error *err);

/*
 * A process is noted between its fork and its first step: noted by the parent
 * while the child waits. See lab_node_spawn, which does it.
 */
int lab_journal_note_process(struct lab_journal *journal, pid_t pid,
			     size_t *mark, struct lp_error *err);

/* Undo one thing now, and note that it is undone. */
int lab_journal_undo(struct lab_journal *journal, size_t mark,
		     struct lp_error *err);

/*
 * Undo all that is not undone, last first; goes on after a failure and says
 * the first of them. The journal is empty afterwards if all went well.
 */
int lab_journal_undo_all(struct lab_journal *journal, struct lp_error *err);

#endif
