/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of addresses: those of the kernel, /proc/kallsyms, and those that a
 * just-in-time compiler writes to /tmp/perf-PID.map.
 */
#ifndef LP_PROFILE_KERNEL_H
#define LP_PROFILE_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lp_named_address {
	uint64_t start, end; /* end 0: to the next one */
	uint32_t name;       /* where it begins in the texts */
};

/* Zero-initialise. */
struct lp_addresses {
	struct lp_named_address *items;
	size_t n, capacity;
	char *texts;
	size_t texts_size, texts_capacity;
};

/* No table of names is larger. */
#define LP_MOST_ADDRESSES 400000

/* "ffffffff81000000 T _text [module]", code only. False: not understood, or
 * the address is hidden (0). */
bool lp_addresses_add_kallsyms(struct lp_addresses *addresses, const char *line,
			       size_t n);
/* "7f3c2a10 40 name of the function". */
bool lp_addresses_add_perf_map(struct lp_addresses *addresses, const char *line,
			       size_t n);
/* The file, line by line. 0 or -errno; -ENODATA: no line of it was of use. */
int lp_addresses_read(struct lp_addresses *addresses, const char *path,
		      bool (*add)(struct lp_addresses *, const char *, size_t));
/* Its name and, if start is not NULL, where it begins; NULL: none. */
const char *lp_addresses_find(const struct lp_addresses *addresses,
			      uint64_t address, uint64_t *start);
void lp_addresses_settle(struct lp_addresses *addresses);
void lp_addresses_done(struct lp_addresses *addresses);

/*
 * Whether a timer that fires late, when interrupts are on again, piles samples
 * up at this function of the kernel: they are its caller's.
 */
bool lp_is_late_place(const char *function);

#endif
