/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events of version 1 are prose. Here, and nowhere else, it becomes the pairs
 * that events have since.
 */
#ifndef LP_ARCHIVE_PROSE_H
#define LP_ARCHIVE_PROSE_H

#include "model/event.h"

/*
 * The event has a host, a time and a kind; gets its pairs, its source and its
 * severity, as far as the text tells. Strings are in the arena, or in the text.
 * 0 or -ENOMEM.
 */
int lp_prose_event(struct lp_event *event, const char *text,
		   struct lp_arena *arena);

#endif
