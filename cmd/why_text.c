/* SPDX-License-Identifier: Apache-2.0 */
#include "why.h"

#include "base/visible.h"
#include "diagnose/publish.h"
#include "report/verdict.h"
#include "report/wrap.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#define COLUMNS "  %-9s %8s %8s %8s %8s %6s %9s %7s %7s"

static void print_view(const struct lp_unit *u, const struct lp_why_view *view,
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

bool lp_why_is_taker(const struct lp_finding *f, const char *label)
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

static void print_accusation(const struct lp_why *why,
			     const struct lp_finding *f, const char *label)
{
	char since[LP_TIME_TEXT], until[LP_TIME_TEXT], lasted[LP_TIME_TEXT];
	char unjudged[LP_UNJUDGED_TEXT], bounds[LP_BOUNDS_TEXT];

	if (lp_why_is_taker(f, label)) {
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
	if (f->dated)
		lp_wrap(stdout, "             ",
			lp_verdict_bounds(f, &why->c.period.zone, bounds));
	if (f->unjudged)
		lp_wrap(stdout, "             ",
			lp_verdict_unjudged(f, &why->c.period.zone, unjudged));
}

/* What comes nearest to an accusation, and what it lacks. */
static void print_innocence(const struct lp_unit *nearest,
			    const struct lp_why_view *view)
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

/* Not those that are told by their scores, nor by their absence. */
static bool is_shown(const struct lp_unit *u)
{
	return !u->detector->joint && u->detector != &lp_presence;
}

static bool any_shown(const struct lp_why *why, size_t group)
{
	for (size_t i = 0; i < why->d.n_units; i++)
		if (why->d.units[i].group_index == group &&
		    is_shown(&why->d.units[i]))
			return true;
	return false;
}

static int explain_units(const struct lp_why *why, size_t group, size_t peer,
			 const struct lp_finding *f)
{
	const struct lp_unit *nearest = NULL;
	struct lp_why_view best = { 0 };

	printf(COLUMNS "\n", "metric", "this one", "peers", "IQR", "distance",
	       "beyond", "threshold", "windows", "accuses");
	for (size_t i = 0; i < why->d.n_units; i++) {
		const struct lp_unit *u = &why->d.units[i];
		struct lp_why_view view = { 0 };

		if (u->group_index != group || !is_shown(u))
			continue;
		if (lp_why_look(why, u, peer, f, &view) < 0)
			return -ENOMEM;
		if (lp_why_is_empty(&view))
			continue;
		print_view(u, &view, lp_diagnosis_several(&why->d));
		if (u->metric->indicts && view.windows &&
		    (!nearest || lp_why_nearness(u, &view) >
					 lp_why_nearness(nearest, &best))) {
			nearest = u;
			best = view;
		}
	}
	if (!f)
		print_innocence(nearest, &best);
	return 0;
}

/* What else a joint detector has. */
static int explain_absence(const struct lp_why *why, size_t group, size_t peer)
{
	for (size_t i = 0; i < why->d.n_units; i++) {
		const struct lp_unit *u = &why->d.units[i];
		struct lp_why_view view = { 0 };
		char text[120];

		if (u->group_index != group || u->detector != &lp_presence)
			continue;
		if (lp_why_look(why, u, peer, NULL, &view) < 0)
			return -ENOMEM;
		if (!view.absent)
			continue;
		snprintf(text, sizeof(text),
			 "It has no samples, or no work, in %zu of %zu "
			 "windows.",
			 view.absent, view.windows);
		lp_wrap(stdout, "  Absence:   ", text);
	}
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

static int explain(const struct lp_why *why, size_t group, size_t peer)
{
	const struct lp_peer_group *g = &why->c.input.plan->groups[group];
	const struct lp_peer *who = &g->peers[peer];
	const struct lp_finding *f = lp_why_finding(&why->d, who);
	const struct lp_why_scores *scores = lp_why_scores(why, group, peer);
	int status = 0;

	if (f)
		print_accusation(why, f, who->label);
	else
		printf("%s: not accused\n", lp_shown(who->label));
	if (scores) {
		status = explain_absence(why, group, peer);
		lp_why_print_scores(why, scores, f != NULL);
	}
	if (status == 0 && (!scores || any_shown(why, group)))
		status = explain_units(why, group, peer, f);
	print_peers(g);
	return status;
}

/* What nobody saw has no values to explain. */
static bool explain_unseen(const struct lp_why *why, const char *name,
			   size_t *found)
{
	const struct lp_plan *plan = why->c.input.plan;

	for (size_t i = 0; i < plan->n_unseen; i++) {
		char text[400];

		if (strcmp(plan->unseen[i].label, name) != 0)
			continue;
		++*found;
		snprintf(text, sizeof(text),
			 "the recordings have no samples of it; %s",
			 plan->unseen[i].known_by);
		if (why->json) {
			lp_why_put_other(why, name, text);
			return true;
		}
		printf("%s: absent\n", lp_shown(name));
		lp_wrap(stdout, "  Why:       ", text);
		return true;
	}
	return false;
}

static void tell_left_out(const struct lp_why *why, const char *name,
			  const char *reason)
{
	if (why->json)
		lp_why_put_other(why, name, reason);
	else
		printf("%s: not compared: %s.\n", lp_shown(name), reason);
}

bool lp_why_is_named(const struct lp_peer *peer, const char *name)
{
	return strcmp(peer->label, name) == 0 || strcmp(peer->host, name) == 0;
}

int lp_why_explain(const struct lp_why *why, const char *name, size_t *found)
{
	const struct lp_plan *plan = why->c.input.plan;
	int status = 0;

	for (size_t g = 0; g < plan->n_groups; g++) {
		const struct lp_peer_group *group = &plan->groups[g];

		for (size_t i = 0;
		     group->kind == LP_PEERS && i < group->n && status == 0;
		     i++) {
			if (!lp_why_is_named(&group->peers[i], name))
				continue;
			status = why->json ? lp_why_put(why, g, i)
					   : explain(why, g, i);
			++*found;
		}
	}
	if (explain_unseen(why, name, found))
		return status;
	for (size_t i = 0; i < plan->n_left_out; i++)
		if (strcmp(plan->left_out[i].label, name) == 0) {
			tell_left_out(why, name, plan->left_out[i].reason);
			++*found;
		}
	return status;
}

/* Whether a table of windows was printed. */
static bool any_compared(const struct lp_why *why, const char *name)
{
	const struct lp_plan *plan = why->c.input.plan;

	for (size_t g = 0; g < plan->n_groups; g++) {
		const struct lp_peer_group *group = &plan->groups[g];

		for (size_t i = 0; group->kind == LP_PEERS && i < group->n; i++)
			if (lp_why_is_named(&group->peers[i], name) &&
			    (!lp_why_scores(why, g, i) || any_shown(why, g)))
				return true;
	}
	return false;
}

void lp_why_legend(const struct lp_why *why, const char *name)
{
	for (size_t i = 0; i < why->n_scores; i++)
		if (why->scores[i].n > 0) {
			lp_why_scores_legend();
			break;
		}
	if (!any_compared(why, name))
		return;
	lp_wrap(stdout, "Columns:  ",
		"this one: its median. peers: the median of its peers. IQR: "
		"the range of their middle half. distance: how far its values "
		"are from those of a typical peer. For cwnd: its value as a "
		"fraction of the servers' median. beyond: the share of its "
		"peers to which the distance is above the threshold. windows: "
		"how many differ. accuses: whether this metric accuses it. - "
		"means that it is shown for information only.");
}
