/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tracks: the components of one class of one host, followed over time.
 *
 * The kernel's names (sda, dm-3) change hands. A component is known by the
 * identity that the inventory gives it, where that is unique in the inventory;
 * by its name otherwise.
 */
#ifndef LP_TABLE_TRACK_H
#define LP_TABLE_TRACK_H

#include "base/names.h"
#include "model/inventory.h"
#include "table/cell.h"

struct lp_track {
	const char *name;      /* the latest */
	const char *id;        /* NULL: not known */
	const char *alias;     /* what an operator calls it; NULL: the name */
	double speed_mbit;     /* of a full-duplex link; 0: not known */
	uint32_t number;       /* within the class of the host: 0, 1, 2 ... */
	uint32_t known_as;     /* what the sink of steps.h calls it */
	uint32_t epoch;        /* counts resets */
	struct lp_cell *cells; /* [n_cells], by column */
	size_t n_cells;
	const struct lp_series *series; /* in the chunk at work, or NULL */
	bool seen;                      /* had a point already */
	bool dormant;                   /* away, and nothing is open */
};

/* Zero-initialise to begin. */
struct lp_tracks {
	struct lp_track **items; /* by number */
	size_t count, capacity;
	struct lp_names names, ids, aliases;
	struct lp_track **by_name, **by_id; /* NULL: nobody's now */
	size_t by_name_capacity, by_id_capacity;
};

/* The component of this name, new if need be. NULL: out of memory. */
struct lp_track *lp_tracks_get(struct lp_tracks *tracks, const char *name);
/* Make room for the cells of n columns. 0 or -ENOMEM. */
int lp_track_widen(struct lp_track *track, size_t n);
/* What the inventory says of this class. 0 or -ENOMEM. */
int lp_tracks_identify(struct lp_tracks *tracks, const char *class_name,
		       const struct lp_inventory *inventory);
void lp_tracks_done(struct lp_tracks *tracks);

#endif
