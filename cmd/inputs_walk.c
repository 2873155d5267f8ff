/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The recordings in a directory, and in those below: logs/HOST/saDD.
 */
#include "inputs.h"

#include "archive/archive.h"
#include "base/memory.h"
#include "base/unpack.h"
#include "table/input.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Deeper is no directory of recordings but somebody's whole disk. */
#define DEEPEST 16
#define MOST_FILES ((size_t)1 << 20)

struct walk {
	struct lp_inputs *inputs;
	size_t files;
	struct lp_error *err;
};

/* A directory on the way down: a link that leads back up is not followed. */
struct level {
	const struct level *above;
	dev_t device;
	ino_t inode;
	unsigned depth;
};

int lp_inputs_add_path(struct lp_inputs *inputs, char *path)
{
	size_t stem = path ? lp_input_stem(path) : 0;

	if (path &&
	    lp_names_find_n(&inputs->recordings, path, stem) != LP_NAME_NONE) {
		free(path);
		return 0;
	}
	if (!path ||
	    lp_names_add_n(&inputs->recordings, path, stem) == LP_NAME_NONE ||
	    lp_grow(&inputs->paths, &inputs->capacity, inputs->n + 2,
		    sizeof(*inputs->paths)) < 0 ||
	    lp_grow(&inputs->spools, &inputs->spools_capacity, inputs->n + 1,
		    sizeof(*inputs->spools)) < 0) {
		free(path);
		return -ENOMEM;
	}
	inputs->spools[inputs->n] = -1;
	inputs->paths[inputs->n++] = path;
	inputs->paths[inputs->n] = NULL;
	return 0;
}

/* What limpid itself puts beside recordings. */
static bool is_companion(const char *name)
{
	static const char *const names[] = { "cluster.conf", "truth.json",
					     "log.txt", "throughput.tsv" };

	for (size_t i = 0; i < lp_array_size(names); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

/* "oss1.limpid", "oss1.limpid.gz" */
static bool is_named_archive(const char *name)
{
	size_t n = lp_packing_stem(name), m = strlen(LP_ARCHIVE_SUFFIX);

	return n > m && memcmp(name + n - m, LP_ARCHIVE_SUFFIX, m) == 0;
}

static int bad_file(struct walk *w, const struct lp_error *why, int r)
{
	if (w->inputs->strict)
		return lp_fail(w->err, -r, "%s", why->text);
	if (lp_inputs_fault(w->inputs, LP_INPUT_NONE, false, why->text) < 0)
		return lp_fail_memory(w->err);
	return 0;
}

static int take_file(struct walk *w, const char *path, const char *name)
{
	struct lp_inputs *inputs = w->inputs;
	struct lp_error why;
	int status;

	if (++w->files > MOST_FILES)
		return lp_fail(w->err, EFBIG,
			       "%s: more than a million files; name the "
			       "directories of the recordings",
			       path);
	status = lp_input_recognise(path, inputs->format, &why);
	if (status == 0 && !inputs->format && is_named_archive(name))
		status = lp_fail(
			&why, EINVAL,
			"%s: not a limpid archive, or its first bytes are "
			"damaged",
			path);
	if (status < 0)
		return bad_file(w, &why, status);
	if (status > 0)
		status = lp_inputs_add_path(inputs, strdup(path));
	else if (!is_companion(name) &&
		 lp_names_add(&inputs->others, path) == LP_NAME_NONE)
		status = -ENOMEM;
	return status < 0 ? lp_fail_memory(w->err) : 0;
}

static int walk(struct walk *w, const char *directory,
		const struct level *above);

static int take_directory(struct walk *w, const char *path,
			  const struct stat *st, const struct level *above)
{
	struct level here = { above, st->st_dev, st->st_ino, above->depth + 1 };

	if (here.depth > DEEPEST)
		return 0;
	for (const struct level *l = above; l; l = l->above)
		if (l->device == here.device && l->inode == here.inode)
			return 0;
	return walk(w, path, &here);
}

static int take_entry(struct walk *w, const char *directory, const char *name,
		      const struct level *here)
{
	lp_auto_free char *path = NULL;
	struct stat st;

	if (name[0] == '.')
		return 0;
	if (asprintf(&path, "%s/%s", directory, name) < 0) {
		path = NULL;
		return lp_fail_memory(w->err);
	}
	if (stat(path, &st) < 0)
		return 0; /* it went, or is a link to nothing */
	if (S_ISDIR(st.st_mode))
		return take_directory(w, path, &st, here);
	/* Pipes and sockets that lie about are no recordings. */
	return S_ISREG(st.st_mode) ? take_file(w, path, name) : 0;
}

static int walk(struct walk *w, const char *directory, const struct level *here)
{
	struct dirent **entries;
	int n = scandir(directory, &entries, NULL, alphasort), status = 0;

	if (n < 0) {
		struct lp_error why;

		status =
			lp_fail_errno(&why, errno, "cannot read %s", directory);
		return bad_file(w, &why, status);
	}
	for (int i = 0; i < n; i++) {
		if (status == 0)
			status = take_entry(w, directory, entries[i]->d_name,
					    here);
		free(entries[i]);
	}
	free(entries);
	return status;
}

int lp_inputs_walk(struct lp_inputs *inputs, const char *directory,
		   struct lp_error *err)
{
	struct walk w = { .inputs = inputs, .err = err };
	struct level top = { 0 };
	size_t before = inputs->n, faults = inputs->n_faults;
	struct lp_error why;
	struct stat st;
	int status;

	if (stat(directory, &st) == 0) {
		top.device = st.st_dev;
		top.inode = st.st_ino;
	}
	status = walk(&w, directory, &top);
	if (status < 0 || inputs->n > before || inputs->n_faults > faults)
		return status;
	status = lp_fail(
		&why, EINVAL,
		"%s: limpid recognises no file in this directory or below",
		directory);
	return bad_file(&w, &why, status);
}
