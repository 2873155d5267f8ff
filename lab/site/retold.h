/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A daemon that is told something else than before: the file of its orders on
 * its node is changed, and it reads it again at SIGHUP. As it was, the file is
 * kept beside it.
 */
#ifndef LAB_SITE_RETOLD_H
#define LAB_SITE_RETOLD_H

#include "site/lab.h"

/* What the journal needs to know of a change that is about to be made. */
int lab_retold_note(const struct lab_node *node, const char *program,
		    const char *path, char text[2 * PATH_MAX],
		    struct lp_error *err);

/* Keep the file, put the text in its place, tell the program. */
int lab_retold_do(const struct lab_node *node, const char *program,
		  const char *path, const char *text, struct lp_error *err);

/* By the words of the journal; 0 also if there is nothing to be undone. */
int lab_retold_undo(const char *text, struct lp_error *err);

#endif
