/* SPDX-License-Identifier: Apache-2.0 */
#include "diagnose/conclude.h"

#include "diagnose/apart.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One of so many windows must show it before a group is called none. */
#define APART_WINDOWS 8
#define NAMES_SHOWN 6

int lp_diagnosis_note(struct lp_diagnosis *d, const char *text)
{
	const char *kept = lp_arena_string(&d->arena, text);

	if (!kept || lp_grow(&d->notes, &d->notes_capacity, d->n_notes + 1,
			     sizeof(*d->notes)) < 0)
		return -ENOMEM;
	d->notes[d->n_notes++] = kept;
	return 0;
}

/* Counters that stay at their largest value hide a port from now on. */
static int note_stuck(struct lp_diagnosis *d)
{
	int status = 0;

	for (size_t i = 0; i < d->n_units && status == 0; i++) {
		const struct lp_unit *u = &d->units[i];
		char text[400], since[LP_TIME_TEXT];

		if (!u->n_stuck)
			continue;
		snprintf(text, sizeof(text),
			 "%s has no %s after %s: its 32-bit counter stays at "
			 "its largest value until somebody resets it "
			 "(perfquery -R)",
			 u->group->peers[u->stuck].label, u->metric->name,
			 lp_time_format(u->stuck_ns, since));
		status = lp_diagnosis_note(d, text);
	}
	return status;
}

/* ---- what limpid's own detector does not see ---- */

static bool is_judged(const struct lp_diagnosis *d, size_t group)
{
	for (size_t i = 0; i < d->n_units; i++)
		if (d->units[i].group_index == group)
			return true;
	return false;
}

static bool has_sockets(const struct lp_plan *plan, enum lp_sockets sockets)
{
	size_t g = 0;

	while (g < plan->n_groups && plan->groups[g].sockets != sockets)
		g++;
	return g < plan->n_groups;
}

/* Groups that it has no quantities for, and the way that nobody recorded. */
static int note_unseen(struct lp_diagnosis *d, const struct lp_plan *plan,
		       const struct lp_diagnose_options *options)
{
	const struct lp_detector *method = lp_detector_main(options->methods);
	int status = 0;

	if (!method->joint)
		return 0;
	for (size_t g = 0; g < plan->n_groups && status == 0; g++) {
		const struct lp_peer_group *group = &plan->groups[g];
		char text[300];

		if (group->kind != LP_PEERS || group->class->n_quantities ||
		    is_judged(d, g))
			continue;
		snprintf(text, sizeof(text),
			 "%.200s: not compared. Method %s does not judge them "
			 "yet, others do (--method)",
			 group->name, method->name);
		status = lp_diagnosis_note(d, text);
	}
	if (status == 0 && has_sockets(plan, LP_SOCKETS_TO_CLIENTS) &&
	    !has_sockets(plan, LP_SOCKETS_TO_SERVERS))
		status = lp_diagnosis_note(
			d, "packets lost on the way to the servers cannot be "
			   "detected: no client was recorded");
	return status;
}

/* From the first window on, and among peers of which little is known. */
static bool was_always_so(const struct lp_diagnosis *d,
			  const struct lp_plan *plan,
			  const struct lp_finding *f)
{
	size_t group, peer;

	return f->n_evidence && f->cause == LP_CAUSE_DISK_BUSY && f->lasting &&
	       f->since_ns <= d->first_ns &&
	       lp_evidence_place(f->evidence, plan, &group, &peer) &&
	       plan->groups[group].by != LP_PEERS_STATED;
}

/* Another kind of disk differs all the time, and is not ill. */
static int note_unlike(struct lp_diagnosis *d, const struct lp_plan *plan)
{
	int status = 0;

	for (size_t i = 0; i < d->n_findings && status == 0; i++) {
		char text[400];

		if (!was_always_so(d, plan, &d->findings[i]))
			continue;
		snprintf(text, sizeof(text),
			 "%s was slower all the time, and its model is not "
			 "known. It may be another kind of disk rather than a "
			 "faulty one",
			 d->findings[i].component);
		status = lp_diagnosis_note(d, text);
	}
	return status;
}

/* ---- groups that are none ---- */

/* "oss3/sdb oss3/sdc oss3/sdd ..." */
static void name_some(const struct lp_unit *u, const uint8_t *who, char *text,
		      size_t size)
{
	size_t used = 0, named = 0;

	text[0] = '\0';
	for (size_t i = 0; i < u->group->n && used < size; i++) {
		if (!who[i])
			continue;
		if (named++ == NAMES_SHOWN) {
			snprintf(text + used, size - used, " ...");
			return;
		}
		used += (size_t)snprintf(text + used, size - used, "%s%s",
					 used ? " " : "",
					 u->group->peers[i].label);
	}
}

