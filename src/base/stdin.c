/* SPDX-License-Identifier: Apache-2.0 */
#include "base/stdin.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

bool lp_is_stdin(const char *path)
{
	return strcmp(path, "-") == 0;
}

/* The mark of a taken one: descriptor 0 can only be written to. */
static bool is_taken(void)
{
	int flags = fcntl(STDIN_FILENO, F_GETFL);

	return flags >= 0 && (flags & O_ACCMODE) == O_WRONLY;
}

int lp_stdin_take(struct lp_error *err)
{
	lp_auto_close int nothing = -1;
	int fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);

	if (fd < 0)
		return lp_fail_errno(err, errno, "cannot open standard input");
	if (is_taken()) {
		close(fd);
		return lp_fail(err, EBUSY,
			       "standard input (-) can be read only once");
	}
	nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (nothing >= 0)
		dup2(nothing, STDIN_FILENO);
	return fd;
}
