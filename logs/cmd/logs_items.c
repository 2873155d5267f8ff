/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What limpid diagnose --logs takes: a line of JSON for each piece of evidence.
 *
 *     {"kind":"logs-verdict","host":"oss3","from_ns":...,"to_ns":...,
 *      "lines":26,"data":{"cause":"cut-off","sentence":"...",...}}
 */
#include "logs.h"

#include "base/json.h"
#include "base/number.h"
#include "base/visible.h"

/* Lines of a node beside its verdict. */
#define LINES_MOST 5

/* NULL: limpid diagnose has no word for it. */
static const char *cause_of(enum lp_log_class class)
{
	return class == LP_LOG_CLASS_NETWORK  ? "cut-off"
	       : class == LP_LOG_CLASS_DEVICE ? "device-failing"
					      : NULL;
}

static void put_data(struct lp_json *json, const struct lp_log_evidence *e,
		     const char *cause, const char *says)
{
	char sentence[1024], text[200];

	snprintf(sentence, sizeof(sentence), "Logs: %s (%llu %s, %s:%llu: %s)",
		 says, (unsigned long long)e->count,
		 lp_plural(e->count, "line", "lines"), e->file,
		 (unsigned long long)e->number_of_line,
		 lp_visible_text(text, sizeof(text), e->text));
	lp_json_object(json);
	lp_json_put_string(json, "cause", cause);
	lp_json_put_string(json, "sentence", sentence);
	lp_json_put_string(json, "log_kind", lp_log_kinds[e->kind].name);
	lp_json_put_string(json, "file", e->file);
	lp_json_put_u64(json, "line", e->number_of_line);
	lp_json_put_string(json, "text", e->text);
	lp_json_end(json);
}

static void put_item(FILE *out, const char *kind, const char *host,
		     const struct lp_log_evidence *e, int64_t until_ns,
		     const char *cause, const char *says)
{
	struct lp_json json;

	if (e->first_ns == LP_LOG_NO_TIME)
		return;
	lp_json_init(&json, out);
	lp_json_object(&json);
	lp_json_put_string(&json, "kind", kind);
	lp_json_put_string(&json, "host", host);
	lp_json_key(&json, "from_ns");
	lp_json_i64(&json, e->first_ns);
	lp_json_key(&json, "to_ns");
	lp_json_i64(&json, until_ns);
	lp_json_put_u64(&json, "lines", e->count);
	lp_json_key(&json, "data");
	put_data(&json, e, cause, says);
	lp_json_end(&json);
	fputc('\n', out);
}

/* The last line of the kind that decided. */
static int64_t last_of(const struct lp_log_study *s,
		       const struct lp_log_accused *a)
{
	int64_t last = a->first->last_ns;

	for (size_t i = 0; i < s->n_evidence; i++) {
		const struct lp_log_evidence *e = &s->evidence[i];

		if (e->kind == a->first->kind &&
		    (e->node == a->node || e->peer_node == a->node) &&
		    e->last_ns > last)
			last = e->last_ns;
	}
	return last;
}

/* The node's row of the verdict; NULL: it is not accused. */
static const struct lp_log_accused *accused_of(const struct lp_log_verdict *v,
					       uint32_t node)
{
	for (size_t i = 0; i < v->n_accused; i++)
		if (v->accused[i].node == node)
			return &v->accused[i];
	return NULL;
}

/* Its own lines beside the one that decided; its hearsay if it is accused. */
static void put_lines(const struct lp_log_study *s,
		      const struct lp_log_verdict *v, uint32_t node, FILE *out)
{
	const struct lp_log_accused *a = accused_of(v, node);
	size_t n = 0;

	for (size_t i = 0; i < s->n_evidence && n < LINES_MOST; i++) {
		const struct lp_log_evidence *e = &s->evidence[i];
		char says[400];

		if (e->node != node || (e->peer && !a) ||
		    (a && e == a->first && a->class != LP_LOG_CLASS_UNKNOWN))
			continue;
		snprintf(says, sizeof(says), "%s%s%s",
			 e->rule && e->rule->meaning
				 ? e->rule->meaning
				 : lp_log_kinds[e->kind].says,
			 e->peer ? ": " : "", e->peer ? e->peer : "");
		put_item(out, "logs", lp_log_node_name(s, node), e, e->last_ns,
			 NULL, says);
		n++;
	}
}

/* That there was something to read: silence is known by it. */
static void put_read(const struct lp_log_verdict *v, FILE *out)
{
	struct lp_json json;

	lp_json_init(&json, out);
	lp_json_object(&json);
	lp_json_put_string(&json, "kind", "logs-read");
	lp_json_put_string(&json, "host", "");
	lp_json_put_u64(&json, "lines", v->lines);
	lp_json_key(&json, "data");
	lp_json_object(&json);
	lp_json_put_string(&json, "sentence", "logs were read");
	lp_json_end(&json);
	lp_json_end(&json);
	fputc('\n', out);
}

void lp_logs_items(const struct lp_log_study *s, const struct lp_log_verdict *v,
		   FILE *out)
{
	put_read(v, out);
	for (size_t i = 0; i < v->n_accused; i++) {
		const struct lp_log_accused *a = &v->accused[i];
		char says[200];

		if (a->class == LP_LOG_CLASS_UNKNOWN)
			continue;
		snprintf(says, sizeof(says), "%s, by %s",
			 lp_log_classes[a->class].says,
			 a->by_itself ? "its own log" : "the logs of others");
		put_item(out, "logs-verdict", lp_log_node_name(s, a->node),
			 a->first, last_of(s, a), cause_of(a->class), says);
	}
	for (uint32_t i = 0; i < s->n_nodes; i++)
		put_lines(s, v, i, out);
}
