/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ARENA_PAGE 16384
#define ARENA_ALIGN 16

void lp_cleanup_free(void *pointer_to_pointer)
{
	free(*(void **)pointer_to_pointer);
}

void lp_cleanup_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

void lp_cleanup_fclose(FILE **file)
{
	if (*file)
		fclose(*file);
}

int lp_grow(void *array, size_t *capacity, size_t need, size_t size)
{
	void **slot = array;
	size_t room = *capacity + *capacity / 2;
	void *grown;

	if (need <= *capacity)
		return 0;
	if (room < need)
		room = need;
	if (room < 8)
		room = 8;
	grown = reallocarray(*slot, room, size);
	if (!grown)
		return -ENOMEM;
	*slot = grown;
	*capacity = room;
	return 0;
}

struct lp_arena_page {
	struct lp_arena_page *next;
	size_t used, size;
	_Alignas(ARENA_ALIGN) unsigned char bytes[];
};

static struct lp_arena_page *arena_page(struct lp_arena *arena, size_t size)
{
	size_t room = size > ARENA_PAGE ? size : ARENA_PAGE;
	struct lp_arena_page *page;

	if (room > SIZE_MAX - sizeof(*page))
		return NULL;
	page = malloc(sizeof(*page) + room);
	if (!page)
		return NULL;
	page->used = 0;
	page->size = room;
	page->next = arena->pages;
	arena->pages = page;
	return page;
}

void *lp_arena_alloc_raw(struct lp_arena *arena, size_t size)
{
	struct lp_arena_page *page = arena->pages;
	void *piece;

	if (size > SIZE_MAX - ARENA_ALIGN)
		return NULL;
	size = (size + ARENA_ALIGN - 1) & ~(size_t)(ARENA_ALIGN - 1);
	if (!page || page->size - page->used < size)
		page = arena_page(arena, size);
	if (!page)
		return NULL;
	piece = page->bytes + page->used;
	page->used += size;
	return piece;
}

void *lp_arena_alloc(struct lp_arena *arena, size_t size)
{
	void *piece = lp_arena_alloc_raw(arena, size);

	if (piece)
		memset(piece, 0, size);
	return piece;
}

char *lp_arena_string_n(struct lp_arena *arena, const char *text, size_t n)
{
	char *copy = lp_arena_alloc_raw(arena, n + 1);

	if (copy) {
		memcpy(copy, text, n);
		copy[n] = '\0';
	}
	return copy;
}

char *lp_arena_string(struct lp_arena *arena, const char *text)
{
	return lp_arena_string_n(arena, text, strlen(text));
}

static struct lp_arena_page *largest_page(struct lp_arena_page *pages)
{
	struct lp_arena_page *best = pages;

	for (struct lp_arena_page *p = pages; p; p = p->next)
		if (p->size > best->size)
			best = p;
	return best;
}

static void free_pages_but(struct lp_arena_page *pages,
			   struct lp_arena_page *keep)
{
	while (pages) {
		struct lp_arena_page *page = pages;

		pages = page->next;
		if (page != keep)
			free(page);
	}
}

void lp_arena_reset(struct lp_arena *arena)
{
	struct lp_arena_page *keep = largest_page(arena->pages);

	free_pages_but(arena->pages, keep);
	if (keep) {
		keep->used = 0;
		keep->next = NULL;
	}
	arena->pages = keep;
}

void lp_arena_reset_whole(struct lp_arena *arena, size_t least)
{
	struct lp_arena_page *pages = arena->pages;
	size_t size = 0;

	for (struct lp_arena_page *p = pages; p; p = p->next)
		size += p->size;
	if (pages && !pages->next && size >= least) {
		pages->used = 0;
		return;
	}
	lp_arena_done(arena);
	/* Without memory for it, the next piece is refused, not this. */
	if (size && size >= least)
		arena_page(arena, size);
}

void lp_arena_done(struct lp_arena *arena)
{
	free_pages_but(arena->pages, NULL);
	arena->pages = NULL;
}
