/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/tasks.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

/* A process may be moved to another group while it runs. */
#define HOST_AGAIN_NS (60 * INT64_C(1000000000))

int lp_tasks_init(struct lp_tasks *t, const char *host, const char *cgroup)
{
	t->cgroup = cgroup;
	t->images.debug_dir = "/usr/lib/debug";
	return cgroup || lp_names_add(&t->hosts, host) != LP_NAME_NONE
		       ? 0
		       : -ENOMEM;
}

static struct lp_task **bucket_of(struct lp_tasks *t, uint32_t pid)
{
	return &t->buckets[pid % LP_TASK_BUCKETS];
}

static struct lp_task *find(struct lp_tasks *t, uint32_t pid)
{
	struct lp_task *task = *bucket_of(t, pid);

	while (task && task->pid != pid)
		task = task->next;
	return task;
}

static struct lp_task *add(struct lp_tasks *t, uint32_t pid)
{
	struct lp_task *task = calloc(1, sizeof(*task));

	if (!task)
		return NULL;
	task->pid = pid;
	task->host = LP_NAME_NONE;
	task->next = *bucket_of(t, pid);
	*bucket_of(t, pid) = task;
	return task;
}

/* It is another process now, or one that was just begun. */
static void reset(struct lp_task *task)
{
	lp_code_map_drop(task->map);
	lp_addresses_done(&task->jit);
	task->map = NULL;
	task->jit_looked = task->host_known = task->maps_known = false;
	task->dead = false;
	task->program[0] = '\0';
}

/* ---- the kernel's records ---- */

/* The rest of a record: u32 pid, ppid, tid, ptid. */
static void note_fork(struct lp_tasks *t, const struct lp_ring_record *r)
{
	uint32_t ids[4];
	struct lp_task *parent, *child;

	if (r->header->size < 8 + sizeof(ids))
		return;
	memcpy(ids, (const uint8_t *)r->header + 8, sizeof(ids));
	parent = find(t, ids[1]);
	if (ids[0] == ids[1])
		return; /* a thread */
	child = find(t, ids[0]);
	if (child)
		reset(child);
	if (!parent || !(parent->maps_known || parent->program[0]))
		return;
	child = child ? child : add(t, ids[0]);
	if (!child)
		return;
	child->map = lp_code_map_share(parent->map);
	child->maps_known = parent->maps_known;
	memcpy(child->program, parent->program, sizeof(child->program));
	child->host = parent->host;
	child->host_known = false;
}

static void note_exit(struct lp_tasks *t, const struct lp_ring_record *r)
{
	uint32_t ids[4];
	struct lp_task *task;

	if (r->header->size < 8 + sizeof(ids))
		return;
	memcpy(ids, (const uint8_t *)r->header + 8, sizeof(ids));
	task = ids[0] == ids[2] ? find(t, ids[0]) : NULL;
	if (task)
		task->dead = true;
}

/* u32 pid, tid, char comm[]. */
static void note_comm(struct lp_tasks *t, const struct lp_ring_record *r)
{
	const char *comm = (const char *)r->header + 16;
	uint32_t ids[2];
	struct lp_task *task;

	if (r->header->size < 24 ||
	    !(r->header->misc & PERF_RECORD_MISC_COMM_EXEC))
		return;
	memcpy(ids, (const uint8_t *)r->header + 8, sizeof(ids));
	task = find(t, ids[0]);
	task = task ? task : add(t, ids[0]);
	if (!task)
		return;
	reset(task);
	/* What it maps is told from here on. */
	task->maps_known = true;
	snprintf(task->program, sizeof(task->program), "%.*s",
		 (int)strnlen(comm, r->header->size - 16u), comm);
}

/* pid, tid, start, length, offset, (major, minor, inode, generation) or a
   build id, prot, flags, path. */
static void note_mmap(struct lp_tasks *t, const struct lp_ring_record *r)
{
	const uint8_t *at = (const uint8_t *)r->header;
	struct lp_code_mapping m = { 0 };
	struct lp_task *task;
	uint32_t number[2], pid, prot;
	uint64_t length;

	if (r->header->size < 73 + 16)
		return;
	memcpy(&pid, at + 8, 4);
	memcpy(&m.start, at + 16, 8);
	memcpy(&length, at + 24, 8);
	memcpy(&m.offset, at + 32, 8);
	memcpy(&prot, at + 64, 4);
	m.end = m.start + length;
	if (r->header->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) {
		m.build_id_size = at[40] <= LP_BUILD_ID_MOST ? at[40] : 0;
		memcpy(m.build_id, at + 44, m.build_id_size);
	} else {
		memcpy(number, at + 40, 8);
		memcpy(&m.inode, at + 48, 8);
		m.device = makedev(number[0], number[1]);
	}
	/* Only of a process that is known: others are read when first seen. */
	task = find(t, pid);
	if (!task || !task->maps_known || !(prot & 4) ||
	    !memchr(at + 72, 0, r->header->size - 72u))
		return;
	m.path = (char *)(uintptr_t)(at + 72);
	lp_code_map_add(&task->map, &m);
}

