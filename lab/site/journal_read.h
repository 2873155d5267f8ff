/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The journal's lines as they are read: no lock is needed for that. Those who
 * write are in journal.c.
 */
#ifndef LAB_SITE_JOURNAL_READ_H
#define LAB_SITE_JOURNAL_READ_H

#include "site/journal.h"

/* What the first line begins with; behind it is the boot. */
#define LAB_JOURNAL_HEAD "limpid-lab-journal 1 "

/* "directory" */
const char *lab_thing_name(enum lab_thing thing);

/* As lab_journal_list, and which boot it is of; -ENOENT: there is none. */
int lab_journal_read(const char *dir, struct lab_entry **entries, size_t *n,
		     char boot[64], struct lp_error *err);

#endif
