/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What people decided, in a running service.
 */
#include "serve/service.h"

#include "cluster/cluster.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static size_t list_excluded(struct lp_service *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->rules.n_exclusions; i++) {
		const struct lp_exclusion *e = &s->rules.exclusions[i];

		if (!e->ended_ns)
			s->exclude[n++] =
				lp_arena_string(&s->texts, e->component);
	}
	s->exclude[n] = NULL;
	return n;
}

static size_t list_repaired(struct lp_service *s)
{
	for (size_t i = 0; i < s->rules.n_repairs; i++)
		s->resets[i] = (struct lp_reset){
			.component = lp_arena_string(
				&s->texts, s->rules.repairs[i].component),
			.time_ns = s->rules.repairs[i].time_ns,
		};
	return s->rules.n_repairs;
}

int lp_service_options(struct lp_service *s,
		       struct lp_diagnose_options *options)
{
	free(s->exclude);
	free(s->resets);
	lp_arena_reset(&s->texts);
	s->exclude = calloc(s->rules.n_exclusions + 1, sizeof(*s->exclude));
	s->resets = calloc(s->rules.n_repairs + 1, sizeof(*s->resets));
	if (!s->exclude || !s->resets)
		return -ENOMEM;
	*options = (struct lp_diagnose_options){
		.methods = s->settings.methods[0] ? s->settings.methods : NULL,
		.calibration = s->calibration,
		.exclude = list_excluded(s) ? s->exclude : NULL,
		.resets = s->resets,
	};
	options->n_resets = list_repaired(s);
	return 0;
}

/* A number that changes with what findings are made by. */
static int64_t signature(const struct lp_rules *rules)
{
	int64_t sum = (int64_t)rules->n_repairs << 32;

	for (size_t i = 0; i < rules->n_exclusions; i++)
		if (!rules->exclusions[i].ended_ns)
			sum += rules->exclusions[i].id;
	return sum;
}

int lp_service_rules_changed(struct lp_service *s, struct lp_error *err)
{
	struct lp_diagnose_options options;
	int64_t before = signature(&s->rules);
	int status = lp_rules_read(&s->store, &s->rules, err);

	if (status < 0 || signature(&s->rules) == before)
		return status;
	if (lp_service_options(s, &options) < 0)
		return lp_fail_memory(err);
	if (s->live)
		lp_live_set_options(s->live, &options);
	return 0;
}

int lp_service_look_at_rules(struct lp_service *s, struct lp_error *err)
{
	int64_t version;
	int status = lp_store_number(&s->store, 0, &version, err,
				     "PRAGMA data_version");

	if (status < 0 || version == s->data_version)
		return status;
	s->data_version = version;
	return lp_service_rules_changed(s, err);
}

static bool has_label(const struct lp_labels *labels, const char *key,
		      const char *value)
{
	const char *is = lp_labels_get(labels, key);

	return is && strcmp(is, value) == 0;
}

/* Of the component itself, or of its host. */
static bool is_labelled(const struct lp_plan *plan, const char *component,
			const char *host, const char *key, const char *value)
{
	for (size_t i = 0; i < plan->n_hosts; i++)
		if (strcmp(plan->hosts[i].name, host) == 0 &&
		    has_label(&plan->hosts[i].labels, key, value))
			return true;
	for (size_t g = 0; g < plan->n_groups; g++)
		for (size_t i = 0; i < plan->groups[g].n; i++) {
			const struct lp_peer *p = &plan->groups[g].peers[i];

			if (strcmp(p->label, component) == 0 &&
			    has_label(&p->labels, key, value))
				return true;
		}
	return false;
}

static bool is_target(const struct lp_service *s, const char *target,
		      const char *component, const char *host)
{
	struct lp_case *c = s->live ? lp_live_case(s->live) : NULL;
	const char *equals = strchr(target, '=');
	char key[128];

	if (strcmp(target, component) == 0 || strcmp(target, host) == 0)
		return true;
	if (!equals || !c || (size_t)(equals - target) >= sizeof(key))
		return false;
	memcpy(key, target, (size_t)(equals - target));
	key[equals - target] = '\0';
	return is_labelled(lp_case_input(c)->plan, component, host, key,
			   equals + 1);
}

bool lp_service_maintained(const struct lp_service *s, const char *component,
			   const char *host)
{
	for (size_t i = 0; i < s->rules.n_maintenance; i++) {
		const struct lp_maintenance *m = &s->rules.maintenance[i];

		if (lp_maintenance_covers(m, s->now_ns) &&
		    is_target(s, m->target, component, host))
			return true;
	}
	return false;
}
