/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/answers.h"

#include "base/number.h"
#include "base/timestamp.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define JSON_TYPE "application/json"

/* '#' in a path stands for a number. */
static const struct {
	const char *method, *path;
	lp_route_fn *run;
} routes[] = {
	{ "GET", "/", lp_route_page },
	{ "GET", "/healthz", lp_route_health },
	{ "GET", "/metrics", lp_route_metrics },
	{ "GET", "/api/v1/now", lp_route_now },
	{ "GET", "/api/v1/report", lp_route_report },
	{ "GET", "/api/v1/map", lp_route_map },
	{ "GET", "/api/v1/hosts", lp_route_hosts },
	{ "GET", "/api/v1/components", lp_route_components },
	{ "GET", "/api/v1/series", lp_route_series },
	{ "GET", "/api/v1/findings", lp_route_findings },
	{ "GET", "/api/v1/findings/#", lp_route_finding },
	{ "POST", "/api/v1/findings/#/ack", lp_route_ack },
	{ "GET", "/api/v1/maintenance", lp_route_maintenance },
	{ "POST", "/api/v1/maintenance", lp_route_add_maintenance },
	{ "POST", "/api/v1/maintenance/#/end", lp_route_end_maintenance },
	{ "GET", "/api/v1/exclusions", lp_route_exclusions },
	{ "POST", "/api/v1/exclusions", lp_route_exclude },
	{ "POST", "/api/v1/exclusions/#/end", lp_route_include },
	{ "GET", "/api/v1/resets", lp_route_resets },
	{ "POST", "/api/v1/resets", lp_route_reset },
};

/* ---- arguments and members ---- */

const char *lp_asked_text(const struct lp_asked *asked, const char *name)
{
	const struct lp_request *r = asked->request;
	const char *text = r->argument ? r->argument(r->user, name) : NULL;

	return text && text[0] ? text : NULL;
}

int lp_asked_number(struct lp_asked *asked, const char *name, int64_t low,
		    int64_t high, int64_t otherwise, int64_t *v)
{
	const char *text = lp_asked_text(asked, name);
	uint64_t n;

	*v = otherwise;
	if (!text)
		return 0;
	if (lp_parse_u64(text, strlen(text), &n) < 0 || n > (uint64_t)high ||
	    (int64_t)n < low)
		return lp_fail(&asked->err, EINVAL,
			       "%s: expected a number from %lld to %lld", name,
			       (long long)low, (long long)high);
	*v = (int64_t)n;
	return 0;
}

int lp_asked_time(struct lp_asked *asked, const char *name, int64_t otherwise,
		  int64_t *time_ns)
{
	const char *text = lp_asked_text(asked, name);

	*time_ns = otherwise;
	if (!text || lp_time_parse(text, strlen(text), time_ns) == 0)
		return 0;
	return lp_fail(&asked->err, EINVAL,
		       "%s: expected a time such as 2026-11-14T12:00:00Z",
		       name);
}

/* ---- routing ---- */

/* Whether the path is that of the route; the number in it. */
static bool fits(const char *route, const char *path, int64_t *id)
{
	*id = 0;
	for (; *route; route++) {
		size_t n = strspn(path, "0123456789");
		uint64_t number;

		if (*route != '#') {
			if (*path++ != *route)
				return false;
			continue;
		}
		if (n == 0 || lp_parse_u64(path, n, &number) < 0 ||
		    number > INT64_MAX)
			return false;
		*id = (int64_t)number;
		path += n;
	}
	return *path == '\0';
}

/* A name that leads here may lead elsewhere tomorrow: DNS rebinding. */
static bool is_own_name(const char *host)
{
	static const char *const names[] = { "127.0.0.1", "localhost",
					     "[::1]" };

	for (size_t i = 0; host && i < lp_array_size(names); i++) {
		size_t n = strlen(names[i]);

		if (strncasecmp(host, names[i], n) == 0 &&
		    (host[n] == '\0' ||
		     (host[n] == ':' &&
		      host[n + 1 + strspn(host + n + 1, "0123456789")] ==
			      '\0')))
			return true;
	}
	return false;
}

static int refuse(struct lp_asked *a, unsigned status, const char *text)
{
	a->status = status;
	return lp_fail(&a->err, EACCES, "%s", text);
}

static int may(struct lp_asked *a)
{
	const struct lp_request *r = a->request;

	if (!is_own_name(r->host))
		return refuse(a, 403,
			      "the Host is not 127.0.0.1, localhost or [::1]: "
			      "limpid serve answers to no other name");
	if (strcmp(r->method, "POST") != 0)
		return 0;
	if (!r->own)
		return refuse(a, 403,
			      "a request that changes something needs the "
			      "header 'X-Limpid: 1'");
	if (r->size > LP_BODY_MOST)
		return refuse(a, 413, "the body is larger than 64 KiB");
	return 0;
}

static unsigned status_of(int code)
{
	switch (code) {
	case -EINVAL:
		return 400;
	case -ENOENT:
		return 404;
	case -EEXIST:
		return 409;
	case -ENOSPC:
	case -EROFS:
	case -EBADMSG:
		return 503;
	default:
		return 500;
	}
}

static int run_locked(struct lp_asked *a, lp_route_fn *run)
{
	int status;

	/* How it is must be said while a step takes long. */
	if (run == lp_route_health)
		return run(a);
	pthread_mutex_lock(&a->service->lock);
	status = run(a);
	pthread_mutex_unlock(&a->service->lock);
	return status;
}

static int run_route(struct lp_asked *a)
{
	const struct lp_request *r = a->request;
	bool path_known = false;

	for (size_t i = 0; i < lp_array_size(routes); i++) {
		if (!fits(routes[i].path, r->path, &a->id))
			continue;
		path_known = true;
		if (strcmp(routes[i].method, r->method) == 0 ||
		    (strcmp(r->method, "HEAD") == 0 &&
		     strcmp(routes[i].method, "GET") == 0))
			return run_locked(a, routes[i].run);
	}
	return path_known ? refuse(a, 405, "this path has no such method")
			  : refuse(a, 404, "there is nothing of this name");
}

/* {"error": "..."}, and nothing of what was begun. */
static void write_error(struct lp_asked *a, int code)
{
	struct lp_json json;

	rewind(a->out);
	if (a->status < 400)
		a->status = status_of(code);
	a->type = JSON_TYPE;
	lp_json_init(&json, a->out);
	lp_json_object(&json);
	lp_json_put_string(&json, "error", a->err.text);
	lp_json_end(&json);
	fputc('\n', a->out);
}

int lp_answer(struct lp_service *service, const struct lp_request *request,
	      struct lp_reply *reply)
{
	struct lp_asked a = { .service = service,
			      .request = request,
			      .status = 200,
			      .type = JSON_TYPE };
	char *body = NULL;
	size_t size = 0;
	int status;

	a.out = open_memstream(&body, &size);
	if (!a.out)
		return -ENOMEM;
	lp_json_init(&a.json, a.out);
	status = may(&a);
	if (status == 0)
		status = run_route(&a);
	if (status < 0)
		write_error(&a, status);
	else if (a.type && strcmp(a.type, JSON_TYPE) == 0)
		fputc('\n', a.out);
	if (fclose(a.out) != 0) {
		free(body);
		return -ENOMEM;
	}
	*reply = (struct lp_reply){
		.status = a.status, .type = a.type, .body = body, .size = size
	};
	return 0;
}
