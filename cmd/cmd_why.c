/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid why: why a component is accused, or why not.
 */
#include "case_files.h"
#include "command.h"

#include "base/memory.h"
#include "base/visible.h"
#include "diagnose/single.h"
#include "diagnose/suspect.h"
#include "report/verdict.h"
#include "report/wrap.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/* Windows of which the exact distance is looked at. */
#define WINDOWS_MAX 64

#define COLUMNS "  %-9s %8s %8s %8s %8s %6s %9s %7s %7s"

struct options {
	struct lp_case_options common; /* first */
	const char *thresholds;
	struct lp_when at;
};

static const struct lp_option option_table[] = {
	{ .long_name = "at",
	  .type = LP_OPTION_WHEN,
	  .value = "TIME",
	  .offset = offsetof(struct options, at),
	  .help = "look only at the first window that ends at TIME or later" },
	LP_CASE_OPTIONS,
	{ .long_name = "thresholds",
	  .type = LP_OPTION_STRING,
	  .value = "FILE",
	  .offset = offsetof(struct options, thresholds),
	  .help = "thresholds written by 'limpid train'" },
	{ .long_name = "threshold",
	  .type = LP_OPTION_STRING,
	  .value = "X",
	  .offset = offsetof(struct options, common.threshold),
	  .help = "threshold of components that have no trained one (default: "
		  "cdf 12, pdf 2)" },
	{ .long_name = "cwnd-threshold",
	  .type = LP_OPTION_STRING,
	  .value = "X",
	  .offset = offsetof(struct options, common.cwnd_threshold),
	  .help = "the same for cwnd, as a fraction of the servers' median "
		  "(default: 0.5)" },
};

static const struct lp_usage usage = {
	.command = "limpid why",
	.summary = "Explains why a component or host is accused, or why not.",
	.operands = "COMPONENT FILE...",
	.min_operands = 2,
	.max_operands = LP_OPERANDS_ANY,
	.options = option_table,
	.n_options = lp_array_size(option_table),
	.notes = "COMPONENT is named as in the verdict (oss3/sdc), or is a "
		 "host.\n",
};

struct why {
	struct lp_case_files c;
	struct lp_diagnosis d;
	int64_t at_ns; /* LP_TIME_MIN: all the time */
};

/* What is known of one unit's view of the component. */
struct view {
	struct lp_evidence evidence;
	size_t windows, flagged, anomalous, absent;
};

/* The first window that ends at the time or later; windows: none. */
static size_t window_at(const struct lp_unit *u, int64_t at_ns)
{
	size_t w = 0;

	while (w < u->windows && u->end_ns[w] < at_ns)
		w++;
	return w;
}

static void count_windows(const struct lp_unit *u, size_t peer, size_t first,
			  size_t last, struct view *view)
{
	for (size_t w = first; w < last; w++) {
		uint8_t state = *lp_unit_at(u, w, peer);

		view->windows++;
		view->flagged += !!(state & LP_TRACK_FLAG);
		view->anomalous += !!(state & LP_TRACK_ANOMALOUS);
		view->absent += !!(state & LP_TRACK_ABSENT);
	}
}

/* The distance that is farthest over, or nearest to, the threshold. */
static int measure(const struct why *why, const struct lp_unit *u, size_t peer,
		   size_t first, size_t last, struct lp_evidence *e)
{
	bool lower = u->detector->lower_is_worse;
	size_t stride = (last - first) / WINDOWS_MAX + 1;
	double worst = NAN;

	for (size_t w = first; w < last; w++) {
		struct lp_verdict v;
		bool flag = *lp_unit_at(u, w, peer) & LP_TRACK_FLAG;
		int status;

		if ((w - first) % stride && !(flag && stride < WINDOWS_MAX))
			continue;
		status = lp_judge_single(u, &why->c.input, peer, u->end_ns[w],
					 &v);
		if (status < 0)
			return status;
		if (isnan(v.critical) ||
		    (lower ? v.critical >= worst : v.critical <= worst))
			continue;
		worst = v.critical;
		e->distance = lower ? v.critical : v.median_distance;
		e->share_over = lower ? NAN : (double)v.over / v.others;
	}
	return 0;
}

