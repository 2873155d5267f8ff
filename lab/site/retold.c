/* SPDX-License-Identifier: Apache-2.0 */
#include "site/retold.h"

#include "base/memory.h"
#include "site/machine.h"
#include "site/residents.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KEPT ".limpid"

/* As the node sees it, and where it is kept. */
static int places(pid_t holder, const char *path, char now[PATH_MAX],
		  char kept[PATH_MAX], struct lp_error *err)
{
	int status = lab_path(now, err, "/proc/%d/root%s", (int)holder, path);

	return status < 0 ? status
			  : lab_path(kept, err, "/proc/%d/root%s" KEPT,
				     (int)holder, path);
}

int lab_retold_note(const struct lab_node *node, const char *program,
		    const char *path, char text[2 * PATH_MAX],
		    struct lp_error *err)
{
	int n = snprintf(text, 2 * (size_t)PATH_MAX, "%d %" PRIu64 " %s %s",
			 (int)node->holder, node->holder_start, program, path);

	return n < 2 * PATH_MAX ? 0 : lp_fail(err, ENAMETOOLONG, "%s", path);
}

static int write_whole(const char *path, const char *text, struct lp_error *err)
{
	FILE *file = fopen(path, "we");
	bool bad = !file || fputs(text, file) < 0;

	if (file && fclose(file) != 0)
		bad = true;
	return bad ? lp_fail_errno(err, errno, "cannot write %s", path) : 0;
}

int lab_retold_do(const struct lab_node *node, const char *program,
		  const char *path, const char *text, struct lp_error *err)
{
	char now[PATH_MAX], kept[PATH_MAX];
	int status = places(node->holder, path, now, kept, err);

	if (status < 0)
		return status;
	if (rename(now, kept) < 0)
		return lp_fail_errno(err, errno, "cannot keep %s", now);
	status = write_whole(now, text, err);
	if (status == 0 &&
	    lab_residents(node->holder, program, SIGHUP, NULL) == 0)
		status = lp_fail(err, ENOENT, "no %s runs on %s", program,
				 node->name);
	return status;
}

int lab_retold_undo(const char *text, struct lp_error *err)
{
	lp_auto_free char *program = NULL, *path = NULL;
	char now[PATH_MAX], kept[PATH_MAX];
	uint64_t start, started;
	int pid, status;

	if (sscanf(text, "%d %" SCNu64 " %ms %ms", &pid, &started, &program,
		   &path) != 4 ||
	    path[0] != '/' || strstr(path, "/.."))
		return lp_fail(err, EINVAL,
			       "the journal names the orders '%s', which are "
			       "not part of a lab",
			       text);
	/* Its world is gone with it. */
	if (lab_process_start(pid, &start) < 0 || start != started)
		return 0;
	status = places(pid, path, now, kept, err);
	if (status < 0)
		return status;
	if (rename(kept, now) < 0)
		return errno == ENOENT
			       ? 0
			       : lp_fail_errno(err, errno, "cannot put %s back",
					       now);
	lab_residents(pid, program, SIGHUP, NULL);
	return 0;
}
