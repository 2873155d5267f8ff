/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory: growing arrays, arenas, and owners visible at the declaration.
 */
#ifndef LP_BASE_MEMORY_H
#define LP_BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Declare a pointer that free() gets at the end of its block. */
#define lp_auto_free __attribute__((cleanup(lp_cleanup_free)))
/* Declare a descriptor that close() gets if it is not negative. */
#define lp_auto_close __attribute__((cleanup(lp_cleanup_close)))
/* Declare a FILE pointer that fclose() gets if it is not NULL. */
#define lp_auto_fclose __attribute__((cleanup(lp_cleanup_fclose)))

void lp_cleanup_free(void *pointer_to_pointer);
void lp_cleanup_close(int *fd);
void lp_cleanup_fclose(FILE **file);

#define lp_array_size(array) (sizeof(array) / sizeof((array)[0]))

/*
 * Make room for `need` elements of `size` bytes in *array, whose capacity is
 * *capacity. Grows by half; new bytes are not cleared. 0 or -ENOMEM, and the
 * array is unchanged then.
 */
int lp_grow(void *array, size_t *capacity, size_t need, size_t size);

/*
 * An arena: many small pieces, freed at once. Pieces are aligned for any type.
 * Zero-initialise the struct to begin.
 */
struct lp_arena {
	struct lp_arena_page *pages;
};

/* Cleared memory, or NULL. A size of 0 is fine. */
void *lp_arena_alloc(struct lp_arena *arena, size_t size);
/* The same, not cleared: for what is overwritten at once. */
void *lp_arena_alloc_raw(struct lp_arena *arena, size_t size);
char *lp_arena_string(struct lp_arena *arena, const char *text);
char *lp_arena_string_n(struct lp_arena *arena, const char *text, size_t n);
/* Forget all pieces; the largest page stays for the next round. */
void lp_arena_reset(struct lp_arena *arena);
/*
 * The same, but as much as all pages held stays, in one page: for rounds that
 * are alike, which then need no memory from the system. If it is less than
 * `least`, nothing stays.
 */
void lp_arena_reset_whole(struct lp_arena *arena, size_t least);
void lp_arena_done(struct lp_arena *arena);

#endif
