/* SPDX-License-Identifier: Apache-2.0 */
#include "live/live_files.h"

#include "archive/archive.h"
#include "base/timestamp.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Below a given directory: DIR/SITE/HOST/FILE. */
#define DEEPEST 3

static bool is_archive(const char *name)
{
	size_t n = strlen(name), suffix = strlen(LP_ARCHIVE_SUFFIX);

	return name[0] != '.' && n > suffix &&
	       strcmp(name + n - suffix, LP_ARCHIVE_SUFFIX) == 0;
}

static int64_t change_of(const struct stat *st)
{
	return (int64_t)st->st_mtim.tv_sec * LP_NS_PER_S + st->st_mtim.tv_nsec;
}

static struct lp_live_file *file_of(struct lp_live_files *files,
				    const char *path)
{
	uint32_t number = lp_names_add(&files->names, path);

	if (number == LP_NAME_NONE ||
	    lp_grow(&files->items, &files->capacity, (size_t)number + 1,
		    sizeof(*files->items)) < 0)
		return NULL;
	if (number == files->n)
		files->items[files->n++] = (struct lp_live_file){
			.path = files->names.text[number],
			.first_ns = LP_TIME_MAX,
			.last_ns = LP_TIME_MIN,
		};
	return &files->items[number];
}

static int note(struct lp_live_files *files, const char *path,
		const struct stat *st)
{
	struct lp_live_file *f = file_of(files, path);

	if (!f)
		return -ENOMEM;
	if (f->known && f->inode == st->st_ino &&
	    f->bytes == (uint64_t)st->st_size && f->changed_ns == change_of(st))
		return 0;
	f->inode = st->st_ino;
	f->bytes = (uint64_t)st->st_size;
	f->changed_ns = change_of(st);
	f->due = f->known = true;
	f->left_out = false;
	return 0;
}

static int walk(struct lp_live_files *files, const char *path, int depth);

static int look_at(struct lp_live_files *files, const char *dir,
		   const char *name, int depth)
{
	lp_auto_free char *path = NULL;
	struct stat st;

	if (asprintf(&path, "%s/%s", dir, name) < 0) {
		path = NULL;
		return -ENOMEM;
	}
	if (is_archive(name)) {
		if (stat(path, &st) < 0)
			return 0;
		if (S_ISREG(st.st_mode))
			return note(files, path, &st);
	}
	return depth < DEEPEST ? walk(files, path, depth + 1) : 0;
}

/* What is no directory, or cannot be read, has nothing below it. */
static int walk(struct lp_live_files *files, const char *path, int depth)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	int status = 0;

	while (dir && status == 0 && (entry = readdir(dir)) != NULL) {
		bool may = entry->d_type == DT_DIR ||
			   entry->d_type == DT_UNKNOWN ||
			   entry->d_type == DT_LNK || is_archive(entry->d_name);

		if (entry->d_name[0] != '.' && may)
			status = look_at(files, path, entry->d_name, depth);
	}
	if (dir)
		closedir(dir);
	return status;
}

static int find_below(struct lp_live_files *files, const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return 0;
	if (S_ISDIR(st.st_mode))
		return walk(files, path, 0);
	return note(files, path, &st);
}

/* ---- their order ---- */

/* What cannot be read says so when its turn comes. */
static void find_begins(struct lp_live_files *files)
{
	for (size_t i = 0; i < files->n; i++) {
		struct lp_live_file *f = &files->items[i];
		struct lp_error err;

		if (f->due && f->first_ns == LP_TIME_MAX)
			lp_bookmark_span(f->path, &f->first_ns, &f->last_ns,
					 &err);
	}
}

static int by_begin(const void *a, const void *b, void *context)
{
	const struct lp_live_file *items = context;
	const struct lp_live_file *x = &items[*(const size_t *)a];
	const struct lp_live_file *y = &items[*(const size_t *)b];

	if (x->first_ns != y->first_ns)
		return x->first_ns < y->first_ns ? -1 : 1;
	return strcmp(x->path, y->path);
}

static int sort(struct lp_live_files *files)
{
	if (lp_grow(&files->order, &files->order_capacity, files->n + 1,
		    sizeof(*files->order)) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < files->n; i++)
		files->order[i] = i;
	qsort_r(files->order, files->n, sizeof(*files->order), by_begin,
		files->items);
	return 0;
}

int lp_live_files_find(struct lp_live_files *files, const char *const *paths,
		       size_t n)
{
	int status = 0;

	for (size_t i = 0; i < n && status == 0; i++)
		status = find_below(files, paths[i]);
	if (status < 0)
		return status;
	find_begins(files);
	return sort(files);
}

void lp_live_files_done(struct lp_live_files *files)
{
	lp_names_done(&files->names);
	free(files->items);
	free(files->order);
	*files = (struct lp_live_files){ 0 };
}
