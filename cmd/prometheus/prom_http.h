/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Queries to a Prometheus, several at once.
 */
#ifndef LP_CMD_PROM_HTTP_H
#define LP_CMD_PROM_HTTP_H

#include "prom_settings.h"

#include "source/promjson.h"

struct lp_prom_http;

/* The settings must stay. */
int lp_prom_http_new(const char *url, const struct lp_prom_settings *settings,
		     struct lp_prom_http **http, struct lp_error *err);
void lp_prom_http_free(struct lp_prom_http *http);

struct lp_prom_query {
	char *path; /* "/api/v1/query?query=...": yours */
	struct lp_prom_taker taker;
};

/* text as a part of a URL. Yours; NULL: out of memory. */
char *lp_prom_http_escape(const char *text);

/*
 * Ask them all. The first that fails ends the others. A server that is
 * overloaded is asked again a few times. -E2BIG: the server will not give so
 * much at once.
 */
int lp_prom_http_run(struct lp_prom_http *http, struct lp_prom_query *queries,
		     size_t n, struct lp_error *err);
/* Bytes of all answers so far, unpacked; native histograms in them. */
uint64_t lp_prom_http_bytes(const struct lp_prom_http *http);
uint64_t lp_prom_http_histograms(const struct lp_prom_http *http);

#endif
