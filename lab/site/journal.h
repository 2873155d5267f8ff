/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The journal: everything the lab is about to make, one line each, written
 * before it is made. Whatever happens to the lab, `limpid lab down` walks the
 * lines backwards and undoes each; what is not in the journal is not the
 * lab's and is not touched.
 *
 *     limpid-lab-journal 1 6f1c24c2-...      the boot it belongs to
 *     + directory /var/lib/limpid-lab/s1     noted: about to be made
 *     + process 4711 123456
 *     - 43                                   the line at byte 43 is undone
 *
 * A line that ends without a newline was never finished: what it announced was
 * not begun. Lines are not synced to the disk: they outlive any process, and a
 * machine that goes down takes all but the directories with it.
 *
 * Every kind's undo may be run twice, runs when the thing was never made or is
 * gone already, and checks that the thing is still the lab's own (a process by
 * its start time, a loop device by its backing file).
 */
#ifndef LAB_SITE_JOURNAL_H
#define LAB_SITE_JOURNAL_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* To add a kind: a line here, one in journal_read.c and one in undo.c. */
enum lab_thing {
	LAB_DIRECTORY, /* path: removed with all that is in it */
	LAB_NETNS,     /* file that keeps one; who is in it is ended */
	LAB_MOUNT,     /* path: unmounted, lazily if it must be */
	LAB_LOOP_NODE, /* "9 FILE": /dev/loop9, which was made for the file, is
			  removed, unless somebody else has taken it */
	LAB_LOOP,      /* path of the backing file: its device is detached */
	LAB_CGROUP,    /* path: its processes are ended, then removed */
	LAB_PROCESS,   /* "PID START": ended with its session, TERM then KILL */
	LAB_RULE,      /* "NETNS RULE": `iptables -D RULE` until it is gone */
	LAB_SETTING,   /* "VALUE PATH": VALUE is written to PATH again */
	LAB_LINK,      /* "NETNS DEVICE BITS": its rate is that again */
	LAB_DISK,      /* "SOCKET": the disk is told `reset`, or what follows:
			  "SOCKET COMMAND;COMMAND" */
	LAB_PORT,      /* "NETNS DEVICE": the device is up again */
	LAB_READ_ONLY, /* path: what is mounted there can be written again */
	LAB_DEED,      /* path of its page: what a daemon does beside its work
			  ends */
	LAB_RETOLD,    /* "PID START PROGRAM PATH": in the world of that
			  process PATH is what PATH.limpid keeps, and PROGRAM
			  is told by SIGHUP */
	LAB_FAULT,     /* "NAME SERVER STRENGTH": what `lab status` shows; its
			  undo are the lines after it */
	LAB_THINGS
};

struct lab_journal;

/*
 * Open the journal of the lab in dir, which is made if it is missing. Commands
 * that only add to a lab (faults, workloads) are there side by side; one that
 * makes or removes it is `alone`: -EBUSY with the process that is in the way.
 */
int lab_journal_open(const char *dir, bool alone, struct lab_journal **journal,
		     struct lp_error *err);
void lab_journal_close(struct lab_journal *journal);
/*
 * In a forked child that does not exec: let go of the lock, which is the
 * parent's. The journal is of no use to the child afterwards.
 */
void lab_journal_leave(struct lab_journal *journal);

/*
 * Note what will be made next. *mark (may be NULL) is for lab_journal_undo.
 * For tests, the variable LIMPID_LAB_STOP_AFTER=N makes the process kill
 * itself when the N-th line is written.
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

/* What was noted was not made after all: it is somebody else's. */
void lab_journal_forget(struct lab_journal *journal, size_t mark);

/*
 * Undo all that is not undone, last first; goes on after a failure, and tries
 * once more what failed. What fails again is told one by one (tell may be
 * NULL), in a sentence that names it; the error is the first of them. The
 * journal is empty afterwards if all went well, and can be undone again else.
 */
typedef void lab_left_fn(void *context, const char *why);
int lab_journal_undo_all(struct lab_journal *journal, lab_left_fn *tell,
			 void *context, struct lp_error *err);

/* One thing that is not undone. */
struct lab_entry {
	enum lab_thing thing;
	size_t mark;
	char *text;
};

/*
 * What is not undone, in the order it was noted, of the journal in dir; no
 * lock is taken. An array to be freed by lab_entries_free; none if there is no
 * journal. -EINVAL: these bytes are no journal.
 */
int lab_journal_list(const char *dir, struct lab_entry **entries, size_t *n,
		     struct lp_error *err);
/* Where the journal is. */
const char *lab_journal_dir(const struct lab_journal *journal);
/* Everything is undone: begin it anew. */
int lab_journal_empty(struct lab_journal *journal, struct lp_error *err);
void lab_entries_free(struct lab_entry *entries, size_t n);

/* The same from memory; `name` is for messages. *boot points into text. */
int lab_journal_parse(const char *name, const char *text, size_t size,
		      struct lab_entry **entries, size_t *n, char boot[64],
		      struct lp_error *err);

#endif
