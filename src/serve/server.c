/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/server.h"

#include "base/timestamp.h"
#include "report/assets.h"
#include "serve/answers.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define MOST_CONNECTIONS 256
#define MOST_OF_ADDRESS 64
#define HEADERS_BYTES 16384
#define SILENCE_S 10
/* From the connection, or the answer before, to the next answer. */
#define REQUEST_NS (30 * LP_NS_PER_S)

/* Pages may load what comes from here, what is embedded in the report, and
   nothing else. */
#define POLICY                                                                 \
	"default-src 'none'; script-src 'self' '%s'; style-src 'self' '%s'; "  \
	"img-src 'self' data:; connect-src 'self'; base-uri 'none'; "          \
	"form-action 'none'; frame-ancestors 'none'"

struct connection {
	int fd;           /* -1: free */
	int64_t since_ns; /* of lp_monotonic_now */
};

struct lp_server {
	struct lp_service *service;
	struct MHD_Daemon *daemon;
	uint16_t port;
	char policy[512];
	pthread_mutex_t lock; /* of the connections */
	struct connection connections[MOST_CONNECTIONS];
};

/* A body that comes in pieces. */
struct upload {
	char *body;
	size_t size;
	bool too_large;
};

/* ---- connections ---- */

static void begin_connection(struct lp_server *s, struct MHD_Connection *c,
			     void **context)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD);

	*context = NULL;
	for (size_t i = 0; info && i < MOST_CONNECTIONS; i++)
		if (s->connections[i].fd < 0) {
			s->connections[i] =
				(struct connection){ info->connect_fd,
						     lp_monotonic_now() };
			*context = &s->connections[i];
			return;
		}
}

static void note_connection(void *user, struct MHD_Connection *c,
			    void **context,
			    enum MHD_ConnectionNotificationCode code)
{
	struct lp_server *s = user;

	pthread_mutex_lock(&s->lock);
	if (code == MHD_CONNECTION_NOTIFY_STARTED)
		begin_connection(s, c, context);
	else if (*context)
		((struct connection *)*context)->fd = -1;
	pthread_mutex_unlock(&s->lock);
}

static void begin_request(struct lp_server *s, struct MHD_Connection *c)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(c, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
	struct connection *of = info ? info->socket_context : NULL;

	pthread_mutex_lock(&s->lock);
	if (of)
		of->since_ns = lp_monotonic_now();
	pthread_mutex_unlock(&s->lock);
}

void lp_server_tidy(struct lp_server *s)
{
	int64_t limit = lp_monotonic_now() - REQUEST_NS;

	pthread_mutex_lock(&s->lock);
	for (size_t i = 0; i < MOST_CONNECTIONS; i++)
		if (s->connections[i].fd >= 0 &&
		    s->connections[i].since_ns < limit)
			shutdown(s->connections[i].fd, SHUT_RDWR);
	pthread_mutex_unlock(&s->lock);
}

/* ---- requests ---- */

static const char *argument(void *user, const char *name)
{
	return MHD_lookup_connection_value(user, MHD_GET_ARGUMENT_KIND, name);
}

static void add_headers(const struct lp_server *s, struct MHD_Response *r,
			const char *type)
{
	MHD_add_response_header(r, "Content-Type", type);
	MHD_add_response_header(r, "Content-Security-Policy", s->policy);
	MHD_add_response_header(r, "X-Content-Type-Options", "nosniff");
	MHD_add_response_header(r, "X-Frame-Options", "DENY");
	MHD_add_response_header(r, "Referrer-Policy", "no-referrer");
	MHD_add_response_header(r, "Cross-Origin-Resource-Policy",
				"same-origin");
	MHD_add_response_header(r, "Cache-Control", "no-store");
}

static enum MHD_Result send_reply(const struct lp_server *s,
				  struct MHD_Connection *c,
				  struct lp_reply *reply)
{
	struct MHD_Response *r = MHD_create_response_from_buffer(
		reply->size, reply->body, MHD_RESPMEM_MUST_FREE);
	enum MHD_Result queued;

	if (!r) {
		free(reply->body);
		return MHD_NO;
	}
	add_headers(s, r, reply->type);
	queued = MHD_queue_response(c, reply->status, r);
	MHD_destroy_response(r);
	return queued;
}

static enum MHD_Result answer(struct lp_server *s, struct MHD_Connection *c,
			      const char *path, const char *method,
			      const struct upload *upload)
{
	struct lp_request request = {
		.method = method,
		.path = path,
		.host = MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Host"),
		.own = MHD_lookup_connection_value(c, MHD_HEADER_KIND,
						   "X-Limpid") != NULL,
		.body = upload->body,
		.size = upload->too_large ? LP_BODY_MOST + 1 : upload->size,
		.argument = argument,
		.user = c,
	};
	struct lp_reply reply;
	enum MHD_Result sent;

	if (lp_answer(s->service, &request, &reply) < 0)
		return MHD_NO;
	sent = send_reply(s, c, &reply);
	begin_request(s, c);
	return sent;
}

