/* SPDX-License-Identifier: Apache-2.0 */
#include "behavior/profile.h"

#include "base/memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool lp_profile_is_kind(const char *kind)
{
	return strcmp(kind, LP_PROFILE_SAMPLES) == 0 ||
	       strcmp(kind, LP_PROFILE_WAITS) == 0 ||
	       strcmp(kind, LP_PROFILE_STACKS) == 0;
}

int64_t lp_profile_slot_of(int64_t time_ns)
{
	int64_t rest = time_ns % LP_PROFILE_SLOT_NS;

	return time_ns - (rest < 0 ? rest + LP_PROFILE_SLOT_NS : rest);
}

int lp_profile_walk(const struct lp_counts *c, lp_profile_each *each,
		    void *user)
{
	const char *text = NULL;
	size_t first = 0, at = 0;
	int status = 0;

	for (size_t i = 0; i < c->n_texts && status == 0; i++) {
		if (c->texts[i][0]) {
			text = c->texts[i];
			first = i;
		} else if (!text) {
			return -EINVAL;
		}
		if (at == c->n_counts || c->ids[at] != i)
			continue;
		status = each(
			user, text,
			lp_time_add(c->from_ns,
				    (int64_t)(i - first) * LP_PROFILE_SLOT_NS),
			c->counts[at++]);
	}
	return status;
}

bool lp_function_split(const char *text, struct lp_function_parts *p)
{
	const char *image = strchr(text, '\t');
	const char *function = image ? strchr(image + 1, '\t') : NULL;
	const char *build;

	if (text[0] == '#' || !function)
		return false;
	image++;
	build = memrchr(image, '@', (size_t)(function - image));
	p->program = text;
	p->n_program = (size_t)(image - 1 - text);
	p->image = image;
	p->n_image = (size_t)((build ? build : function) - image);
	p->build = build ? build + 1 : function;
	p->n_build = (size_t)(function - p->build);
	p->function = function + 1;
	p->n_function = strlen(function + 1);
	return true;
}

/* A guessed name says where the function is in this build only. */
void lp_function_key(const struct lp_function_parts *p, char *text, size_t size)
{
	const char *guess = strchr(p->function, '~');
	const char *name = guess ? guess : p->function;

	snprintf(text, size, "%.*s\t%.*s\t%s", (int)p->n_program, p->program,
		 (int)p->n_image, p->image, name);
}

/* ---- a sheet ---- */

uint32_t lp_profile_sheet_text(struct lp_profile_sheet *s, const char *text)
{
	uint32_t known = s->names.count, number;

	if (lp_grow(&s->counts, &s->capacity, ((size_t)known + 1) * s->n_slots,
		    sizeof(*s->counts)) < 0)
		return LP_NAME_NONE;
	number = lp_names_add(&s->names, text);
	if (number == known)
		memset(s->counts + (size_t)number * s->n_slots, 0,
		       s->n_slots * sizeof(*s->counts));
	return number;
}

/* The slots of a text up to its last count. */
static size_t used_slots(const struct lp_profile_sheet *s, uint32_t text)
{
	const uint64_t *counts = s->counts + (size_t)text * s->n_slots;
	size_t n = s->n_slots;

	while (n > 0 && counts[n - 1] == 0)
		n--;
	return n;
}

struct room {
	const char **texts;
	uint32_t *ids;
	uint64_t *counts;
	size_t n_texts, n_counts;
};

static int make_room(const struct lp_profile_sheet *s, struct lp_arena *arena,
		     struct room *r)
{
	size_t n = 0;

	for (uint32_t i = 0; i < s->names.count; i++)
		n += used_slots(s, i);
	*r = (struct room){
		.texts = lp_arena_alloc_raw(arena, n * sizeof(*r->texts)),
		.ids = lp_arena_alloc_raw(arena, n * sizeof(*r->ids)),
		.counts = lp_arena_alloc_raw(arena, n * sizeof(*r->counts)),
	};
	return r->texts && r->ids && r->counts ? 0 : -ENOMEM;
}

static void put_text(const struct lp_profile_sheet *s, uint32_t text,
		     struct room *r)
{
	const uint64_t *counts = s->counts + (size_t)text * s->n_slots;
	size_t n = used_slots(s, text);

	for (size_t i = 0; i < n; i++) {
		r->texts[r->n_texts] = i == 0 ? s->names.text[text] : "";
		if (counts[i] > 0) {
			r->ids[r->n_counts] = (uint32_t)r->n_texts;
			r->counts[r->n_counts++] = counts[i];
		}
		r->n_texts++;
	}
}

int lp_profile_sheet_counts(const struct lp_profile_sheet *s,
			    struct lp_arena *arena, struct lp_counts *counts)
{
	struct room room;

	if (make_room(s, arena, &room) < 0)
		return -ENOMEM;
	for (uint32_t i = 0; i < s->names.count; i++)
		put_text(s, i, &room);
	*counts = (struct lp_counts){
		.kind = s->kind,
		.host = s->host,
		.from_ns = s->from_ns,
		.to_ns = s->from_ns + (int64_t)s->n_slots * LP_PROFILE_SLOT_NS -
			 1,
		.texts = room.texts,
		.n_texts = room.n_texts,
		.ids = room.ids,
		.counts = room.counts,
		.n_counts = room.n_counts,
	};
	return 0;
}

void lp_profile_sheet_done(struct lp_profile_sheet *s)
{
	lp_names_done(&s->names);
	free(s->counts);
	s->counts = NULL;
	s->capacity = 0;
}

void lp_profile_sheet_clear(struct lp_profile_sheet *s, int64_t from_ns)
{
	lp_profile_sheet_done(s);
	s->names = (struct lp_names){ 0 };
	s->from_ns = from_ns;
}
