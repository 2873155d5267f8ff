/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/notify.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

void lp_notify(const char *text)
{
	const char *path = getenv("NOTIFY_SOCKET");
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	size_t n = path ? strlen(path) : 0;
	int fd;

	if (n == 0 || n >= sizeof(to.sun_path))
		return;
	memcpy(to.sun_path, path, n);
	/* A name that is no file's begins with a zero. */
	if (to.sun_path[0] == '@')
		to.sun_path[0] = '\0';
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return;
	sendto(fd, text, strlen(text), MSG_NOSIGNAL, (struct sockaddr *)&to,
	       (socklen_t)(offsetof(struct sockaddr_un, sun_path) + n));
	close(fd);
}
