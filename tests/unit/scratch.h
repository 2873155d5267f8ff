/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A directory for one test, which is removed with all that is in it.
 */
#ifndef LP_TESTS_SCRATCH_H
#define LP_TESTS_SCRATCH_H

#include "unit.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct scratch {
	char root[256];
};

static inline struct scratch *scratch_new(void)
{
	struct scratch *s = calloc(1, sizeof(*s));
	const char *base = getenv("TMPDIR");

	assert_non_null(s);
	snprintf(s->root, sizeof(s->root), "%.200s/limpid-test-XXXXXX",
		 base ? base : "/tmp");
	assert_non_null(mkdtemp(s->root));
	return s;
}

static inline const char *scratch_root(const struct scratch *s)
{
	return s->root;
}

static inline int remove_entry(const char *path, const struct stat *st,
			       int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static inline void scratch_free(struct scratch *s)
{
	nftw(s->root, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
	free(s);
}

#endif
