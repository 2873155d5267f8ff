/* SPDX-License-Identifier: Apache-2.0 */
#include "report/evidence_kind.h"

#include <string.h>

const struct lp_evidence_kind *const lp_evidence_kinds[] = {
	&lp_evidence_metric,   &lp_evidence_logs_verdict, &lp_evidence_logs,
	&lp_evidence_absence,  &lp_evidence_idleness,     &lp_evidence_moved,
	&lp_evidence_software, &lp_evidence_waits,        NULL,
};

/* Of a newer limpid: it has its sentence. */
static const struct lp_evidence_kind other = { .name = "" };

static const struct lp_evidence_kind *find(
	const struct lp_evidence_kind *const *kinds, const char *name)
{
	for (kinds = kinds ? kinds : lp_evidence_kinds; *kinds; kinds++)
		if (strcmp((*kinds)->name, name) == 0)
			return *kinds;
	return NULL;
}

const struct lp_evidence_kind *lp_evidence_kind_of(
	const struct lp_evidence_kind *const *kinds,
	const struct lp_evidence *e)
{
	const struct lp_evidence_kind *kind = find(kinds, e->kind);

	if (!kind)
		kind = e->metric ? &lp_evidence_metric : &other;
	return kind->of_metric && !e->metric ? &other : kind;
}

bool lp_evidence_kind_is_known(const struct lp_evidence_kind *const *kinds,
			       const char *name)
{
	return find(kinds, name) != NULL;
}

const char *lp_evidence_sentence(const struct lp_evidence_kind *kind,
				 const struct lp_evidence *e,
				 const struct lp_evidence_view *view,
				 char text[LP_SENTENCE_TEXT])
{
	if (e->sentence)
		return e->sentence;
	return kind->sentence ? kind->sentence(e, view, text) : "";
}
