/* SPDX-License-Identifier: Apache-2.0 */
#include "failure/revive.h"

#include "driver/driver.h"
#include "site/exec.h"
#include "site/machine.h"
#include "site/node.h"
#include "site/nodekill.h"

#include <errno.h>
#include <stdio.h>
#include <sys/mount.h>

#define UNMOUNT_S 20.0
#define CALL_S 30.0

static bool is_unmounted(const void *context)
{
	const char *path = context;

	return !lab_is_mounted(path) ||
	       (umount2(path, UMOUNT_NOFOLLOW) == 0 && !lab_is_mounted(path));
}

static int unmount(const char *path, struct lp_error *err)
{
	if (lab_wait_until(is_unmounted, path, UNMOUNT_S, NULL) < 0)
		return lp_fail_errno(err, errno, "cannot unmount %s", path);
	return 0;
}

static int mount_again(const char *device, const char *path,
		       struct lp_error *err)
{
	char node[64];

	snprintf(node, sizeof(node), "/dev/%s", device);
	if (lab_is_mounted(path))
		return 0;
	if (mount(node, path, "xfs", MS_NOATIME, NULL) < 0)
		return lp_fail_errno(err, errno, "cannot mount %s at %s", node,
				     path);
	return 0;
}

/* The node has the same at the daemon's usual place. */
static const char *usual_place(const struct lab *lab)
{
	return lab_driver_find(lab->spec.driver)->private_dirs[0];
}

int lab_lay_off(struct lab *lab, const struct lab_node *node,
		struct lp_error *err)
{
	const char *const argv[] = { "umount", usual_place(lab), NULL };
	int status = 0;

	lab_node_kill(node, NULL);
	if (node->state_device[0]) {
		/* Not there: it was unmounted before. */
		lab_node_run(node, argv, CALL_S, NULL, NULL);
		status = unmount(node->state, err);
	}
	if (status == 0 && node->device[0])
		status = unmount(node->brick, err);
	return status;
}

int lab_take_on(struct lab *lab, const struct lab_node *node,
		struct lp_error *err)
{
	const struct lab_driver *driver = lab_driver_find(lab->spec.driver);
	const char *const argv[] = { "mount", "--bind", node->state,
				     usual_place(lab), NULL };
	int status = 0;

	if (node->device[0])
		status = mount_again(node->device, node->brick, err);
	if (status == 0 && node->state_device[0] &&
	    !lab_is_mounted(node->state)) {
		status = mount_again(node->state_device, node->state, err);
		if (status == 0)
			status = lab_node_run(node, argv, CALL_S, NULL, err);
	}
	return status < 0 ? status : driver->node_start(lab, node, err);
}

int lab_revive(struct lab *lab, const struct lab_node *node,
	       struct lp_error *err)
{
	int status = lab_lay_off(lab, node, err);

	return status < 0 ? status : lab_take_on(lab, node, err);
}
