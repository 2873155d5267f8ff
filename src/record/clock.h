/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two clocks of the recorder: the wall's, which samples carry and which
 * somebody may set, and the machine's, which nobody sets and which counts on
 * while the machine sleeps. When they part, the wall clock was set; when both
 * jump, the recorder stood still. Tests bring clocks of their own.
 */
#ifndef LP_RECORD_CLOCK_H
#define LP_RECORD_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* What the kernel was told by whoever keeps its clock (chronyd, ntpd, ptp). */
struct lp_clock_keeping {
	bool synchronised;
	int64_t error_us; /* estimated; the kernel's is at most 16 s */
};

struct lp_clock {
	int64_t (*wall_ns)(void *user);
	int64_t (*machine_ns)(void *user);
	void *user;
	/* How well the wall's clock is kept; NULL: not known. 0 or -errno. */
	int (*keeping)(void *user, struct lp_clock_keeping *keeping);
};

extern const struct lp_clock lp_clock_real;

/* Zero-initialise. */
struct lp_clock_watch {
	bool known;
	int64_t ahead_ns; /* the wall's clock, of the machine's */
};

/*
 * How far the wall clock, which now says wall_ns, was set since the last call;
 * 0: not at all, or so little that it may just be kept in time.
 */
int64_t lp_clock_step(const struct lp_clock *clock,
		      struct lp_clock_watch *watch, int64_t wall_ns);

#endif
