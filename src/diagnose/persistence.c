/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Persistence (thesis 3.4): per component an accumulator, +1 for a window in
 * the anomalous state and -1, not below 0, for one that is not. Transient
 * asymmetries are always somewhere; what persists is worth a look.
 */
#include "diagnose/persistence.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define HOUR_NS (3600 * LP_NS_PER_S)
/* The case study's list (5.6.1). */
#define LIST_MAX 100

static bool is_first_of_group(const struct lp_persistence *t, size_t unit)
{
	for (size_t i = 0; i < unit; i++)
		if (t->units[i].group_index == t->units[unit].group_index)
			return false;
	return true;
}

/*
 * The window of a unit that counts at this time, or none. It ends in (time -
 * period, time], or before if the unit's windows are farther apart than that:
 * it counts until the next one.
 */
static bool advance(struct lp_persistence *t, size_t unit, int64_t time_ns,
		    size_t *window)
{
	const struct lp_unit *u = &t->units[unit];
	int64_t apart = (int64_t)u->params.shift * t->step_ns;
	int64_t since = time_ns - lp_later(apart, t->period_ns);

	while (t->next[unit] < u->windows &&
	       u->end_ns[t->next[unit]] <= time_ns)
		t->next[unit]++;
	if (!t->next[unit])
		return false;
	*window = t->next[unit] - 1;
	return u->end_ns[*window] > since;
}

/* What all units of a group say of its peers at a time: marks[n]. */
static bool mark_group(struct lp_persistence *t, size_t first, int64_t time_ns,
		       uint8_t *marks)
{
	size_t group = t->units[first].group_index, window = 0;
	bool any = false;

	memset(marks, 0, t->units[first].group->n);
	for (size_t i = first; i < t->n_units; i++) {
		const struct lp_unit *u = &t->units[i];

		if (u->group_index != group || !u->metric->indicts ||
		    !advance(t, i, time_ns, &window))
			continue;
		any = true;
		for (size_t p = 0; p < u->group->n; p++)
			marks[p] |= *lp_unit_at(u, window, p) &
				    (LP_TRACK_ANOMALOUS | LP_TRACK_GONE);
	}
	return any;
}

static void reset(struct lp_persistence *t, size_t unit, int64_t time_ns)
{
	const struct lp_peer_group *g = t->units[unit].group;

	for (size_t r = 0; r < t->options->n_resets; r++) {
		const struct lp_reset *reset = &t->options->resets[r];

		if (reset->time_ns > time_ns ||
		    reset->time_ns <= time_ns - t->period_ns)
			continue;
		for (size_t p = 0; p < g->n; p++)
			if (strcmp(g->peers[p].label, reset->component) == 0)
				t->value[unit][p] = 0;
	}
}

static int by_rank(const void *a, const void *b)
{
	const struct lp_persistent *x = a, *y = b;

	if (x->value != y->value)
		return x->value < y->value ? 1 : -1;
	return strcmp(x->component, y->component);
}

static int list_one(struct lp_persistence *t, const struct lp_persistent *one,
		    const char *host)
{
	struct lp_diagnosis *d = t->d;

	if (!one->value ||
	    lp_is_excluded(t->options->exclude, one->component, host))
		return 0;
	if (lp_grow(&d->hourly, &d->hourly_capacity, d->n_hourly + 1,
		    sizeof(*d->hourly)) < 0)
		return -ENOMEM;
	d->hourly[d->n_hourly++] = *one;
	return 0;
}

static int list_group(struct lp_persistence *t, size_t unit, int64_t time_ns)
{
	const struct lp_peer_group *g = t->units[unit].group;
	int status = 0;

	for (size_t p = 0; p < g->n && status == 0; p++) {
		struct lp_persistent one = {
			.time_ns = time_ns,
			.value = t->value[unit][p],
			.component = g->peers[p].label,
			.group = g->name,
		};

		status = list_one(t, &one, g->peers[p].host);
	}
	return status;
}

static int list_away(struct lp_persistence *t, int64_t time_ns)
{
	int status = 0;

	for (size_t i = 0; i < t->n_away && status == 0; i++) {
		struct lp_persistent one = {
			.time_ns = time_ns,
			.value = t->away[i].value,
			.component = t->away[i].label,
			.group = t->away[i].group,
		};

		status = list_one(t, &one, t->away[i].host);
	}
	return status;
}

static int list_hour(struct lp_persistence *t, int64_t time_ns)
{
	struct lp_diagnosis *d = t->d;
	size_t before = d->n_hourly;
	size_t most = t->options->listed ? t->options->listed : LIST_MAX;
	int status = list_away(t, time_ns);

	for (size_t u = 0; u < t->n_units && status == 0; u++)
		if (t->value[u])
			status = list_group(t, u, time_ns);
	if (status < 0)
		return status;
	if (d->n_hourly > before)
		qsort(d->hourly + before, d->n_hourly - before,
		      sizeof(*d->hourly), by_rank);
	if (d->n_hourly > before + most)
		d->n_hourly = before + most;
	return 0;
}

/* Each suspect keeps the largest value of its time. */
static void remember(struct lp_persistence *t, size_t unit, int64_t time_ns)
{
	const struct lp_unit *u = &t->units[unit];

	for (size_t i = 0; t->suspects && i < t->suspects->n; i++) {
		struct lp_suspect *s = &t->suspects->items[i];
		int64_t late = (int64_t)u->params.window * t->step_ns;

		if (s->group != u->group_index || s->since_ns > time_ns ||
		    s->until_ns + late < time_ns)
			continue;
		if (t->value[unit][s->peer] > s->persistence)
			s->persistence = t->value[unit][s->peer];
	}
}

