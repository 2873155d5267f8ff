/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A roster: which components some recordings hold, what is known of each, and
 * over which time. Samples are looked at only for being there and for moving.
 */
#ifndef LP_SURVEY_ROSTER_H
#define LP_SURVEY_ROSTER_H

#include "base/names.h"
#include "model/stream.h"

/* Of all files of one host. */
struct lp_roster_host {
	const char *name;
	struct lp_labels labels; /* of its last inventory */
	size_t n_samples;
	int64_t first_ns, last_ns;
	int64_t interval_ns; /* between samples, as a rule; 0: not known */
	/* If asked for; see cadence.h. */
	int64_t cadence_ns; /* 0: not known */
	size_t n_between;   /* samples that are not at a whole second */
};

struct lp_roster_item {
	const char *class_name;
	const struct lp_class *class; /* NULL: not in the catalogue */
	const char *name;             /* the latest */
	const char *id;               /* stable identity, or NULL */
	const char *layer;            /* "" when nothing tells */
	struct lp_labels labels;
	size_t n_samples; /* in which it has a value; 0: inventory only */
	int64_t first_ns, last_ns;
	double bytes;   /* moved, roughly; see amount.h */
	uint64_t *last; /* the roster's own: counters, by class column */
	uint8_t *has_last;
	uint32_t host;      /* index of lp_roster.hosts */
	bool layer_guessed; /* from the name, for want of better */
	bool moved;         /* some counter increased, or there were only levels
			       and one was not 0 */
	bool lifted;        /* it did not move, but a level was above 0 */
	bool has_bytes;     /* the recording tells */
	bool has_counters;
};

/* How the peers of an item are found; LP_KIN_NONE of a later limpid's. */
static inline enum lp_kin lp_kin_of(const struct lp_roster_item *item)
{
	return item->class ? item->class->kin : LP_KIN_NONE;
}

/* Whether it ever did anything, or had anything to do. */
static inline bool lp_roster_is_active(const struct lp_roster_item *item)
{
	return item->moved || item->lifted;
}

struct lp_roster {
	bool with_cadence; /* set it before: the hosts' cadence is asked for */
	struct lp_roster_host *hosts;
	size_t n_hosts, hosts_capacity;
	struct lp_roster_item
		*items; /* by host, class and name when finished */
	size_t n_items, items_capacity;
	int64_t first_ns, last_ns; /* of all samples; first > last: none */
	/* The roster's own. */
	struct lp_arena arena;
	struct lp_names host_names, keys;
	uint32_t *key_items; /* item of a key (host, class, name or id) */
	size_t key_capacity;
	struct lp_roster_gaps *gaps; /* per host */
	size_t gaps_capacity;
};

/* Zero-initialise, put every item of every stream, finish once. */
int lp_roster_put(struct lp_roster *roster, const struct lp_item *item,
		  struct lp_error *err);
/* Guess the layers that no inventory told, sort, work out intervals. */
void lp_roster_finish(struct lp_roster *roster);
void lp_roster_done(struct lp_roster *roster);

/*
 * How much time was recorded, on the host that was for longest: a gap of
 * hours between two recordings does not count. After the finish.
 */
int64_t lp_roster_recorded_ns(const struct lp_roster *roster);

/* The item of a host by class and name, or NULL. After the finish. */
const struct lp_roster_item *lp_roster_find(const struct lp_roster *roster,
					    uint32_t host,
					    const char *class_name,
					    const char *name, size_t n);

/*
 * The item of this id, whatever it is called by now, or else of this name;
 * NULL: none. After the finish.
 */
const struct lp_roster_item *lp_roster_who(const struct lp_roster *roster,
					   const char *host,
					   const char *class_name,
					   const char *name, const char *id);

/*
 * What layer a device of this name is in where no inventory says so:
 * "partition" of sda1, nvme0n1p2; "path" of nvme0c1n1; "array" of md0 ... For
 * a partition, *parent_length is the length of its disk's name.
 */
const char *lp_layer_guess(const struct lp_class *class, const char *name,
			   size_t *parent_length);

#endif