/* What the finding says of this unit's metric, or NULL. */
static const struct lp_evidence *evidence_of(const struct lp_finding *f,
					     const struct lp_unit *u,
					     size_t peer)
{
	for (size_t i = 0; f && i < f->n_evidence; i++) {
		const struct lp_evidence *e = &f->evidence[i];

		if (e->method && strcmp(e->method, u->detector->name) == 0 &&
		    e->group_index == u->group_index &&
		    e->metric_index == u->metric_index && e->peer_index == peer)
			return e;
	}
	return NULL;
}

/* Which windows to look at, and the time that values are from. */
struct time {
	size_t first, last; /* last: the one behind */
	int64_t since_ns, until_ns;
};

/* All of them; the one that was asked for; of the accused the finding's. */
static struct time time_of(const struct why *why, const struct lp_unit *u,
			   const struct lp_finding *f)
{
	int64_t half = (int64_t)(u->params.window / 2) * why->c.input.step_ns;
	struct time t = { 0, u->windows, why->d.first_ns - 1, why->d.last_ns };

	if (why->at_ns != LP_TIME_MIN) {
		if (u->windows == 0)
			return t;
		/* Behind the last one the recording may go on a little. */
		t.first = window_at(u, why->at_ns);
		t.first -= t.first == u->windows;
		t.last = t.first + 1;
		t.since_ns = lp_unit_begin(u, t.first, why->c.input.step_ns);
		t.until_ns = u->end_ns[t.first];
	} else if (f) {
		t.since_ns = f->since_ns;
		t.until_ns = f->until_ns;
		t.first = window_at(u, f->since_ns + half);
		t.last = window_at(u, f->until_ns + half + 1);
	}
	return t;
}

/*
 * The finding's own numbers where it has some: the same question must not get
 * two answers.
 */
static int look(const struct why *why, const struct lp_unit *u, size_t peer,
		const struct lp_finding *f, struct view *view)
{
	struct time t = time_of(why, u, f);
	const struct lp_evidence *e = evidence_of(f, u, peer);
	int status;

	if (e && why->at_ns == LP_TIME_MIN) {
		view->evidence = *e;
		view->windows = e->windows;
		view->flagged = e->flagged;
		view->anomalous = e->accuses;
		return 0;
	}
	status = lp_evidence_values(&view->evidence, &why->c.input,
				    u->group_index, peer, u->metric_index,
				    t.since_ns, t.until_ns);
	if (status < 0)
		return status;
	view->evidence.threshold = u->thresholds[peer];
	count_windows(u, peer, t.first, t.last, view);
	return measure(why, u, peer, t.first, t.last, &view->evidence);
}

static void print_view(const struct lp_unit *u, const struct view *view,
		       bool name_method)
{
	const struct lp_evidence *e = &view->evidence;
	char value[LP_VALUE_TEXT], peers[LP_VALUE_TEXT], iqr[LP_VALUE_TEXT];
	char distance[LP_VALUE_TEXT], threshold[LP_VALUE_TEXT];
	char share[16] = "-", windows[32];

	if (!isnan(e->share_over))
		snprintf(share, sizeof(share), "%.0f %%", 100 * e->share_over);
	snprintf(windows, sizeof(windows), "%zu/%zu", view->flagged,
		 view->windows);
	printf(COLUMNS "%s%s\n", u->metric->name,
	       lp_value_text(e->value, value),
	       lp_value_text(e->peers_median, peers),
	       lp_value_text(e->peers_iqr, iqr),
	       lp_value_text(e->distance, distance), share,
	       lp_value_text(e->threshold, threshold), windows,
	       !u->metric->indicts   ? "-"
	       : view->anomalous > 0 ? "yes"
				     : "no",
	       name_method ? "  by " : "",
	       name_method ? u->detector->name : "");
}

/* The recording does not hold this metric. */
static bool is_empty(const struct view *view)
{
	return isnan(view->evidence.value) &&
	       isnan(view->evidence.peers_median);
}

