/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tidying up: closed archives are compacted and old ones removed, by a child
 * of low priority, so that the recorder itself stays small.
 */
#ifndef LP_RECORD_TIDY_H
#define LP_RECORD_TIDY_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* argv[0] of the child, which is this very program. */
#define LP_TIDY_NAME "limpid-record-tidy"

#define LP_TIDY_FILES 8

struct lp_tidy {
	const char *dir, *host;
	int64_t keep_ns; /* 0: for ever */
	char *waiting[LP_TIDY_FILES];
	size_t n_waiting;
	pid_t child; /* 0: none */
	bool due;    /* old files are to be looked for */
};

/* Have this file compacted; copied. More than LP_TIDY_FILES are left out. */
void lp_tidy_add(struct lp_tidy *tidy, const char *path);
/* Start a child if there is work and none is at it; look after the last. */
void lp_tidy_run(struct lp_tidy *tidy);
void lp_tidy_done(struct lp_tidy *tidy);

/*
 * The child's work: compact the files, then remove those archives of the host
 * whose last sample is older than keep_ns. The first error is reported, the
 * rest is done all the same.
 */
int lp_tidy_up(const char *dir, const char *host, int64_t keep_ns,
	       char *const *paths, size_t n_paths, struct lp_error *err);

#endif
