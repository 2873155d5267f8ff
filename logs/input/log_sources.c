/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/input/log_sources.h"

#include "base/stdin.h"
#include "base/unpack.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Directories below directories: a loop of bind mounts ends here. */
#define DEEPEST 32

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* "oss1.log.gz" is of oss1. */
static size_t stem_of(const char *name)
{
	size_t n = lp_packing_stem(name), i = n;

	while (i > 1 && name[i - 1] != '.')
		i--;
	return i > 1 && n - i <= 3 ? i - 1 : n;
}

static int append(struct lp_log_sources *s, const char *path, const char *node,
		  size_t node_n, bool lines_know)
{
	const char *name = base_name(path);
	struct lp_log_source *one;

	if (lp_grow(&s->all, &s->capacity, s->n + 1, sizeof(*s->all)) < 0)
		return -ENOMEM;
	one = &s->all[s->n];
	*one = (struct lp_log_source){
		.path = lp_arena_string(&s->arena, path),
		.phase = lp_arena_string_n(&s->arena, name,
					   lp_packing_stem(name)),
		.node = lp_names_add_n(&s->nodes, node, node_n),
		.lines_know = lines_know,
	};
	if (!one->path || !one->phase || one->node == LP_NAME_NONE)
		return -ENOMEM;
	s->n++;
	return 0;
}

/* Older ones first: log.2.gz, log.1, log; else as numbers in names say. */
static int by_age(const struct dirent **a, const struct dirent **b)
{
	const char *x = (*a)->d_name, *y = (*b)->d_name;
	size_t n = strlen(x), m = strlen(y), common = n < m ? n : m;

	if (n != m && strncmp(x, y, common) == 0 &&
	    (n < m ? y : x)[common] == '.')
		return n < m ? 1 : -1;
	for (size_t i = 0; i < common; i++)
		if (x[i] != y[i] && i > 4 && strncmp(x + i - 4, "log.", 4) == 0)
			return -strverscmp(x, y);
	return strverscmp(x, y);
}

static int is_seen(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static int walk(struct lp_log_sources *s, const char *path, const char *node,
		bool lines_know, unsigned depth, struct lp_error *err);

static int enter(struct lp_log_sources *s, const char *path, const char *name,
		 const char *node, bool lines_know, unsigned depth,
		 struct lp_error *err)
{
	lp_auto_free char *inner = NULL;
	struct stat status;

	if (asprintf(&inner, "%s/%s", path, name) < 0) {
		inner = NULL;
		return lp_fail_memory(err);
	}
	if (stat(inner, &status) < 0)
		return errno == ENOENT ? 0
				       : lp_fail_errno(err, errno, "%s", inner);
	if (S_ISDIR(status.st_mode))
		return walk(s, inner, depth == 0 ? name : node,
			    depth > 0 && lines_know, depth + 1, err);
	if (!S_ISREG(status.st_mode))
		return 0;
	return append(s, inner, node, strlen(node), lines_know) < 0
		       ? lp_fail_memory(err)
		       : 0;
}

static int walk(struct lp_log_sources *s, const char *path, const char *node,
		bool lines_know, unsigned depth, struct lp_error *err)
{
	struct dirent **entries;
	int n, code = 0;

	if (depth > DEEPEST)
		return lp_fail(err, ELOOP, "%s: more than %d folders deep",
			       path, DEEPEST);
	n = scandir(path, &entries, is_seen, by_age);
	if (n < 0)
		return lp_fail_errno(err, errno, "%s", path);
	for (int i = 0; i < n; i++) {
		if (code == 0)
			code = enter(s, path, entries[i]->d_name, node,
				     lines_know, depth, err);
		free(entries[i]);
	}
	free(entries);
	return code;
}

/* "." and "/logs/" have names, too. */
static int walk_operand(struct lp_log_sources *s, const char *path,
			struct lp_error *err)
{
	lp_auto_free char *full = realpath(path, NULL);

	if (!full)
		return lp_fail_errno(err, errno, "%s", path);
	return walk(s, path, base_name(full)[0] ? base_name(full) : "/", true,
		    0, err);
}

int lp_log_sources_add(struct lp_log_sources *s, const char *path,
		       struct lp_error *err)
{
	const char *name = base_name(path);
	struct stat status;

	if (lp_is_stdin(path))
		return append(s, path, "stdin", 5, true) < 0
			       ? lp_fail_memory(err)
			       : 0;
	if (stat(path, &status) < 0)
		return lp_fail_errno(err, errno, "%s", path);
	if (S_ISDIR(status.st_mode))
		return walk_operand(s, path, err);
	return append(s, path, name, stem_of(name), true) < 0
		       ? lp_fail_memory(err)
		       : 0;
}

void lp_log_sources_done(struct lp_log_sources *s)
{
	lp_arena_done(&s->arena);
	lp_names_done(&s->nodes);
	free(s->all);
	*s = (struct lp_log_sources){ 0 };
}
