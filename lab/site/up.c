/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"
#include "driver/driver.h"
#include "site/cgroup.h"
#include "site/holder.h"
#include "site/lab.h"
#include "site/machine.h"
#include "site/network.h"
#include "site/nodes.h"
#include "site/state.h"
#include "site/vdisk.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

struct up {
	struct lab *lab;
	const struct lab_driver *driver;
	const volatile int *stop;
	lab_progress_fn *progress;
	void *context;
	bool foreign; /* the directory is not this lab's, and stays */
};

static void say(const struct up *up, const char *text)
{
	if (up->progress)
		up->progress(up->context, text);
}

static int interrupted(const struct up *up, struct lp_error *err)
{
	return up->stop && *up->stop
		       ? lp_fail(err, EINTR,
				 "interrupted; everything was removed again")
		       : 0;
}

typedef int node_fn(struct up *up, struct lab_node *node, struct lp_error *err);

#define BIT(role) (1u << (role))
#define ALL_ROLES (~0u)

static int for_nodes(struct up *up, unsigned roles, node_fn *fn,
		     struct lp_error *err)
{
	int status = 0;

	for (size_t i = 0; i < up->lab->n_nodes && status == 0; i++) {
		if (!(roles & BIT(up->lab->node[i].role)))
			continue;
		status = interrupted(up, err);
		if (status == 0)
			status = fn(up, &up->lab->node[i], err);
	}
	return status;
}

/* ---- the steps ---- */

static int make_directory(struct lab *lab, const char *path,
			  struct lp_error *err)
{
	int status =
		lab_journal_note(lab->journal, LAB_DIRECTORY, path, NULL, err);

	if (status == 0 && mkdir(path, 0755) < 0)
		status = lp_fail_errno(err, errno, "cannot make %s", path);
	return status;
}

static int make_node_directory(struct up *up, struct lab_node *node,
			       struct lp_error *err)
{
	char path[PATH_MAX], name[32];
	int status = lab_path(path, err, "%s/%s", up->lab->dir, node->name);

	if (status == 0)
		status = make_directory(up->lab, path, err);
	if (status == 0)
		status = lab_node_path(up->lab, node, "private", path, err);
	if (status == 0 && mkdir(path, 0755) < 0)
		status = lp_fail_errno(err, errno, "cannot make %s", path);
	for (int i = 0; status == 0 && up->driver->private_dirs[i]; i++) {
		snprintf(name, sizeof(name), "private/%d", i);
		status = lab_node_path(up->lab, node, name, path, err);
		if (status == 0 && mkdir(path, 0755) < 0)
			status = lp_fail_errno(err, errno, "cannot make %s",
					       path);
	}
	return status;
}

/* So that mounts below it are seen by nodes and machine alike. */
static int share_directory(struct lab *lab, struct lp_error *err)
{
	int status =
		lab_journal_note(lab->journal, LAB_MOUNT, lab->dir, NULL, err);

	if (status < 0)
		return status;
	if (mount(lab->dir, lab->dir, NULL, MS_BIND, NULL) < 0 ||
	    mount(NULL, lab->dir, NULL, MS_PRIVATE, NULL) < 0 ||
	    mount(NULL, lab->dir, NULL, MS_SHARED, NULL) < 0)
		return lp_fail_errno(err, errno, "cannot mount %s", lab->dir);
	return 0;
}

static int make_directories(struct up *up, struct lp_error *err)
{
	int status = for_nodes(up, ALL_ROLES, make_node_directory, err);

	return status < 0 ? status : share_directory(up->lab, err);
}

static int make_namespace(struct up *up, struct lab_node *node,
			  struct lp_error *err)
{
	return lab_network_namespace(up->lab, node, err);
}

static int make_link(struct up *up, struct lab_node *node, struct lp_error *err)
{
	return lab_network_link(up->lab, node, err);
}

static int make_network(struct up *up, struct lp_error *err)
{
	int status = for_nodes(up, ALL_ROLES, make_namespace, err);

	if (status == 0)
		status = lab_network_bridge(up->lab, err);
	return status < 0 ? status
			  : for_nodes(up, ~BIT(LAB_BRIDGE), make_link, err);
}

static int make_disk(struct up *up, struct lab_node *node, struct lp_error *err)
{
	int status = lab_vdisk_make(up->lab, node, err);

	return status < 0 ? status : up->driver->format(up->lab, node, err);
}

static int make_state(struct up *up, struct lab_node *node,
		      struct lp_error *err)
{
	return lab_vdisk_make_state(up->lab, node, err);
}

static int make_disks(struct up *up, struct lp_error *err)
{
	int status = for_nodes(up, BIT(LAB_SERVER), make_disk, err);

	return status < 0 ? status
			  : for_nodes(up, ~BIT(LAB_BRIDGE), make_state, err);
}

static int make_cgroup(struct up *up, struct lab_node *node,
		       struct lp_error *err)
{
	uint64_t memory =
		node->role == LAB_SERVER ? up->lab->spec.memory_bytes : 0;
	struct lp_error why;
	int status = lab_cgroup_make(up->lab, node, memory, &why);

	if (status == -ENOTSUP && node == up->lab->node)
		say(up, why.text);
	else if (status < 0 && status != -ENOTSUP)
		return lp_fail(err, -status, "%s", why.text);
	return 0;
}

static int make_holder(struct up *up, struct lab_node *node,
		       struct lp_error *err)
{
	return lab_holder_start(up->lab, node, up->driver->private_dirs, err);
}

