/* SPDX-License-Identifier: Apache-2.0 */
#include "disk/console.h"

#include "base/memory.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* A socket that nobody listens at is what a killed disk leaves. */
static int clear_place(const struct sockaddr_un *address, struct lp_error *err)
{
	lp_auto_close int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct stat st;

	if (lstat(address->sun_path, &st) < 0)
		return 0;
	if (!S_ISSOCK(st.st_mode))
		return lp_fail(err, EEXIST, "%s exists and is not a socket",
			       address->sun_path);
	if (connect(fd, (const struct sockaddr *)address, sizeof(*address)) ==
	    0)
		return lp_fail(err, EADDRINUSE,
			       "another disk already listens at %s",
			       address->sun_path);
	unlink(address->sun_path);
	return 0;
}

static int listen_at(const struct sockaddr_un *address, struct lp_error *err)
{
	lp_auto_close int fd = -1;
	int listener;

	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0 ||
	    bind(fd, (const struct sockaddr *)address, sizeof(*address)) < 0)
		return lp_fail_errno(err, errno, "cannot listen at %s",
				     address->sun_path);
	if (chmod(address->sun_path, 0600) < 0 || listen(fd, 4) < 0) {
		int code = errno;

		unlink(address->sun_path);
		return lp_fail_errno(err, code, "cannot listen at %s",
				     address->sun_path);
	}
	listener = fd;
	fd = -1;
	return listener;
}

int lab_console_open(struct lab_console *console, const char *path,
		     struct lp_error *err)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int status;

	if (strlen(path) >= sizeof(address.sun_path))
		return lp_fail(err, ENAMETOOLONG,
			       "%s: too long for a socket's path", path);
	memcpy(address.sun_path, path, strlen(path) + 1);
	status = clear_place(&address, err);
	if (status == 0)
		status = listen_at(&address, err);
	if (status < 0)
		return status;
	console->listener = status;
	console->path = path;
	for (size_t i = 0; i < LAB_CONSOLE_CALLERS; i++)
		console->caller[i].fd = -1;
	return 0;
}

static void drop(struct lab_caller *caller)
{
	if (caller->fd >= 0)
		close(caller->fd);
	caller->fd = -1;
}

void lab_console_close(struct lab_console *console)
{
	for (size_t i = 0; i < LAB_CONSOLE_CALLERS; i++)
		drop(&console->caller[i]);
	close(console->listener);
	unlink(console->path);
}

void lab_console_poll(const struct lab_console *console, struct pollfd *fds)
{
	fds[0] = (struct pollfd){ console->listener, POLLIN, 0 };
	for (size_t i = 0; i < LAB_CONSOLE_CALLERS; i++)
		fds[i + 1] =
			(struct pollfd){ console->caller[i].fd, POLLIN, 0 };
}

/* With all places taken a new caller is turned away, and told so. */
static void accept_caller(struct lab_console *console)
{
	static const char full[] = "error too many callers\n";
	int fd = accept4(console->listener, NULL, NULL,
			 SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (fd < 0)
		return;
	for (size_t i = 0; i < LAB_CONSOLE_CALLERS; i++)
		if (console->caller[i].fd < 0) {
			console->caller[i].fd = fd;
			console->caller[i].used = 0;
			return;
		}
	send(fd, full, sizeof(full) - 1, MSG_NOSIGNAL);
	close(fd);
}

static void reply_line(struct lab_caller *caller, char reply[LAB_DISK_LINE])
{
	size_t n = strlen(reply);

	reply[n++] = '\n';
	if (send(caller->fd, reply, n, MSG_NOSIGNAL) != (ssize_t)n)
		drop(caller);
}

static void answer_lines(struct lab_caller *caller, lab_console_fn *answer,
			 void *context)
{
	char reply[LAB_DISK_LINE], *end;

	while (caller->fd >= 0 &&
	       (end = memchr(caller->line, '\n', caller->used))) {
		size_t n = (size_t)(end - caller->line);

		answer(context, caller->line, n, reply);
		reply_line(caller, reply);
		caller->used -= n + 1;
		memmove(caller->line, end + 1, caller->used);
	}
	if (caller->fd >= 0 && caller->used == sizeof(caller->line)) {
		snprintf(reply, sizeof(reply), "error the command is too long");
		reply_line(caller, reply);
		drop(caller);
	}
}

static void hear(struct lab_caller *caller, lab_console_fn *answer,
		 void *context)
{
	ssize_t r = recv(caller->fd, caller->line + caller->used,
			 sizeof(caller->line) - caller->used, 0);

	if (r < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (r <= 0) {
		drop(caller);
		return;
	}
	caller->used += (size_t)r;
	answer_lines(caller, answer, context);
}

void lab_console_serve(struct lab_console *console, const struct pollfd *fds,
		       lab_console_fn *answer, void *context)
{
	for (size_t i = 0; i < LAB_CONSOLE_CALLERS; i++)
		if (fds[i + 1].revents)
			hear(&console->caller[i], answer, context);
	if (fds[0].revents)
		accept_caller(console);
}
