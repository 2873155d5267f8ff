/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/functions.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static uint32_t keep_name(struct lp_functions *f, const char *name, size_t n)
{
	size_t at = f->names_size ? f->names_size : 1;

	if (n == 0 || n > 4096 || at + n + 1 > UINT32_MAX)
		return 0;
	if (lp_grow(&f->names, &f->names_capacity, at + n + 1, 1) < 0) {
		f->failed = true;
		return 0;
	}
	f->names[0] = '\0';
	memcpy(f->names + at, name, n);
	f->names[at + n] = '\0';
	f->names_size = at + n + 1;
	return (uint32_t)at;
}

void lp_functions_add(struct lp_functions *f, uint64_t start, uint64_t end,
		      const char *name, size_t n_name)
{
	if (f->n >= LP_MOST_FUNCTIONS ||
	    lp_grow(&f->places, &f->capacity, f->n + 1, sizeof(*f->places)) <
		    0) {
		f->failed = true;
		return;
	}
	f->places[f->n++] = (struct lp_function_place){
		.start = start,
		.end = end > start ? end : 0,
		.name = keep_name(f, name, n_name),
	};
}

/* Whether a symbol's name tells more: not of the compiler, not with many
   underscores. */
static int plainness(const struct lp_functions *f,
		     const struct lp_function_place *p)
{
	const char *name = p->name ? f->names + p->name : "";
	int n = 0;

	if (!*name)
		return 1000;
	while (name[n] == '_')
		n++;
	return n + (strchr(name, '.') ? 100 : 0) + (p->guessed ? 500 : 0);
}

/* By start; the name that tells most first, then by its letters, so that the
   same file always gives the same. */
static int compare(const void *left, const void *right, void *user)
{
	const struct lp_function_place *a = left, *b = right;
	const struct lp_functions *f = user;
	int by;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	by = plainness(f, a) - plainness(f, b);
	if (by || !a->name || !b->name)
		return by;
	return strcmp(f->names + a->name, f->names + b->name);
}

/* Of those that begin at one place the first is kept, with the longest end. */
static void join_equal(struct lp_functions *f)
{
	size_t kept = 0;

	for (size_t i = 0; i < f->n; i++) {
		struct lp_function_place *last =
			kept ? &f->places[kept - 1] : NULL;

		if (!last || last->start != f->places[i].start)
			f->places[kept++] = f->places[i];
		else if (f->places[i].end > last->end)
			last->end = f->places[i].end;
	}
	f->n = kept;
}

void lp_functions_settle(struct lp_functions *f)
{
	qsort_r(f->places, f->n, sizeof(*f->places), compare, f);
	join_equal(f);
	for (size_t i = 0; i + 1 < f->n; i++)
		if (f->places[i].end == 0 ||
		    f->places[i].end > f->places[i + 1].start)
			f->places[i].end = f->places[i + 1].start;
	if (f->n && f->places[f->n - 1].end == 0)
		f->places[f->n - 1].end = UINT64_MAX;
}

bool lp_functions_address(const struct lp_functions *f, uint64_t file_offset,
			  uint64_t *address)
{
	for (size_t i = 0; i < f->n_segments; i++) {
		const struct lp_load_segment *s = &f->segments[i];

		if (file_offset >= s->offset &&
		    file_offset - s->offset < s->size) {
			*address = s->address + (file_offset - s->offset);
			return true;
		}
	}
	return false;
}

const struct lp_function_place *lp_functions_find(const struct lp_functions *f,
						  uint64_t file_offset)
{
	size_t low = 0, high = f->n;
	uint64_t address;

	if (!lp_functions_address(f, file_offset, &address))
		return NULL;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (f->places[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 || address >= f->places[low - 1].end)
		return NULL;
	return &f->places[low - 1];
}

void lp_functions_done(struct lp_functions *f)
{
	free(f->places);
	free(f->names);
	*f = (struct lp_functions){ 0 };
}
