/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid why: why a component is accused, or why not.
 */
#include "case.h"
#include "command.h"

#include "base/memory.h"
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

struct options {
	struct lp_case_options common; /* first */
	const char *thresholds;
	int64_t at_ns;
};

static const struct lp_option option_table[] = {
	{ .long_name = "at",
	  .type = LP_OPTION_TIME,
	  .value = "TIME",
	  .offset = offsetof(struct options, at_ns),
	  .help = "the window that ends then or next, instead of all the "
		  "time" },
	LP_CASE_OPTIONS,
	{ .long_name = "thresholds",
	  .type = LP_OPTION_STRING,
	  .value = "FILE",
	  .offset = offsetof(struct options, thresholds),
	  .help = "what 'limpid train' wrote" },
	{ .long_name = "threshold",
	  .type = LP_OPTION_STRING,
	  .value = "X",
	  .offset = offsetof(struct options, common.threshold),
	  .help = "of components without a trained one (cdf 12, pdf 2)" },
	{ .long_name = "cwnd-threshold",
	  .type = LP_OPTION_STRING,
	  .value = "X",
	  .offset = offsetof(struct options, common.cwnd_threshold),
	  .help = "the same for cwnd: a fraction of the median (0.5)" },
};

static const struct lp_usage usage = {
	.command = "limpid why",
	.summary = "Says why a component or host is accused, or why not.",
	.operands = "COMPONENT FILE...",
	.min_operands = 2,
	.max_operands = LP_OPERANDS_ANY,
	.options = option_table,
	.n_options = lp_array_size(option_table),
	.notes = "COMPONENT is named as in the verdict (oss3/sdc), or is a "
		 "host.\n",
};

struct why {
	struct lp_case c;
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

static int look(const struct why *why, const struct lp_unit *u, size_t peer,
		struct view *view)
{
	bool all = why->at_ns == LP_TIME_MIN;
	size_t first = all ? 0 : window_at(u, why->at_ns);
	size_t last = all || first == u->windows ? u->windows : first + 1;
	int64_t since = why->d.first_ns - 1, until = why->d.last_ns;
	int status;

