/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A witness that has seen profiles: which servers execute other things than
 * their peers, or wait for other things.
 */
#include "diagnose/witness.h"

#include "base/json.h"
#include "base/memory.h"
#include "behavior/behavior.h"
#include "behavior/episode.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of one kind of counts. */
struct view {
	struct lp_collection collection;
	struct lp_behavior *behavior;
	struct lp_episodes episodes;
};

enum { SAMPLES, WAITS, VIEWS };

struct software_memory {
	struct view views[VIEWS];
	lp_testify *say;
	void *user;
};

static const struct lp_behavior_options options = {
	.method = LP_BEHAVIOR_EXCESS,
};

static bool takes(const struct lp_item *item)
{
	return item->kind == LP_ITEM_COUNTS &&
	       (strcmp(item->counts->kind, LP_PROFILE_SAMPLES) == 0 ||
		strcmp(item->counts->kind, LP_PROFILE_WAITS) == 0);
}

static void forget_all(void *memory)
{
	struct software_memory *m = memory;

	for (size_t i = 0; i < VIEWS; i++) {
		lp_behavior_free(m->views[i].behavior);
		lp_episodes_done(&m->views[i].episodes);
		lp_collection_done(&m->views[i].collection);
	}
	free(m);
}

static void *begin(void)
{
	static const char *const kinds[VIEWS] = { LP_PROFILE_SAMPLES,
						  LP_PROFILE_WAITS };
	struct software_memory *m = calloc(1, sizeof(*m));

	for (size_t i = 0; i < VIEWS && m; i++) {
		struct view *v = &m->views[i];

		v->collection.kind = kinds[i];
		v->behavior = lp_behavior_new(&v->collection, &options);
		if (!v->behavior) {
			forget_all(m);
			return NULL;
		}
	}
	return m;
}

/* Counts that are broken are nobody's. */
static int push(void *memory, const struct lp_item *item)
{
	struct software_memory *m = memory;
	int status = 0;

	for (size_t i = 0; i < VIEWS && status != -ENOMEM; i++)
		status = lp_collection_add(&m->views[i].collection,
					   item->counts, INT64_MIN, INT64_MAX);
	return status == -ENOMEM ? status : 0;
}

/* What only this kind of evidence knows; yours, or NULL. */
static char *data_of(const struct lp_behavior_window *w)
{
	struct lp_json json;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	lp_json_init(&json, out);
	lp_json_object(&json);
	lp_json_put_double(&json, "distance", w->distance);
	lp_json_put_double(&json, "threshold", w->threshold);
	lp_json_put_double(&json, "own_cpu", w->own_cpu);
	lp_json_put_double(&json, "peers_cpu", w->peers_cpu);
	lp_json_put_double(&json, "foreign", w->foreign);
	lp_json_put_u64(&json, "peers", w->n_peers);
	lp_json_key(&json, "functions");
	lp_json_array(&json);
	for (size_t i = 0; i < w->n_top; i++) {
		lp_json_object(&json);
		lp_json_put_string(&json, "name", w->top[i].key);
		lp_json_put_double(&json, "own", w->top[i].own);
		lp_json_put_double(&json, "peers", w->top[i].peers);
		lp_json_put_double(&json, "low", w->top[i].low);
		lp_json_put_double(&json, "high", w->top[i].high);
		lp_json_end(&json);
	}
	lp_json_end(&json);
	lp_json_end(&json);
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

static int say_window(struct software_memory *m, const struct lp_episode *e,
		      const struct lp_behavior_window *w)
{
	char sentence[LP_EPISODE_TEXT];
	lp_auto_free char *data = data_of(w);
	const struct lp_testimony testimony = {
		.kind = strcmp(w->kind, LP_PROFILE_WAITS) == 0 ? "waits"
							       : "software",
		.host = w->host,
		.resource = LP_CPU,
		.cause = LP_CAUSE_SOFTWARE,
		.since_ns = e->begin_ns,
		.until_ns = w->end_ns,
		.strength = w->distance / w->threshold,
		.sentence = lp_episode_sentence(w, sentence),
		.data = data,
	};

	return data ? m->say(m->user, &testimony) : -ENOMEM;
}

static int take_samples(void *memory, const struct lp_behavior_window *w)
{
	struct software_memory *m = memory;
	struct lp_episodes *episodes = strcmp(w->kind, LP_PROFILE_WAITS) == 0
					       ? &m->views[WAITS].episodes
					       : &m->views[SAMPLES].episodes;
	const struct lp_episode *e;

	if (lp_episodes_put(episodes, w) < 0)
		return -ENOMEM;
	if (!w->anomalous || !w->flagged)
		return 0;
	e = lp_episodes_last(episodes, w->host);
	return e ? say_window(m, e, w) : 0;
}

/* Windows are judged in their order, however often this is called. */
static int advance(void *memory, int64_t until_ns, lp_testify *say, void *user)
{
	struct software_memory *m = memory;
	int status = 0;

	m->say = say;
	m->user = user;
	for (size_t i = 0; i < VIEWS && status == 0; i++) {
		struct view *v = &m->views[i];

		status = lp_behavior_advance(v->behavior, until_ns,
					     take_samples, m);
		lp_collection_forget(&v->collection,
				     lp_behavior_needs(v->behavior));
	}
	return status;
}

const struct lp_witness lp_witness_software = {
	.name = "software",
	.accuses_alone = true,
	.takes = takes,
	.open = begin,
	.close = forget_all,
	.push = push,
	.advance = advance,
};
