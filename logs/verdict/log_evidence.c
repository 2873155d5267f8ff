/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/verdict/log_study.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MOST 500
#define MOST_ALIASES 20000

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 31;
}

/* Who says what of whom. */
static uint64_t identity(const struct lp_log_evidence *e)
{
	uint64_t hash = mix(e->node, e->kind);

	hash = mix(hash, e->rule ? (uint64_t)(uintptr_t)e->rule : e->template);
	for (const char *at = e->peer ? e->peer : ""; *at; at++)
		hash = mix(hash, (uint8_t)*at);
	return hash ? hash : 1;
}

static int append(struct lp_log_study *s, const struct lp_log_record *record,
		  const struct lp_log_evidence *what, struct lp_log_slot *slot,
		  uint64_t hash)
{
	struct lp_log_evidence *e;
	size_t n = record->whole.n < TEXT_MOST ? record->whole.n : TEXT_MOST;

	if (lp_grow(&s->evidence, &s->evidence_capacity, s->n_evidence + 1,
		    sizeof(*e)) < 0)
		return -ENOMEM;
	e = &s->evidence[s->n_evidence];
	*e = *what;
	e->peer = what->peer ? lp_arena_string(&s->arena, what->peer) : NULL;
	e->text = lp_arena_string_n(&s->arena, record->whole.at, n);
	if ((what->peer && !e->peer) || !e->text)
		return -ENOMEM;
	e->peer_node = LP_NAME_NONE;
	e->count = 1;
	e->first_ns = e->last_ns = record->line->time_ns;
	e->file = record->source->path;
	e->phase = record->source->phase;
	e->number_of_line = record->number;
	lp_log_slots_set(&s->slots, slot, hash, (uint32_t)s->n_evidence++);
	return 0;
}

/* Files come by name, so that an earlier line may come later. */
static void count(struct lp_log_evidence *e, const struct lp_log_record *record)
{
	int64_t time_ns = record->line->time_ns;

	e->count++;
	if (time_ns == LP_LOG_NO_TIME)
		return;
	if (time_ns > e->last_ns)
		e->last_ns = time_ns;
	if (e->first_ns == LP_LOG_NO_TIME || time_ns >= e->first_ns)
		return;
	e->first_ns = time_ns;
}

int lp_log_study_keep(struct lp_log_study *s,
		      const struct lp_log_record *record,
		      const struct lp_log_evidence *what)
{
	struct lp_log_slot *slot;
	uint64_t hash = identity(what);

	if (lp_log_slots_reserve(&s->slots) < 0)
		return -ENOMEM;
	slot = lp_log_slots_find(&s->slots, hash);
	if (slot->hash) {
		count(&s->evidence[slot->number], record);
		return 0;
	}
	if (s->n_evidence == LP_LOG_MOST_EVIDENCE) {
		s->crowded = true;
		return 0;
	}
	return append(s, record, what, slot, hash);
}

struct lp_log_node *lp_log_study_node(struct lp_log_study *s, uint32_t node)
{
	if (lp_grow(&s->nodes, &s->nodes_capacity, (size_t)node + 1,
		    sizeof(*s->nodes)) < 0)
		return NULL;
	for (; s->n_nodes <= node; s->n_nodes++)
		s->nodes[s->n_nodes] = (struct lp_log_node){
			.first_ns = LP_LOG_NO_TIME,
			.last_ns = LP_LOG_NO_TIME,
		};
	return &s->nodes[node];
}

int lp_log_study_alias(struct lp_log_study *s, const char *a, const char *b)
{
	struct lp_log_alias *one;

	for (size_t i = 0; i < s->n_aliases; i++)
		if (strcmp(s->aliases[i].node, a) == 0 &&
		    strcmp(s->aliases[i].name, b) == 0)
			return 0;
	if (s->n_aliases == MOST_ALIASES)
		return 0;
	if (lp_grow(&s->aliases, &s->aliases_capacity, s->n_aliases + 1,
		    sizeof(*one)) < 0)
		return -ENOMEM;
	one = &s->aliases[s->n_aliases];
	one->node = lp_arena_string(&s->arena, a);
	one->name = lp_arena_string(&s->arena, b);
	if (!one->node || !one->name)
		return -ENOMEM;
	s->n_aliases++;
	return 0;
}

/* The node that this name is, directly; it need not have logs. NULL: none. */
static const char *known_as(const struct lp_log_study *s, const char *name)
{
	uint32_t node = lp_names_find(&s->sources.nodes, name);

	for (size_t i = 0; i < s->model.n_aliases; i++)
		if (strcmp(s->model.aliases[i].name, name) == 0)
			return s->model.aliases[i].node;
	return node == LP_NAME_NONE ? NULL : lp_log_node_name(s, node);
}

/* By one alias in between, which is as far as names go. */
static const char *known_indirectly(const struct lp_log_study *s,
				    const char *name)
{
	const char *node = known_as(s, name);

	for (size_t i = 0; i < s->n_aliases && !node; i++) {
		if (strcmp(s->aliases[i].node, name) == 0)
			node = known_as(s, s->aliases[i].name);
		else if (strcmp(s->aliases[i].name, name) == 0)
			node = known_as(s, s->aliases[i].node);
	}
	return node;
}

static int learn_name(struct lp_log_study *s, const char *by, const char *name)
{
	const char *node = known_as(s, by);

	return node ? lp_log_model_name(&s->model, node, name) : 0;
}

int lp_log_study_learn_names(struct lp_log_study *s)
{
	int status = 0;

	for (size_t i = 0; i < s->n_aliases && status == 0; i++) {
		const struct lp_log_alias *a = &s->aliases[i];

		status = learn_name(s, a->node, a->name);
		if (status == 0)
			status = learn_name(s, a->name, a->node);
	}
	return status;
}

/* The node of that name, which is added where nobody has logs of it. */
static uint32_t node_named(struct lp_log_study *s, const char *name)
{
	uint32_t node = lp_names_add(&s->sources.nodes, name);

	if (node == LP_NAME_NONE || !lp_log_study_node(s, node))
		return LP_NAME_NONE;
	return node;
}

int lp_log_study_resolve(struct lp_log_study *s)
{
	for (size_t i = 0; i < s->n_evidence; i++) {
		struct lp_log_evidence *e = &s->evidence[i];
		const char *node;

		if (!e->peer)
			continue;
		node = known_indirectly(s, e->peer);
		e->peer_node = node_named(s, node ? node : e->peer);
		if (e->peer_node == LP_NAME_NONE)
			return -ENOMEM;
	}
	return 0;
}

const char *lp_log_node_name(const struct lp_log_study *s, uint32_t node)
{
	return s->sources.nodes.text[node];
}
