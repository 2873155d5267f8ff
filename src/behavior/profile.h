/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A profile: how often a server was seen in each function, per slot of ten
 * seconds. It is kept as counts (model/counts.h) of several slots at once, so
 * that a name is written once for all of them:
 *
 *     texts   "#rate" ""  "glusterfsd\tlibc.so.6@4f2a8c\tmalloc" ""  ""
 *     slot     0      1    0                                     1   2
 *
 * An empty text is the text before it, one slot later. Names with '#' say
 * how the slot was recorded; a slot without "#rate" was not. A function is
 * PROGRAM \t IMAGE[@BUILD] \t FUNCTION; what has no name is +OFFSET, and
 * +OFFSET~NAME if one was guessed.
 */
#ifndef LP_BEHAVIOR_PROFILE_H
#define LP_BEHAVIOR_PROFILE_H

#include "base/names.h"
#include "base/timestamp.h"
#include "model/counts.h"

#define LP_PROFILE_SLOT_NS (10 * LP_NS_PER_S)
/* Kinds of counts: samples of functions, threads that wait, and stacks of the
   kernel's functions, outermost first, which have no slots. */
#define LP_PROFILE_SAMPLES "profile"
#define LP_PROFILE_WAITS "profile-waits"
#define LP_PROFILE_STACKS "profile-stacks"

/* What is said of a slot. */
#define LP_PROFILE_RATE "#rate"           /* samples a second of a busy CPU */
#define LP_PROFILE_CPUS "#cpus"           /* that were sampled */
#define LP_PROFILE_TAKEN "#taken"         /* samples of the whole machine */
#define LP_PROFILE_LOST "#lost"           /* samples */
#define LP_PROFILE_MOVED "#moved"         /* samples charged to their caller */
#define LP_PROFILE_THROTTLED "#throttled" /* times */

/* A text and its count in the slot that begins then. */
typedef int lp_profile_each(void *user, const char *text, int64_t slot_ns,
			    uint64_t count);
/* All of the counts; the first status that is not 0 ends it. -EINVAL: they
 * begin with an empty text. */
int lp_profile_walk(const struct lp_counts *counts, lp_profile_each *each,
		    void *user);
/* Whether counts are of one of the kinds. */
bool lp_profile_is_kind(const char *kind);

/* The parts of a function's text; each points into it. */
struct lp_function_parts {
	const char *program, *image, *build, *function;
	size_t n_program, n_image, n_build, n_function;
};

/* False: it is none ("#rate", a wait). */
bool lp_function_split(const char *text, struct lp_function_parts *parts);
/* "PROGRAM \t IMAGE \t FUNCTION" without the build, by which peers are
 * compared. */
void lp_function_key(const struct lp_function_parts *parts, char *text,
		     size_t size);

/*
 * A sheet: counts that are gathered, of some slots in a row. Zero-initialise.
 */
struct lp_profile_sheet {
	const char *kind, *host;
	int64_t from_ns;
	size_t n_slots; /* at most LP_PROFILE_MOST_SLOTS */
	struct lp_names names;
	uint64_t *counts; /* [name][n_slots] */
	size_t capacity;
};

#define LP_PROFILE_MOST_SLOTS 360

/* The number of a text, to be counted; LP_NAME_NONE: out of memory. */
uint32_t lp_profile_sheet_text(struct lp_profile_sheet *sheet,
			       const char *text);
static inline void lp_profile_sheet_add(struct lp_profile_sheet *sheet,
					uint32_t text, size_t slot, uint64_t n)
{
	if (text != LP_NAME_NONE && slot < sheet->n_slots)
		sheet->counts[(size_t)text * sheet->n_slots + slot] += n;
}
/* As counts, whose arrays are in the arena. 0 or -ENOMEM. */
int lp_profile_sheet_counts(const struct lp_profile_sheet *sheet,
			    struct lp_arena *arena, struct lp_counts *counts);
/* Forget what was counted; the next begins then. */
void lp_profile_sheet_clear(struct lp_profile_sheet *sheet, int64_t from_ns);
void lp_profile_sheet_done(struct lp_profile_sheet *sheet);

/* The slot that holds this time begins then. */
int64_t lp_profile_slot_of(int64_t time_ns);

#endif
