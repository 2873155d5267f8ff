/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/report/log_spread.h"

#include "base/json.h"
#include "base/number.h"
#include "base/visible.h"

#include <errno.h>
#include <stdlib.h>

const char *lp_log_says(const struct lp_log_evidence *e)
{
	return e->rule && e->rule->meaning ? e->rule->meaning
					   : lp_log_kinds[e->kind].says;
}

static int by_time(const void *a, const void *b)
{
	const struct lp_log_evidence *x = ((const struct lp_log_step *)a)->what;
	const struct lp_log_evidence *y = ((const struct lp_log_step *)b)->what;

	if (x->first_ns != y->first_ns)
		return x->first_ns < y->first_ns ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* The peer spoke before: that is where it came from. */
static void find_reason(struct lp_log_spread *s, size_t which)
{
	struct lp_log_step *step = &s->steps[which];

	if (step->what->peer_node == LP_NAME_NONE)
		return;
	for (size_t i = 0; i < which && !step->because; i++)
		if (s->steps[i].what->node == step->what->peer_node)
			step->because = &s->steps[i];
}

/* The node has said this of somebody already: one step is enough. */
static bool is_repeated(const struct lp_log_spread *s, size_t which)
{
	const struct lp_log_evidence *e = s->steps[which].what;

	for (size_t i = 0; i < which; i++) {
		const struct lp_log_evidence *o = s->steps[i].what;

		if (o->node == e->node && o->kind == e->kind &&
		    o->peer_node == e->peer_node &&
		    (e->kind != LP_LOG_UNKNOWN || o->template == e->template))
			return true;
	}
	return false;
}

static void keep_first(struct lp_log_spread *s)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (kept == LP_LOG_STEPS_MOST) {
			s->later = s->n - i;
			break;
		}
		s->steps[kept] = s->steps[i];
		kept += !is_repeated(s, kept);
	}
	s->n = kept;
}

static void find_lane(struct lp_log_spread *s, size_t which)
{
	struct lp_log_step *step = &s->steps[which];

	for (size_t i = 0; i < which; i++)
		if (s->steps[i].what->node == step->what->node) {
			step->lane = s->steps[i].lane;
			return;
		}
	step->is_first = true;
	step->lane = s->n_lanes++;
}

int lp_log_spread_make(const struct lp_log_study *study,
		       struct lp_log_spread *s)
{
	*s = (struct lp_log_spread){ .study = study };
	s->steps = calloc(study->n_evidence + 1, sizeof(*s->steps));
	if (!s->steps)
		return -ENOMEM;
	for (size_t i = 0; i < study->n_evidence; i++)
		if (study->evidence[i].first_ns == LP_LOG_NO_TIME)
			s->left_out++;
		else
			s->steps[s->n++].what = &study->evidence[i];
	qsort(s->steps, s->n, sizeof(*s->steps), by_time);
	keep_first(s);
	s->begin_ns = s->n ? s->steps[0].what->first_ns : 0;
	for (size_t i = 0; i < s->n; i++) {
		s->steps[i].after_ns = s->steps[i].what->first_ns - s->begin_ns;
		find_lane(s, i);
		find_reason(s, i);
	}
	return 0;
}

void lp_log_spread_done(struct lp_log_spread *s)
{
	free(s->steps);
	*s = (struct lp_log_spread){ 0 };
}

static const char *node_of(const struct lp_log_spread *s, uint32_t node)
{
	return lp_log_node_name(s->study, node);
}

static void print_left_out(const struct lp_log_spread *s, FILE *out)
{
	if (s->left_out > 0)
		fprintf(out, "%zu %s without a time %s left out.\n",
			s->left_out,
			lp_plural(s->left_out, "kind of line",
				  "kinds of lines"),
			lp_plural(s->left_out, "is", "are"));
	if (s->later > 0)
		fprintf(out, "%zu later kinds of lines are not shown.\n",
			s->later);
}

void lp_log_spread_text(const struct lp_log_spread *s, FILE *out)
{
	char text[LP_TIME_TEXT];

	if (s->n == 0)
		fputs("The logs say nothing that is new.\n", out);
	else
		fprintf(out, "First line at %s.\n\n",
			lp_zone_format(&s->study->zone, s->begin_ns, text));
	for (size_t i = 0; i < s->n; i++) {
		const struct lp_log_evidence *e = s->steps[i].what;

		fprintf(out, "%+11.3f s  %-12s ",
			(double)s->steps[i].after_ns / LP_NS_PER_S,
			lp_shown(node_of(s, e->node)));
		lp_visible_put(out, lp_log_says(e));
		if (e->peer)
			fprintf(out, ": %s",
				lp_shown(node_of(s, e->peer_node)));
		fprintf(out, " (%llu %s, %s:%llu)\n",
			(unsigned long long)e->count,
			lp_plural(e->count, "line", "lines"), lp_shown(e->file),
			(unsigned long long)e->number_of_line);
	}
	print_left_out(s, out);
}

static void put_step(struct lp_json *json, const struct lp_log_spread *s,
		     const struct lp_log_step *step)
{
	const struct lp_log_evidence *e = step->what;

	lp_json_object(json);
	lp_json_put_double(json, "after_s",
			   (double)step->after_ns / LP_NS_PER_S);
	lp_json_put_string(json, "node", node_of(s, e->node));
	lp_json_put_string(json, "kind", lp_log_kinds[e->kind].name);
	lp_json_put_string(json, "says", lp_log_says(e));
	lp_json_put_string(json, "peer",
			   e->peer ? node_of(s, e->peer_node) : NULL);
	lp_json_put_string(json, "because_of",
			   step->because ? node_of(s, step->because->what->node)
					 : NULL);
	lp_json_put_u64(json, "lines", e->count);
	lp_json_put_string(json, "file", e->file);
	lp_json_put_u64(json, "line", e->number_of_line);
	lp_json_put_string(json, "text", e->text);
	lp_json_end(json);
}

void lp_log_spread_json(const struct lp_log_spread *s, FILE *out)
{
	struct lp_json json;

	lp_json_init(&json, out);
	lp_json_object(&json);
	lp_json_key(&json, "begin");
	if (s->n > 0)
		lp_json_time(&json, s->begin_ns);
	else
		lp_json_null(&json);
	lp_json_put_u64(&json, "without_time", s->left_out);
	lp_json_put_u64(&json, "later", s->later);
	lp_json_key(&json, "steps");
	lp_json_array(&json);
	for (size_t i = 0; i < s->n; i++)
		put_step(&json, s, &s->steps[i]);
	lp_json_end(&json);
	lp_json_end(&json);
	fputc('\n', out);
}