static const struct lp_finding *finding_of(const struct lp_diagnosis *d,
					   const struct lp_peer *who)
{
	for (size_t i = 0; i < d->n_findings; i++) {
		const struct lp_finding *f = &d->findings[i];

		if (strcmp(f->component, who->label) == 0)
			return f;
		for (size_t k = 0; k < f->n_parts; k++)
			if (strcmp(f->parts[k], who->label) == 0)
				return f;
		for (size_t k = 0; k < f->n_evidence; k++)
			if (strcmp(f->evidence[k].component, who->label) == 0)
				return f;
	}
	return NULL;
}

/* Whether it is only evidence: it works for somebody who is absent. */
static bool is_taker(const struct lp_finding *f, const char *label)
{
	if (f->cause != LP_CAUSE_ABSENT || strcmp(f->component, label) == 0)
		return false;
	for (size_t i = 0; i < f->n_parts; i++)
		if (strcmp(f->parts[i], label) == 0)
			return false;
	for (size_t i = 0; i < f->n_evidence; i++)
		if (strcmp(f->evidence[i].component, label) == 0)
			return f->evidence[i].value >
			       f->evidence[i].peers_median;
	return false;
}

static void print_accusation(const struct why *why, const struct lp_finding *f,
			     const char *label)
{
	char since[LP_TIME_TEXT], until[LP_TIME_TEXT], lasted[LP_TIME_TEXT];
	char unjudged[LP_UNJUDGED_TEXT];

	if (is_taker(f, label)) {
		printf("%s: not accused; it took over the load of an absent "
		       "component (%s)\n",
		       lp_shown(label), lp_shown(f->component));
		return;
	}
	printf("%s: accused: %s\n", lp_shown(label), lp_cause_title(f->cause));
	if (strcmp(f->component, label) != 0)
		printf("  Finding:   %s\n", lp_shown(f->component));
	printf("  When:      %s to %s (%s%s)\n",
	       lp_zone_format(&why->c.period.zone, f->since_ns, since),
	       lp_zone_format(&why->c.period.zone, f->until_ns, until),
	       lp_duration_format(f->until_ns - f->since_ns, lasted),
	       f->unjudged ? " or longer" : "");
	if (f->unjudged)
		lp_wrap(stdout, "             ",
			lp_verdict_unjudged(f, &why->c.period.zone, unjudged));
}

/* What comes nearest to an accusation, and what it lacks. */
static void print_innocence(const struct lp_unit *nearest,
			    const struct view *view)
{
	char text[400];

	if (!nearest)
		snprintf(text, sizeof(text),
			 "It could not be compared during this time.");
	else if (view->absent)
		snprintf(
			text, sizeof(text),
			"It has no samples in %zu of %zu windows. Either fewer "
			"than %u of any %u successive windows are empty, or "
			"its recorder was stopped.",
			view->absent, view->windows, nearest->params.k,
			2 * nearest->params.k - 1);
	else if (view->flagged)
		snprintf(text, sizeof(text),
			 "Its %s differs in %zu of %zu windows. To be accused, "
			 "it must differ in %u of %u successive windows, while "
			 "fewer than half of its peers do.",
			 nearest->metric->name, view->flagged, view->windows,
			 nearest->params.k, 2 * nearest->params.k - 1);
	else
		snprintf(text, sizeof(text),
			 "It never differed from more than half of its peers "
			 "by more than its threshold. Its %s comes nearest to "
			 "that.",
			 nearest->metric->name);
	lp_wrap(stdout, "  Why not:   ", text);
}

static double nearness(const struct lp_unit *u, const struct view *view)
{
	const struct lp_evidence *e = &view->evidence;
	double ratio = u->detector->lower_is_worse ? e->threshold / e->distance
						   : e->distance / e->threshold;

	return (isnan(ratio) ? -1 : ratio) + (double)view->flagged;
}

