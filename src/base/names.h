/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A set of strings, each with a small number: first come, 0, 1, 2 ...
 */
#ifndef LP_BASE_NAMES_H
#define LP_BASE_NAMES_H

#include "base/memory.h"

#include <stdint.h>

#define LP_NAME_NONE UINT32_MAX

/* Zero-initialise to begin. */
struct lp_names {
	struct lp_arena arena;
	const char **text; /* by number */
	size_t text_capacity;
	uint32_t count;
	uint32_t *slots; /* open addressing; number + 1, or 0 */
	uint32_t n_slots;
};

/* The number of text, which is added if new; LP_NAME_NONE: out of memory. */
uint32_t lp_names_add(struct lp_names *names, const char *text);
uint32_t lp_names_add_n(struct lp_names *names, const char *text, size_t n);
/* The number of text, or LP_NAME_NONE. */
uint32_t lp_names_find(const struct lp_names *names, const char *text);
uint32_t lp_names_find_n(const struct lp_names *names, const char *text,
			 size_t n);
void lp_names_done(struct lp_names *names);

#endif
