/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/post.h"

#include "base/memory.h"
#include "base/number.h"

#include <errno.h>
#include <netdb.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#define PATIENCE_S 5

static bool take(char *to, size_t room, const char *text, size_t n)
{
	if (n == 0 || n >= room)
		return false;
	memcpy(to, text, n);
	to[n] = '\0';
	/* Nothing that would end a line of the request. */
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)to[i] <= ' ' || to[i] == 0x7f)
			return false;
	return true;
}

int lp_url_parse(const char *text, struct lp_url *url, struct lp_error *err)
{
	const char *host = text + 7, *slash, *colon;
	bool right = strncmp(text, "http://", 7) == 0;
	size_t n;

	if (!right)
		return lp_fail(err, EINVAL,
			       "'%.200s' does not begin with "
			       "http://",
			       text);
	slash = host + strcspn(host, "/");
	n = (size_t)(slash - host);
	colon = memchr(host, ':', n);
	right = take(url->path, sizeof(url->path), *slash ? slash : "/",
		     *slash ? strlen(slash) : 1);
	if (colon)
		right &= take(url->port, sizeof(url->port), colon + 1,
			      (size_t)(slash - colon - 1));
	else
		memcpy(url->port, "80", 3);
	right &= take(url->host, sizeof(url->host), host,
		      colon ? (size_t)(colon - host) : n);
	return right ? 0
		     : lp_fail(err, EINVAL,
			       "'%.200s' is no address such as "
			       "http://127.0.0.1:9093",
			       text);
}

/* A descriptor, or -errno. */
static int dial(const struct lp_url *url, struct lp_error *err)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM }, *list = NULL;
	struct timeval patience = { .tv_sec = PATIENCE_S };
	int fd = -1, why;

	why = getaddrinfo(url->host, url->port, &hints, &list);
	if (why != 0)
		return lp_fail(err, EHOSTUNREACH, "%s: %s", url->host,
			       gai_strerror(why));
	errno = EHOSTUNREACH;
	for (struct addrinfo *a = list; a && fd < 0; a = a->ai_next) {
		fd = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC,
			    a->ai_protocol);
		if (fd < 0)
			continue;
		setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience,
			   sizeof(patience));
		setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience,
			   sizeof(patience));
		if (connect(fd, a->ai_addr, a->ai_addrlen) < 0) {
			close(fd);
			fd = -1;
		}
	}
	freeaddrinfo(list);
	return fd < 0 ? lp_fail_errno(err, errno, "cannot reach %s:%s",
				      url->host, url->port)
		      : fd;
}

static int send_all(int fd, const char *bytes, size_t n, struct lp_error *err)
{
	while (n) {
		ssize_t done = send(fd, bytes, n, MSG_NOSIGNAL);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return lp_fail_errno(err, errno, "cannot send");
		bytes += done;
		n -= (size_t)done;
	}
	return 0;
}

/* "HTTP/1.1 200 OK": the rest is of no interest. */
static int read_status(int fd, const struct lp_url *url, struct lp_error *err)
{
	char line[64] = "";
	size_t n = 0;
	uint64_t code = 0;

	while (n < sizeof(line) - 1 && !memchr(line, '\n', n)) {
		ssize_t got = recv(fd, line + n, sizeof(line) - 1 - n, 0);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return lp_fail_errno(err, errno, "%s:%s: no answer",
					     url->host, url->port);
		if (got == 0)
			break;
		n += (size_t)got;
	}
	line[n] = '\0';
	if (strncmp(line, "HTTP/1.", 7) == 0 && n >= 12 &&
	    lp_parse_u64(line + 9, 3, &code) < 0)
		code = 0;
	if (code >= 200 && code < 300)
		return 0;
	return lp_fail(err, EIO, "%s:%s%s answered with status %d", url->host,
		       url->port, url->path, (int)code);
}

int lp_post(const struct lp_url *url, const char *body, size_t size,
	    struct lp_error *err)
{
	lp_auto_free char *head = NULL;
	lp_auto_close int fd = -1;
	int n = asprintf(&head,
			 "POST %s HTTP/1.1\r\nHost: %s:%s\r\n"
			 "User-Agent: limpid/" LIMPID_VERSION "\r\n"
			 "Content-Type: application/json\r\n"
			 "Content-Length: %zu\r\nConnection: close\r\n\r\n",
			 url->path, url->host, url->port, size);
	int status;

	if (n < 0) {
		head = NULL;
		return lp_fail_memory(err);
	}
	fd = dial(url, err);
	if (fd < 0)
		return fd;
	status = send_all(fd, head, (size_t)n, err);
	if (status == 0)
		status = send_all(fd, body, size, err);
	return status ? status : read_status(fd, url, err);
}
