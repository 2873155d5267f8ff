/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A stored finding as members of JSON, limpid-serve-api(7).
 */
#ifndef LP_SERVE_STORED_JSON_H
#define LP_SERVE_STORED_JSON_H

#include "base/json.h"
#include "base/timestamp.h"
#include "serve/stored.h"

/* Keys whose values may be missing: LP_TIME_MIN, "". */
void lp_put_time(struct lp_json *json, const char *key, int64_t time_ns);
void lp_put_text(struct lp_json *json, const char *key, const char *text);
void lp_put_bool(struct lp_json *json, const char *key, bool v);
void lp_put_number(struct lp_json *json, const char *key, int64_t v);
/* The members of a stored finding. */
void lp_put_stored(struct lp_json *json, const struct lp_stored *stored);

#endif
