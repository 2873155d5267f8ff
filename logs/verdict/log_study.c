/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/verdict/log_study.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define HOUR_NS (3600 * LP_NS_PER_S)
/*
 * A healthy line is evidence if an hour of a node has this many times the most
 * that an hour of a healthy node had, and this many more: healthy recordings
 * are short, and know no busy hour.
 */
#define EXCESS_TIMES 10
#define EXCESS_MORE 50
/*
 * What a rule knows as a failure is healthy only where it is usual: in one of
 * so many hours of a node. Healthy logs are not always healthy.
 */
#define USUAL_OF 4

/* ---- what is known of a template ---- */

static int find_rules(struct lp_log_study *s, struct lp_log_about *about,
		      const struct lp_log_template *t)
{
	uint16_t found[LP_LOG_MOST_RULES];

	about->n = 0;
	for (size_t i = 0; i < s->rules.n; i++) {
		if (!lp_log_rule_may(&s->rules.all[i], t, t->text))
			continue;
		found[about->n++] = (uint16_t)i;
		bool names = lp_log_kinds[s->rules.all[i].kind].is_naming;

		about->names |= names;
		about->accuses |=
			!names &&
			!lp_log_kinds[s->rules.all[i].kind].is_hearsay;
	}
	about->rules = lp_arena_alloc(&s->arena, about->n * sizeof(found[0]));
	if (!about->rules)
		return -ENOMEM;
	if (about->n > 0)
		memcpy(about->rules, found, about->n * sizeof(found[0]));
	return 0;
}

static struct lp_log_about *about_of(struct lp_log_study *s, uint32_t template)
{
	const struct lp_log_template *t = &s->model.templates.all[template];
	struct lp_log_about *about;

	if (lp_grow(&s->about, &s->about_capacity, (size_t) template + 1,
		    sizeof(*s->about)) < 0)
		return NULL;
	while (s->n_about <= template)
		s->about[s->n_about++] = (struct lp_log_about){ 0 };
	about = &s->about[template];
	if (about->looked)
		return about;
	about->looked = true;
	about->number = lp_log_errno_of(t->text);
	about->worded = lp_log_is_worded_as_failure(t->text);
	return find_rules(s, about, t) < 0 ? NULL : about;
}

/* ---- rates ---- */

static int make_rates(struct lp_log_node *node, size_t n)
{
	size_t capacity = node->n_rates;

	if (n <= node->n_rates)
		return 0;
	if (lp_grow(&node->rates, &capacity, n + 64, sizeof(*node->rates)) < 0)
		return -ENOMEM;
	memset(node->rates + node->n_rates, 0,
	       (capacity - node->n_rates) * sizeof(*node->rates));
	node->n_rates = capacity;
	return 0;
}

static uint64_t count_hour(struct lp_log_rate *rate, int64_t time_ns)
{
	int64_t hour = time_ns == LP_LOG_NO_TIME ? 0 : time_ns / HOUR_NS;

	if (rate->hour != hour || rate->hours == 0) {
		rate->hour = hour;
		rate->n = 0;
		rate->hours++;
	}
	if (++rate->n > rate->most)
		rate->most = rate->n;
	return rate->n;
}

static void count_node(struct lp_log_node *node, int64_t time_ns)
{
	node->lines++;
	(void)count_hour(&node->all, time_ns);
	if (time_ns == LP_LOG_NO_TIME)
		return;
	if (node->first_ns == LP_LOG_NO_TIME || time_ns < node->first_ns)
		node->first_ns = time_ns;
	if (node->last_ns == LP_LOG_NO_TIME || time_ns > node->last_ns)
		node->last_ns = time_ns;
}

/* ---- rules ---- */

static int take_name(struct lp_log_study *s, const struct lp_log_rule *rule,
		     uint32_t node,
		     const struct lp_log_text groups[LP_LOG_GROUPS])
{
	char peer[LP_LOG_PEER_TEXT], same[LP_LOG_PEER_TEXT];

	if (!lp_log_rule_name(rule->peer, groups, peer))
		return 0;
	if (rule->kind == LP_LOG_NAME)
		return lp_log_model_name(&s->model, lp_log_node_name(s, node),
					 peer);
	return lp_log_rule_name(rule->same, groups, same)
		       ? lp_log_study_alias(s, peer, same)
		       : 0;
}

