/* SPDX-License-Identifier: Apache-2.0 */
#include "behavior/episode.h"

#include "base/memory.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Enough foreign functions to be the first thing to say. */
#define FOREIGN 0.05

struct lp_flagged_since {
	const char *host, *kind;
	int64_t since_ns; /* of the flags of the last votes */
	int64_t until_ns;
};

static bool is_of(const char *host, const char *kind,
		  const struct lp_behavior_window *w)
{
	return strcmp(host, w->host) == 0 && strcmp(kind, w->kind) == 0;
}

static struct lp_flagged_since *since_of(struct lp_episodes *e,
					 const struct lp_behavior_window *w)
{
	for (size_t i = 0; i < e->n_since; i++)
		if (is_of(e->since[i].host, e->since[i].kind, w))
			return &e->since[i];
	if (lp_grow(&e->since, &e->since_capacity, e->n_since + 1,
		    sizeof(*e->since)) < 0)
		return NULL;
	e->since[e->n_since] =
		(struct lp_flagged_since){ w->host, w->kind, INT64_MAX,
					   INT64_MIN };
	return &e->since[e->n_since++];
}

/* The last episode of the host, if this window continues it. */
static struct lp_episode *open_episode(struct lp_episodes *e,
				       const struct lp_behavior_window *w)
{
	for (size_t i = e->n; i > 0; i--) {
		struct lp_episode *one = &e->items[i - 1];

		if (is_of(one->host, one->kind, w))
			return w->begin_ns <= one->end_ns +
						       LP_BEHAVIOR_WINDOW_NS
				       ? one
				       : NULL;
	}
	return NULL;
}

/* Where the flags that the votes look at begin. */
static void note_flag(struct lp_flagged_since *s,
		      const struct lp_behavior_window *w)
{
	int64_t reach =
		w->begin_ns - (LP_BEHAVIOR_OF - 1) * LP_BEHAVIOR_SHIFT_NS;

	if (!w->flagged)
		return;
	if (s->since_ns < reach || s->since_ns == INT64_MAX ||
	    s->until_ns + LP_BEHAVIOR_WINDOW_NS < w->begin_ns)
		s->since_ns = w->begin_ns;
	s->until_ns = w->end_ns;
}

int lp_episodes_put(struct lp_episodes *e, const struct lp_behavior_window *w)
{
	struct lp_flagged_since *s = since_of(e, w);
	struct lp_episode *one;

	if (!s)
		return -ENOMEM;
	one = open_episode(e, w);
	if (!one)
		note_flag(s, w);
	if (!w->anomalous || !w->flagged)
		return 0;
	if (!one) {
		if (lp_grow(&e->items, &e->capacity, e->n + 1,
			    sizeof(*e->items)) < 0)
			return -ENOMEM;
		one = &e->items[e->n++];
		*one = (struct lp_episode){ .host = w->host,
					    .kind = w->kind,
					    .begin_ns = s->since_ns,
					    .worst = *w };
	}
	one->end_ns = w->end_ns;
	one->n_windows++;
	if (w->distance / w->threshold >
	    one->worst.distance / one->worst.threshold)
		one->worst = *w;
	return 0;
}

void lp_episodes_done(struct lp_episodes *e)
{
	free(e->items);
	free(e->since);
}

/* ---- words ---- */

/* "glusterfsd libc.so.6 malloc" */
static void put_key(char *text, size_t size, const char *key)
{
	snprintf(text, size, "%s", key);
	for (char *at = text; *at; at++)
		if (*at == '\t')
			*at = ' ';
}

/* The function that it runs most beyond its peers; NULL: it runs all less. */
static const struct lp_behavior_function *most(
	const struct lp_behavior_window *w)
{
	for (size_t i = 0; i < w->n_top; i++)
		if (w->top[i].own > w->top[i].peers)
			return &w->top[i];
	return NULL;
}

const char *lp_episode_sentence(const struct lp_behavior_window *w,
				char text[LP_EPISODE_TEXT])
{
	const struct lp_behavior_function *f = most(w);
	char name[160] = "";

	if (f)
		put_key(name, sizeof(name), f->key);
	if (strcmp(w->kind, LP_PROFILE_WAITS) == 0)
		snprintf(text, LP_EPISODE_TEXT,
			 "Its threads wait otherwise than those of its %zu "
			 "peers: %s",
			 w->n_peers, f ? name : "less");
	else if (w->foreign >= FOREIGN)
		snprintf(text, LP_EPISODE_TEXT,
			 "%.0f %% of its CPU time is in functions that its %zu "
			 "peers do not run: %s",
			 100 * w->foreign, w->n_peers, name);
	else if (w->way == LP_BEHAVIOR_LESS || !f)
		snprintf(text, LP_EPISODE_TEXT,
			 "It uses %.1f %% of a CPU, its %zu peers %.1f %%",
			 100 * w->own_cpu, w->n_peers, 100 * w->peers_cpu);
	else
		snprintf(text, LP_EPISODE_TEXT,
			 "It uses %.1f %% of a CPU, its %zu peers %.1f %%; "
			 "most differs %s: %.1f %%, peers %.1f %%",
			 100 * w->own_cpu, w->n_peers, 100 * w->peers_cpu, name,
			 100 * f->own, 100 * f->peers);
	return text;
}

/* ---- builds ---- */

/* "HOST\tIMAGE\tBUILD" of two hosts with the same image, but another build. */
static bool differ(const char *a, const char *b)
{
	const char *image_a = strchr(a, '\t'), *image_b = strchr(b, '\t');
	size_t n = strcspn(image_a + 1, "\t");

	return (size_t)(image_a - a) == (size_t)(image_b - b)
		       ? memcmp(a, b, (size_t)(image_a - a)) != 0 &&
				 strncmp(image_a, image_b, n + 2) == 0 &&
				 strcmp(image_a, image_b) != 0
		       : strncmp(image_a, image_b, n + 2) == 0 &&
				 strcmp(image_a, image_b) != 0;
}

bool lp_builds_next(const struct lp_collection *c, size_t *at, char *text,
		    size_t size)
{
	for (; *at < c->builds.count; ++*at) {
		const char *b = c->builds.text[*at];

		for (size_t i = 0; i < *at; i++) {
			const char *a = c->builds.text[i];
			const char *image = strchr(a, '\t') + 1;

			if (!differ(a, b))
				continue;
			snprintf(text, size,
				 "%.*s and %.*s run different builds of %.*s",
				 (int)strcspn(a, "\t"), a,
				 (int)strcspn(b, "\t"), b,
				 (int)strcspn(image, "\t"), image);
			++*at;
			return true;
		}
	}
	return false;
}
