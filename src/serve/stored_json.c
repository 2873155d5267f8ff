/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/stored_json.h"

void lp_put_time(struct lp_json *json, const char *key, int64_t time_ns)
{
	lp_json_key(json, key);
	if (time_ns == LP_TIME_MIN || time_ns == LP_TIME_MAX)
		lp_json_null(json);
	else
		lp_json_time(json, time_ns);
}

void lp_put_text(struct lp_json *json, const char *key, const char *text)
{
	lp_json_put_string(json, key, text && text[0] ? text : NULL);
}

void lp_put_bool(struct lp_json *json, const char *key, bool v)
{
	lp_json_key(json, key);
	lp_json_bool(json, v);
}

void lp_put_number(struct lp_json *json, const char *key, int64_t v)
{
	lp_json_key(json, key);
	lp_json_i64(json, v);
}

void lp_put_stored(struct lp_json *json, const struct lp_stored *f)
{
	lp_put_number(json, "id", f->id);
	lp_put_text(json, "component", f->component);
	lp_put_text(json, "identity", f->identity);
	lp_put_text(json, "host", f->host);
	lp_put_text(json, "cause", f->cause);
	lp_put_text(json, "title", f->title);
	lp_put_text(json, "resource", f->resource);
	lp_put_text(json, "group", f->group);
	lp_put_text(json, "state", f->state);
	lp_put_time(json, "since", f->since_ns);
	lp_put_time(json, "until", f->until_ns);
	lp_put_time(json, "found", f->found_ns);
	lp_put_time(json, "resolved",
		    f->resolved_ns ? f->resolved_ns : LP_TIME_MIN);
	lp_put_number(json, "episodes", f->episodes);
	lp_json_put_double(json, "score", f->score);
	lp_json_put_double(json, "worst", f->worst);
	lp_put_bool(json, "maintenance", f->maintenance);
	lp_put_bool(json, "alerting", f->alerting);
	lp_put_text(json, "acknowledged_by", f->acknowledged_by);
	lp_put_text(json, "acknowledged_why", f->acknowledged_why);
}
