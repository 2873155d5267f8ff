/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests and what is answered, limpid-serve-api(7): without the network that
 * they come by (server.h), so that any request can be tried.
 *
 * To add a route: its function below, its line in the table of answers.c, a
 * paragraph in the page.
 */
#ifndef LP_SERVE_ANSWERS_H
#define LP_SERVE_ANSWERS_H

#include "serve/service.h"
#include "serve/stored_json.h"

#define LP_BODY_MOST 65536

struct lp_request {
	const char *method, *path; /* without what follows the '?' */
	const char *host;          /* of the header; NULL: none */
	bool own;                  /* it has the header X-Limpid */
	const char *body;          /* size bytes */
	size_t size;
	/* The value of ?name=value, or NULL. */
	const char *(*argument)(void *user, const char *name);
	void *user;
};

struct lp_reply {
	unsigned status; /* of HTTP */
	const char *type;
	char *body; /* to be freed */
	size_t size;
};

/* 0, or -ENOMEM: there is no reply. Takes the service's lock. */
int lp_answer(struct lp_service *service, const struct lp_request *request,
	      struct lp_reply *reply);

/* ---- of the routes ---- */

/* One request on its way. */
struct lp_asked {
	struct lp_service *service;
	const struct lp_request *request;
	int64_t id; /* in the path; 0: none */
	struct lp_json json;
	FILE *out; /* of the body */
	unsigned status;
	const char *type;
	struct lp_error err; /* of a status of 400 and above */
};

/* What a route returns: 0 (it wrote its body), or -errno with asked->err. */
typedef int lp_route_fn(struct lp_asked *asked);

lp_route_fn lp_route_now, lp_route_findings, lp_route_finding, lp_route_ack,
	lp_route_hosts, lp_route_components, lp_route_map, lp_route_series,
	lp_route_report, lp_route_maintenance, lp_route_add_maintenance,
	lp_route_end_maintenance, lp_route_exclusions, lp_route_exclude,
	lp_route_include, lp_route_resets, lp_route_reset, lp_route_metrics,
	lp_route_health, lp_route_page;

/* The argument as a number, or `otherwise`; -EINVAL: it is none. */
int lp_asked_number(struct lp_asked *asked, const char *name, int64_t low,
		    int64_t high, int64_t otherwise, int64_t *v);
/* The same of a time. */
int lp_asked_time(struct lp_asked *asked, const char *name, int64_t otherwise,
		  int64_t *time_ns);
const char *lp_asked_text(const struct lp_asked *asked, const char *name);

#endif
