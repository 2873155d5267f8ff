/* SPDX-License-Identifier: Apache-2.0 */
#include "disk/control.h"

#include "base/memory.h"
#include "base/number.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define PATIENCE_S 5

static int dial(const char *path, struct lp_error *err)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const struct timeval patience = { .tv_sec = PATIENCE_S };
	lp_auto_close int fd = -1;
	int connected;

	if (strlen(path) >= sizeof(address.sun_path))
		return lp_fail(err, ENAMETOOLONG,
			       "%s: too long for a socket's path", path);
	memcpy(address.sun_path, path, strlen(path) + 1);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return lp_fail_errno(err, errno, "cannot make a socket");
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0)
		return lp_fail_errno(err, errno, "no disk answers at %s", path);
	connected = fd;
	fd = -1;
	return connected;
}

static int no_answer(const char *path, int code, struct lp_error *err)
{
	if (code == EAGAIN || code == EWOULDBLOCK)
		return lp_fail(err, ETIMEDOUT,
			       "the disk at %s did not answer within %d s",
			       path, PATIENCE_S);
	return lp_fail_errno(err, code, "cannot talk to the disk at %s", path);
}

static int send_line(int fd, const char *path, const char *command,
		     struct lp_error *err)
{
	char line[LAB_DISK_LINE];
	size_t n = strlen(command), sent = 0;

	if (n + 1 >= sizeof(line) || strchr(command, '\n'))
		return lp_fail(err, EINVAL,
			       "a command for a disk is one line of fewer than "
			       "%d bytes",
			       LAB_DISK_LINE);
	n = (size_t)snprintf(line, sizeof(line), "%s\n", command);
	while (sent < n) {
		ssize_t r = send(fd, line + sent, n - sent, MSG_NOSIGNAL);

		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			return no_answer(path, errno, err);
		sent += (size_t)r;
	}
	return 0;
}

static int receive_line(int fd, const char *path, char line[LAB_DISK_LINE],
			struct lp_error *err)
{
	size_t n = 0;

	while (n < LAB_DISK_LINE) {
		ssize_t r = recv(fd, line + n, LAB_DISK_LINE - n, 0);
		char *end;

		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			return no_answer(path, errno, err);
		if (r == 0)
			return lp_fail(
				err, EPIPE,
				"the disk at %s ended before it answered",
				path);
		end = memchr(line + n, '\n', (size_t)r);
		if (end) {
			*end = '\0';
			return 0;
		}
		n += (size_t)r;
	}
	return lp_fail(err, EPROTO, "%s does not answer as a disk does", path);
}

int lab_disk_control(const char *path, const char *command,
		     char reply[LAB_DISK_LINE], struct lp_error *err)
{
	char line[LAB_DISK_LINE];
	lp_auto_close int fd = dial(path, err);
	int status = fd;

	if (status >= 0)
		status = send_line(fd, path, command, err);
	if (status >= 0)
		status = receive_line(fd, path, line, err);
	if (status < 0)
		return status;
	if (strncmp(line, "error ", 6) == 0)
		return lp_fail(err, EINVAL, "%s", line + 6);
	if (strncmp(line, "ok", 2) != 0)
		return lp_fail(err, EPROTO, "%s does not answer as a disk does",
			       path);
	if (reply)
		snprintf(reply, LAB_DISK_LINE, "%s", line + 2 + !!line[2]);
	return 0;
}

bool lab_disk_figure(const char *status, const char *key, uint64_t *figure)
{
	size_t n = strlen(key);

	while (*status) {
		size_t word = strcspn(status, " ");

		if (word > n && strncmp(status, key, n) == 0 &&
		    status[n] == '=')
			return lp_parse_u64(status + n + 1, word - n - 1,
					    figure) == 0;
		status += word + (status[word] == ' ');
	}
	return false;
}
