/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One walk over all that is in a file, sound or not: what verify and repair
 * share.
 */
#ifndef LP_ARCHIVE_INSPECT_H
#define LP_ARCHIVE_INSPECT_H

#include "archive/maintain.h"
#include "archive/scan.h"

struct inspection {
	const struct lp_damage_sink *sink;
	/* A sound block, header and payload; 0 or -errno. NULL: none. */
	int (*block)(void *context, const struct block *block,
		     struct lp_error *err);
	void *context;
};

int lp_inspect(const char *path, const struct inspection *inspection,
	       struct lp_archive_state *verdict, struct lp_error *err);

#endif
