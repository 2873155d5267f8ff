/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Attachments by the part that they lead to: of storage, all peers with the
 * same label ("controller", "array"), those that nobody saw among them.
 */
#ifndef LP_DIAGNOSE_ATTACHED_H
#define LP_DIAGNOSE_ATTACHED_H

#include "base/names.h"
#include "diagnose/maker.h"

struct lp_attached {
	const struct lp_peer **peers; /* in the order of the plan */
	size_t n, capacity;
};

/* Zero-initialise. */
struct lp_attachments {
	struct lp_names keys;
	struct lp_attached *of; /* by number of the key */
	size_t capacity;
};

/* By this label; what bears none is left out. 0 or -ENOMEM. */
int lp_attachments_find(struct lp_attachments *all, const struct lp_maker *m,
			const char *label);
void lp_attachments_done(struct lp_attachments *all);

/* Those of one part, or NULL. */
const struct lp_attached *lp_attached_find(const struct lp_attachments *all,
					   const char *key);

#endif
