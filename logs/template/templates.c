/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/template/templates.h"

#include "logs/template/mask.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Hashes are remembered up to this many: what comes then is looked up by its
 * words each time, which is slow and right.
 */
#define MOST_SLOTS ((size_t)1 << 20)
/* Templates are joined in buckets with more than so many ... */
#define CROWD 8
/* ... if this part of their words is equal. */
#define LIKE_OF 10
#define LIKE 6
#define MOST_WORDS 64

struct word {
	const char *at;
	size_t n;
};

static size_t split(const char *text, struct word *words)
{
	size_t n = 0;

	for (const char *at = text; *at && n < MOST_WORDS; n++) {
		size_t length = strcspn(at, " ");

		words[n] = (struct word){ at, length };
		at += length + (at[length] == ' ');
	}
	return n;
}

static bool is_mask(const struct word *w)
{
	return w->n == 1 && w->at[0] == LP_LOG_MASK;
}

static bool same_word(const struct word *a, const struct word *b)
{
	return a->n == b->n && memcmp(a->at, b->at, a->n) == 0;
}

static uint64_t mix(uint64_t hash, const void *bytes, size_t n)
{
	const uint8_t *b = bytes;

	for (size_t i = 0; i < n; i++)
		hash = (hash ^ b[i]) * UINT64_C(0x100000001b3);
	return hash;
}

/* Format, level, number of words, and the first one: mostly the function. */
static uint64_t bucket_of(const struct lp_log_template *t,
			  const struct word *words, size_t n)
{
	uint64_t hash = mix(UINT64_C(0xcbf29ce484222325), &t->format,
			    sizeof(t->format));

	hash = mix(hash, &t->level, sizeof(t->level));
	hash = mix(hash, &n, sizeof(n));
	if (n > 0)
		hash = mix(hash, words[0].at, words[0].n);
	return hash ? hash : 1;
}

/* How many words are equal; 0 where a word may not differ. */
static size_t likeness(const struct lp_log_template *t,
		       const struct word *words, size_t n, bool may_join)
{
	struct word own[MOST_WORDS];
	size_t same = 0;

	split(t->text, own);
	for (size_t i = 0; i < n; i++) {
		bool equal = is_mask(&own[i]) || same_word(&own[i], &words[i]);

		if (!equal && !may_join)
			return 0;
		same += equal;
	}
	return same;
}

/* The template's words that differ become masks. */
static int join(struct lp_log_templates *ts, struct lp_log_template *t,
		const struct word *words, size_t n)
{
	char text[LP_LOG_TEMPLATE_MOST + 1], *to = text;
	struct word own[MOST_WORDS];

	split(t->text, own);
	for (size_t i = 0; i < n; i++) {
		bool equal = same_word(&own[i], &words[i]);

		memcpy(to, equal ? own[i].at : "*", equal ? own[i].n : 1);
		to += equal ? own[i].n : 1;
		*to++ = ' ';
	}
	if (to > text)
		to--;
	/* What is behind the last word that is looked at stays as it is. */
	snprintf(to, (size_t)(text + sizeof(text) - to), "%s",
		 n == MOST_WORDS ? own[n - 1].at + own[n - 1].n : "");
	t->text = lp_arena_string(&ts->arena, text);
	return t->text ? 0 : -ENOMEM;
}

/* One of the bucket that the words fit, if need be by joining; or NONE. */
static uint32_t find_alike(struct lp_log_templates *ts, uint32_t first,
			   const struct word *words, size_t n, bool *joins)
{
	uint32_t best = LP_LOG_TEMPLATE_NONE, seen = 0;
	size_t most = 0;

	for (uint32_t i = first; i != LP_LOG_TEMPLATE_NONE;
	     i = ts->all[i].next) {
		size_t same =
			likeness(&ts->all[i], words, n, !ts->all[i].healthy);

		seen += !ts->all[i].healthy;
		if (same == n && n > 0) {
			*joins = false;
			return i;
		}
		if (same > most) {
			most = same;
			best = i;
		}
	}
	*joins = true;
	return seen > CROWD && most * LIKE_OF >= n * LIKE
		       ? best
		       : LP_LOG_TEMPLATE_NONE;
}

static uint32_t append(struct lp_log_templates *ts,
		       const struct lp_log_template *made,
		       struct lp_log_slot *bucket)
{
	struct lp_log_template *t;

	if (lp_grow(&ts->all, &ts->capacity, ts->n + 1, sizeof(*ts->all)) < 0)
		return LP_LOG_TEMPLATE_NONE;
	t = &ts->all[ts->n];
	*t = *made;
	t->text = lp_arena_string(&ts->arena, made->text);
	if (!t->text)
		return LP_LOG_TEMPLATE_NONE;
	t->next = bucket->hash ? bucket->number : LP_LOG_TEMPLATE_NONE;
	lp_log_slots_set(&ts->buckets, bucket, made->bucket, (uint32_t)ts->n);
	return (uint32_t)ts->n++;
}

/* By its words: one that is there, or a new one. */
static uint32_t place(struct lp_log_templates *ts, struct lp_log_template *made)
{
	struct word words[MOST_WORDS];
	size_t n = split(made->text, words);
	struct lp_log_slot *bucket;
	bool joins = false;
	uint32_t found = LP_LOG_TEMPLATE_NONE;

	if (lp_log_slots_reserve(&ts->buckets) < 0)
		return LP_LOG_TEMPLATE_NONE;
	made->bucket = bucket_of(made, words, n);
	made->words = (uint32_t)n;
	bucket = lp_log_slots_find(&ts->buckets, made->bucket);
	if (bucket->hash)
		found = find_alike(ts, bucket->number, words, n, &joins);
	if (found == LP_LOG_TEMPLATE_NONE)
		return append(ts, made, bucket);
	if (joins && join(ts, &ts->all[found], words, n) < 0)
		return LP_LOG_TEMPLATE_NONE;
	return found;
}

static uint32_t look_closer(struct lp_log_templates *ts,
			    const struct lp_log_line *line)
{
	char text[LP_LOG_TEMPLATE_MOST];
	struct lp_log_template made = { .format = line->format,
					.level = line->level,
					.text = text };

	lp_log_mask_text(line, text);
	return place(ts, &made);
}

uint32_t lp_log_templates_of(struct lp_log_templates *ts,
			     const struct lp_log_line *line)
{
	uint64_t hash = lp_log_mask_hash(line);
	struct lp_log_slot *slot;
	uint32_t found;

	if (ts->hashes.used < MOST_SLOTS &&
	    lp_log_slots_reserve(&ts->hashes) < 0)
		return LP_LOG_TEMPLATE_NONE;
	slot = lp_log_slots_find(&ts->hashes, hash);
	if (slot->hash) {
		ts->all[slot->number].count++;
		return slot->number;
	}
	found = look_closer(ts, line);
	if (found == LP_LOG_TEMPLATE_NONE)
		return found;
	if (ts->hashes.used < MOST_SLOTS)
		lp_log_slots_set(&ts->hashes, slot, hash, found);
	ts->all[found].count++;
	return found;
}

int lp_log_templates_add(struct lp_log_templates *ts,
			 const struct lp_log_template *known)
{
	struct lp_log_template made = *known;

	return place(ts, &made) == LP_LOG_TEMPLATE_NONE ? -ENOMEM : 0;
}

void lp_log_templates_done(struct lp_log_templates *ts)
{
	lp_arena_done(&ts->arena);
	free(ts->all);
	free(ts->hashes.all);
	free(ts->buckets.all);
	*ts = (struct lp_log_templates){ 0 };
}
