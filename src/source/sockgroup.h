/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Groups of sockets: the instances of class tcp. Used by socktable.c only.
 */
#ifndef LP_SOURCE_SOCKGROUP_H
#define LP_SOURCE_SOCKGROUP_H

#include "model/builder.h"
#include "source/reader.h"
#include "source/tcpinfo.h"

/* Always there; shown once it was needed. */
#define LP_SOCKGROUP_OTHER 0
#define LP_SOCKGROUP_NONE UINT32_MAX

enum lp_sock_activity {
	LP_SOCK_ACTIVITY_UNKNOWN,
	LP_SOCK_IDLE,
	LP_SOCK_ACTIVE,
};

struct lp_sockgroup;

struct lp_sockgroups {
	const struct lp_filter *filter;
	struct lp_sockgroup *items; /* in the order in which they came */
	size_t count, capacity;
	size_t n_used, max_groups;
	uint32_t *heads; /* chains by hash: index + 1, or 0 */
	size_t n_heads;
	uint32_t free_slot;
	int64_t now_ns;
	bool failed;
};

/* 0 or -ENOMEM. */
int lp_sockgroups_init(struct lp_sockgroups *groups,
		       const struct lp_filter *filter, size_t max_groups);
void lp_sockgroups_done(struct lp_sockgroups *groups);

/* A new sample: levels begin anew, groups long without sockets are dropped. */
void lp_sockgroups_begin(struct lp_sockgroups *groups, int64_t now_ns,
			 int64_t keep_ns);

/*
 * The group of the socket's port and peer (joined), or of itself alone.
 * LP_SOCKGROUP_NONE when the filter does not want it.
 */
uint32_t lp_sockgroups_join(struct lp_sockgroups *groups,
			    const struct lp_socket *socket, bool outgoing);
uint32_t lp_sockgroups_join_alone(struct lp_sockgroups *groups,
				  const struct lp_socket *socket);
/* Accepts LP_SOCKGROUP_NONE. */
void lp_sockgroups_leave(struct lp_sockgroups *groups, uint32_t group);

void lp_sockgroups_count(struct lp_sockgroups *groups, uint32_t group,
			 const struct lp_socket *socket, const uint64_t *grown);
void lp_sockgroups_level(struct lp_sockgroups *groups, uint32_t group,
			 const struct lp_socket *socket,
			 enum lp_sock_activity activity);

/* Whether some sockets had to go to "other". */
bool lp_sockgroups_full(const struct lp_sockgroups *groups);

/* 0 or -ENOMEM. */
int lp_sockgroups_put(struct lp_sockgroups *groups, struct lp_builder *builder);

#endif
