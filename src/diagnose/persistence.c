/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Persistence (thesis 3.4): per component an accumulator, +1 for a window in
 * the anomalous state and -1, not below 0, for one that is not. Transient
 * asymmetries are always somewhere; what persists is worth a look.
 */
#include "diagnose/suspect.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define HOUR_NS (3600 * LP_NS_PER_S)
/* The case study's list (5.6.1). */
#define LIST_MAX 100

struct tally {
	struct lp_diagnosis *d;
	const struct lp_diagnose_options *options;
	struct lp_suspects *suspects;
	int64_t period_ns; /* from window to window */
	size_t *next;      /* [units]: the window to look at */
	size_t **value;    /* [units]: of the group's first unit, by peer */
};

static bool is_first_of_group(const struct lp_diagnosis *d, size_t unit)
{
	for (size_t i = 0; i < unit; i++)
		if (d->units[i].group_index == d->units[unit].group_index)
			return false;
	return true;
}

/* The window of a unit that ends in (time - period, time], or none. */
static bool advance(struct tally *t, size_t unit, int64_t time_ns,
		    size_t *window)
{
	const struct lp_unit *u = &t->d->units[unit];
	bool found = false;

	while (t->next[unit] < u->windows &&
	       u->end_ns[t->next[unit]] <= time_ns) {
		*window = t->next[unit]++;
		found = true;
	}
	return found;
}

/* What all units of a group say of its peers at a time: marks[n]. */
static bool mark_group(struct tally *t, size_t first, int64_t time_ns,
		       uint8_t *marks)
{
	const struct lp_diagnosis *d = t->d;
	size_t group = d->units[first].group_index, window = 0;
	bool any = false;

	memset(marks, 0, d->units[first].group->n);
	for (size_t i = first; i < d->n_units; i++) {
		const struct lp_unit *u = &d->units[i];

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

static void reset(struct tally *t, size_t unit, int64_t time_ns)
{
	const struct lp_peer_group *g = t->d->units[unit].group;

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

static bool is_excluded(const struct lp_diagnose_options *options,
			const struct lp_peer *peer)
{
	const char *const *name = options->exclude;

	for (; name && *name; name++)
		if (strcmp(*name, peer->label) == 0 ||
		    strcmp(*name, peer->host) == 0)
			return true;
	return false;
}

static int by_rank(const void *a, const void *b)
{
	const struct lp_persistent *x = a, *y = b;

	if (x->value != y->value)
		return x->value < y->value ? 1 : -1;
	return strcmp(x->component, y->component);
}

static int list_hour(struct tally *t, int64_t time_ns)
{
	struct lp_diagnosis *d = t->d;
	size_t before = d->n_hourly;

	for (size_t u = 0; u < d->n_units; u++) {
		const struct lp_peer_group *g = d->units[u].group;

		for (size_t p = 0; t->value[u] && p < g->n; p++) {
			if (!t->value[u][p] ||
			    is_excluded(t->options, &g->peers[p]))
				continue;
			if (lp_grow(&d->hourly, &d->hourly_capacity,
				    d->n_hourly + 1, sizeof(*d->hourly)) < 0)
				return -ENOMEM;
			d->hourly[d->n_hourly++] =
				(struct lp_persistent){ time_ns, t->value[u][p],
							g->peers[p].label,
							g->name };
		}
	}
	if (d->n_hourly > before)
		qsort(d->hourly + before, d->n_hourly - before,
		      sizeof(*d->hourly), by_rank);
	if (d->n_hourly > before + LIST_MAX)
		d->n_hourly = before + LIST_MAX;
	return 0;
}

/* Each suspect keeps the largest value of its time. */
static void remember(struct tally *t, size_t unit, int64_t time_ns)
{
	const struct lp_unit *u = &t->d->units[unit];

	for (size_t i = 0; i < t->suspects->n; i++) {
		struct lp_suspect *s = &t->suspects->items[i];
		int64_t late = (int64_t)u->params.window * t->d->step_ns;

		if (s->group != u->group_index || s->since_ns > time_ns ||
		    s->until_ns + late < time_ns)
			continue;
		if (t->value[unit][s->peer] > s->persistence)
			s->persistence = t->value[unit][s->peer];
	}
}

static void count(struct tally *t, size_t unit, const uint8_t *marks)
{
	size_t n = t->d->units[unit].group->n, *value = t->value[unit];

	for (size_t p = 0; p < n; p++) {
		if (marks[p])
			value[p]++;
		else if (value[p])
			value[p]--;
	}
}

static int run_time(struct tally *t, uint8_t *marks)
{
	int64_t time = t->d->first_ns / t->period_ns * t->period_ns;
	int status = 0;

	for (; time <= t->d->last_ns && status == 0; time += t->period_ns) {
		for (size_t u = 0; u < t->d->n_units; u++) {
			if (!t->value[u])
				continue;
			reset(t, u, time);
			if (!mark_group(t, u, time, marks))
				continue;
			count(t, u, marks);
			remember(t, u, time);
		}
		if (time / HOUR_NS != (time - t->period_ns) / HOUR_NS ||
		    time + t->period_ns > t->d->last_ns)
			status = list_hour(t, time);
	}
	return status;
}

static int allocate(struct tally *t, struct lp_arena *arena, uint8_t **marks)
{
	size_t most = 1;

	t->next = lp_arena_alloc(arena, t->d->n_units * sizeof(*t->next));
	t->value = lp_arena_alloc(arena, t->d->n_units * sizeof(*t->value));
	if (!t->next || !t->value)
		return -ENOMEM;
	for (size_t u = 0; u < t->d->n_units; u++) {
		size_t n = t->d->units[u].group->n;

		most = n > most ? n : most;
		if (!is_first_of_group(t->d, u))
			continue;
		t->value[u] = lp_arena_alloc(arena, n * sizeof(size_t));
		if (!t->value[u])
			return -ENOMEM;
	}
	*marks = lp_arena_alloc(arena, most);
	return *marks ? 0 : -ENOMEM;
}

int lp_persistence_run(struct lp_diagnosis *d,
		       const struct lp_diagnose_options *options,
		       struct lp_suspects *suspects)
{
	struct tally t = {
		.d = d,
		.options = options,
		.suspects = suspects,
		.period_ns = (int64_t)d->reach.shift * d->step_ns,
	};
	struct lp_arena arena = { 0 };
	uint8_t *marks;
	int status = allocate(&t, &arena, &marks);

	if (status == 0)
		status = run_time(&t, marks);
	lp_arena_done(&arena);
	return status;
}