	if (!all && first < u->windows) {
		since = lp_unit_begin(u, first, why->c.input.step_ns);
		until = u->end_ns[first];
	}
	status = lp_evidence_values(&view->evidence, &why->c.input,
				    u->group_index, peer, u->metric_index,
				    since, until);
	if (status < 0)
		return status;
	view->evidence.threshold = u->thresholds[peer];
	count_windows(u, peer, first, last, view);
	return measure(why, u, peer, first, last, &view->evidence);
}

static void print_view(const struct lp_unit *u, const struct view *view)
{
	const struct lp_evidence *e = &view->evidence;
	char value[LP_VALUE_TEXT], peers[LP_VALUE_TEXT], iqr[LP_VALUE_TEXT];
	char distance[LP_VALUE_TEXT], threshold[LP_VALUE_TEXT];
	char share[16] = "-";

	if (!isnan(e->share_over))
		snprintf(share, sizeof(share), "%.0f %%", 100 * e->share_over);
	printf("  %-9s %8s %8s %8s %8s %6s %9s %4zu/%zu%s\n", u->metric->name,
	       lp_value_text(e->value, value),
	       lp_value_text(e->peers_median, peers),
	       lp_value_text(e->peers_iqr, iqr),
	       lp_value_text(e->distance, distance), share,
	       lp_value_text(e->threshold, threshold), view->flagged,
	       view->windows,
	       !u->metric->indicts   ? ""
	       : view->anomalous > 0 ? "  accuses"
				     : "  no");
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

static void print_accusation(const struct lp_finding *f, const char *label)
{
	char since[LP_TIME_TEXT], lasted[LP_TIME_TEXT];

	printf("%s: accused of %s", label, lp_cause_name(f->cause));
	if (strcmp(f->component, label) != 0)
		printf(" with %s", f->component);
	printf(", since %s for %s\n", lp_time_format(f->since_ns, since),
	       lp_duration_format(f->until_ns - f->since_ns, lasted));
}

/* What comes nearest to an accusation, and what it lacks. */
static void print_innocence(const struct lp_unit *nearest,
			    const struct view *view)
{
	char text[400];

	if (!nearest)
		snprintf(text, sizeof(text),
			 "nothing of it could be compared in this time");
	else if (view->absent)
		snprintf(text, sizeof(text),
			 "it has no samples in %zu of %zu windows, fewer than "
			 "%u of %u in a row, or its recorder was stopped",
			 view->absent, view->windows, nearest->params.k,
			 2 * nearest->params.k - 1);
	else if (view->flagged)
		snprintf(text, sizeof(text),
			 "it differs in %zu of %zu windows in %s; it takes %u "
			 "of %u in a row, and fewer than half of its peers "
			 "with it",
			 view->flagged, view->windows, nearest->metric->name,
			 nearest->params.k, 2 * nearest->params.k - 1);
	else
		snprintf(text, sizeof(text),
			 "in no window was it over its threshold from more "
			 "than half of its peers; %s comes nearest",
			 nearest->metric->name);
	lp_wrap(stdout, "  why not: ", text);
}

static double nearness(const struct lp_unit *u, const struct view *view)
{
	const struct lp_evidence *e = &view->evidence;
	double ratio = u->detector->lower_is_worse ? e->threshold / e->distance
						   : e->distance / e->threshold;

	return (isnan(ratio) ? -1 : ratio) + (double)view->flagged;
}

static int explain_units(const struct why *why, size_t group, size_t peer,
			 bool innocent)
{
	const struct lp_unit *nearest = NULL;
	struct view best = { 0 };

	printf("  %-9s %8s %8s %8s %8s %6s %9s %10s\n", "metric", "this one",
	       "peers", "IQR", "distance", "over", "threshold", "windows");
	for (size_t i = 0; i < why->d.n_units; i++) {
		const struct lp_unit *u = &why->d.units[i];
		struct view view = { 0 };

		if (u->group_index != group)
			continue;
		if (look(why, u, peer, &view) < 0)
			return -ENOMEM;
		if (is_empty(&view))
			continue;
		print_view(u, &view);
		if (u->metric->indicts && view.windows &&
		    (!nearest ||
		     nearness(u, &view) > nearness(nearest, &best))) {
			nearest = u;
			best = view;
		}
	}
	if (innocent)
		print_innocence(nearest, &best);
	return 0;
}

static int explain(const struct why *why, size_t group, size_t peer)
{
	const struct lp_peer_group *g = &why->c.plan.groups[group];
	const struct lp_peer *who = &g->peers[peer];
	const struct lp_finding *f = finding_of(&why->d, who);
	char text[300];
	int status;

	if (f)
		print_accusation(f, who->label);
	else
		printf("%s: not accused\n", who->label);
	status = explain_units(why, group, peer, !f);
	snprintf(text, sizeof(text), "%zu others of %s", g->n - 1, g->name);
	lp_wrap(stdout, "  peers:   ", text);
	return status;
}

/* How many components of that name, or of a host of that name, there are. */
static int explain_all(const struct why *why, const char *name, size_t *found)
{
	const struct lp_plan *plan = &why->c.plan;
	int status = 0;

	for (size_t g = 0; g < plan->n_groups; g++) {
		const struct lp_peer_group *group = &plan->groups[g];

		for (size_t i = 0;
		     group->kind == LP_PEERS && i < group->n && status == 0;
		     i++) {
			if (strcmp(group->peers[i].label, name) != 0 &&
			    strcmp(group->peers[i].host, name) != 0)
				continue;
			status = explain(why, g, i);
			++*found;
		}
	}
	for (size_t i = 0; i < plan->n_left_out; i++)
		if (strcmp(plan->left_out[i].label, name) == 0) {
			printf("%s: not compared: %s\n", name,
			       plan->left_out[i].reason);
			++*found;
		}
	return status;
}

static int answer(struct why *why, const char *name, struct lp_error *err)
{
	size_t found = 0;
	int status;

	why->c.options.all_metrics = true;
	status = lp_diagnose(&why->c.input, &why->c.options, &why->d, err);
	if (status < 0)
		return status;
	if (explain_all(why, name, &found) < 0)
		status = lp_fail_memory(err);
	else if (!found && why->d.outcome == LP_OUTCOME_UNDECIDED)
		status = lp_fail(err, ENOENT,
				 "nothing is compared, so neither is '%s': %s",
				 name, why->d.reason);
	else if (!found)
		status = lp_fail(err, ENOENT,
				 "no component or host '%s' is in these "
				 "recordings; 'limpid inventory' lists them",
				 name);
	else if (why->d.outcome == LP_OUTCOME_UNDECIDED)
		lp_wrap(stdout, "Cannot tell: ", why->d.reason);
	lp_diagnosis_done(&why->d);
	return status;
}

static int run(int argc, char **argv)
{
	struct options options = { 0 };
	struct why why = { 0 };
	struct lp_thresholds *thresholds = NULL;
	struct lp_error err;
	int first, status, r;
	bool wrong = false;

	lp_case_options_init(&options.common);
	options.at_ns = LP_TIME_MIN;
	if (!lp_command_begin(&usage, argc, argv, &options, &first, &status))
		return status;
	why.at_ns = options.at_ns;
	r = lp_case_load(&why.c, &options.common, argv + first + 1, &wrong,
			 &err);
	if (r == 0 && options.thresholds)
		r = lp_thresholds_read(options.thresholds, &thresholds, &err);
	why.c.options.thresholds = thresholds;
	if (r == 0)
		r = answer(&why, argv[first], &err);
	lp_thresholds_free(thresholds);
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
	.summary = "say why a component is accused, or why not",
	.run = run,
	.usage = &usage,
};
