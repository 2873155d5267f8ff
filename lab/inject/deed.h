/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Something that a daemon shall do beside its work, by limpid-payload.so.
 */
#ifndef LAB_INJECT_DEED_H
#define LAB_INJECT_DEED_H

#include "base/error.h"
#include "inject/payload_page.h"

#include <limits.h>

struct lab_deed {
	char library[PATH_MAX]; /* a copy, which no process has loaded yet */
	char page_path[PATH_MAX];
	struct payload_page *page; /* shared with whoever loads it */
};

/* Make a deed in a directory that the daemon sees under the same path. */
int lab_deed_make(const char *dir, enum payload_deed kind, uint32_t amount,
		  struct lab_deed *deed, struct lp_error *err);
/* Forget it; what is being done goes on. Accepts a zeroed one. */
void lab_deed_done(struct lab_deed *deed);

/*
 * Let it end, by the path of its page, and remove both files; 0 also if they
 * are gone.
 */
int lab_deed_end(const char *page_path, struct lp_error *err);

#endif
