/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A POST of JSON to http://HOST[:PORT]/PATH, without waiting for long.
 */
#ifndef LP_SERVE_POST_H
#define LP_SERVE_POST_H

#include "base/error.h"

#include <stddef.h>

struct lp_url {
	char host[256], port[8], path[1024];
};

/* -EINVAL: it is no such address. */
int lp_url_parse(const char *text, struct lp_url *url, struct lp_error *err);

/* 0: the answer was a status of 200 to 299. */
int lp_post(const struct lp_url *url, const char *body, size_t size,
	    struct lp_error *err);

#endif
