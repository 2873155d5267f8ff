/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A slice: some ticks of one host, laid on the grid.
 *
 * Grid points are the multiples of the step since the epoch; a tick belongs to
 * its nearest point. Ticks that follow each other in one point share a slot:
 *
 *     time        9.9  10.1 | 10.9 | 12.0  12.1 | 11.0 ...   step 1 s
 *     slot          0     0 |    1 |    2     2 |    3       (clock set back)
 *     point        10       |   11 |   12       |   11
 *
 * A slot closes when a tick of another one comes; the last stays open and is
 * carried into the next slice. With step 0 every tick is a slot and closes at
 * once. Where a chunk ends changes nothing.
 */
#ifndef LP_TABLE_SLICE_H
#define LP_TABLE_SLICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LP_SLICE_TICKS 512
#define LP_SLICE_SLOTS (LP_SLICE_TICKS + 1)

/* What is carried from slice to slice. Zero-initialise, set step_ns. */
struct lp_grid {
	int64_t step_ns;
	bool has_open, has_before, has_last;
	int64_t open, before; /* points, in steps */
	int64_t last_ns;      /* time of the last tick */
};

struct lp_slice {
	const int64_t *time_ns;
	size_t n;
	size_t n_slots, n_closed;
	bool bridge;                      /* step 0: look behind empty slots */
	bool fresh;                       /* no open slot was carried into it */
	uint32_t slot[LP_SLICE_TICKS];    /* of a tick */
	int64_t distance[LP_SLICE_TICKS]; /* of a tick to its point */
	uint8_t back[LP_SLICE_TICKS];     /* 1: the clock was set back */
	bool any_back;
	int64_t point_ns[LP_SLICE_SLOTS];
	bool follows[LP_SLICE_SLOTS]; /* one step behind the slot before */
};

/* Lay n <= LP_SLICE_TICKS ticks on the grid. */
void lp_slice_lay(struct lp_slice *slice, struct lp_grid *grid,
		  const int64_t *time_ns, size_t n);
/*
 * A slice without ticks that closes what is open. Ticks of the next point may
 * follow: as long as none of the closed one comes, nothing is changed by it.
 */
void lp_slice_close(struct lp_slice *slice, struct lp_grid *grid);

/* A sample that stands for a point. */
struct lp_mark {
	bool has;
	int64_t time_ns, distance;
	uint64_t sum;   /* the counter, wraps undone */
	uint32_t epoch; /* differs: a reset lies between */
};

struct lp_marks {
	struct lp_mark before, open;
};

/* Which sample stands for which slot; ticks, or: */
#define LP_REP_NONE (-1)
#define LP_REP_OPEN (-2)   /* the mark `open` that was carried */
#define LP_REP_BEFORE (-3) /* the mark `before` that was carried */

struct lp_reps {
	int32_t from[LP_SLICE_SLOTS], to[LP_SLICE_SLOTS]; /* of closed slots */
	double seconds[LP_SLICE_SLOTS];  /* NaN: no increase can be known */
	int64_t time_ns[LP_SLICE_SLOTS]; /* of `to`, unless it is none */
	uint8_t taken[LP_SLICE_TICKS];   /* stood for its slot when it came */
	int32_t before, open;            /* what the marks are afterwards */
};

/*
 * For each slot the sample nearest to its point, the later of two as near;
 * one of a new epoch replaces those of older ones. `has` (NULL: all) says at
 * which ticks there is a value, `epoch` counts resets. Moves the marks on,
 * their sums aside.
 */
void lp_slice_place(const struct lp_slice *slice, const uint8_t *has,
		    const uint32_t *epoch, struct lp_marks *marks,
		    struct lp_reps *reps);

#endif
