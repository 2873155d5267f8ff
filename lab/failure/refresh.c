/* SPDX-License-Identifier: Apache-2.0 */
#include "failure/refresh.h"

#include "driver/driver.h"
#include "site/machine.h"
#include "site/nodekill.h"
#include "verify/verify.h"

#include <errno.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#define FORGET_S 15.0
#define MOUNTS_MOST 4

int lab_client_refresh(struct lab *lab, const struct lab_node *client,
		       struct lp_error *err)
{
	const struct lab_driver *driver = lab_driver_find(lab->spec.driver);

	lab_node_kill(client, NULL);
	if (lab_node_count(client, NULL) > 0) {
		lab_fuse_abort(client->mount, NULL);
		lab_node_kill(client, NULL);
	}
	driver->unmount(lab, client, NULL);
	for (int i = 0; i < MOUNTS_MOST && lab_is_mounted(client->mount); i++)
		umount2(client->mount, MNT_DETACH | UMOUNT_NOFOLLOW);
	return driver->mount(lab, client, err);
}

static bool has_ended(const void *context)
{
	const pid_t *pid = context;

	return waitpid(*pid, NULL, WNOHANG) != 0;
}

/* In a child: who writes back to a stuck disk cannot be ended. */
static void forget_bounded(const char *brick)
{
	pid_t pid = fork();

	if (pid == 0) {
		setsid();
		_exit(lab_forget_brick(brick, NULL) < 0);
	}
	if (pid > 0 && lab_wait_until(has_ended, &pid, FORGET_S, NULL) < 0)
		kill(pid, SIGKILL);
}

void lab_servers_forget(const struct lab *lab)
{
	const struct lab_node *server;

	for (size_t i = 0; (server = lab_nth(lab, LAB_SERVER, i)); i++)
		forget_bounded(server->brick);
}
