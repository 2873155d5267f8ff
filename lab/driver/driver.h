/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Drivers: one parallel file system each, one file each, one line in
 * drivers.c. Nothing outside its driver knows how a file system is started.
 *
 * To add one (Lustre, BeeGFS, OrangeFS, Spectrum Scale): fill this table. All
 * calls may take long: they are bounded by the driver itself, end soon with
 * -EINTR when *lab->stop is not 0, report what failed in one line, and note
 * what they start in the lab's journal.
 */
#ifndef LAB_DRIVER_DRIVER_H
#define LAB_DRIVER_DRIVER_H

#include "site/lab.h"

/* What in which of the copied logs (a pattern of paths) says something. */
struct lab_log_mark {
	const char *file, *text;
};

struct lab_driver {
	const char *name;
	const char *package; /* what to install */
	const char *serves;  /* the program that reads and writes the disks */
	const char *const
		*layouts; /* ended by NULL; the first is the default */
	/*
	 * Directories that each node has for itself, ended by NULL. All of
	 * /run is private on every node anyway.
	 */
	const char *const *private_dirs;
	/* Of a server, if the user does not say: its daemons and some cache. */
	uint64_t memory_bytes;
	/* TCP port of the servers' managers, which carries no data; 0: none. */
	unsigned manager_port;
	/* Can it have these servers? Known without the file system itself. */
	int (*fits)(const struct lab_spec *spec, struct lp_error *err);
	/* Can this machine run it? One line that names what is missing. */
	int (*check)(struct lp_error *err);
	/* Prepare one server's mounted disk before its daemons start. */
	int (*format)(struct lab *lab, const struct lab_node *server,
		      struct lp_error *err);
	/* Start all daemons and make the volume; returns when it serves. */
	int (*start)(struct lab *lab, struct lp_error *err);
	int (*mount)(struct lab *lab, const struct lab_node *client,
		     struct lp_error *err);
	int (*unmount)(struct lab *lab, const struct lab_node *client,
		       struct lp_error *err);
	/* Orderly stop of the daemons; the journal ends what is left. */
	int (*stop)(struct lab *lab, struct lp_error *err);
	/*
	 * One line for `lab status`: does it serve, what is degraded? 0: all
	 * servers serve; 1: some do not.
	 */
	int (*status)(struct lab *lab, char *text, size_t room,
		      struct lp_error *err);
	/* Where a node's logs are: in LAB/NODE. */
	const char *logs;
	/*
	 * What in them says that a server missed data which others got: a run
	 * in which it did before its fault compares no peers. Ended by a text
	 * of NULL; may be NULL.
	 */
	const struct lab_log_mark *missed;
	/*
	 * Bring all servers up to date by the file system's own recovery
	 * (heal, fsck), within limit_s; little work where they are.
	 */
	int (*recover)(struct lab *lab, double limit_s, struct lp_error *err);
	/*
	 * Where on the node the file is that tells its serving daemon what to
	 * do, and that it reads again at SIGHUP. NULL: there is none.
	 */
	int (*orders)(const struct lab_node *server, char path[PATH_MAX],
		      struct lp_error *err);
	/* "glusterfs 10.3", for the record of a run. */
	int (*version)(char *text, size_t room, struct lp_error *err);
};

extern const struct lab_driver lab_driver_ceph;
extern const struct lab_driver lab_driver_glusterfs;

/* By name; NULL if there is none. Ended by NULL in lab_drivers. */
extern const struct lab_driver *const lab_drivers[];
const struct lab_driver *lab_driver_find(const char *name);

#endif
