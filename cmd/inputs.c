/* SPDX-License-Identifier: Apache-2.0 */
#include "inputs.h"

#include "base/memory.h"
#include "table/input.h"
#include "table/merge.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

void lp_inputs_init(struct lp_inputs *inputs)
{
	*inputs = (struct lp_inputs){ 0 };
	lp_query_init(&inputs->query);
}

void lp_inputs_begin(struct lp_inputs *inputs,
		     const struct lp_input_options *options)
{
	lp_inputs_init(inputs);
	inputs->format = options->format;
	inputs->options = options->source;
}

void lp_inputs_done(struct lp_inputs *inputs)
{
	for (size_t i = 0; i < inputs->n; i++)
		free(inputs->paths[i]);
	free(inputs->paths);
	lp_names_done(&inputs->recordings);
}

/* Takes over the path. Parts of a recording that is there are left out. */
static int add_path(struct lp_inputs *inputs, char *path)
{
	size_t stem = path ? lp_input_stem(path) : 0;

	if (path &&
	    lp_names_find_n(&inputs->recordings, path, stem) != LP_NAME_NONE) {
		free(path);
		return 0;
	}
	if (!path ||
	    lp_names_add_n(&inputs->recordings, path, stem) == LP_NAME_NONE ||
	    lp_grow(&inputs->paths, &inputs->capacity, inputs->n + 1,
		    sizeof(*inputs->paths)) < 0) {
		free(path);
		return -ENOMEM;
	}
	inputs->paths[inputs->n++] = path;
	return 0;
}

static int add_entry(struct lp_inputs *inputs, const char *directory,
		     const char *name)
{
	char *path;

	if (name[0] == '.')
		return 0;
	if (asprintf(&path, "%s/%s", directory, name) < 0)
		return -ENOMEM;
	if (!lp_input_recognised(path)) {
		free(path);
		return 0;
	}
	return add_path(inputs, path);
}

static int add_directory(struct lp_inputs *inputs, const char *directory,
			 struct lp_error *err)
{
	struct dirent **entries;
	int n = scandir(directory, &entries, NULL, alphasort), r = 0;
	size_t before = inputs->n;

	if (n < 0)
		return lp_fail_errno(err, errno, "cannot read %s", directory);
	for (int i = 0; i < n; i++) {
		if (r == 0)
			r = add_entry(inputs, directory, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	if (r < 0)
		return lp_fail_memory(err);
	if (inputs->n == before)
		return lp_fail(err, EINVAL,
			       "%s: no file in this directory is one that "
			       "limpid recognises",
			       directory);
	return 0;
}

int lp_inputs_add(struct lp_inputs *inputs, const char *path,
		  struct lp_error *err)
{
	struct stat st;

	/* What cannot be looked at is left to the source, which will say so. */
	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode) && !inputs->format)
		return add_directory(inputs, path, err);
	return add_path(inputs, strdup(path)) < 0 ? lp_fail_memory(err) : 0;
}

int lp_inputs_open_one(const struct lp_inputs *inputs, size_t input,
		       struct lp_stream **stream, struct lp_error *err)
{
	return lp_input_open(inputs->paths[input], inputs->format,
			     &inputs->options, &inputs->query, stream, err);
}

static int open_one(void *context, size_t input, struct lp_stream **stream,
		    struct lp_error *err)
{
	return lp_inputs_open_one(context, input, stream, err);
}

int lp_inputs_open(struct lp_inputs *inputs, struct lp_stream **stream,
		   struct lp_error *err)
{
	return lp_merge_open(open_one, inputs, inputs->n, stream, err);
}