/* What is too large is read to its end, or to the deadline, and forgotten. */
static void gather(struct upload *upload, const char *data, size_t n)
{
	char *body;

	if (upload->too_large || n > LP_BODY_MOST - upload->size) {
		upload->too_large = true;
		return;
	}
	body = realloc(upload->body, upload->size + n + 1);
	if (!body) {
		upload->too_large = true;
		return;
	}
	memcpy(body + upload->size, data, n);
	upload->body = body;
	upload->size += n;
}

/* Who announces a body of a gigabyte need not send it. */
static bool announces_too_much(struct MHD_Connection *c)
{
	const char *length = MHD_lookup_connection_value(c, MHD_HEADER_KIND,
							 "Content-Length");

	return length && strtoull(length, NULL, 10) > LP_BODY_MOST;
}

static enum MHD_Result handle(void *user, struct MHD_Connection *c,
			      const char *path, const char *method,
			      const char *version, const char *data, size_t *n,
			      void **context)
{
	struct lp_server *s = user;
	struct upload *upload = *context;

	(void)version;
	if (!upload) {
		*context = upload = calloc(1, sizeof(*upload));
		if (!upload)
			return MHD_NO;
		upload->too_large = announces_too_much(c);
		return upload->too_large ? answer(s, c, path, method, upload)
					 : MHD_YES;
	}
	if (*n) {
		gather(upload, data, *n);
		*n = 0;
		return MHD_YES;
	}
	return answer(s, c, path, method, upload);
}

static void end_request(void *user, struct MHD_Connection *c, void **context,
			enum MHD_RequestTerminationCode code)
{
	struct upload *upload = *context;

	(void)user;
	(void)c;
	(void)code;
	if (upload)
		free(upload->body);
	free(upload);
	*context = NULL;
}

/* ---- opening ---- */

static socklen_t make_address(const struct lp_settings *settings,
			      struct sockaddr_storage *address)
{
	struct sockaddr_in *v4 = (struct sockaddr_in *)address;
	struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)address;

	*address = (struct sockaddr_storage){ 0 };
	if (inet_pton(AF_INET, settings->host, &v4->sin_addr) == 1) {
		v4->sin_family = AF_INET;
		v4->sin_port = htons(settings->port);
		return sizeof(*v4);
	}
	inet_pton(AF_INET6, settings->host, &v6->sin6_addr);
	v6->sin6_family = AF_INET6;
	v6->sin6_port = htons(settings->port);
	return sizeof(*v6);
}

static void quiet_log(void *user, const char *format, va_list args)
{
	(void)user;
	(void)format;
	(void)args;
}

static struct MHD_Daemon *start(struct lp_server *s,
				struct sockaddr_storage *address)
{
	unsigned flags = MHD_USE_EPOLL | MHD_USE_INTERNAL_POLLING_THREAD |
			 MHD_USE_ERROR_LOG;

	if (address->ss_family == AF_INET6)
		flags |= MHD_USE_IPv6;
	return MHD_start_daemon(
		flags, s->service->settings.port, NULL, NULL, handle, s,
		MHD_OPTION_EXTERNAL_LOGGER, quiet_log, NULL,
		MHD_OPTION_SOCK_ADDR, (struct sockaddr *)address,
		MHD_OPTION_CONNECTION_LIMIT, (unsigned)MOST_CONNECTIONS,
		MHD_OPTION_PER_IP_CONNECTION_LIMIT, (unsigned)MOST_OF_ADDRESS,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEADERS_BYTES,
		MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)SILENCE_S,
		MHD_OPTION_NOTIFY_CONNECTION, note_connection, s,
		MHD_OPTION_NOTIFY_COMPLETED, end_request, NULL,
		MHD_OPTION_LISTENING_ADDRESS_REUSE, 1u, MHD_OPTION_END);
}

int lp_server_open(struct lp_service *service, struct lp_server **server,
		   struct lp_error *err)
{
	struct lp_server *s = calloc(1, sizeof(*s));
	struct sockaddr_storage address;
	const union MHD_DaemonInfo *info;

	if (!s)
		return lp_fail_memory(err);
	s->service = service;
	pthread_mutex_init(&s->lock, NULL);
	for (size_t i = 0; i < MOST_CONNECTIONS; i++)
		s->connections[i].fd = -1;
	snprintf(s->policy, sizeof(s->policy), POLICY, lp_asset_report_js_hash,
		 lp_asset_report_css_hash);
	make_address(&service->settings, &address);
	s->daemon = start(s, &address);
	if (!s->daemon) {
		free(s);
		return lp_fail_errno(err, errno ? errno : EADDRINUSE,
				     "cannot listen on %s, port %u",
				     service->settings.host,
				     (unsigned)service->settings.port);
	}
	info = MHD_get_daemon_info(s->daemon, MHD_DAEMON_INFO_BIND_PORT);
	s->port = info ? info->port : service->settings.port;
	*server = s;
	return 0;
}

void lp_server_close(struct lp_server *s)
{
	if (!s)
		return;
	MHD_stop_daemon(s->daemon);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

uint16_t lp_server_port(const struct lp_server *s)
{
	return s->port;
}