static int explain_units(const struct why *why, size_t group, size_t peer,
			 const struct lp_finding *f)
{
	const struct lp_unit *nearest = NULL;
	struct view best = { 0 };

	printf(COLUMNS "\n", "metric", "this one", "peers", "IQR", "distance",
	       "beyond", "threshold", "windows", "accuses");
	for (size_t i = 0; i < why->d.n_units; i++) {
		const struct lp_unit *u = &why->d.units[i];
		struct view view = { 0 };

		if (u->group_index != group)
			continue;
		if (look(why, u, peer, f, &view) < 0)
			return -ENOMEM;
		if (is_empty(&view))
			continue;
		print_view(u, &view, lp_verdict_several(&why->d));
		if (u->metric->indicts && view.windows &&
		    (!nearest ||
		     nearness(u, &view) > nearness(nearest, &best))) {
			nearest = u;
			best = view;
		}
	}
	if (!f)
		print_innocence(nearest, &best);
	return 0;
}

static void print_peers(const struct lp_peer_group *g)
{
	char text[300];

	snprintf(text, sizeof(text), "the other %zu of %s", g->n - 1, g->name);
	lp_wrap(stdout, "  Peers:     ", text);
	if (*g->priority || *g->cohort)
		lp_wrap(stdout, "             ",
			"Only disks of the same priority (primary or secondary "
			"path) and cohort (installed together) are compared.");
}

static int explain(const struct why *why, size_t group, size_t peer)
{
	const struct lp_peer_group *g = &why->c.input.plan->groups[group];
	const struct lp_peer *who = &g->peers[peer];
	const struct lp_finding *f = finding_of(&why->d, who);
	int status;

	if (f)
		print_accusation(why, f, who->label);
	else
		printf("%s: not accused\n", lp_shown(who->label));
	status = explain_units(why, group, peer, f);
	print_peers(g);
	return status;
}

/* What nobody saw has no values to explain. */
static bool explain_unseen(const struct why *why, const char *name,
			   size_t *found)
{
	const struct lp_plan *plan = why->c.input.plan;

	for (size_t i = 0; i < plan->n_unseen; i++) {
		char text[400];

		if (strcmp(plan->unseen[i].label, name) != 0)
			continue;
		printf("%s: absent\n", lp_shown(name));
		snprintf(text, sizeof(text),
			 "the recordings have no samples of it; %s",
			 plan->unseen[i].known_by);
		lp_wrap(stdout, "  Why:       ", text);
		++*found;
		return true;
	}
	return false;
}

/* By its own name, or by that of its host. */
static bool is_named(const struct lp_peer *peer, const char *name)
{
	return strcmp(peer->label, name) == 0 || strcmp(peer->host, name) == 0;
}

/* How many components of that name, or of a host of that name, there are. */
static int explain_all(const struct why *why, const char *name, size_t *found)
{
	const struct lp_plan *plan = why->c.input.plan;
	int status = 0;

	for (size_t g = 0; g < plan->n_groups; g++) {
		const struct lp_peer_group *group = &plan->groups[g];

		for (size_t i = 0;
		     group->kind == LP_PEERS && i < group->n && status == 0;
		     i++) {
			if (!is_named(&group->peers[i], name))
				continue;
			status = explain(why, g, i);
			++*found;
		}
	}
	if (explain_unseen(why, name, found))
		return status;
	for (size_t i = 0; i < plan->n_left_out; i++)
		if (strcmp(plan->left_out[i].label, name) == 0) {
			printf("%s: not compared: %s.\n", lp_shown(name),
			       plan->left_out[i].reason);
			++*found;
		}
	return status;
}

static int say_unknown(const struct lp_case_files *c, const char *name,
		       struct lp_error *err)
{
	int status = lp_case_check_name(c, "", name, false, err);

	return status ? status
		      : lp_fail(err, ENOENT,
				"nothing of '%s' was compared; 'limpid "
				"inventory' says why",
				name);
}

static bool any_compared(const struct lp_plan *plan, const char *name)
{
	for (size_t g = 0; g < plan->n_groups; g++) {
		const struct lp_peer_group *group = &plan->groups[g];

		for (size_t i = 0; group->kind == LP_PEERS && i < group->n; i++)
			if (is_named(&group->peers[i], name))
				return true;
	}
	return false;
}

