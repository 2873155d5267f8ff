/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which components of a matrix the items of a roster are. A matrix meets them
 * in its own order, and some of them later than the plan was made.
 */
#include "cluster/planner.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static uint32_t key_of(struct lp_names *keys, const char *host,
		       const char *class_name, char what, const char *text)
{
	lp_auto_free char *key = NULL;

	if (asprintf(&key, "%s\n%s\n%c%s", host, class_name, what, text) < 0) {
		key = NULL;
		return LP_NAME_NONE;
	}
	return lp_names_add(keys, key);
}

/* Components of the matrix by host, class and identity (else name). */
static int index_matrix(const struct lp_matrix *matrix, struct lp_names *keys,
			size_t *by_key)
{
	size_t n = lp_matrix_components(matrix);

	for (size_t i = 0; i < n; i++) {
		const struct lp_matrix_component *c =
			lp_matrix_component(matrix, i);
		const char *class_name = c->class ? c->class->name : "";
		uint32_t key =
			key_of(keys, c->host, class_name, c->id ? 'i' : 'n',
			       c->id ? c->id : c->name);

		if (key == LP_NAME_NONE)
			return -ENOMEM;
		if (key + 1 == keys->count)
			by_key[key] = i;
	}
	return 0;
}

static uint32_t find_component(const struct lp_roster *roster,
			       struct lp_names *keys, uint32_t n,
			       const struct lp_roster_item *item)
{
	const char *host = roster->hosts[item->host].name;
	uint32_t key =
		item->id ? key_of(keys, host, item->class_name, 'i', item->id)
			 : LP_NAME_NONE;

	/* Keys from n on are those that were only asked for. */
	if (key >= n)
		key = key_of(keys, host, item->class_name, 'n', item->name);
	return key < n ? key : LP_NAME_NONE;
}

int lp_find_components(const struct lp_roster *roster,
		       const struct lp_matrix *matrix, size_t *components)
{
	size_t n = matrix ? lp_matrix_components(matrix) : 0;
	lp_auto_free size_t *by_key = calloc(n + 1, sizeof(*by_key));
	struct lp_names keys = { 0 };
	int status = by_key ? 0 : -ENOMEM;
	uint32_t known, key;

	if (status == 0 && n > 0)
		status = index_matrix(matrix, &keys, by_key);
	known = keys.count;
	for (size_t i = 0; i < roster->n_items && status == 0; i++) {
		key = find_component(roster, &keys, known, &roster->items[i]);
		components[i] = key < known ? by_key[key] : LP_NO_COMPONENT;
	}
	lp_names_done(&keys);
	return status;
}

void lp_peer_bind(struct lp_peer *peer, const size_t *components)
{
	peer->n_parts = 0;
	for (size_t i = 0; i < peer->n_items; i++) {
		size_t component = components[peer->items[i]];

		if (component != LP_NO_COMPONENT)
			peer->parts[peer->n_parts++] = component;
	}
}

int lp_plan_bind(struct lp_plan *plan, const struct lp_survey *recording,
		 const struct lp_matrix *matrix)
{
	lp_auto_free size_t *components =
		calloc(recording->roster.n_items + 1, sizeof(*components));

	if (!components ||
	    lp_find_components(&recording->roster, matrix, components) < 0)
		return -ENOMEM;
	for (size_t g = 0; g < plan->n_groups; g++) {
		struct lp_peer_group *group = &plan->groups[g];

		for (size_t i = 0; i < group->n; i++) {
			lp_peer_bind(&group->peers[i], components);
			group->components[i] =
				group->peers[i].n_parts
					? group->peers[i].parts[0]
					: LP_NO_COMPONENT;
		}
	}
	return 0;
}