/* The largest part of a group that stands apart, if any: text says it. */
static int look_apart(const struct lp_diagnosis *d,
		      const struct lp_diagnose_input *input, char *text,
		      size_t size)
{
	double most = 0;

	for (size_t i = 0; i < d->n_units; i++) {
		const struct lp_unit *u = &d->units[i];
		lp_auto_free uint8_t *who = calloc(u->group->n + 1, 1);
		struct lp_apart apart = { .who = who };
		char names[200];

		if (!who)
			return -ENOMEM;
		if (!u->metric->indicts || u->detector->lower_is_worse ||
		    u->detector->joint || u->detector == &lp_presence)
			continue;
		if (lp_unit_look_apart(u, input, &apart) < 0)
			return -ENOMEM;
		if (apart.apart < u->params.k ||
		    APART_WINDOWS * apart.apart < apart.looked ||
		    (double)apart.n <= most * (double)apart.compared)
			continue;
		most = (double)apart.n / (double)apart.compared;
		name_some(u, who, names, sizeof(names));
		snprintf(text, size,
			 "in %s, %zu of %zu components (%s) differ from %s in "
			 "%zu of %zu windows. That is too many to say what is "
			 "normal. Either they are faulty, or they are not "
			 "peers",
			 u->metric->name, apart.n, apart.compared, names,
			 apart.n < apart.compared ? "the others" : "each other",
			 apart.apart, apart.looked);
	}
	return 0;
}

/* ---- conclusions ---- */

struct summary {
	size_t compared, split;
	const struct lp_unit *most_split;
	double largest;  /* of anything that indicts; NaN: nothing */
	bool quantities; /* a detector's own accuse, not metrics */
};

static struct summary summarise(const struct lp_diagnosis *d)
{
	struct summary s = { .largest = NAN };

	for (size_t i = 0; i < d->n_units; i++) {
		const struct lp_unit *u = &d->units[i];

		if (!u->metric->indicts)
			continue;
		s.compared += u->n_compared;
		s.split += u->n_split;
		s.largest = fmax(s.largest, u->largest);
		if (u->n_split >= u->params.k &&
		    (!s.most_split || u->n_split > s.most_split->n_split))
			s.most_split = u;
	}
	return s;
}

static int undecided(struct lp_diagnosis *d, const char *reason)
{
	d->outcome = LP_OUTCOME_UNDECIDED;
	d->reason = lp_arena_string(&d->arena, reason);
	return d->reason ? 0 : -ENOMEM;
}

static int say_split(const struct lp_unit *u, char *text, size_t size)
{
	return snprintf(text, size,
			"in %s, %s of the %zu peers (%s) differ "
			"from the others in %zu of %zu %s. Either they "
			"are not peers, or %s of them are faulty",
			u->metric->name,
			u->detector->joint ? "more than a third"
					   : "at least half",
			u->group->n, u->group->name, u->n_split, u->n_compared,
			u->detector->joint ? "blocks" : "windows",
			u->detector->joint ? "many" : "most");
}

/* Who must be ten times as slow to be told apart is not told apart. */
#define TOO_UNLIKE 2.302585092994046 /* ln 10 */

static bool tells_times(const struct lp_unit *u)
{
	return u->detector->joint &&
	       (u->metric->role == LP_SERVICE || u->metric->role == LP_LATENCY);
}

/* A group whose members differ so much that no time of one tells anything. */
static const struct lp_unit *too_unlike(const struct lp_diagnosis *d)
{
	const struct lp_unit *found = NULL;

	for (size_t i = 0; i < d->n_units; i++) {
		const struct lp_unit *u = &d->units[i];

		if (!tells_times(u) || isnan(u->least_level))
			continue;
		if (u->least_level <= TOO_UNLIKE)
			return NULL;
		found = u;
	}
	return found;
}

static int say_unlike(const struct lp_unit *u, char *text, size_t size)
{
	return snprintf(text, size,
			"in %s, the %zu peers (%s) differ so much from each "
			"other that none stands out. Either many of them are "
			"faulty, or they are not peers",
			u->metric->name, u->group->n, u->group->name);
}

