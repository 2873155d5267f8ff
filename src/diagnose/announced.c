/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work that was announced, as the rebuild of a disk: it makes the component
 * slower or busier than its peers, and that is no fault.
 */
#include "diagnose/conclude.h"
#include "diagnose/suspect.h"

#include <string.h>

/* The longest windows go on for so long after what they show has ended. */
#define AFTER_NS (16 * 60 * LP_NS_PER_S)
/* And nobody writes down to the second when work begins. */
#define BEFORE_NS (60 * LP_NS_PER_S)

/* Only what such work does: not a component that is gone, not a network. */
static bool is_work(const struct lp_suspect *s)
{
	return s->cause == LP_CAUSE_DISK_BUSY || s->cause == LP_CAUSE_DISK_HOG;
}

static bool is_of(const struct lp_expected *e, const struct lp_suspect *s)
{
	return (strcmp(e->component, s->who->label) == 0 ||
		strcmp(e->component, s->who->host) == 0) &&
	       (e->from_ns == LP_TIME_MIN ||
		s->since_ns >= e->from_ns - BEFORE_NS) &&
	       (e->to_ns == LP_TIME_MAX || s->until_ns <= e->to_ns + AFTER_NS);
}

static int note(struct lp_diagnosis *d, const struct lp_suspect *s,
		const struct lp_expected *e)
{
	char text[400], since[LP_TIME_TEXT], until[LP_TIME_TEXT];

	snprintf(text, sizeof(text),
		 "%.200s differs from its peers (%s) from %s to %s, as "
		 "expected: %.40s",
		 s->who->label, lp_cause_title(s->cause),
		 lp_time_format(s->since_ns, since),
		 lp_time_format(s->until_ns, until), e->what);
	return lp_diagnosis_note(d, text);
}

int lp_suspects_expect(struct lp_suspects *all, struct lp_diagnosis *d,
		       const struct lp_diagnose_options *options)
{
	int status = 0;

	for (size_t i = 0; i < all->n && status == 0; i++) {
		struct lp_suspect *s = &all->items[i];

		for (size_t k = 0; k < options->n_expected; k++) {
			if (s->taken || s->into || !is_work(s) ||
			    !is_of(&options->expected[k], s))
				continue;
			s->taken = true;
			status = note(d, s, &options->expected[k]);
		}
	}
	return status;
}
