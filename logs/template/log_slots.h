/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A table from hashes to numbers: open addressing, nothing is taken out.
 */
#ifndef LP_LOGS_LOG_SLOTS_H
#define LP_LOGS_LOG_SLOTS_H

#include <stddef.h>
#include <stdint.h>

struct lp_log_slot {
	uint64_t hash; /* 0: free */
	uint32_t number;
};

/* Zero-initialise to begin; free `all` in the end. */
struct lp_log_slots {
	struct lp_log_slot *all;
	size_t n, used; /* n is a power of two */
};

/* Room for one more. 0 or -ENOMEM. */
int lp_log_slots_reserve(struct lp_log_slots *slots);

/* That of the hash, or the free one where it belongs; there must be room. */
static inline struct lp_log_slot *lp_log_slots_find(
	const struct lp_log_slots *slots, uint64_t hash)
{
	size_t i = hash & (slots->n - 1);

	while (slots->all[i].hash && slots->all[i].hash != hash)
		i = (i + 1) & (slots->n - 1);
	return &slots->all[i];
}

/* Fill a free one. */
static inline void lp_log_slots_set(struct lp_log_slots *slots,
				    struct lp_log_slot *slot, uint64_t hash,
				    uint32_t number)
{
	slots->used += slot->hash == 0;
	*slot = (struct lp_log_slot){ hash, number };
}

#endif
