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

#include <stdbool.h>

/* What in which of the copied logs (a pattern of paths) says something. */
struct lab_log_mark {
	const char *file, *text;
};

/* Nodes that fail together. */
struct lab_members {
	size_t n;
	char node[LAB_MAX_SERVERS][16];
};

/* How a recovery tool ended. */
enum lab_tool_end {
	LAB_TOOL_NORMAL,
	LAB_TOOL_INCOMPLETE, /* well, but work is left */
	LAB_TOOL_ERROR,
	LAB_TOOL_HANG, /* not within its limit */
	LAB_TOOL_ENDS
};

struct lab_tool_result {
	enum lab_tool_end end;
	double seconds;
	char why[256];
	char *output; /* what it printed, to be freed; or NULL */
};

/* "incomplete" */
const char *lab_tool_word(enum lab_tool_end end);

/* A recovery tool, called from a node. All of it ends within the limit. */
struct lab_tool {
	const char *name; /* NULL ends a table */
	void (*run)(struct lab *lab, const struct lab_node *from,
		    double limit_s, struct lab_tool_result *result);
};

/* A daemon by its role, and the name of its program. */
struct lab_daemon {
	const char *role; /* NULL ends a table */
	const char *program;
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
	 * Does the node keep the first of its private directories on a disk of
	 * its own? May be NULL: none does.
	 */
	bool (*keeps_state)(const struct lab_node *node);
	/* ---- for failures; NULL: cannot be had here ---- */
	/* Names of sets of nodes that fail together, ended by NULL. */
	const char *const *sets;
	/* Who is in one, drawn by the seed. -ENOENT: there is no such set. */
	int (*members)(const struct lab_spec *spec, const char *set,
		       uint64_t seed, struct lab_members *members,
		       struct lp_error *err);
	/* In the order in which an administrator would call them. */
	const struct lab_tool *tools;
	const struct lab_daemon *daemons;
	/* Start what runs on the node, after all of it was ended. */
	int (*node_start)(struct lab *lab, const struct lab_node *node,
			  struct lp_error *err);
	/* Where in the brick a file's parts are, each under its own name, and
	 * what beside them is the file system's own. */
	const char *backend, *backend_own;
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
