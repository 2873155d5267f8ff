/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Processes: what each is called, whose it is, and what it has mapped where.
 * The kernel's records keep it up to date; /proc is read when a process is
 * first seen in a sample, since later it may be gone.
 */
#ifndef LP_PROFILE_TASKS_H
#define LP_PROFILE_TASKS_H

#include "base/names.h"
#include "profile/images.h"
#include "profile/kernel.h"
#include "profile/rings.h"

struct lp_code_mapping {
	uint64_t start, end, offset, device, inode;
	uint8_t build_id[LP_BUILD_ID_MOST];
	size_t build_id_size;
	char *path;
	struct lp_image *image; /* NULL: not looked for, or not to be had */
	bool looked;
};

/* Shared by a process and its children until one of them changes it. */
struct lp_code_map {
	unsigned users;
	struct lp_code_mapping *items; /* the newest last */
	size_t n, capacity;
};

#define LP_PROGRAM_TEXT 80

struct lp_task {
	struct lp_task *next; /* in its bucket */
	uint32_t pid;
	char program[LP_PROGRAM_TEXT]; /* "": not known yet */
	uint32_t host;                 /* of the hosts; LP_NAME_NONE: of none */
	bool host_known, maps_known, dead;
	int64_t host_ns;         /* when it was looked up */
	struct lp_code_map *map; /* NULL: none */
	struct lp_addresses jit;
	bool jit_looked;
};

#define LP_TASK_BUCKETS 4096

struct lp_tasks {
	struct lp_task *buckets[LP_TASK_BUCKETS];
	const char *cgroup;    /* pattern; NULL: all are of one host */
	struct lp_names hosts; /* by number */
	struct lp_images images;
	bool maps_denied; /* /proc/PID/maps may not be read */
};

/* 0 or -ENOMEM. host: of the machine; of none if there is a pattern. */
int lp_tasks_init(struct lp_tasks *tasks, const char *host, const char *cgroup);
/* MMAP2, COMM, FORK, EXIT; others are passed over. */
void lp_tasks_note(struct lp_tasks *tasks, const struct lp_ring_record *record);
/* The process of a sample, with its name and host; NULL: out of memory. */
struct lp_task *lp_tasks_get(struct lp_tasks *tasks, uint32_t pid,
			     int64_t now_ns);
/* Where the address lies; NULL: nobody knows. Looks for its image. */
const struct lp_code_mapping *lp_task_mapping(struct lp_tasks *tasks,
					      struct lp_task *task,
					      uint64_t address);
/* A name of code that was made at run time; NULL. */
const char *lp_task_jit_name(struct lp_task *task, uint64_t address);
/* Forget those that ended. */
void lp_tasks_sweep(struct lp_tasks *tasks);
void lp_tasks_done(struct lp_tasks *tasks);

/* --- whose.c -------------------------------------------------------------- */

/* "glusterfsd", "python3 backup.py". */
void lp_task_find_program(struct lp_task *task);
/* The group in /proc/PID/cgroup that matches, without what stands before the
 * pattern's first wildcard; false: none does. gone: no such process. */
bool lp_find_cgroup(uint32_t pid, const char *pattern, char *name, size_t size,
		    bool *gone);

/* --- code_map.c ----------------------------------------------------------- */

struct lp_code_map *lp_code_map_new(void);
/* Another user of it. Accepts NULL. */
struct lp_code_map *lp_code_map_share(struct lp_code_map *map);
void lp_code_map_drop(struct lp_code_map *map);
/* Add a mapping, whose path is copied; *map may become another. */
void lp_code_map_add(struct lp_code_map **map,
		     const struct lp_code_mapping *mapping);
/* All of /proc/PID/maps. -EACCES, -ENOENT. */
int lp_code_map_read(uint32_t pid, struct lp_code_map **map);

#endif
