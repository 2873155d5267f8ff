/* SPDX-License-Identifier: Apache-2.0 */
#include "source/convert.h"

#include "base/helper.h"
#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* "--", the operand, the descriptor, the end. */
#define LAST_WORDS 4

int lp_convert_begin(struct lp_convert *convert, const char *name)
{
	convert->argv[convert->count++] = convert->program;
	return lp_helper_path(name, convert->program);
}

void lp_convert_option(struct lp_convert *convert, const char *option,
		       const char *value)
{
	if (convert->count + 2 + LAST_WORDS > LP_CONVERT_WORDS)
		return;
	convert->argv[convert->count++] = option;
	convert->argv[convert->count++] = value;
}

void lp_convert_period(struct lp_convert *convert, const struct lp_query *query)
{
	if (query && query->since_ns != LP_TIME_MIN)
		lp_convert_option(
			convert, "--since",
			lp_time_format(query->since_ns, convert->since));
	if (query && query->until_ns != LP_TIME_MAX)
		lp_convert_option(
			convert, "--until",
			lp_time_format(query->until_ns, convert->until));
}

static int run(struct lp_convert *convert, char lost[LP_LOST_TEXT],
	       struct lp_error *err)
{
	struct lp_process *process;
	struct lp_error said;
	char *line;
	size_t n;
	int status = lp_process_open(convert->argv, "limpid", &process, err);

	if (status < 0)
		return status;
	lost[0] = '\0';
	if (lp_process_line(process, &line, &n, &said) > 0)
		snprintf(lost, LP_LOST_TEXT, "%s", line);
	return lp_process_finish(process, err);
}

/* The helper inherits the descriptor, and nobody else. */
static int lend(int fd, bool lent, struct lp_error *err)
{
	if (fcntl(fd, F_SETFD, lent ? 0 : FD_CLOEXEC) < 0 ||
	    lseek(fd, 0, SEEK_SET) < 0)
		return lp_fail_errno(err, errno,
				     "cannot create a temporary file");
	return 0;
}

int lp_convert_run(struct lp_convert *convert, const char *operand, int fd,
		   char lost[LP_LOST_TEXT], struct lp_error *err)
{
	int status = lend(fd, true, err);

	snprintf(convert->fd, sizeof(convert->fd), "%d", fd);
	convert->argv[convert->count++] = "--";
	convert->argv[convert->count++] = operand;
	convert->argv[convert->count++] = convert->fd;
	convert->argv[convert->count] = NULL;
	if (status == 0)
		status = run(convert, lost, err);
	return status < 0 ? status : lend(fd, false, err);
}
