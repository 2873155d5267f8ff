/* SPDX-License-Identifier: Apache-2.0 */
#include "diagnose/unit.h"

#include "stats/quantile.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t lp_active_points(const struct lp_unit *unit, int64_t step_ns)
{
	int64_t points = unit->class->active_ns / step_ns;

	if (!unit->class->pooled)
		return 0;
	return points > 1 ? (size_t)points : 1;
}

/* ---- planning ---- */

const char *lp_unit_threshold_key(const struct lp_unit *u, size_t peer)
{
	if (u->group->sockets == LP_SOCKETS_TO_CLIENTS)
		return ">clients";
	if (u->group->sockets == LP_SOCKETS_TO_SERVERS)
		return "clients>";
	return u->group->peers[peer].lasting;
}

static double trained(const struct lp_unit *u, const struct lp_thresholds *from,
		      const char *component)
{
	return from ? lp_thresholds_get(from, u->detector->name, u->class->name,
					u->metric->name, component)
		    : NAN;
}

/* Whoever edits a file may write the name that is shown. */
static double own_threshold(const struct lp_unit *u,
			    const struct lp_thresholds *from, size_t peer)
{
	double v = trained(u, from, lp_unit_threshold_key(u, peer));

	return isnan(v) ? trained(u, from, u->group->peers[peer].label) : v;
}

/* A component without its own gets the median of its group's. */
static double common_threshold(const struct lp_unit *u,
			       const struct lp_thresholds *from,
			       double *scratch)
{
	size_t n = 0;

	for (size_t i = 0; i < u->group->n; i++)
		if (!isnan(u->thresholds[i]))
			scratch[n++] = u->thresholds[i];
	return n ? lp_median(scratch, n) : trained(u, from, "");
}

static int set_thresholds(struct lp_unit *u, const struct lp_thresholds *from,
			  struct lp_arena *arena)
{
	size_t n = u->group->n;
	lp_auto_free double *scratch = calloc(n + 1, sizeof(*scratch));
	double common;

	u->thresholds = lp_arena_alloc(arena, n * sizeof(double));
	u->trained = lp_arena_alloc(arena, n * sizeof(bool));
	if (!u->thresholds || !u->trained || !scratch)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		u->thresholds[i] = own_threshold(u, from, i);
	common = common_threshold(u, from, scratch);
	for (size_t i = 0; i < n; i++) {
		if (isnan(u->thresholds[i]))
			u->thresholds[i] = common;
		u->trained[i] = !isnan(u->thresholds[i]);
		u->n_trained += u->trained[i];
		if (!u->trained[i])
			u->thresholds[i] = u->params.threshold;
	}
	return 0;
}

bool lp_unit_wanted(const struct lp_diagnose_options *options,
		    const struct lp_metric *metric)
{
	const struct lp_option_list *only = &options->only;
	bool listed = !only->count;

	for (size_t i = 0; !listed && i < only->count; i++)
		listed = lp_metric_is_listed(metric, only->text[i]);
	return listed;
}

int lp_units_add(struct lp_units *units, const struct lp_unit *unit,
		 const struct lp_diagnose_options *options,
		 struct lp_error *err)
{
	struct lp_unit *u;

	if (lp_grow(&units->items, &units->capacity, units->n + 1,
		    sizeof(*units->items)) < 0)
		return lp_fail_memory(err);
	u = &units->items[units->n++];
	*u = *unit;
	if (set_thresholds(u, options->thresholds, &units->arena) < 0)
		return lp_fail_memory(err);
	if (isnan(u->params.threshold) && u->n_trained < u->group->n)
		return lp_fail(err, EINVAL,
			       "method %s has no default threshold: "
			       "give --thresholds with one for %s of %s, or "
			       "--threshold",
			       u->detector->name, u->metric->name,
			       u->group->peers[0].label);
	return 0;
}

