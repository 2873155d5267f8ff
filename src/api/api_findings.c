/* SPDX-License-Identifier: Apache-2.0 */
#include "api/api.h"

#include "diagnose/publish.h"
#include "report/findings_json.h"

#include <errno.h>
#include <stdlib.h>

struct limpid_findings {
	struct lp_findings is;
	struct limpid_finding *items; /* in its arena, as their evidence */
};

/* ---- as the header shows them ---- */

static bool show_evidence(struct lp_findings *f, const struct lp_finding *of,
			  const struct lp_evidence *e,
			  struct limpid_evidence *shown)
{
	struct lp_evidence_view view = { of, lp_findings_several(f) };
	char text[LP_SENTENCE_TEXT];

	*shown = (struct limpid_evidence){
		.kind = e->kind,
		.component = e->component,
		.since_ns = e->since_ns,
		.until_ns = e->until_ns,
		.accuses = e->accuses,
		.metric = e->metric ? e->metric->name : NULL,
		.value = e->metric ? e->value : NAN,
		.peers_median = e->metric ? e->peers_median : NAN,
		.distance = e->metric ? e->distance : NAN,
		.threshold = e->metric ? e->threshold : NAN,
	};
	shown->sentence = lp_findings_text(
		f, lp_evidence_sentence(lp_evidence_kind_of(NULL, e), e, &view,
					text));
	return shown->sentence != NULL;
}

static bool show_finding(struct lp_findings *f, const struct lp_finding *of,
			 struct limpid_finding *shown)
{
	struct limpid_evidence *evidence = lp_arena_alloc(
		&f->arena, (of->n_evidence + 1) * sizeof(*evidence));

	*shown = (struct limpid_finding){
		.component = of->component,
		.id = of->id,
		.host = of->host,
		.cause = of->words.name,
		.text = of->words.text,
		.next = of->next,
		.since_ns = of->since_ns,
		.until_ns = of->until_ns,
		.lasting = of->lasting,
		.score = of->score,
		.evidence = evidence,
		.n_evidence = of->n_evidence,
	};
	for (size_t i = 0; evidence && i < of->n_evidence; i++)
		if (!show_evidence(f, of, &of->evidence[i], &evidence[i]))
			return false;
	return evidence != NULL;
}

/* Takes the findings over; *shown owns them. 0 or -ENOMEM. */
static int show(struct lp_findings *f, struct limpid_findings **shown,
		struct lp_error *err)
{
	struct limpid_findings *s = calloc(1, sizeof(*s));
	bool done = s != NULL;

	if (!s) {
		lp_findings_done(f);
		return lp_fail_memory(err);
	}
	s->is = *f;
	s->items = lp_arena_alloc(&s->is.arena, (f->n + 1) * sizeof(*s->items));
	done = s->items != NULL;
	for (size_t i = 0; done && i < f->n; i++)
		done = show_finding(&s->is, &s->is.items[i], &s->items[i]);
	if (!done) {
		limpid_findings_free(s);
		return lp_fail_memory(err);
	}
	*shown = s;
	return 0;
}

int lp_api_publish(struct lp_case *c, const char *const *notes,
		   size_t n_read_in_part, struct limpid_findings **findings,
		   struct lp_error *err)
{
	struct lp_diagnosis d;
	struct lp_publication publication = {
		.diagnosis = &d,
		.notes = notes,
		.inputs_read_in_part = n_read_in_part,
	};
	struct lp_findings f;
	int status = lp_case_findings(c, &d, err);

	if (status < 0)
		return status;
	publication.input = lp_case_input(c);
	status = lp_findings_publish(&publication, &f, err);
	lp_diagnosis_done(&d);
	return status ? status : show(&f, findings, err);
}

/* ---- asked for ---- */

enum limpid_outcome limpid_findings_outcome(
	const struct limpid_findings *findings)
{
	static const enum limpid_outcome outcomes[LP_OUTCOMES] = {
		[LP_OUTCOME_NONE] = LIMPID_NONE,
		[LP_OUTCOME_FAULT] = LIMPID_FAULT,
		[LP_OUTCOME_UNDECIDED] = LIMPID_UNDECIDED,
	};

	return outcomes[findings->is.outcome];
}

const char *limpid_findings_reason(const struct limpid_findings *findings)
{
	return findings->is.reason;
}

size_t limpid_findings_count(const struct limpid_findings *findings)
{
	return findings->is.n;
}

const struct limpid_finding *limpid_findings_get(
	const struct limpid_findings *findings, size_t finding)
{
	return finding < findings->is.n ? &findings->items[finding] : NULL;
}

const char *limpid_findings_note(const struct limpid_findings *findings,
				 size_t note)
{
	return note < findings->is.n_notes ? findings->is.notes[note] : NULL;
}

/* ---- stored ---- */

int limpid_findings_write_json(const struct limpid_findings *findings,
			       FILE *out, struct limpid_error *err)
{
	errno = 0;
	lp_findings_write(&findings->is, NULL, out);
	if (fflush(out) == 0 && !ferror(out))
		return 0;
	return lp_fail_errno(lp_api_error(err), errno ? errno : EIO,
			     "cannot write findings");
}

int limpid_findings_read(const char *path, struct limpid_findings **findings,
			 struct limpid_error *err)
{
	struct lp_findings f;
	int status = lp_findings_read(path, NULL, &f, lp_api_error(err));

	return status ? status : show(&f, findings, lp_api_error(err));
}

void limpid_findings_free(struct limpid_findings *findings)
{
	if (findings)
		lp_findings_done(&findings->is);
	free(findings);
}
