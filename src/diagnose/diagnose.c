/* SPDX-License-Identifier: Apache-2.0 */
#include "diagnose/diagnose.h"

#include "diagnose/conclude.h"
#include "diagnose/edge.h"
#include "diagnose/stuck.h"
#include "diagnose/suspect.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is gone weighs as much as something eight times its threshold off. */
#define ABSENT_MAGNITUDE 8
#define MAGNITUDE_MAX 1024

/* ---- what could be seen ---- */

static void look(struct lp_diagnosis *d, const struct lp_diagnose_input *input,
		 const struct lp_diagnose_options *options)
{
	int64_t first = 0;
	size_t points = lp_matrix_points(input->matrix, &first);

	d->step_ns = input->step_ns;
	d->first_ns = first;
	d->last_ns = first + (points ? (int64_t)points - 1 : 0) * d->step_ns;
	d->reach = lp_reach_with(lp_detector_main(options->methods),
				 &options->params, d->step_ns,
				 (int64_t)points * d->step_ns);
}

/* ---- server workloads ---- */

/*
 * A peer counts only if it also differs among its own server's components: a
 * workload of the server itself moves them all (thesis 6.2.3).
 */
static void clear_unless_own(struct lp_unit *u, const struct lp_unit *own,
			     size_t peer, size_t own_peer)
{
	for (size_t w = 0; w < u->windows && w < own->windows; w++)
		if (!(*lp_unit_at(own, w, own_peer) &
		      (LP_TRACK_ANOMALOUS | LP_TRACK_SPLIT)))
			*lp_unit_at(u, w, peer) &= (uint8_t)~LP_TRACK_ANOMALOUS;
}

static int filter_peer(struct lp_unit *u, const struct lp_units *owns,
		       size_t peer)
{
	const struct lp_peer *who = &u->group->peers[peer];

	if (who->own == LP_NO_GROUP)
		return 0;
	if (lp_unit_change(u) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < owns->n; i++) {
		const struct lp_unit *own = &owns->items[i];

		if (own->group_index != who->own || own->metric != u->metric ||
		    own->detector != u->detector)
			continue;
		for (size_t p = 0; p < own->group->n; p++)
			if (strcmp(own->group->peers[p].label, who->label) == 0)
				clear_unless_own(u, own, peer, p);
	}
	return 0;
}

/* What cannot be filtered is not passed over in silence. */
static int note_unfiltered(struct lp_diagnosis *d)
{
	for (size_t i = 0; i < d->n_units; i++)
		for (size_t p = 0; p < d->units[i].group->n; p++)
			if (d->units[i].group->peers[p].own != LP_NO_GROUP)
				return 0;
	return lp_diagnosis_note(d, "workloads of servers could not be "
				    "filtered: no server has three components "
				    "of one kind that are compared with those "
				    "of other servers");
}

static int filter_workloads(struct lp_diagnosis *d, const struct lp_units *owns)
{
	int status = 0;

	for (size_t i = 0; i < d->n_units; i++)
		for (size_t p = 0; p < d->units[i].group->n && status == 0; p++)
			status = filter_peer(&d->units[i], owns, p);
	return status ? status : note_unfiltered(d);
}

/* ---- the verdict ---- */

/* How much it matters times how long it lasts, in minutes (thesis 8.1). */
static double weighed_score(const struct lp_suspect *s, bool gone)
{
	double minutes = (double)(s->until_ns - s->since_ns) /
			 (60.0 * (double)LP_NS_PER_S);
	double weight = gone ? ABSENT_MAGNITUDE : s->weight;

	return fmin(weight, MAGNITUDE_MAX) * fmax(minutes, 1);
}

static void score(struct lp_suspect *s, const struct lp_diagnosis *d)
{
	bool gone = false, weighed = false;
	double magnitude;

	for (size_t i = 0; i < s->n_signs; i++) {
		const struct lp_detector *by =
			d->units[s->signs[i].unit].detector;

		gone |= s->signs[i].gone;
		weighed |= by->joint || by == &lp_presence;
	}
	if (weighed) {
		s->score = weighed_score(s, gone);
		return;
	}
	magnitude = gone ? ABSENT_MAGNITUDE : s->magnitude;
	magnitude = fmin(fmax(magnitude, 1), MAGNITUDE_MAX);
	if (s->persistence == 0)
		s->persistence = 1;
	s->score = (double)s->persistence * (1 + log2(magnitude));
}

static int accuse(struct lp_diagnosis *d, const struct lp_diagnose_input *input,
		  const struct lp_diagnose_options *options,
		  struct lp_suspects *suspects)
{
	int status = lp_suspects_find(suspects, d, input, options);

