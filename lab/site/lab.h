/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A lab that is up: its nodes, and how to do something on one of them.
 *
 * A node is a host of the cluster: a network namespace with one interface
 * `eth0` to the bridge, and a mount namespace, both held by one process; all
 * nodes share the kernel. Servers s1, s2, ...; clients c1, c2, ...; `x1` is the
 * third party that is neither (network hogs talk to it); `bridge` is the
 * switch, where packets are dropped.
 */
#ifndef LAB_SITE_LAB_H
#define LAB_SITE_LAB_H

#include "site/journal.h"
#include "site/spec.h"

#include <stddef.h>

/*
 * Where a lab is if no --dir is given. Not in /run: the disks are files here,
 * and /run is memory on most machines. Labs in different directories are kept
 * apart: the cgroups of this one are called limpid-s1, ..., those of others
 * limpid-XXXX-s1 after a checksum of the directory's path.
 */
#define LAB_DIR "/var/lib/limpid-lab"

enum lab_role { LAB_SERVER, LAB_CLIENT, LAB_THIRD, LAB_BRIDGE };

struct lab_node {
	enum lab_role role;
	char name[16];    /* "s3": also the recorded host's name */
	char group[32];   /* "limpid-s3": the name of its cgroups */
	char port[16];    /* its interface in the bridge namespace */
	char address[16]; /* IPv4 on the lab's own net */
	pid_t holder;     /* holds its namespaces; its first process */
	uint64_t holder_start;
	char netns[PATH_MAX]; /* the file that keeps its network namespace */
	/* Servers only: */
	char device[32];        /* "loop9": the disk's name in diskstats */
	char brick[PATH_MAX];   /* where its file system is mounted */
	char disk[PATH_MAX];    /* the virtual disk's file, under the loop */
	char under[PATH_MAX];   /* its second door: load beneath the loop */
	char control[PATH_MAX]; /* the virtual disk's control socket */
	/*
	 * Nodes whose daemons keep something outside of the brick: a small
	 * disk of its own for it, which is not recorded and never compared.
	 */
	char state_device[32];
	char state[PATH_MAX];         /* where it is mounted */
	char state_disk[PATH_MAX];    /* the virtual disk's file */
	char state_control[PATH_MAX]; /* its control socket */
	/* Clients only: */
	char mount[PATH_MAX]; /* where they see the parallel file system */
};

struct lab {
	char dir[PATH_MAX]; /* no links in it */
	struct lab_spec spec;
	struct lab_node *node;
	size_t n_nodes;
	struct lab_journal *journal; /* open; NULL if only looked at */
	/* Whoever uses it wants to end when this is not 0; or NULL. */
	const volatile int *stop;
	/*
	 * Servers may be missing: a client is mounted when its mount is there,
	 * at most so many seconds after it was started. 0: all must be there.
	 */
	double mount_s;
};

/*
 * Can this user and this machine have such a lab? Known before anything is
 * made, in one line; `command` is what the user said: "limpid lab up".
 */
int lab_check(const char *command, const struct lab_spec *spec,
	      struct lp_error *err);

/*
 * Make a lab that lab_check has passed: everything noted in the journal first;
 * `progress` (may be NULL) is told each step. At failure or when *stop becomes
 * non-zero all is undone.
 */
typedef void lab_progress_fn(void *context, const char *step);
int lab_up(const char *dir, const struct lab_spec *spec,
	   const volatile int *stop, lab_progress_fn *progress, void *context,
	   struct lp_error *err);

/*
 * Undo whatever the journal in dir says was made, after any crash too. -ENOENT
 * when there is no lab. What cannot be undone does not keep it from undoing the
 * rest; it is told as lab_journal_undo_all does, and stays in the journal.
 */
int lab_down(const char *dir, lab_left_fn *tell, void *context,
	     struct lp_error *err);

/*
 * The lab that is up in dir; -ENOENT with what to do if none is; -EPERM for who
 * is not root. A command
 * that changes something holds it, beside others, so that nobody takes it
 * down meanwhile; one that only looks (status, shell) does not.
 */
int lab_open(const char *dir, bool look_only, struct lab **lab,
	     struct lp_error *err);
void lab_close(struct lab *lab);

/* By name; -ENOENT names the nodes there are. */
int lab_find(const struct lab *lab, const char *name,
	     const struct lab_node **node, struct lp_error *err);
/* The i-th of a role, or NULL. */
const struct lab_node *lab_nth(const struct lab *lab, enum lab_role role,
			       size_t i);

/*
 * Mount the file system on the clients anew (an idle direction's cwnd stays
 * low for minutes after a loss), with empty caches on all sides.
 */
int lab_remount(struct lab *lab, struct lp_error *err);
/* Only what is in memory of one brick, written first if it must be. */
int lab_forget_brick(const char *brick, struct lp_error *err);

#endif
