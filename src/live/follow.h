/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Following archives that grow: files, and directories of them, of many hosts.
 *
 * Each look gives what came since the last one, of each host in the order of
 * its files and samples, and no sample twice: not when a growing block is
 * written anew, when a day is compacted under the same name, or when a copy
 * takes the place of a copy. What cannot be read is left out, said once, and
 * tried again when it changes; the others go on.
 *
 * The time of a sample is that of its host. One that lies ahead of this
 * machine's clock by more than `slack` is left out until the host is right; one
 * before a newer sample of its host came too late, is counted and left out.
 */
#ifndef LP_LIVE_FOLLOW_H
#define LP_LIVE_FOLLOW_H

#include "base/names.h"
#include "model/stream.h"

struct lp_follow_host {
	const char *name;
	int64_t newest_ns; /* of its samples that count; LP_TIME_MIN: none */
	int64_t ahead_ns;  /* its newest sample is ahead of this machine's clock
			      by so much; 0: it is not */
	int64_t grown_ns;  /* when something new of it was read */
	int64_t since_ns;  /* the oldest of its samples that counts */
	uint64_t samples, late;
	bool stopped; /* its recorder ended in order */
};

struct lp_follow_config {
	const char *const *paths; /* files and directories; n of them */
	size_t n;
	const struct lp_query *query; /* what is needed of them */
	int64_t slack_ns;
	/* Told of what is left out, a line each, once. NULL: nobody. */
	void (*say)(void *user, const char *line);
	void *say_user;
};

struct lp_follow;

/* What the config points to must outlive it. NULL: out of memory. */
struct lp_follow *lp_follow_new(const struct lp_follow_config *config);
void lp_follow_free(struct lp_follow *follow);

/* Not 0: the look ends there, with this. */
typedef int lp_follow_sink(void *user, const struct lp_item *item,
			   struct lp_error *err);

/*
 * Give what is new. now_ns: this machine's clock. 0, -ENOMEM, or what the sink
 * said.
 */
int lp_follow_look(struct lp_follow *follow, int64_t now_ns,
		   lp_follow_sink *sink, void *user, struct lp_error *err);

/*
 * Only find the files: when the newest sample in them was taken that does not
 * lie ahead of this machine; LP_TIME_MIN: there is none. 0 or -ENOMEM.
 */
int lp_follow_find(struct lp_follow *follow, int64_t now_ns, int64_t *newest_ns,
		   struct lp_error *err);

/* Begin again, with another query: all is given anew. */
void lp_follow_rewind(struct lp_follow *follow, const struct lp_query *query);

/* By number, in the order in which they came; until the next look. */
const struct lp_follow_host *lp_follow_hosts(const struct lp_follow *follow,
					     size_t *n);
/* The newest sample of any host; LP_TIME_MIN: there is none. */
int64_t lp_follow_newest(const struct lp_follow *follow);
size_t lp_follow_files(const struct lp_follow *follow);

#endif
