/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Findings in the store: read, listed, written.
 */
#ifndef LP_SERVE_STORED_H
#define LP_SERVE_STORED_H

#include "base/memory.h"
#include "model/finding.h"
#include "serve/findings_store.h"

/* NULL texts are "". */
struct lp_stored {
	int64_t id;
	const char *identity, *kind; /* what makes two the same */
	const char *component, *host, *cause, *title, *resource, *group;
	const char *state; /* "open", "acknowledged", "resolved" */
	int64_t since_ns, until_ns, found_ns;
	int64_t resolved_ns; /* 0: it is not */
	int64_t episodes;
	double score, worst;
	bool maintenance, alerting;
	const char *acknowledged_by, *acknowledged_why;
};

/* NULL, or 0: any. */
struct lp_stored_filter {
	const char *state; /* or "unresolved": not resolved */
	const char *component, *host, *cause;
	int64_t since_ns, until_ns; /* it overlaps that time */
	int64_t before;             /* ids below: the next page */
	size_t most;
};

/* Calls `one` for each, the newest first. Not 0 ends it. */
typedef int lp_stored_fn(void *user, const struct lp_stored *stored);
int lp_stored_list(struct lp_store *store,
		   const struct lp_stored_filter *filter, lp_stored_fn *one,
		   void *user, struct lp_error *err);
/* 1: it is there, its texts in the arena; 0: it is not. */
int lp_stored_get(struct lp_store *store, int64_t id, struct lp_arena *arena,
		  struct lp_stored *stored, struct lp_error *err);
/* The same of the latest that is about this. */
int lp_stored_latest(struct lp_store *store, const char *identity,
		     const char *kind, struct lp_arena *arena,
		     struct lp_stored *stored, struct lp_error *err);
/* Findings with these states: "open" ... */
int lp_stored_count(struct lp_store *store, const char *state, int64_t *n,
		    struct lp_error *err);

/* Insert if the id is 0, and set it; else update. */
int lp_stored_put(struct lp_store *store, struct lp_stored *stored,
		  struct lp_error *err);
int lp_stored_put_evidence(struct lp_store *store, int64_t id, const char *json,
			   struct lp_error *err);
/* Its evidence, limpid-findings(5); you now own it, NULL: none. */
int lp_stored_evidence(struct lp_store *store, int64_t id, char **json,
		       struct lp_error *err);

/* ---- changes ---- */

/* What happened to a finding, who did it, and why. */
int lp_stored_note(struct lp_store *store, int64_t id, int64_t time_ns,
		   const char *what, const char *who, const char *why,
		   struct lp_error *err);
struct lp_stored_change {
	int64_t time_ns;
	const char *what, *who, *why;
};
typedef int lp_stored_change_fn(void *user,
				const struct lp_stored_change *change);
int lp_stored_changes(struct lp_store *store, int64_t id,
		      lp_stored_change_fn *one, void *user,
		      struct lp_error *err);

/* By a person. -ENOENT: no such finding; -EINVAL: it is resolved. */
int lp_stored_acknowledge(struct lp_store *store, int64_t id, int64_t now_ns,
			  const char *who, const char *why,
			  struct lp_error *err);

/* Forget findings that were resolved before this time. */
int lp_stored_forget(struct lp_store *store, int64_t before_ns,
		     struct lp_error *err);

/* What a finding is about, whatever its cause turns out to be. */
const char *lp_finding_identity(const struct lp_finding *finding);
const char *lp_finding_kind(const struct lp_finding *finding);

#endif
