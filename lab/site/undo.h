/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How each kind of thing in the journal is undone.
 */
#ifndef LAB_SITE_UNDO_H
#define LAB_SITE_UNDO_H

#include "site/journal.h"

/* 0 also when there is nothing to be undone any more. */
int lab_undo(enum lab_thing thing, const char *text, struct lp_error *err);

#endif
