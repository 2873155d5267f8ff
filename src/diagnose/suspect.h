/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Suspects: a component during one episode, with everything that accuses it.
 */
#ifndef LP_DIAGNOSE_SUSPECT_H
#define LP_DIAGNOSE_SUSPECT_H

#include "diagnose/unit.h"

/* Anomalies of a component with less than this between them are one episode. */
#define LP_EPISODE_GAP_NS (3600 * LP_NS_PER_S)

/* What one unit says of a suspect during the episode. */
struct lp_sign {
	size_t unit;
	bool gone; /* by absence */
	int64_t since_ns, until_ns;
	size_t windows;             /* in the anomalous (or gone) state */
	size_t first, last;         /* of these windows */
	const struct lp_past *past; /* forgotten ones before these, or NULL */
	const struct lp_peak *peak; /* of a joint detector, or NULL */
	struct lp_evidence evidence;
};

/* When it began and ended, by the samples, where a joint detector accuses. */
struct lp_dates {
	bool known;
	struct lp_edge since, until;
};

struct lp_suspect {
	size_t group, peer; /* in the plan */
	const struct lp_peer *who;
	const struct lp_class *class;
	int64_t since_ns, until_ns; /* by its windows */
	struct lp_dates dates;
	struct lp_sign *signs;
	size_t n_signs, signs_capacity;
	enum lp_cause cause;
	bool workload;
	bool idle;        /* a disk that did nothing while its peers worked */
	double magnitude; /* the largest distance by its threshold */
	double weight;    /* the largest of its peaks; 0: it has none */
	size_t persistence;
	double score;
	struct lp_suspect *into; /* it is evidence of this one; NULL: its own */
	const char *fallen;      /* it was lost with this part, or NULL */
	const char *fallen_kind; /* "controller", "array" */
	bool taken;              /* it is in a finding */
};

struct lp_suspects {
	struct lp_suspect *items;
	size_t n, capacity;
};

/* From the tracks of all units. 0 or -ENOMEM. */
int lp_suspects_find(struct lp_suspects *suspects, const struct lp_diagnosis *d,
		     const struct lp_diagnose_input *input,
		     const struct lp_diagnose_options *options);
void lp_suspects_done(struct lp_suspects *suspects);

/* Drop those without a sign left. */
void lp_suspects_acquit(struct lp_suspects *suspects);

/*
 * Fill the evidence of each sign of a suspect; a sign whose values do not show
 * it is dropped. 0 or -ENOMEM.
 */
int lp_suspect_weigh(struct lp_suspect *suspect, const struct lp_diagnosis *d,
		     const struct lp_diagnose_input *input);

/*
 * Evidence on one metric of a peer over a time, values only: it beside its
 * peers. 0 or -ENOMEM.
 */
int lp_evidence_values(struct lp_evidence *e,
		       const struct lp_diagnose_input *input, size_t group,
		       size_t peer, size_t metric, int64_t since_ns,
		       int64_t until_ns);

/* The causes of all suspects (FAST'10 10.2), and who explains whom. */
void lp_suspects_explain(struct lp_suspects *suspects);

/*
 * Those whose work was announced are taken: they become notes, and no findings.
 * After their causes are known. 0 or -ENOMEM.
 */
int lp_suspects_expect(struct lp_suspects *suspects, struct lp_diagnosis *d,
		       const struct lp_diagnose_options *options);

/* See whether the disk did nothing during the episode. */
void lp_suspect_look_idle(struct lp_suspect *suspect,
			  const struct lp_diagnose_input *input);

/* Make findings of them, coalesced and ranked. 0 or -ENOMEM. */
int lp_findings_make(struct lp_diagnosis *d, struct lp_suspects *suspects,
		     const struct lp_diagnose_input *input,
		     const char *const *exclude);

/* The accumulators (thesis 3.4), and the list of every hour. */
int lp_persistence_run(struct lp_diagnosis *d,
		       const struct lp_diagnose_options *options,
		       struct lp_suspects *suspects);

/*
 * Keep what the accumulators of units are at this time, a multiple of the
 * windows' shift: windows up to there may be forgotten. 0 or -ENOMEM.
 */
int lp_persistence_carry(struct lp_units *units,
			 const struct lp_diagnose_options *options,
			 int64_t step_ns, int64_t until_ns);

/* Whether --exclude names the component or its host. */
bool lp_is_excluded(const char *const *exclude, const char *label,
		    const char *host);

static inline int64_t lp_earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static inline int64_t lp_later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static inline bool lp_overlap(const struct lp_suspect *a,
			      const struct lp_suspect *b)
{
	return a->since_ns <= b->until_ns && b->since_ns <= a->until_ns;
}

#endif
