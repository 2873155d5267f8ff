/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LAB_SITE_LOOP_H
#define LAB_SITE_LOOP_H

#include "site/journal.h"

#include <stdbool.h>

/*
 * Put a loop device with direct I/O on the file; its name, "loop9". It is a new
 * one where the kernel allows that, which goes with the lab: a free one would
 * do, but those that were made for a lab and left would stay in everybody's
 * lists of disks.
 */
int lab_loop_attach(struct lab_journal *journal, const char *file,
		    char name[32], struct lp_error *err);

/*
 * /dev/loopN, "loopN" in name, behind which the file is, even if the file is
 * gone since; false: none.
 */
bool lab_loop_of(const char *file, char name[32]);

#endif
