/* SPDX-License-Identifier: Apache-2.0 */
#include "diagnose/suspect.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct finder {
	struct lp_suspects *suspects;
	const struct lp_diagnosis *d;
	const struct lp_diagnose_input *input;
	size_t first; /* of the suspects of the component at hand */
	size_t group, peer;
};

bool lp_is_excluded(const char *const *exclude, const char *label,
		    const char *host)
{
	for (; exclude && *exclude; exclude++)
		if (strcmp(*exclude, label) == 0 || strcmp(*exclude, host) == 0)
			return true;
	return false;
}

static bool is_near(const struct lp_suspect *s, int64_t since, int64_t until)
{
	return since - LP_EPISODE_GAP_NS <= s->until_ns &&
	       s->since_ns <= until + LP_EPISODE_GAP_NS;
}

static struct lp_suspect *suspect_at(struct finder *f, int64_t since,
				     int64_t until)
{
	struct lp_suspects *all = f->suspects;
	struct lp_suspect *s;

	for (size_t i = f->first; i < all->n; i++) {
		s = &all->items[i];
		if (is_near(s, since, until))
			return s;
	}
	if (lp_grow(&all->items, &all->capacity, all->n + 1, sizeof(*s)) < 0)
		return NULL;
	s = &all->items[all->n++];
	*s = (struct lp_suspect){
		.group = f->group,
		.peer = f->peer,
		.who = &f->input->plan->groups[f->group].peers[f->peer],
		.class = f->input->plan->groups[f->group].class,
		.since_ns = since,
		.until_ns = until,
	};
	return s;
}

static struct lp_sign *sign_of(struct lp_suspect *s, size_t unit, bool gone,
			       size_t window)
{
	struct lp_sign *sign;

	for (size_t i = 0; i < s->n_signs; i++)
		if (s->signs[i].unit == unit && s->signs[i].gone == gone)
			return &s->signs[i];
	if (lp_grow(&s->signs, &s->signs_capacity, s->n_signs + 1,
		    sizeof(*sign)) < 0)
		return NULL;
	sign = &s->signs[s->n_signs++];
	*sign = (struct lp_sign){ .unit = unit,
				  .gone = gone,
				  .first = window,
				  .since_ns = INT64_MAX,
				  .until_ns = INT64_MIN };
	return sign;
}

/* The episode may have begun in windows that were forgotten. */
static void add_past(struct lp_suspect *s, struct lp_sign *sign,
		     const struct lp_past *past)
{
	if (!past || !past->windows ||
	    sign->since_ns - LP_EPISODE_GAP_NS > past->until_ns)
		return;
	sign->past = past;
	sign->windows += past->windows;
	sign->since_ns = lp_earlier(sign->since_ns, past->since_ns);
	s->since_ns = lp_earlier(s->since_ns, past->since_ns);
}

static int add_mark(struct finder *f, size_t unit, size_t window, bool gone)
{
	const struct lp_unit *u = &f->d->units[unit];
	int64_t step = f->input->step_ns;
	int64_t since = lp_mark_since(u, window, f->peer, gone, step);
	int64_t until = lp_mark_until(u, window, f->peer, gone, step);
	struct lp_suspect *s = suspect_at(f, since, until);
	struct lp_sign *sign = s ? sign_of(s, unit, gone, window) : NULL;

	if (!sign)
		return -ENOMEM;
	s->since_ns = lp_earlier(s->since_ns, since);
	s->until_ns = lp_later(s->until_ns, until);
	sign->since_ns = lp_earlier(sign->since_ns, since);
	sign->until_ns = lp_later(sign->until_ns, until);
	sign->last = window;
	if (sign->windows++ == 0)
		add_past(s, sign, lp_unit_past(u, gone, f->peer));
	return 0;
}

static int look_at_unit(struct finder *f, size_t unit)
{
	const struct lp_unit *u = &f->d->units[unit];
	int status = 0;

	for (size_t w = u->folded; w < u->windows && status == 0; w++) {
		uint8_t state = *lp_unit_at(u, w, f->peer);

		if (state & LP_TRACK_GONE)
			status = add_mark(f, unit, w, true);
		else if (state & LP_TRACK_ANOMALOUS)
			status = add_mark(f, unit, w, false);
	}
	return status;
}

static int merge_sign(struct lp_suspect *into, const struct lp_sign *from)
{
	struct lp_sign *sign =
		sign_of(into, from->unit, from->gone, from->first);

	if (!sign)
		return -ENOMEM;
	sign->since_ns = lp_earlier(sign->since_ns, from->since_ns);
	sign->until_ns = lp_later(sign->until_ns, from->until_ns);
	sign->first = from->first < sign->first ? from->first : sign->first;
	sign->last = from->last > sign->last ? from->last : sign->last;
	sign->windows += from->windows;
	sign->past = from->past ? from->past : sign->past;
	return 0;
}

/* Move all of b into a, and the last suspect to b's place. */
static int merge(struct finder *f, size_t a, size_t b)
{
	struct lp_suspect *into = &f->suspects->items[a];
	struct lp_suspect *from = &f->suspects->items[b];

	for (size_t i = 0; i < from->n_signs; i++)
		if (merge_sign(into, &from->signs[i]) < 0)
			return -ENOMEM;
	into->since_ns = lp_earlier(into->since_ns, from->since_ns);
	into->until_ns = lp_later(into->until_ns, from->until_ns);
	free(from->signs);
	*from = f->suspects->items[--f->suspects->n];
	return 0;
}

/* One metric may bridge the time between two episodes of another. */
static int merge_near(struct finder *f)
{
	struct lp_suspects *all = f->suspects;

	for (size_t a = f->first; a < all->n; a++)
		for (size_t b = a + 1; b < all->n; b++) {
			if (!is_near(&all->items[a], all->items[b].since_ns,
				     all->items[b].until_ns))
				continue;
			if (merge(f, a, b) < 0)
				return -ENOMEM;
			b = a; /* it grew: look again */
		}
	return 0;
}

static int look_at_peer(struct finder *f)
{
	int status = 0;

	f->first = f->suspects->n;
	for (size_t i = 0; i < f->d->n_units && status == 0; i++)
		if (f->d->units[i].group_index == f->group &&
		    f->d->units[i].metric->indicts)
			status = look_at_unit(f, i);
	return status ? status : merge_near(f);
}

int lp_suspects_find(struct lp_suspects *suspects, const struct lp_diagnosis *d,
		     const struct lp_diagnose_input *input,
		     const struct lp_diagnose_options *options)
{
	struct finder f = { .suspects = suspects, .d = d, .input = input };
	int status = 0;

	for (f.group = 0; f.group < input->plan->n_groups; f.group++) {
		const struct lp_peer_group *g = &input->plan->groups[f.group];

		if (g->kind != LP_PEERS)
			continue;
		for (f.peer = 0; f.peer < g->n && status == 0; f.peer++)
			if (!lp_is_excluded(options->exclude,
					    g->peers[f.peer].label,
					    g->peers[f.peer].host))
				status = look_at_peer(&f);
	}
	return status;
}

void lp_suspects_acquit(struct lp_suspects *suspects)
{
	size_t kept = 0;

	for (size_t i = 0; i < suspects->n; i++) {
		if (suspects->items[i].n_signs)
			suspects->items[kept++] = suspects->items[i];
		else
			free(suspects->items[i].signs);
	}
	suspects->n = kept;
}

void lp_suspects_done(struct lp_suspects *suspects)
{
	for (size_t i = 0; i < suspects->n; i++)
		free(suspects->items[i].signs);
	free(suspects->items);
}