static int keep_by_rule(struct lp_log_study *s,
			const struct lp_log_record *record,
			struct lp_log_evidence *e,
			const struct lp_log_text groups[LP_LOG_GROUPS])
{
	char peer[LP_LOG_PEER_TEXT];

	e->kind = e->rule->kind;
	if (e->rule->peer && lp_log_rule_name(e->rule->peer, groups, peer))
		e->peer = peer;
	return lp_log_study_keep(s, record, e);
}

/* 1: a rule knows the line, and it is kept. */
static int try_rules(struct lp_log_study *s, const struct lp_log_record *record,
		     const struct lp_log_about *about,
		     struct lp_log_evidence *e, bool is_evidence)
{
	struct lp_log_text groups[LP_LOG_GROUPS];

	for (size_t i = 0; i < about->n; i++) {
		const struct lp_log_rule *rule = &s->rules.all[about->rules[i]];
		bool names = lp_log_kinds[rule->kind].is_naming, too_long;
		int status = 0;

		if (!names && (!is_evidence || s->without_rules))
			continue;
		if (!lp_log_rule_matches(rule, record->line, groups,
					 &too_long)) {
			s->gave_up += too_long;
			continue;
		}
		e->rule = rule;
		status = names ? take_name(s, rule, record->node, groups)
			       : keep_by_rule(s, record, e, groups);
		if (status < 0 || !names)
			return status < 0 ? status : 1;
	}
	e->rule = NULL;
	return 0;
}

/*
 * Without a rule: warnings and worse; what has an error number or is worded as
 * a failure, unless it is for developers (debug), where such lines are usual.
 */
static int keep_unknown(struct lp_log_study *s,
			const struct lp_log_record *record,
			const struct lp_log_about *about,
			struct lp_log_evidence *e)
{
	enum lp_log_level level = record->line->level;

	if (level < LP_LOG_WARNING &&
	    (level < LP_LOG_INFO || (!about->number && !about->worded)))
		return 0;
	e->kind = s->without_rules && about->number ? about->number->kind
						    : LP_LOG_UNKNOWN;
	return lp_log_study_keep(s, record, e);
}

/* Of a template that a rule knows: whether healthy logs say it often. */
static bool is_usual(const struct lp_log_study *s,
		     const struct lp_log_template *t)
{
	return t->healthy_hours * USUAL_OF >= s->model.hours;
}

static bool is_excess(const struct lp_log_template *t, uint64_t in_hour)
{
	return in_hour > EXCESS_TIMES * t->healthy_rate + EXCESS_MORE;
}

static int examine(struct lp_log_study *s, const struct lp_log_record *record,
		   uint32_t template, struct lp_log_node *node,
		   uint64_t in_hour)
{
	const struct lp_log_template *t = &s->model.templates.all[template];
	bool excess = t->healthy && is_excess(t, in_hour);
	struct lp_log_about *about = about_of(s, template);
	bool is_known = about && about->accuses && !is_usual(s, t);
	bool is_evidence = !t->healthy || excess || is_known;
	struct lp_log_evidence e = { .node = record->node,
				     .template = template,
				     .excess = excess };
	int status;

	if (!about)
		return -ENOMEM;
	if (!is_evidence && !about->names)
		return 0;
	if (s->onset_ns != LP_LOG_NO_TIME &&
	    record->line->time_ns < s->onset_ns)
		is_evidence = false;
	if (is_evidence && (!t->healthy || excess)) {
		node->fresh++;
		node->warnings += record->line->level >= LP_LOG_WARNING;
	}
	e.number = about->number;
	status = try_rules(s, record, about, &e, is_evidence);
	if (status != 0 || !is_evidence || (t->healthy && !excess))
		return status < 0 ? status : 0;
	return keep_unknown(s, record, about, &e);
}