void lp_tasks_note(struct lp_tasks *t, const struct lp_ring_record *r)
{
	switch (r->header->type) {
	case PERF_RECORD_FORK:
		note_fork(t, r);
		break;
	case PERF_RECORD_EXIT:
		note_exit(t, r);
		break;
	case PERF_RECORD_COMM:
		note_comm(t, r);
		break;
	case PERF_RECORD_MMAP2:
		note_mmap(t, r);
		break;
	}
}

/* ---- samples ---- */

static void find_host(struct lp_tasks *t, struct lp_task *task, int64_t now_ns)
{
	char name[256];
	bool gone = false;

	task->host_known = true;
	task->host_ns = now_ns;
	if (!t->cgroup)
		task->host = 0;
	else if (lp_find_cgroup(task->pid, t->cgroup, name, sizeof(name),
				&gone))
		task->host = lp_names_add(&t->hosts, name);
	else if (!gone)
		task->host = LP_NAME_NONE;
	/* Gone: it was where its parent was. */
}

struct lp_task *lp_tasks_get(struct lp_tasks *t, uint32_t pid, int64_t now_ns)
{
	struct lp_task *task = find(t, pid);

	if (!task)
		task = add(t, pid);
	if (!task)
		return NULL;
	if (!task->maps_known) {
		int status = lp_code_map_read(pid, &task->map);

		t->maps_denied |= status == -EACCES || status == -EPERM;
		task->maps_known = true;
		lp_task_find_program(task);
	} else if (!task->host_known) {
		lp_task_find_program(task);
	}
	if (!task->host_known || now_ns - task->host_ns > HOST_AGAIN_NS)
		find_host(t, task, now_ns);
	return task;
}

/* By the process's own view, so that containers are no obstacle; then by the
   path alone, if it ended meanwhile. */
static void look_for_image(struct lp_tasks *t, const struct lp_task *task,
			   struct lp_code_mapping *m)
{
	char by_map[96], by_root[4200];
	const char *const paths[] = { by_map, by_root, m->path, NULL };
	const struct lp_image_key key = { m->path, m->build_id,
					  m->build_id_size, m->device,
					  m->inode };

	m->looked = true;
	snprintf(by_map, sizeof(by_map),
		 "/proc/%" PRIu32 "/map_files/%" PRIx64 "-%" PRIx64, task->pid,
		 m->start, m->end);
	snprintf(by_root, sizeof(by_root), "/proc/%" PRIu32 "/root%s",
		 task->pid, m->path);
	m->image = lp_images_get(&t->images, &key, paths);
}

const struct lp_code_mapping *lp_task_mapping(struct lp_tasks *t,
					      struct lp_task *task,
					      uint64_t address)
{
	struct lp_code_map *map = task->map;

	for (size_t i = map ? map->n : 0; i > 0; i--) {
		struct lp_code_mapping *m = &map->items[i - 1];

		if (address < m->start || address >= m->end)
			continue;
		if (!m->looked && m->path[0] == '/' &&
		    strncmp(m->path, "//anon", 6) != 0)
			look_for_image(t, task, m);
		return m;
	}
	return NULL;
}

const char *lp_task_jit_name(struct lp_task *task, uint64_t address)
{
	char path[128];

	if (!task->jit_looked) {
		task->jit_looked = true;
		snprintf(path, sizeof(path),
			 "/proc/%" PRIu32 "/root/tmp/perf-%" PRIu32 ".map",
			 task->pid, task->pid);
		lp_addresses_read(&task->jit, path, lp_addresses_add_perf_map);
	}
	return lp_addresses_find(&task->jit, address, NULL);
}

/* ---- the end ---- */

static void free_task(struct lp_task *task)
{
	reset(task);
	free(task);
}

void lp_tasks_sweep(struct lp_tasks *t)
{
	for (size_t i = 0; i < LP_TASK_BUCKETS; i++) {
		struct lp_task **link = &t->buckets[i];

		while (*link) {
			struct lp_task *task = *link;

			if (task->dead) {
				*link = task->next;
				free_task(task);
			} else {
				link = &task->next;
			}
		}
	}
}

void lp_tasks_done(struct lp_tasks *t)
{
	for (size_t i = 0; i < LP_TASK_BUCKETS; i++)
		while (t->buckets[i]) {
			struct lp_task *next = t->buckets[i]->next;

			free_task(t->buckets[i]);
			t->buckets[i] = next;
		}
	lp_names_done(&t->hosts);
	lp_images_done(&t->images);
}
