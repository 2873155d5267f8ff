/* SPDX-License-Identifier: Apache-2.0 */
#include "failure/logtail.h"

#include "base/memory.h"
#include "driver/driver.h"
#include "site/machine.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#define LEVEL 9
/* Of one file and phase; a tool that prints gigabytes is cut off. */
#define MOST ((off_t)64 << 20)

struct file {
	char *path;
	off_t read;
};

struct lab_logtail {
	const struct lab *lab;
	struct file *file;
	size_t n, capacity;
};

/* Where a node's logs are: what follows LAB/NODE/ is in the name. */
typedef int log_fn(struct lab_logtail *tail, const struct lab_node *node,
		   const char *path, const char *name, off_t size,
		   void *context);

static int each_log(struct lab_logtail *tail, const struct lab_node *node,
		    log_fn *fn, void *context)
{
	const char *logs = lab_driver_find(tail->lab->spec.driver)->logs;
	char dir[PATH_MAX];
	char *const paths[] = { dir, NULL };
	const FTSENT *entry;
	int status = 0;
	FTS *tree;

	if (lab_path(dir, NULL, "%s/%s/%s", tail->lab->dir, node->name, logs) <
	    0)
		return -ENAMETOOLONG;
	tree = fts_open(paths, FTS_PHYSICAL | FTS_XDEV | FTS_NOCHDIR, NULL);
	while (status == 0 && tree && (entry = fts_read(tree)))
		if (entry->fts_info == FTS_F)
			status = fn(tail, node, entry->fts_path,
				    entry->fts_path + strlen(dir) + 1,
				    entry->fts_statp->st_size, context);
	if (tree)
		fts_close(tree);
	return status;
}

static int each_node(struct lab_logtail *tail, log_fn *fn, void *context)
{
	int status = 0;

	for (size_t i = 0; status == 0 && i < tail->lab->n_nodes; i++)
		if (tail->lab->node[i].role != LAB_BRIDGE)
			status = each_log(tail, &tail->lab->node[i], fn,
					  context);
	return status;
}

static struct file *find(struct lab_logtail *tail, const char *path)
{
	for (size_t i = 0; i < tail->n; i++)
		if (strcmp(tail->file[i].path, path) == 0)
			return &tail->file[i];
	if (lp_grow(&tail->file, &tail->capacity, tail->n + 1,
		    sizeof(*tail->file)) < 0)
		return NULL;
	tail->file[tail->n] = (struct file){ .path = strdup(path) };
	return tail->file[tail->n].path ? &tail->file[tail->n++] : NULL;
}

static int skip(struct lab_logtail *tail, const struct lab_node *node,
		const char *path, const char *name, off_t size, void *context)
{
	struct file *file = find(tail, path);

	(void)node;
	(void)name;
	(void)context;
	if (!file)
		return -ENOMEM;
	file->read = size;
	return 0;
}

int lab_logtail_begin(const struct lab *lab, struct lab_logtail **tail,
		      struct lp_error *err)
{
	struct lab_logtail *made = calloc(1, sizeof(*made));

	if (!made)
		return lp_fail_memory(err);
	made->lab = lab;
	if (each_node(made, skip, NULL) < 0) {
		lab_logtail_end(made);
		return lp_fail_memory(err);
	}
	*tail = made;
	return 0;
}

/* ---- a phase ---- */

/* DIR/NODE/NAME.zst, with the directories it takes. */
static int path_of(const char *dir, const char *node, const char *name,
		   char path[PATH_MAX])
{
	char *slash;
	int status = lab_path(path, NULL, "%s/%s", dir, node);

	if (status < 0)
		return status;
	if (mkdir(path, 0777) < 0 && errno != EEXIST)
		return -errno;
	slash = path + strlen(path);
	if (lab_path(path, NULL, "%s/%s/%s.zst", dir, node, name) < 0)
		return -ENAMETOOLONG;
	for (slash++; *slash; slash++)
		if (*slash == '/')
			*slash = '_';
	return 0;
}

static int write_packed(const char *path, const char *bytes, size_t n)
{
	size_t room = ZSTD_compressBound(n);
	lp_auto_free char *packed = malloc(room);
	lp_auto_close int fd = -1;

	if (!packed)
		return -ENOMEM;
	room = ZSTD_compress(packed, room, bytes, n, LEVEL);
	if (ZSTD_isError(room))
		return -EIO;
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0)
		return -errno;
	return write(fd, packed, room) == (ssize_t)room ? 0 : -ENOSPC;
}

static int keep(struct lab_logtail *tail, const struct lab_node *node,
		const char *path, const char *name, off_t size, void *context)
{
	const char *dir = context;
	struct file *file = find(tail, path);
	lp_auto_free char *bytes = NULL;
	lp_auto_close int fd = -1;
	char to[PATH_MAX];
	ssize_t n;
	int status;

	if (!file)
		return -ENOMEM;
	/* A file that was begun anew. */
	if (size < file->read)
		file->read = 0;
	if (size == file->read)
		return 0;
	if (size - file->read > MOST)
		size = file->read + MOST;
	bytes = malloc((size_t)(size - file->read));
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (!bytes)
		return -ENOMEM;
	n = fd < 0 ? -1
		   : pread(fd, bytes, (size_t)(size - file->read), file->read);
	if (n <= 0)
		return 0;
	file->read += n;
	status = path_of(dir, node->name, name, to);
	return status < 0 ? status : write_packed(to, bytes, (size_t)n);
}

int lab_logtail_phase(struct lab_logtail *tail, const char *dir,
		      const char *phase, struct lp_error *err)
{
	char path[PATH_MAX];
	int status = lab_path(path, err, "%s/logs", dir);

	if (status == 0 && mkdir(path, 0777) < 0 && errno != EEXIST)
		status = lp_fail_errno(err, errno, "cannot make %s", path);
	if (status == 0)
		status = lab_path(path, err, "%s/logs/%s", dir, phase);
	if (status == 0 && mkdir(path, 0777) < 0 && errno != EEXIST)
		status = lp_fail_errno(err, errno, "cannot make %s", path);
	if (status < 0)
		return status;
	status = each_node(tail, keep, path);
	return status < 0 ? lp_fail_errno(err, -status,
					  "cannot keep the logs in %s", path)
			  : 0;
}

void lab_logtail_end(struct lab_logtail *tail)
{
	for (size_t i = 0; tail && i < tail->n; i++)
		free(tail->file[i].path);
	if (tail)
		free(tail->file);
	free(tail);
}