static int take(void *user, const struct lp_log_record *record)
{
	struct lp_log_study *s = user;
	struct lp_log_node *node;
	uint32_t template;
	uint64_t in_hour;

	if (s->work == LP_LOG_LEARN && record->line->time_ns >= s->before_ns)
		return 0;
	template = lp_log_templates_of(&s->model.templates, record->line);
	node = record->node < s->n_nodes ? &s->nodes[record->node]
					 : lp_log_study_node(s, record->node);
	if (template == LP_LOG_TEMPLATE_NONE || !node ||
	    make_rates(node, (size_t) template + 1) < 0)
		return -ENOMEM;
	s->lines++;
	count_node(node, record->line->time_ns);
	in_hour = count_hour(&node->rates[template], record->line->time_ns);
	return examine(s, record, template, node, in_hour);
}

/* ---- all of them ---- */

static int note(struct lp_log_study *s, const char *path, const char *text)
{
	struct lp_log_file_note *one;

	if (lp_grow(&s->notes, &s->notes_capacity, s->n_notes + 1,
		    sizeof(*one)) < 0)
		return -ENOMEM;
	one = &s->notes[s->n_notes++];
	*one = (struct lp_log_file_note){ path,
					  lp_arena_string(&s->arena, text) };
	return one->text ? 0 : -ENOMEM;
}

static int note_file(struct lp_log_study *s, const char *path,
		     const struct lp_log_seen *seen)
{
	if (seen->lost[0])
		return note(s, path, seen->lost);
	if (seen->format == &lp_log_format_generic && !seen->empty)
		return note(s, path,
			    "no format that limpid knows: lines are compared, "
			    "but no rules apply");
	return 0;
}

int lp_log_study_run(struct lp_log_study *s, enum lp_log_work work,
		     struct lp_error *err)
{
	size_t opened = 0;
	int status = 0;

	s->work = work;
	s->lines = 0;
	if (work == LP_LOG_LEARN && s->before_ns == 0)
		s->before_ns = INT64_MAX;
	for (size_t i = 0; i < s->sources.n && status == 0; i++) {
		const char *path = s->sources.all[i].path;
		struct lp_log_seen seen;

		if (!lp_log_study_node(s, s->sources.all[i].node))
			return lp_fail_memory(err);
		status = lp_log_source_read(&s->sources, i, &s->zone, take, s,
					    &seen, err);
		opened += status == 0;
		if (status == 0)
			status = note_file(s, path, &seen);
		else if (status != -ENOMEM && s->sources.n > 1)
			status = note(s, path, err->text);
	}
	if (status == 0 && opened == 0)
		return lp_fail(err, ENOENT, "no file could be read");
	return status;
}

static void freeze_rate(struct lp_log_template *t,
			const struct lp_log_node *node, size_t template)
{
	if (template >= node->n_rates)
		return;
	t->healthy_hours += node->rates[template].hours;
	if (node->rates[template].most > t->healthy_rate)
		t->healthy_rate = node->rates[template].most;
}

int lp_log_study_freeze(struct lp_log_study *s)
{
	for (size_t i = 0; i < s->model.templates.n; i++) {
		struct lp_log_template *t = &s->model.templates.all[i];

		t->healthy = true;
		for (size_t j = 0; j < s->n_nodes; j++)
			freeze_rate(t, &s->nodes[j], i);
	}
	for (size_t j = 0; j < s->n_nodes; j++) {
		s->model.nodes += s->nodes[j].lines > 0;
		s->model.hours += s->nodes[j].all.hours;
		free(s->nodes[j].rates);
		s->nodes[j] = (struct lp_log_node){
			.first_ns = LP_LOG_NO_TIME,
			.last_ns = LP_LOG_NO_TIME,
		};
	}
	s->model.lines += s->lines;
	s->has_model = true;
	return lp_log_study_learn_names(s);
}

void lp_log_study_done(struct lp_log_study *s)
{
	for (size_t i = 0; i < s->n_nodes; i++)
		free(s->nodes[i].rates);
	free(s->nodes);
	free(s->about);
	free(s->evidence);
	free(s->slots.all);
	free(s->aliases);
	free(s->notes);
	lp_arena_done(&s->arena);
	lp_log_sources_done(&s->sources);
	lp_log_model_done(&s->model);
	lp_log_rules_done(&s->rules);
	*s = (struct lp_log_study){ 0 };
}
