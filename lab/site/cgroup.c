/* SPDX-License-Identifier: Apache-2.0 */
#include "site/cgroup.h"

#include "base/memory.h"
#include "site/machine.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ROOT "/sys/fs/cgroup"

/*
 * Version 1 has a tree per controller, version 2 one for all; which of these
 * exist says which version it is. Joined ones (cpu,cpuacct) have links.
 */
static const struct tree {
	const char *path;
	const char *marker; /* a file that shows it is there */
	const char *memory; /* the file of the limit, or NULL */
} trees[] = {
	{ ROOT "/cpu", ROOT "/cpu/cpu.shares", NULL },
	{ ROOT "/cpuacct", ROOT "/cpuacct/cpuacct.usage", NULL },
	{ ROOT "/memory", ROOT "/memory/memory.limit_in_bytes",
	  "memory.limit_in_bytes" },
	{ ROOT, ROOT "/cgroup.controllers", "memory.max" },
};

static bool is_there(const struct tree *tree)
{
	return access(tree->marker, F_OK) == 0;
}

static int group_path(const struct tree *tree, const struct lab_node *node,
		      char path[PATH_MAX], struct lp_error *err)
{
	return lab_path(path, err, "%s/%s", tree->path, node->group);
}

/* Version 2 gives a group only what its parent hands on. */
static void hand_on(const struct tree *tree)
{
	if (strcmp(tree->path, ROOT) == 0)
		lab_write_line(ROOT "/cgroup.subtree_control", "+cpu +memory");
}

static int limit_memory(const struct tree *tree, const char *group,
			uint64_t bytes, struct lp_error *err)
{
	char path[PATH_MAX], text[32];
	int status;

	if (!tree->memory || bytes == 0)
		return 0;
	status = lab_path(path, err, "%s/%s", group, tree->memory);
	if (status < 0)
		return status;
	snprintf(text, sizeof(text), "%" PRIu64, bytes);
	status = lab_write_line(path, text);
	if (status < 0)
		return lp_fail(err, ENOTSUP,
			       "the memory of a server is not limited: %s "
			       "cannot be set (%s)",
			       path, strerror(-status));
	return 0;
}

static int make(struct lab *lab, const struct tree *tree,
		const struct lab_node *node, uint64_t memory_bytes,
		struct lp_error *err)
{
	char path[PATH_MAX];
	int status = group_path(tree, node, path, err);

	if (status == 0)
		status = lab_journal_note(lab->journal, LAB_CGROUP, path, NULL,
					  err);
	if (status < 0)
		return status;
	hand_on(tree);
	/* A link to a joined tree: it is there already. */
	if (mkdir(path, 0755) < 0 && errno != EEXIST)
		return lp_fail(err, ENOTSUP, "no control group %s: %s", path,
			       strerror(errno));
	return limit_memory(tree, path, memory_bytes, err);
}

int lab_cgroup_make(struct lab *lab, const struct lab_node *node,
		    uint64_t memory_bytes, struct lp_error *err)
{
	bool any = false;
	int status = 0;

	for (size_t i = 0; i < lp_array_size(trees) && status == 0; i++) {
		if (!is_there(&trees[i]))
			continue;
		any = true;
		status = make(lab, &trees[i], node, memory_bytes, err);
	}
	if (!any)
		return lp_fail(err, ENOTSUP,
			       "this machine has no control groups in " ROOT
			       ": the servers share its memory");
	return status;
}

void lab_cgroup_join(const struct lab_node *node)
{
	struct lp_error err;
	char path[PATH_MAX];

	for (size_t i = 0; i < lp_array_size(trees); i++)
		if (is_there(&trees[i]) &&
		    lab_path(path, &err, "%s/%s/cgroup.procs", trees[i].path,
			     node->group) == 0)
			lab_write_line(path, "0");
}

int lab_cgroup_file(const struct lab_node *node, const char *file,
		    char path[PATH_MAX])
{
	for (size_t i = 0; i < lp_array_size(trees); i++)
		if (lab_path(path, NULL, "%s/%s/%s", trees[i].path, node->group,
			     file) == 0 &&
		    access(path, F_OK) == 0)
			return 0;
	return -ENOENT;
}