static void count(struct lp_persistence *t, size_t unit, const uint8_t *marks)
{
	size_t n = t->units[unit].group->n, *value = t->value[unit];

	for (size_t p = 0; p < n; p++) {
		if (marks[p])
			value[p]++;
		else if (value[p])
			value[p]--;
	}
}

/* One period; those whose persistence was carried beyond it wait. */
static void run_period(struct lp_persistence *t, int64_t time, uint8_t *marks)
{
	bool any = false;

	if (lp_persistence_has(t, time))
		return;
	for (size_t u = 0; u < t->n_units; u++) {
		if (!t->value[u] ||
		    (t->units[u].carried && time <= t->units[u].carried_ns))
			continue;
		reset(t, u, time);
		if (!mark_group(t, u, time, marks))
			continue;
		any = true;
		count(t, u, marks);
		remember(t, u, time);
	}
	if (any)
		lp_persistence_count_away(t);
}

static int run_time(struct lp_persistence *t, int64_t first_ns, int64_t last_ns,
		    uint8_t *marks)
{
	int64_t time = first_ns / t->period_ns * t->period_ns;
	int status = 0;

	for (; time <= last_ns && status == 0; time += t->period_ns) {
		run_period(t, time, marks);
		if (t->d && !lp_persistence_has(t, time) &&
		    (time / HOUR_NS != (time - t->period_ns) / HOUR_NS ||
		     time + t->period_ns > last_ns))
			status = list_hour(t, time);
	}
	return status;
}

static int allocate_unit(struct lp_persistence *t, size_t unit,
			 struct lp_arena *arena)
{
	const struct lp_unit *u = &t->units[unit];
	size_t size = u->group->n * sizeof(size_t);

	t->next[unit] = u->folded;
	if (!is_first_of_group(t, unit))
		return 0;
	t->value[unit] = lp_arena_alloc(arena, size);
	if (!t->value[unit])
		return -ENOMEM;
	if (u->carried)
		memcpy(t->value[unit], u->carried, size);
	return 0;
}

static int allocate(struct lp_persistence *t, struct lp_arena *arena,
		    uint8_t **marks)
{
	size_t most = 1;

	t->next = lp_arena_alloc(arena, t->n_units * sizeof(*t->next));
	t->value = lp_arena_alloc(arena, t->n_units * sizeof(*t->value));
	if (!t->next || !t->value)
		return -ENOMEM;
	for (size_t u = 0; u < t->n_units; u++) {
		size_t n = t->units[u].group->n;

		most = n > most ? n : most;
		if (allocate_unit(t, u, arena) < 0)
			return -ENOMEM;
	}
	*marks = lp_arena_alloc(arena, most);
	return *marks ? lp_persistence_resume(t, arena) : -ENOMEM;
}

int lp_persistence_run(struct lp_diagnosis *d,
		       const struct lp_diagnose_options *options,
		       struct lp_suspects *suspects)
{
	struct lp_persistence t = {
		.units = d->units,
		.n_units = d->n_units,
		.step_ns = d->step_ns,
		.d = d,
		.options = options,
		.suspects = suspects,
		.period_ns = (int64_t)d->reach.shift * d->step_ns,
		.state = options->state,
	};
	struct lp_arena arena = { 0 };
	uint8_t *marks;
	int status = allocate(&t, &arena, &marks);

	if (status == 0)
		status = run_time(&t, d->first_ns, d->last_ns, marks);
	if (status == 0)
		status = lp_persistence_leave(&t, d->last_ns);
	lp_arena_done(&arena);
	return status;
}

static int keep(const struct lp_persistence *t, struct lp_units *units,
		int64_t until_ns)
{
	for (size_t i = 0; i < units->n; i++) {
		struct lp_unit *u = &units->items[i];
		size_t size = u->group->n * sizeof(size_t);

		if (!t->value[i])
			continue;
		if (!u->carried)
			u->carried = malloc(size + 1);
		if (!u->carried)
			return -ENOMEM;
		memcpy(u->carried, t->value[i], size);
		u->carried_ns = until_ns;
	}
	return 0;
}

static int64_t first_window(const struct lp_units *units, int64_t none)
{
	int64_t first = none;

	for (size_t i = 0; i < units->n; i++) {
		const struct lp_unit *u = &units->items[i];

		if (u->folded < u->windows && u->end_ns[u->folded] < first)
			first = u->end_ns[u->folded];
	}
	return first;
}

int lp_persistence_carry(struct lp_units *units,
			 const struct lp_diagnose_options *options,
			 int64_t step_ns, int64_t until_ns)
{
	struct lp_detector_params params = lp_detector_params_at(
		lp_detector_main(options->methods), &options->params, step_ns);
	struct lp_persistence t = {
		.units = units->items,
		.n_units = units->n,
		.step_ns = step_ns,
		.options = options,
		.period_ns = (int64_t)params.shift * step_ns,
	};
	struct lp_arena arena = { 0 };
	uint8_t *marks;
	int status = allocate(&t, &arena, &marks);

	if (status == 0)
		status = run_time(&t, first_window(units, until_ns), until_ns,
				  marks);
	if (status == 0)
		status = keep(&t, units, until_ns);
	lp_arena_done(&arena);
	return status;
}