static void print_columns(void)
{
	lp_wrap(stdout, "Columns:  ",
		"this one: its median. peers: the median of its peers. IQR: "
		"the range of their middle half. distance: how far its values "
		"are from those of a typical peer. For cwnd: its value as a "
		"fraction of the servers' median. beyond: the share of its "
		"peers to which the distance is above the threshold. windows: "
		"how many differ. accuses: whether this metric accuses it. - "
		"means that it is shown for information only.");
}

static int answer(struct why *why, const char *name, struct lp_error *err)
{
	size_t found = 0;
	int status;

	why->c.options.all_metrics = true;
	status = lp_case_judge(&why->c, &why->c.options, &why->d, err);
	if (status < 0)
		return status;
	if (explain_all(why, name, &found) < 0)
		status = lp_fail_memory(err);
	else if (!found && why->d.outcome == LP_OUTCOME_UNDECIDED)
		status = lp_fail(err, ENOENT,
				 "'%s' was not compared, because nothing could "
				 "be compared: %s",
				 name, why->d.reason);
	else if (!found)
		status = say_unknown(&why->c, name, err);
	else if (why->d.outcome == LP_OUTCOME_UNDECIDED)
		lp_wrap(stdout, "Cannot tell: ", why->d.reason);
	if (status == 0 && any_compared(why->c.input.plan, name))
		print_columns();
	if (status == 0 && *why->c.site.note)
		lp_wrap(stdout, "Note:     ", why->c.site.note);
	if (status == 0 && *why->c.step_unknown)
		lp_wrap(stdout, "Note:     ", why->c.step_unknown);
	lp_diagnosis_done(&why->d);
	return status;
}

/* --at outside of the recordings has no answer. */
static int check_at(const struct why *why, struct lp_error *err)
{
	const struct lp_roster *roster = &why->c.recording.roster;
	const struct lp_zone *zone = &why->c.period.zone;
	char at[LP_TIME_TEXT], first[LP_TIME_TEXT], last[LP_TIME_TEXT];

	if (why->at_ns == LP_TIME_MIN || roster->first_ns > roster->last_ns ||
	    (why->at_ns >= roster->first_ns && why->at_ns <= roster->last_ns))
		return 0;
	return lp_fail(err, EINVAL,
		       "--at %s is outside of the recorded time, %s to %s",
		       lp_zone_format(zone, why->at_ns, at),
		       lp_zone_format(zone, roster->first_ns, first),
		       lp_zone_format(zone, roster->last_ns, last));
}

static int run(int argc, char **argv)
{
	struct options options = { 0 };
	struct why why = { 0 };
	struct lp_error err;
	int first, status, r;
	bool wrong = false;

	lp_case_options_init(&options.common, usage.command);
	if (!lp_command_begin(&usage, argc, argv, &options, &first, &status))
		return status;
	why.at_ns = LP_TIME_MIN;
	r = lp_case_load(&why.c, &options.common, argv + first + 1, &wrong,
			 &err);
	if (r == 0)
		r = lp_period_time(&why.c.period, "--at", &options.at,
				   &why.c.inputs, &wrong, &why.at_ns, &err);
	if (r == 0) {
		r = check_at(&why, &err);
		wrong = r < 0;
	}
	if (r == 0)
		r = lp_case_read_thresholds(&why.c, options.thresholds, &err);
	if (r == 0)
		r = answer(&why, argv[first], &err);
	for (size_t i = 0; r == 0 && i < why.c.inputs.n_faults; i++)
		lp_wrap(stdout, "Note:     ", why.c.inputs.faults[i].text);
	lp_case_done(&why.c);
	lp_case_options_done(&options.common);
	if (r < 0) {
		lp_command_fail(&usage, &err);
		return wrong ? LP_EXIT_USAGE : LP_EXIT_ERROR;
	}
	return lp_command_finish(&usage);
}

const struct lp_command lp_command_why = {
	.name = "why",
	.summary = "explain why a component is accused, or why not",
	.run = run,
	.usage = &usage,
};
