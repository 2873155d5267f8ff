/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a diagnosis to findings that stand for themselves: all that a report
 * says is copied, and the samples, the plan and the diagnosis may go.
 */
#ifndef LP_DIAGNOSE_PUBLISH_H
#define LP_DIAGNOSE_PUBLISH_H

#include "diagnose/diagnose.h"
#include "model/picture.h"

struct lp_publication {
	const struct lp_diagnosis *diagnosis;
	const struct lp_diagnose_input *input; /* of the diagnosis */
	const char *const *notes; /* of the command, ended by NULL; or NULL.
				     Empty ones are left out. */
	const char *trained_on;   /* of the thresholds; NULL: none were given */
	size_t inputs_left_out, inputs_read_in_part;
	bool pictures; /* what pictures show, too: that takes time */
};

/* 0 or -ENOMEM. Release them with lp_findings_done(). */
int lp_findings_publish(const struct lp_publication *publication,
			struct lp_findings *findings, struct lp_error *err);

/*
 * Fill the pictures of the evidence, and the map, of what was published.
 * 0 or -ENOMEM.
 */
int lp_pictures_make(struct lp_findings *findings,
		     const struct lp_diagnose_input *input);
int lp_map_make(struct lp_findings *findings, const struct lp_diagnosis *d,
		const struct lp_diagnose_input *input);

/* What a map shows of a window, by its track; and of which units. */
enum lp_map_state lp_map_state_of(uint8_t track);
bool lp_map_counts(const struct lp_unit *unit);

/* Whether any metric of a group is judged by more than one method. */
bool lp_diagnosis_several(const struct lp_diagnosis *diagnosis);

#endif
