/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The terminal, by ncurses: a grid goes out, keys come in. It is left as it
 * was, whatever ends the program: lp_terminal_close may be called at any time
 * and twice.
 */
#ifndef LP_CMD_WATCH_TERMINAL_H
#define LP_CMD_WATCH_TERMINAL_H

#include "watch_grid.h"

#include "base/error.h"

#include <stdbool.h>

/* Zero-initialise. */
struct lp_terminal {
	void *screen; /* of ncurses; NULL: it is not open */
};

/* -ENOTTY: there is none; -EINVAL: TERM is missing, or not known here. */
int lp_terminal_open(struct lp_terminal *terminal, bool colours,
		     struct lp_error *err);
void lp_terminal_close(struct lp_terminal *terminal);
/* The size it has now. */
void lp_terminal_size(const struct lp_terminal *terminal, size_t *width,
		      size_t *height);
void lp_terminal_show(const struct lp_terminal *terminal,
		      const struct lp_watch_grid *grid);
/* Of enum lp_watch_key; 0: none is waiting. */
int lp_terminal_key(const struct lp_terminal *terminal);

#endif
