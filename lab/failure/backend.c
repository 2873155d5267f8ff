/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"
#include "driver/driver.h"
#include "failure/failure.h"
#include "site/machine.h"
#include "workload/draw.h"

#include <errno.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int keep(struct lab_backend_files *files, const char *path)
{
	if (lp_grow(&files->path, &files->capacity, files->n + 1,
		    sizeof(*files->path)) < 0)
		return -ENOMEM;
	files->path[files->n] = strdup(path);
	return files->path[files->n] ? (files->n++, 0) : -ENOMEM;
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

int lab_backend_list(const struct lab *lab, const struct lab_node *node,
		     struct lab_backend_files *files, struct lp_error *err)
{
	const struct lab_driver *driver = lab_driver_find(lab->spec.driver);
	char dir[PATH_MAX];
	char *const paths[] = { dir, NULL };
	const FTSENT *entry;
	int status = lab_path(dir, err, "%s/%s", node->brick, driver->backend);
	FTS *tree;

	*files = (struct lab_backend_files){ 0 };
	if (status < 0)
		return status;
	tree = fts_open(paths, FTS_PHYSICAL | FTS_XDEV | FTS_NOCHDIR, by_name);
	if (!tree)
		return lp_fail_errno(err, errno, "cannot read %s", dir);
	while (status == 0 && (entry = fts_read(tree))) {
		if (entry->fts_info == FTS_D && entry->fts_level == 1 &&
		    strcmp(entry->fts_name, driver->backend_own) == 0)
			fts_set(tree, (FTSENT *)entry, FTS_SKIP);
		else if (entry->fts_info == FTS_F &&
			 entry->fts_statp->st_size > 0)
			status = keep(files, entry->fts_path);
	}
	fts_close(tree);
	return status < 0 ? lp_fail_memory(err) : 0;
}

void lab_backend_draw(struct lab_backend_files *files, double percent,
		      uint64_t seed)
{
	size_t n = (size_t)((double)files->n * percent / 100 + 0.5);
	struct lab_draw draw;

	lab_draw_init(&draw, seed, 1);
	if (n < 1)
		n = 1;
	if (n > files->n)
		n = files->n;
	for (size_t i = 0; i < n; i++) {
		size_t k = i + lab_draw_below(&draw, files->n - i);
		char *drawn = files->path[k];

		files->path[k] = files->path[i];
		files->path[i] = drawn;
	}
	while (files->n > n)
		free(files->path[--files->n]);
}

void lab_backend_done(struct lab_backend_files *files)
{
	while (files->n > 0)
		free(files->path[--files->n]);
	free(files->path);
	*files = (struct lab_backend_files){ 0 };
}
