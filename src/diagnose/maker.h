/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The steps from suspects to findings, in their order: load that moved
 * accuses whoever lost it (moved.c), servers that nobody saw are found
 * (unseen_findings.c) and so is a lost controller or array (fallen.c), those
 * who share a part become one finding (shared.c), the others one each
 * (maker.c).
 */
#ifndef LP_DIAGNOSE_MAKER_H
#define LP_DIAGNOSE_MAKER_H

#include "diagnose/suspect.h"

/* So much of a part's components is taken for all of it. */
#define LP_SHARED_PART 0.75

struct lp_maker {
	struct lp_diagnosis *d;
	struct lp_suspects *all;
	const struct lp_diagnose_input *input;
	/* Attachments that are known, and were never seen: no peers. */
	struct lp_peer *missing;
	size_t n_missing;
	const char *const *exclude; /* not accused; ended by NULL, or NULL */
	bool logs_were_read;        /* set by hear.c */
};

/* The host of what nobody names. */
#define LP_NO_NAME "?"

/* Find those. 0 or -ENOMEM. */
int lp_find_missing(struct lp_maker *m);

/* Load on a secondary attachment accuses its primary. 0 or -ENOMEM. */
int lp_accuse_primary(struct lp_maker *m, struct lp_suspect *s);

/* Findings of all that is known, and that nobody saw. 0 or -ENOMEM. */
int lp_find_unseen(struct lp_maker *m);

/* The suspect that is this peer at that time, or NULL. */
struct lp_suspect *lp_suspect_of(const struct lp_maker *m,
				 const struct lp_peer *who,
				 const struct lp_suspect *during);

/* Mark all that lost controllers and arrays explain. 0 or -ENOMEM. */
int lp_find_fallen(struct lp_maker *m);

/* Make one finding of all that were lost with the same part. 0 or -ENOMEM. */
int lp_coalesce_fallen(struct lp_maker *m, const struct lp_suspect *s);
/* The same of all that share a part with s otherwise. */
int lp_coalesce(struct lp_maker *m, const struct lp_suspect *s);

/*
 * Evidence of witnesses, added to the findings that it is about; or new
 * findings. 0 or -ENOMEM.
 */
int lp_hear_witnesses(struct lp_maker *m);

/* Room for so much more evidence. 0 or -ENOMEM. */
int lp_finding_grow(struct lp_maker *m, struct lp_finding *f, size_t more);
/* A finding of this suspect, without evidence; NULL: out of memory. */
struct lp_finding *lp_finding_new(struct lp_maker *m,
				  const struct lp_suspect *s);
/* The suspect is part of the finding, which is at least as long. */
void lp_finding_span(struct lp_finding *f, const struct lp_suspect *s);
/* Its evidence, and that of those it explains. 0 or -ENOMEM. */
int lp_finding_complete(struct lp_maker *m, struct lp_finding *f,
			const struct lp_suspect *s);

#endif
