/* SPDX-License-Identifier: Apache-2.0 */
#include "outputs.h"

#include "base/memory.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* One file per host and class are many: as many as the system lets us. */
static void raise_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

static int check_inputs(const struct lp_output *output, char *const *inputs,
			struct lp_error *err)
{
	/* Of many new files none is compared with many inputs. */
	if (access(output->path, F_OK) < 0)
		return 0;
	for (size_t i = 0; inputs && inputs[i]; i++)
		if (lp_is_same_file(inputs[i], output->path))
			return lp_fail(err, EEXIST,
				       "%s %s: this file is an input of the "
				       "same command; it was left as it is",
				       output->option, output->path);
	return 0;
}

static bool is_same_output(const char *a, const char *b)
{
	return a && b &&
	       (strcmp(a, b) == 0 || (lp_is_stdout(a) && lp_is_stdout(b)) ||
		lp_is_same_file(a, b));
}

static int check_output(const struct lp_output *output, char *const *inputs,
			struct lp_error *err)
{
	struct lp_error why;
	int status = check_inputs(output, inputs, err);

	if (status < 0)
		return status;
	status = lp_outfile_check(output->path, output->kind, &why);
	return status < 0 ? lp_fail(err, -status, "%s: %s", output->option,
				    why.text)
			  : 0;
}

int lp_outputs_check(const struct lp_output *outputs, size_t n,
		     char *const *inputs, struct lp_error *err)
{
	int status = 0;

	for (size_t i = 0; i < n && status == 0; i++) {
		if (outputs[i].path)
			status = check_output(&outputs[i], inputs, err);
		for (size_t k = 0; k < i && status == 0; k++)
			if (is_same_output(outputs[i].path, outputs[k].path))
				status = lp_fail(
					err, EEXIST,
					"%s and %s cannot both write to %s",
					outputs[k].option, outputs[i].option,
					outputs[i].path);
	}
	return status;
}

static const struct lp_outkind archive = {
	.name = "a limpid archive",
	.beginnings = (const char *const[]){ "\x89LIMPID\r\n", NULL },
};

int lp_output_check_archive(const char *path, bool replace, char *const *inputs,
			    struct lp_error *err)
{
	struct stat st;
	int status = check_output(&(struct lp_output){ "-o", path, &archive },
				  inputs, err);

	if (status < 0 || replace || stat(path, &st) < 0 || st.st_size == 0)
		return status;
	return lp_fail(err, EEXIST,
		       "-o: %s is a recording; it was left as it is. Give "
		       "another name, or remove it first",
		       path);
}

int lp_output_place(const char *path, struct lp_output_place *place,
		    struct lp_error *err)
{
	size_t n = strlen(path);
	struct stat st;

	*place = (struct lp_output_place){ 0 };
	if (stat(path, &st) == 0) {
		place->is_directory = S_ISDIR(st.st_mode);
		return 0;
	}
	if (n == 0 || path[n - 1] != '/')
		return 0;
	if (mkdir(path, 0777) < 0)
		return lp_fail_errno(err, errno, "cannot make %s", path);
	*place = (struct lp_output_place){ true, true };
	return 0;
}

int lp_outputs_init(struct lp_outputs *outputs, const char *path,
		    const struct lp_outkind *kind, char *const *inputs,
		    struct lp_error *err)
{
	int status;

	if (path && lp_is_stdout(path))
		path = NULL;
	*outputs = (struct lp_outputs){ .path = path,
					.kind = kind,
					.inputs = inputs };
	status = path ? lp_output_place(path, &outputs->place, err) : 0;
	if (status == 0 && outputs->place.is_directory)
		raise_limit();
	return status;
}

static char safe_char(const char *name, size_t i)
{
	bool hidden = i == 0 && name[i] == '.';

	return name[i] == '/' || (unsigned char)name[i] < ' ' || hidden
		       ? '_'
		       : name[i];
}

static bool same_when_safe(const char *a, const char *b)
{
	size_t i = 0;

	while (a[i] && b[i] && safe_char(a, i) == safe_char(b, i))
		i++;
	return !a[i] && !b[i];
}

int lp_safe_name(char *text, size_t size, const char *name,
		 const struct lp_names *others, struct lp_error *err)
{
	size_t i = 0;

	for (uint32_t k = 0; k < others->count; k++)
		if (strcmp(others->text[k], name) != 0 &&
		    same_when_safe(others->text[k], name))
			return lp_fail(
				err, EEXIST,
				"'%.60s' and '%.60s' would be the same file; "
				"give -o a file, or choose one with --host",
				others->text[k], name);
	for (; name[i] && i + 1 < size; i++)
		text[i] = safe_char(name, i);
	text[i] = '\0';
	return 0;
}

static int add_file(struct lp_outputs *outputs, const char *name,
		    struct lp_error *err)
{
	char safe[NAME_MAX + 1];
	lp_auto_free char *path = NULL;
	int status;

	if (strlen(name) > NAME_MAX - 32)
		return lp_fail(err, ENAMETOOLONG,
			       "'%.40s...' is too long for the name of a file",
			       name);
	status = lp_safe_name(safe, sizeof(safe), name, &outputs->names, err);
	if (status < 0)
		return status;
	if (asprintf(&path, "%s%s%s", outputs->path,
		     outputs->place.is_directory ? "/" : "",
		     outputs->place.is_directory ? safe : "") < 0) {
		path = NULL;
		return lp_fail_memory(err);
	}
	status = check_output(&(struct lp_output){ "-o", path, outputs->kind },
			      outputs->inputs, err);
	return status < 0 ? status
			  : lp_outfile_create(&outputs->files[outputs->n], path,
					      outputs->kind, err);
}

int lp_outputs_get(struct lp_outputs *outputs, const char *name, FILE **out,
		   bool *is_new, struct lp_error *err)
{
	uint32_t known = lp_names_find(&outputs->names, name);
	int status = 0;

	if (is_new)
		*is_new = known == LP_NAME_NONE;
	if (known == LP_NAME_NONE) {
		if (lp_grow(&outputs->files, &outputs->capacity, outputs->n + 1,
			    sizeof(*outputs->files)) < 0 ||
		    lp_names_add(&outputs->names, name) == LP_NAME_NONE)
			return lp_fail_memory(err);
		known = (uint32_t)outputs->n;
		outputs->files[known] = (struct lp_outfile){ 0 };
		if (outputs->path)
			status = add_file(outputs, name, err);
		outputs->n++;
	}
	if (status == 0)
		*out = outputs->path ? outputs->files[known].out : stdout;
	return status;
}

bool lp_outputs_failed(const struct lp_outputs *outputs)
{
	if (!outputs->path)
		return ferror(stdout) != 0;
	for (size_t i = 0; i < outputs->n; i++)
		if (outputs->files[i].out && ferror(outputs->files[i].out))
			return true;
	return false;
}

int lp_outputs_commit(struct lp_outputs *outputs, struct lp_error *err)
{
	int status = 0;

	for (size_t i = 0; outputs->path && status == 0 && i < outputs->n; i++)
		status = lp_outfile_commit(&outputs->files[i], err);
	outputs->done = status == 0;
	return status;
}

void lp_outputs_abandon(struct lp_outputs *outputs)
{
	for (size_t i = 0; i < outputs->n; i++)
		lp_outfile_abandon(&outputs->files[i]);
	if (outputs->place.made && !outputs->done)
		rmdir(outputs->path);
	free(outputs->files);
	lp_names_done(&outputs->names);
	*outputs = (struct lp_outputs){ 0 };
}