static int add_metric(const struct lp_diagnose_input *input,
		      const struct lp_diagnose_options *options,
		      struct lp_units *units, size_t g, size_t m,
		      struct lp_error *err)
{
	const struct lp_detector *const *methods =
		options->methods ? options->methods : lp_detectors;
	const struct lp_matrix_metric *metric = &input->metrics[m];
	int status = 0;

	for (; *methods && status == 0; methods++) {
		struct lp_detector_params given = options->params;
		struct lp_unit unit = {
			.detector = *methods,
			.class = metric->class,
			.metric = metric->metric,
			.group = &input->plan->groups[g],
			.metric_index = m,
			.group_index = g,
			.largest = NAN,
		};

		if ((!options->methods && !(*methods)->usual) ||
		    !lp_detector_applies(*methods, metric->metric) ||
		    !lp_unit_wanted(options, metric->metric))
			continue;
		if (lp_detector_is_special(*methods))
			given.threshold = options->cwnd_threshold;
		unit.params =
			lp_detector_params_at(*methods, &given, input->step_ns);
		status = lp_detector_check(&unit.params, err);
		if (status == 0)
			status = lp_units_add(units, &unit, options, err);
	}
	return status;
}

/* By those detectors that see all metrics at once. */
static int add_jointly(const struct lp_diagnose_input *input,
		       const struct lp_diagnose_options *options,
		       struct lp_units *units, size_t g, struct lp_error *err)
{
	const struct lp_detector *const *methods =
		options->methods ? options->methods : lp_detectors;
	int status = 0;

	for (; *methods && status == 0; methods++)
		if ((*methods)->joint &&
		    (options->methods || (*methods)->usual))
			status = lp_units_plan_jointly(input, options, *methods,
						       g, units, err);
	return status;
}

int lp_units_plan(const struct lp_diagnose_input *input,
		  const struct lp_diagnose_options *options, bool own,
		  struct lp_units *units, struct lp_error *err)
{
	enum lp_peers kind = own ? LP_PEERS_OWN : LP_PEERS;
	int status = lp_units_count(units, input->plan);

	if (status < 0)
		return lp_fail_memory(err);
	for (size_t g = 0; g < input->plan->n_groups && status == 0; g++) {
		const struct lp_peer_group *group = &input->plan->groups[g];

		if (group->kind != kind)
			continue;
		status = add_jointly(input, options, units, g, err);
		for (size_t m = 0; input->metrics[m].class && status == 0; m++)
			if (input->metrics[m].class == group->class &&
			    (input->metrics[m].metric->indicts ||
			     (options->all_metrics &&
			      !input->metrics[m].metric->total)))
				status = add_metric(input, options, units, g, m,
						    err);
	}
	return status;
}

void lp_unit_done(struct lp_unit *unit)
{
	lp_unit_close(unit);
	if (!unit->borrowed) {
		free(unit->peaks);
		lp_maxima_free(unit->maxima);
		free(unit->end_ns);
		free(unit->past);
		free(unit->carried);
	}
	if (!unit->borrowed || unit->changed)
		free(unit->track);
}

void lp_units_done(struct lp_units *units)
{
	for (size_t i = 0; i < units->n; i++)
		lp_unit_done(&units->items[i]);
	free(units->items);
	lp_arena_done(&units->arena);
	*units = (struct lp_units){ 0 };
}

int lp_units_view(const struct lp_units *units, struct lp_unit **view)
{
	*view = calloc(units->n + 1, sizeof(**view));
	if (!*view)
		return -ENOMEM;
	for (size_t i = 0; i < units->n; i++) {
		(*view)[i] = units->items[i];
		(*view)[i].borrowed = true;
		(*view)[i].run = NULL;
		(*view)[i].joint_run = NULL;
	}
	return 0;
}

int lp_unit_change(struct lp_unit *unit)
{
	size_t size = unit->windows * unit->group->n;
	uint8_t *own;

	if (!unit->borrowed || unit->changed)
		return 0;
	own = malloc(size + 1);
	if (!own)
		return -ENOMEM;
	if (size)
		memcpy(own, unit->track, size);
	unit->track = own;
	unit->changed = true;
	return 0;
}