/* The interval of the host with the longest; 0: not known. */
static int64_t interval_of(const struct lp_survey *recording)
{
	int64_t longest = 0;

	for (size_t i = 0; recording && i < recording->roster.n_hosts; i++)
		if (recording->roster.hosts[i].interval_ns > longest)
			longest = recording->roster.hosts[i].interval_ns;
	return longest;
}

/* A long step makes a short recording look long: one step may be a day. */
static const char *too_short(const struct lp_diagnosis *d,
			     const struct lp_survey *recording, char *text,
			     size_t size)
{
	int64_t covered = d->last_ns - d->first_ns + d->step_ns;
	int64_t interval = interval_of(recording);
	char have[LP_TIME_TEXT], need[LP_TIME_TEXT], step[LP_TIME_TEXT];

	if (interval <= 0 || interval >= d->step_ns) {
		snprintf(text, size,
			 "the recording covers %s. At least %s is needed to "
			 "tell a fault from chance",
			 lp_duration_format(covered, have),
			 lp_duration_format(d->reach.needed_ns, need));
		return text;
	}
	if (lp_survey_span(recording) < covered)
		covered = lp_survey_span(recording);
	snprintf(text, size,
		 "the recording covers %s. At a step of %s, at least %s is "
		 "needed to tell a fault from chance. Choose a shorter step "
		 "with -i",
		 lp_duration_format(covered, have),
		 lp_duration_format(d->step_ns, step),
		 lp_duration_format(d->reach.needed_ns, need));
	return text;
}

/* Why nothing at all could be compared; NULL: it could. */
static const char *nothing_compared(const struct lp_diagnosis *d,
				    const struct lp_diagnose_input *input,
				    const struct summary *s, char *text,
				    size_t size)
{
	const struct lp_plan *plan = input->plan;
	char names[LP_ACCUSING_TEXT];

	if (plan->refusal != LP_REFUSAL_NONE)
		return plan->refusal_text;
	if (d->n_units == 0) {
		snprintf(text, size,
			 "none of the metrics that can accuse (%s) was "
			 "recorded for three peers",
			 lp_accusing_names(s->quantities, names));
		return text;
	}
	if (!d->reach.enough)
		return too_short(d, input->recording, text, size);
	if (isnan(s->largest)) {
		snprintf(text, size,
			 "no values: none of the metrics that can accuse was "
			 "recorded (%s)",
			 lp_accusing_names(s->quantities, names));
		return text;
	}
	if (s->largest <= 0)
		return "no load: all components were idle, so there was "
		       "nothing to compare";
	if (s->compared == 0)
		return "three peers never had samples with different values";
	return NULL;
}

static int conclude_without_findings(struct lp_diagnosis *d,
				     const struct lp_diagnose_input *input,
				     const struct summary *s)
{
	char text[512] = "";
	const char *nothing = nothing_compared(d, input, s, text, sizeof(text));

	if (nothing)
		return undecided(d, nothing);
	if (s->most_split)
		say_split(s->most_split, text, sizeof(text));
	else if (too_unlike(d))
		say_unlike(too_unlike(d), text, sizeof(text));
	else if (look_apart(d, input, text, sizeof(text)) < 0)
		return -ENOMEM;
	return *text ? undecided(d, text) : 0;
}

int lp_diagnosis_conclude(struct lp_diagnosis *d,
			  const struct lp_diagnose_input *input,
			  const struct lp_diagnose_options *options)
{
	struct summary s = summarise(d);
	char text[512] = "";

	s.quantities = lp_detector_main(options->methods)->joint != NULL;
	d->outcome = d->n_findings ? LP_OUTCOME_FAULT : LP_OUTCOME_NONE;
	if (note_stuck(d) < 0 || note_unseen(d, input->plan, options) < 0 ||
	    lp_diagnosis_note_clocks(d, input->recording) < 0)
		return -ENOMEM;
	if (!d->n_findings)
		return conclude_without_findings(d, input, &s);
	if (note_unlike(d, input->plan) < 0)
		return -ENOMEM;
	/* Servers that nobody saw are found without any comparison. */
	if (input->plan->refusal != LP_REFUSAL_NONE &&
	    lp_diagnosis_note(d, input->plan->refusal_text) < 0)
		return -ENOMEM;
	if (s.most_split)
		say_split(s.most_split, text, sizeof(text));
	else if (look_apart(d, input, text, sizeof(text)) < 0)
		return -ENOMEM;
	return *text ? lp_diagnosis_note(d, text) : 0;
}
