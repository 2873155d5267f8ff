/* SPDX-License-Identifier: Apache-2.0 */
#include "site/lab.h"
#include "site/machine.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/*
 * A lab's own files, and its directory if nothing else is in it. The lock goes
 * last: until then nobody else is let in.
 */
static void remove_files(const char *dir)
{
	static const char *const names[] = { "state", "journal", "lock", NULL };
	struct lp_error err;
	char path[PATH_MAX];

	for (size_t i = 0; names[i]; i++)
		if (lab_path(path, &err, "%s/%s", dir, names[i]) == 0)
			unlink(path);
	rmdir(dir);
}

static bool has(const char *dir, const char *name)
{
	struct lp_error err;
	char path[PATH_MAX];

	return lab_path(path, &err, "%s/%s", dir, name) == 0 &&
	       access(path, F_OK) == 0;
}

int lab_down(const char *given, lab_left_fn *tell, void *context,
	     struct lp_error *err)
{
	struct lab_journal *journal;
	char dir[PATH_MAX];
	int status;

	if (!realpath(given, dir) ||
	    (!has(dir, "lock") && !has(dir, "journal")))
		return lp_fail(err, ENOENT, "no lab is up in %s", given);
	if (geteuid() != 0)
		return lp_fail(err, EPERM,
			       "only root can take a lab down: sudo limpid lab "
			       "down");
	status = lab_journal_open(dir, true, &journal, err);
	if (status < 0)
		return status;
	status = lab_journal_undo_all(journal, tell, context, err);
	if (status == 0)
		remove_files(dir);
	lab_journal_close(journal);
	return status;
}
