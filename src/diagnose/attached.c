/* SPDX-License-Identifier: Apache-2.0 */
#include "diagnose/attached.h"

#include <errno.h>
#include <stdlib.h>

static struct lp_attached *attached_to(struct lp_attachments *all,
				       const char *key)
{
	uint32_t known = all->keys.count, n;

	if (lp_grow(&all->of, &all->capacity, (size_t)known + 1,
		    sizeof(*all->of)) < 0)
		return NULL;
	all->of[known] = (struct lp_attached){ 0 };
	n = lp_names_add(&all->keys, key);
	return n == LP_NAME_NONE ? NULL : &all->of[n];
}

static int add(struct lp_attachments *all, const struct lp_peer *peer,
	       const char *label)
{
	const char *key = lp_labels_get(&peer->labels, label);
	struct lp_attached *to;

	if (!key)
		return 0;
	to = attached_to(all, key);
	if (!to || lp_grow(&to->peers, &to->capacity, to->n + 1,
			   sizeof(const struct lp_peer *)) < 0)
		return -ENOMEM;
	to->peers[to->n++] = peer;
	return 0;
}

static int add_all(struct lp_attachments *all, const struct lp_peer *peers,
		   size_t n, const char *label)
{
	for (size_t i = 0; i < n; i++)
		if (add(all, &peers[i], label) < 0)
			return -ENOMEM;
	return 0;
}

int lp_attachments_find(struct lp_attachments *all, const struct lp_maker *m,
			const char *label)
{
	const struct lp_plan *plan = m->input->plan;
	int status = 0;

	for (size_t g = 0; g < plan->n_groups && status == 0; g++)
		if (plan->groups[g].kind == LP_PEERS &&
		    lp_class_is_storage(plan->groups[g].class))
			status = add_all(all, plan->groups[g].peers,
					 plan->groups[g].n, label);
	return status ? status : add_all(all, m->missing, m->n_missing, label);
}

void lp_attachments_done(struct lp_attachments *all)
{
	for (size_t i = 0; i < all->keys.count; i++)
		free(all->of[i].peers);
	free(all->of);
	lp_names_done(&all->keys);
}

const struct lp_attached *lp_attached_find(const struct lp_attachments *all,
					   const char *key)
{
	uint32_t n = lp_names_find(&all->keys, key);

	return n == LP_NAME_NONE ? NULL : &all->of[n];
}
