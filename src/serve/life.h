/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The life of a finding:
 *
 *                  ┌── ack ──► acknowledged ──┐
 *     found ──► open ─────────────────────────┴─ quiet ──► resolved
 *                ▲                                            │
 *                └── the same comes back within a day ────────┘
 *
 * What a diagnosis says of the last hour is compared with what the store
 * knows. The same finding is found again after a restart: it is about the same
 * component and kind, and overlaps what is stored. So this may be done any
 * number of times with the same diagnosis, and nothing is doubled.
 */
#ifndef LP_SERVE_LIFE_H
#define LP_SERVE_LIFE_H

#include "base/timestamp.h"
#include "model/findings.h"
#include "serve/stored.h"

#define LP_LIFE_QUIET_NS (300 * LP_NS_PER_S)
#define LP_LIFE_REOPEN_NS (86400 * LP_NS_PER_S)

enum lp_life_event {
	LP_LIFE_OPENED,
	LP_LIFE_REOPENED,
	LP_LIFE_RESOLVED,
	LP_LIFE_EVENTS,
};

struct lp_life {
	int64_t now_ns;   /* up to where all is judged */
	int64_t quiet_ns; /* 0: LP_LIFE_QUIET_NS */
	/* Nobody can tell what became of findings of this host. */
	bool (*unknown)(void *user, const char *host);
	/* Whether planned work explains it now. */
	bool (*maintained)(void *user, const char *component, const char *host);
	/* Whether it differs enough to alert people. */
	bool (*alerts)(void *user, const struct lp_finding *finding);
	/* Told of each event; finding NULL: of one that is resolved. */
	void (*told)(void *user, enum lp_life_event event,
		     const struct lp_stored *stored,
		     const struct lp_finding *finding);
	void *user;
};

const char *lp_life_event_name(enum lp_life_event event);

/*
 * Bring the store up to date with a diagnosis. One that cannot tell opens what
 * it names, and resolves nothing. All or nothing.
 */
int lp_life_apply(const struct lp_life *life, struct lp_store *store,
		  const struct lp_findings *findings, struct lp_error *err);

#endif
