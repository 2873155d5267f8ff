/* SPDX-License-Identifier: Apache-2.0 */
#include "logs.h"

#include "base/json.h"

static void put_time(struct lp_json *json, const char *key, int64_t time_ns)
{
	lp_json_key(json, key);
	if (time_ns == LP_LOG_NO_TIME)
		lp_json_null(json);
	else
		lp_json_time(json, time_ns);
}

static void put_evidence(struct lp_json *json, const struct lp_log_study *s,
			 const struct lp_log_evidence *e)
{
	lp_json_object(json);
	lp_json_put_string(json, "node", lp_log_node_name(s, e->node));
	lp_json_put_string(json, "kind", lp_log_kinds[e->kind].name);
	lp_json_put_string(json, "rule", e->rule ? e->rule->name : NULL);
	lp_json_put_string(json, "errno", e->number ? e->number->name : NULL);
	lp_json_put_string(json, "peer", e->peer);
	lp_json_put_string(json, "peer_node",
			   e->peer_node == LP_NAME_NONE
				   ? NULL
				   : lp_log_node_name(s, e->peer_node));
	lp_json_put_u64(json, "lines", e->count);
	put_time(json, "first", e->first_ns);
	put_time(json, "last", e->last_ns);
	lp_json_put_string(json, "file", e->file);
	lp_json_put_u64(json, "line", e->number_of_line);
	lp_json_put_string(json, "text", e->text);
	lp_json_key(json, "more_than_healthy");
	lp_json_bool(json, e->excess);
	lp_json_end(json);
}

static void put_accused(struct lp_json *json, const struct lp_log_study *s,
			const struct lp_log_accused *a)
{
	lp_json_object(json);
	lp_json_put_string(json, "node", lp_log_node_name(s, a->node));
	lp_json_put_string(json, "class", lp_log_classes[a->class].name);
	lp_json_key(json, "says_so_itself");
	lp_json_bool(json, a->by_itself);
	lp_json_put_u64(json, "reporters", a->reporters);
	lp_json_key(json, "evidence");
	put_evidence(json, s, a->first);
	lp_json_end(json);
}

void lp_logs_json(const struct lp_log_study *s, const struct lp_log_verdict *v,
		  FILE *out)
{
	struct lp_json json;

	lp_json_init(&json, out);
	lp_json_object(&json);
	lp_json_put_string(&json, "class", lp_log_classes[v->class].name);
	lp_json_key(&json, "silent");
	lp_json_bool(&json, v->silent);
	lp_json_put_u64(&json, "lines", v->lines);
	lp_json_put_u64(&json, "nodes_with_logs", v->with_logs);
	lp_json_put_u64(&json, "new_lines", v->fresh);
	lp_json_put_u64(&json, "new_warnings", v->warnings);
	lp_json_key(&json, "has_model");
	lp_json_bool(&json, s->has_model);
	put_time(&json, "since", v->onset_ns);
	lp_json_key(&json, "nodes");
	lp_json_array(&json);
	for (size_t i = 0; i < v->n_accused; i++)
		put_accused(&json, s, &v->accused[i]);
	lp_json_end(&json);
	lp_json_key(&json, "evidence");
	lp_json_array(&json);
	for (size_t i = 0; i < s->n_evidence; i++)
		put_evidence(&json, s, &s->evidence[i]);
	lp_json_end(&json);
	lp_json_end(&json);
	fputc('\n', out);
}