	if (status == 0)
		status = lp_persistence_run(d, options, suspects);
	for (size_t i = 0; i < suspects->n && status == 0; i++)
		status = lp_suspect_weigh(&suspects->items[i], d, input);
	lp_suspects_acquit(suspects);
	for (size_t i = 0; i < suspects->n && status == 0; i++) {
		lp_suspect_look_idle(&suspects->items[i], input);
		score(&suspects->items[i], d);
	}
	if (status < 0)
		return status;
	lp_suspects_explain(suspects);
	status = lp_suspects_date(suspects, d, input);
	for (size_t i = 0; i < suspects->n && status == 0; i++)
		score(&suspects->items[i], d);
	if (status == 0)
		status = lp_suspects_expect(suspects, d, options);
	return status ? status
		      : lp_findings_make(d, suspects, input, options->exclude);
}

/* Thresholds say at which step they were trained. */
static int begin(struct lp_diagnosis *d, const struct lp_diagnose_input *input,
		 const struct lp_diagnose_options *options,
		 const struct lp_units *peers, struct lp_error *err)
{
	*d = (struct lp_diagnosis){ .reason = "", .budget = options->budget };
	look(d, input, options);
	if (lp_units_view(peers, &d->units) < 0)
		return lp_fail_memory(err);
	d->n_units = peers->n;
	for (size_t i = 0; i < d->n_units; i++)
		d->trained |= d->units[i].n_trained > 0;
	return d->n_units && options->thresholds
		       ? lp_thresholds_check_step(options->thresholds,
						  input->step_ns, err)
		       : 0;
}

static int judge(struct lp_diagnosis *d, const struct lp_diagnose_input *input,
		 const struct lp_diagnose_options *options,
		 const struct lp_units *owns)
{
	struct lp_suspects suspects = { 0 };
	int status = 0;

	for (size_t i = 0; i < d->n_units && status == 0; i++)
		status = lp_unit_look_stuck(&d->units[i], input);
	if (status == 0 && options->filter_server_workloads)
		status = filter_workloads(d, owns);
	if (status == 0)
		status = accuse(d, input, options, &suspects);
	lp_suspects_done(&suspects);
	if (status == 0)
		status = lp_findings_look_on(d, input);
	if (status == 0)
		status = lp_diagnosis_conclude(d, input, options);
	if (status == 0 && options->thresholds && d->n_units && !d->trained)
		status = lp_diagnosis_note(
			d, "no trained threshold applies to what was "
			   "compared; the defaults were used");
	return status;
}

static int fail(struct lp_diagnosis *d, int status, struct lp_error *err)
{
	lp_diagnosis_done(d);
	return status == -ENOMEM
		       ? lp_fail_memory(err)
		       : lp_fail_errno(err, -status, "cannot diagnose");
}

int lp_diagnose_units(const struct lp_diagnose_input *input,
		      const struct lp_diagnose_options *options,
		      const struct lp_units *peers, const struct lp_units *owns,
		      struct lp_diagnosis *d, struct lp_error *err)
{
	int status = begin(d, input, options, peers, err);

	if (status < 0) {
		lp_diagnosis_done(d);
		return status;
	}
	status = judge(d, input, options, owns);
	return status < 0 ? fail(d, status, err) : 0;
}

/* Plan units and push all rows. */
static int run(const struct lp_diagnose_input *input,
	       const struct lp_diagnose_options *options, bool own,
	       struct lp_units *units, struct lp_error *err)
{
	int status = lp_units_plan(input, options, own, units, err);

	if (status < 0)
		return status;
	status = lp_units_push(units, input, options, true);
	return status == -ENOMEM ? lp_fail_memory(err)
	       : status < 0 ? lp_fail_errno(err, -status, "cannot diagnose")
			    : 0;
}

int lp_diagnose(const struct lp_diagnose_input *input,
		const struct lp_diagnose_options *options,
		struct lp_diagnosis *d, struct lp_error *err)
{
	struct lp_units *peers = calloc(1, sizeof(*peers)), owns = { 0 };
	int status = peers ? 0 : lp_fail_memory(err);

	*d = (struct lp_diagnosis){ .reason = "" };
	if (status == 0)
		status = run(input, options, false, peers, err);
	if (status == 0 && options->filter_server_workloads)
		status = run(input, options, true, &owns, err);
	if (status == 0)
		status =
			lp_diagnose_units(input, options, peers, &owns, d, err);
	lp_units_done(&owns);
	if (status == 0) {
		d->held = peers;
		return 0;
	}
	if (peers)
		lp_units_done(peers);
	free(peers);
	return status;
}

void lp_diagnosis_done(struct lp_diagnosis *d)
{
	for (size_t i = 0; i < d->n_units; i++)
		lp_unit_done(&d->units[i]);
	free(d->units);
	if (d->held)
		lp_units_done(d->held);
	free(d->held);
	free(d->findings);
	free(d->hourly);
	free(d->notes);
	lp_arena_done(&d->arena);
	*d = (struct lp_diagnosis){ .reason = "" };
}
