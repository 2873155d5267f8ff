/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What people decided: planned work, who is never accused, what was repaired.
 */
#ifndef LP_SERVE_RULES_H
#define LP_SERVE_RULES_H

#include "base/memory.h"
#include "base/timestamp.h"
#include "serve/findings_store.h"

/* Work that was planned: once, or again and again until an end. */
struct lp_maintenance {
	int64_t id;
	const char *target;     /* "oss3", "oss3/sdc", "rack=7" */
	int64_t from_ns, to_ns; /* the first time; to is exclusive */
	int64_t every_ns;       /* 0: once */
	int64_t until_ns; /* of what recurs: nothing begins from then on */
	const char *who, *why;
	int64_t made_ns, ended_ns; /* 0: nobody ended it before its time */
};

struct lp_exclusion {
	int64_t id;
	const char *component, *who, *why;
	int64_t made_ns, ended_ns; /* 0: it holds */
};

struct lp_repair {
	int64_t id;
	const char *component, *who, *why;
	int64_t time_ns, made_ns;
};

/* All of them; zero-initialise, lp_rules_done frees. */
struct lp_rules {
	struct lp_maintenance *maintenance;
	size_t n_maintenance, maintenance_capacity;
	struct lp_exclusion *exclusions;
	size_t n_exclusions, exclusions_capacity;
	struct lp_repair *repairs;
	size_t n_repairs, repairs_capacity;
	struct lp_arena arena;
};

int lp_rules_read(struct lp_store *store, struct lp_rules *rules,
		  struct lp_error *err);
void lp_rules_done(struct lp_rules *rules);

/* The longest that a planned work may last, and be repeated. */
#define LP_MAINTENANCE_LONGEST_NS (366 * 86400 * LP_NS_PER_S)

/*
 * -EINVAL: it has no end, ends before it begins, or recurs before it ends. The
 * id is set.
 */
int lp_maintenance_add(struct lp_store *store, struct lp_maintenance *m,
		       struct lp_error *err);
int lp_maintenance_end(struct lp_store *store, int64_t id, int64_t now_ns,
		       struct lp_error *err);
/* Whether it is under way. */
bool lp_maintenance_covers(const struct lp_maintenance *m, int64_t time_ns);

/* -EEXIST: it is excluded already. */
int lp_exclusion_add(struct lp_store *store, struct lp_exclusion *e,
		     struct lp_error *err);
int lp_exclusion_end(struct lp_store *store, int64_t id, int64_t now_ns,
		     struct lp_error *err);
int lp_repair_add(struct lp_store *store, struct lp_repair *r,
		  struct lp_error *err);

#endif
