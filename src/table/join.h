/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chunks joined to longer ones, a builder per host. merge.c decides what comes
 * next; this gathers it.
 */
#ifndef LP_TABLE_JOIN_H
#define LP_TABLE_JOIN_H

#include "base/names.h"
#include "model/builder.h"

struct lp_join_host {
	struct lp_builder *builder;
	size_t n_values; /* gathered, at most */
	bool closed;     /* what comes next has columns of other kinds */
};

/* Zero-initialise to begin. */
struct lp_join {
	struct lp_names names; /* number = host */
	struct lp_join_host *hosts;
	size_t capacity;
	size_t n_values;
	size_t first_held; /* no host before it holds samples */
	bool given;        /* a chunk is with the caller */
	size_t given_host;
};

void lp_join_done(struct lp_join *join);

/*
 * The host's chunk if it must go before more of `next` is appended: it is long
 * enough, or has columns of the same names and other kinds. Else NULL.
 */
const struct lp_chunk *lp_join_full(struct lp_join *join,
				    const struct lp_chunk *next);
/* What there is of a host, or of any; NULL: nothing. */
const struct lp_chunk *lp_join_of_host(struct lp_join *join, const char *host);
const struct lp_chunk *lp_join_any(struct lp_join *join);
/* The caller is done with the chunk it got last, if any: it is forgotten. */
void lp_join_release(struct lp_join *join);

/* Append samples. *host is the join's own copy of the name. 0 or -ENOMEM. */
int lp_join_append(struct lp_join *join, const struct lp_chunk *chunk,
		   size_t from, size_t to, const char **host);
/*
 * Put the values of a sample into the last one of the same host. 0, -ENOMEM,
 * or -EEXIST when there are columns of the same name and other kinds: nothing
 * is done then.
 */
int lp_join_unite(struct lp_join *join, const struct lp_chunk *chunk,
		  size_t sample);

#endif
