/* SPDX-License-Identifier: Apache-2.0 */
#include "diagnose/diagnose_state.h"

#include "base/number.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KIND "diagnose-state"
#define ACCUMULATORS "diagnose-accumulators"
#define RESETS "diagnose-resets"
#define EXCLUDED "diagnose-excluded"
/* Entries in one item, which must fit into a block of an archive. */
#define ENTRIES 512
#define KEY_MAX 2048

void lp_state_done(struct lp_state *s)
{
	lp_names_done(&s->keys);
	lp_names_done(&s->excluded);
	lp_arena_done(&s->arena);
	free(s->known);
	free(s->resets);
	*s = (struct lp_state){ 0 };
}

static bool make_key(char key[KEY_MAX], const char *class_name,
		     const char *lasting)
{
	int n = snprintf(key, KEY_MAX, "%s\n%s", class_name, lasting);

	return n >= 0 && n < KEY_MAX;
}

static bool copy(struct lp_state *s, const char **text)
{
	*text = lp_arena_string(&s->arena, *text);
	return *text;
}

int lp_state_know(struct lp_state *s, const struct lp_known *known)
{
	struct lp_known k = *known;
	char key[KEY_MAX];
	uint32_t id;

	if (!make_key(key, k.class_name, k.lasting) ||
	    !copy(s, &k.class_name) || !copy(s, &k.lasting) ||
	    !copy(s, &k.label) || !copy(s, &k.host) || !copy(s, &k.group))
		return -ENOMEM;
	id = lp_names_add(&s->keys, key);
	if (id == LP_NAME_NONE ||
	    lp_grow(&s->known, &s->known_capacity, (size_t)id + 1,
		    sizeof(*s->known)) < 0)
		return -ENOMEM;
	s->known[id] = k;
	s->n_known = s->keys.count;
	return 0;
}

uint32_t lp_state_find(const struct lp_state *s, const char *class_name,
		       const char *lasting)
{
	char key[KEY_MAX];

	return make_key(key, class_name, lasting) ? lp_names_find(&s->keys, key)
						  : LP_NAME_NONE;
}

bool lp_state_has_reset(const struct lp_state *s, const char *lasting,
			int64_t time_ns)
{
	for (size_t i = 0; i < s->n_resets; i++)
		if (s->resets[i].time_ns == time_ns &&
		    strcmp(s->resets[i].lasting, lasting) == 0)
			return true;
	return false;
}

int lp_state_reset(struct lp_state *s, const char *lasting, int64_t time_ns)
{
	struct lp_state_reset reset = { lasting, time_ns };

	if (lp_state_has_reset(s, lasting, time_ns))
		return 0;
	if (!copy(s, &reset.lasting) ||
	    lp_grow(&s->resets, &s->resets_capacity, s->n_resets + 1,
		    sizeof(*s->resets)) < 0)
		return -ENOMEM;
	s->resets[s->n_resets++] = reset;
	return 0;
}

/* ---- from counts ---- */

struct taking {
	struct lp_state *state;
	const struct lp_counts *counts;
	const char *name;
	struct lp_error *err;
};

static int bad(const struct taking *t, size_t entry, const char *expected)
{
	return lp_fail(t->err, EINVAL, "%s: %s, entry %zu: expected %s",
		       t->name, t->counts->kind, entry + 1, expected);
}

/* "version" 1, "period_ns" 450000000000 */
static int take_head(const struct taking *t)
{
	const struct lp_counts *c = t->counts;
	uint64_t version = 0, period = 0;

	for (size_t i = 0; i < c->n_counts; i++) {
		if (strcmp(c->texts[c->ids[i]], "version") == 0)
			version = c->counts[i];
		if (strcmp(c->texts[c->ids[i]], "period_ns") == 0)
			period = c->counts[i];
	}
	if (version != LP_STATE_VERSION)
		return lp_fail(t->err, EINVAL,
			       "%s: a state of version %" PRIu64
			       "; this limpid knows version %d",
			       t->name, version, LP_STATE_VERSION);
	if (period == 0 || period > INT64_MAX)
		return bad(t, 0, "a period_ns above 0");
	t->state->period_ns = (int64_t)period;
	t->state->from_ns = c->from_ns;
	t->state->until_ns = c->to_ns;
	t->state->whole = true;
	return 0;
}

/* "disk\toss1/wwid:naa.5000c5\toss1/sdb\toss1\t12 disks\tgone", 17 */
static int take_known(const struct taking *t, size_t i, char *text)
{
	struct lp_known known = { .value = (size_t)t->counts->counts[i] };
	const char **field[] = { &known.class_name, &known.lasting,
				 &known.label, &known.host, &known.group };
	char *rest = text;

	for (size_t f = 0; f < lp_array_size(field); f++) {
		*field[f] = strsep(&rest, "\t");
		if (!rest)
			return bad(t, i,
				   "class, lasting name, name, host, group "
				   "and 'gone' or nothing, separated by tabs");
	}
	known.gone = strcmp(rest, "gone") == 0;
	if (*rest && !known.gone)
		return bad(t, i, "'gone' or nothing in the last field");
	return lp_state_know(t->state, &known) < 0 ? lp_fail_memory(t->err) : 0;
}