static int make_nodes(struct up *up, struct lp_error *err)
{
	int status = for_nodes(up, BIT(LAB_SERVER) | BIT(LAB_CLIENT),
			       make_cgroup, err);

	return status < 0 ? status : for_nodes(up, ALL_ROLES, make_holder, err);
}

static int start_driver(struct up *up, struct lp_error *err)
{
	return up->driver->start(up->lab, err);
}

static int mount_client(struct up *up, struct lab_node *node,
			struct lp_error *err)
{
	return up->driver->mount(up->lab, node, err);
}

static int mount_clients(struct up *up, struct lp_error *err)
{
	return for_nodes(up, BIT(LAB_CLIENT), mount_client, err);
}

static int slow_disk(struct up *up, struct lab_node *node, struct lp_error *err)
{
	(void)up;
	return lab_vdisk_slow(node, err);
}

static int finish(struct up *up, struct lp_error *err)
{
	int status = for_nodes(up, BIT(LAB_SERVER), slow_disk, err);

	return status < 0 ? status : lab_state_write(up->lab, err);
}

/* Undone in the reverse order: daemons end before their disks go. */
static const struct {
	const char *says;
	int (*run)(struct up *up, struct lp_error *err);
} steps[] = {
	{ "directories", make_directories },
	{ "network", make_network },
	{ "disks", make_disks },
	{ "nodes", make_nodes },
	{ "file system", start_driver },
	{ "clients", mount_clients },
	{ "state", finish },
};

static int run_steps(struct up *up, struct lp_error *err)
{
	int status = 0;

	for (size_t i = 0; i < lp_array_size(steps) && status == 0; i++) {
		say(up, steps[i].says);
		status = interrupted(up, err);
		if (status == 0)
			status = steps[i].run(up, err);
	}
	/* A signal to all of us makes the program that ran fail, too. */
	if (status < 0 && interrupted(up, err) < 0)
		status = -EINTR;
	return status;
}

/* ---- before and after ---- */

static bool is_own(const char *name)
{
	return strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
	       strcmp(name, "lock") == 0 || strcmp(name, "journal") == 0;
}

/* A directory of its own: nothing of anybody else is in it. */
static int check_empty(const char *dir, struct lp_error *err)
{
	DIR *open = opendir(dir);
	const struct dirent *entry;
	int status = 0;

	if (!open)
		return lp_fail_errno(err, errno, "cannot read %s", dir);
	while (status == 0 && (entry = readdir(open)))
		if (!is_own(entry->d_name))
			status = lp_fail(
				err, ENOTEMPTY,
				"%s is not empty: a lab needs a directory "
				"of its own",
				dir);
	closedir(open);
	return status;
}

static int check_free(const char *dir, struct lp_error *err)
{
	struct lab_entry *entries;
	size_t n;
	int status = lab_journal_list(dir, &entries, &n, err);

	if (status < 0)
		return status;
	lab_entries_free(entries, n);
	if (n > 0)
		return lp_fail(err, EEXIST,
			       "there is already a lab in %s, or the rest of "
			       "one: remove it (limpid lab down), or use "
			       "another directory (--dir)",
			       dir);
	return check_empty(dir, err);
}

int lab_check(const char *command, const struct lab_spec *spec,
	      struct lp_error *err)
{
	int status;

	if (geteuid() != 0)
		return lp_fail(err, EPERM, "a lab needs root: sudo %s",
			       command);
	status = lab_spec_check(spec, err);
	if (status == 0)
		status = lab_driver_find(spec->driver)->check(err);
	if (status == 0)
		status = lab_network_check(err);
	return status < 0 ? status : lab_vdisk_check(err);
}

/* With the directory locked: make it all, or undo it all. */
static int make(struct up *up, const char *dir, struct lp_error *err)
{
	struct lp_error undone, why;
	int status = check_free(dir, err);

	if (status < 0) {
		up->foreign = true;
		return status;
	}
	status = lab_vdisk_room(dir, &up->lab->spec, err);
	if (status == 0)
		status = run_steps(up, err);
	if (status < 0 &&
	    lab_journal_undo_all(up->lab->journal, NULL, NULL, &undone) < 0) {
		why = *err;
		lp_fail(err, -status,
			"%.200s; and not everything could be removed: %.250s",
			why.text, undone.text);
	}
	return status;
}

static int make_dir(const char *given, char dir[PATH_MAX], struct lp_error *err)
{
	if (mkdir(given, 0755) < 0 && errno != EEXIST)
		return lp_fail_errno(err, errno, "cannot make %s", given);
	if (!realpath(given, dir))
		return lp_fail_errno(err, errno, "cannot use %s", given);
	return 0;
}

int lab_up(const char *given, const struct lab_spec *spec,
	   const volatile int *stop, lab_progress_fn *progress, void *context,
	   struct lp_error *err)
{
	struct up up = {
		.driver = lab_driver_find(spec->driver),
		.stop = stop,
		.progress = progress,
		.context = context,
	};
	struct lab_spec settled = *spec;
	struct lp_error ignored;
	char dir[PATH_MAX];
	int status = make_dir(given, dir, err);

	if (status < 0)
		return status;
	lab_spec_settle(&settled);
	status = lab_new(dir, &settled, &up.lab, err);
	if (status < 0)
		return status;
	assert(up.lab);
	up.lab->stop = stop;
	status = lab_journal_open(dir, true, &up.lab->journal, err);
	up.foreign = status == -EBUSY;
	if (status == 0)
		status = make(&up, dir, err);
	lab_close(up.lab);
	/* Nothing is noted any more: its own files are to be removed. */
	if (status < 0 && !up.foreign)
		lab_down(dir, NULL, NULL, &ignored);
	return status;
}