/* "1780272000000000000\toss1/wwid:naa.5000c5" */
static int take_reset(const struct taking *t, size_t i, char *text)
{
	char *tab = strchr(text, '\t');
	uint64_t time_ns;

	if (!tab || lp_parse_u64(text, (size_t)(tab - text), &time_ns) < 0 ||
	    time_ns > INT64_MAX)
		return bad(t, i, "a time in ns and a name, separated by a tab");
	return lp_state_reset(t->state, tab + 1, (int64_t)time_ns) < 0
		       ? lp_fail_memory(t->err)
		       : 0;
}

static int take_excluded(const struct taking *t, size_t i, char *text)
{
	(void)i;
	return lp_names_add(&t->state->excluded, text) == LP_NAME_NONE
		       ? lp_fail_memory(t->err)
		       : 0;
}

typedef int take_fn(const struct taking *t, size_t entry, char *text);

static int take_all(const struct taking *t, take_fn *take)
{
	const struct lp_counts *c = t->counts;
	int status = 0;

	for (size_t i = 0; i < c->n_counts && status == 0; i++) {
		lp_auto_free char *text = strdup(c->texts[c->ids[i]]);

		status = text ? take(t, i, text) : lp_fail_memory(t->err);
	}
	return status;
}

int lp_state_take(struct lp_state *state, const struct lp_counts *counts,
		  const char *name, struct lp_error *err)
{
	static const struct {
		const char *kind;
		take_fn *take;
	} kinds[] = { { ACCUMULATORS, take_known },
		      { RESETS, take_reset },
		      { EXCLUDED, take_excluded } };
	struct taking t = { state, counts, name, err };

	if (strcmp(counts->kind, KIND) == 0)
		return take_head(&t);
	for (size_t i = 0; i < lp_array_size(kinds); i++)
		if (strcmp(counts->kind, kinds[i].kind) == 0)
			return take_all(&t, kinds[i].take);
	return 0;
}

/* ---- to counts ---- */

struct putting {
	const struct lp_state *state;
	lp_state_put_fn *put;
	void *user;
	struct lp_error *err;
	const char *kind; /* of the entries below */
	const char *texts[ENTRIES];
	uint64_t counts[ENTRIES];
	uint32_t ids[ENTRIES];
	size_t n;
	struct lp_arena arena; /* of their texts */
};

static int flush(struct putting *p)
{
	struct lp_counts counts = {
		.kind = p->kind,
		.host = "",
		.from_ns = p->state->from_ns,
		.to_ns = p->state->until_ns,
		.texts = p->texts,
		.n_texts = p->n,
		.ids = p->ids,
		.counts = p->counts,
		.n_counts = p->n,
	};
	int status = p->n ? p->put(p->user, &counts, p->err) : 0;

	p->n = 0;
	lp_arena_done(&p->arena);
	p->arena = (struct lp_arena){ 0 };
	return status;
}

static int add(struct putting *p, const char *text, uint64_t count)
{
	p->texts[p->n] = lp_arena_string(&p->arena, text);
	if (!p->texts[p->n])
		return lp_fail_memory(p->err);
	p->ids[p->n] = (uint32_t)p->n;
	p->counts[p->n++] = count;
	return p->n == ENTRIES ? flush(p) : 0;
}

static int put_head(struct putting *p)
{
	int status = add(p, "version", LP_STATE_VERSION);

	if (status == 0)
		status = add(p, "period_ns", (uint64_t)p->state->period_ns);
	return status ? status : flush(p);
}

static int put_known(struct putting *p)
{
	int status = 0;

	for (size_t i = 0; i < p->state->n_known && status == 0; i++) {
		const struct lp_known *k = &p->state->known[i];
		lp_auto_free char *text = NULL;

		if (asprintf(&text, "%s\t%s\t%s\t%s\t%s\t%s", k->class_name,
			     k->lasting, k->label, k->host, k->group,
			     k->gone ? "gone" : "") < 0) {
			text = NULL;
			return lp_fail_memory(p->err);
		}
		status = add(p, text, k->value);
	}
	return status ? status : flush(p);
}

static int put_resets(struct putting *p)
{
	int status = 0;

	for (size_t i = 0; i < p->state->n_resets && status == 0; i++) {
		const struct lp_state_reset *r = &p->state->resets[i];
		lp_auto_free char *text = NULL;

		if (asprintf(&text, "%" PRId64 "\t%s", r->time_ns, r->lasting) <
		    0) {
			text = NULL;
			return lp_fail_memory(p->err);
		}
		status = add(p, text, 1);
	}
	return status ? status : flush(p);
}

static int put_excluded(struct putting *p)
{
	int status = 0;

	for (uint32_t i = 0; i < p->state->excluded.count && status == 0; i++)
		status = add(p, p->state->excluded.text[i], 1);
	return status ? status : flush(p);
}

int lp_state_put(const struct lp_state *state, lp_state_put_fn *put, void *user,
		 struct lp_error *err)
{
	static const struct {
		const char *kind;
		int (*put)(struct putting *p);
	} kinds[] = { { KIND, put_head },
		      { ACCUMULATORS, put_known },
		      { RESETS, put_resets },
		      { EXCLUDED, put_excluded } };
	struct putting *p = calloc(1, sizeof(*p));
	int status = p ? 0 : lp_fail_memory(err);

	for (size_t i = 0; i < lp_array_size(kinds) && status == 0; i++) {
		p->state = state;
		p->put = put;
		p->user = user;
		p->err = err;
		p->kind = kinds[i].kind;
		status = kinds[i].put(p);
	}
	if (p)
		lp_arena_done(&p->arena);
	free(p);
	return status;
}
