/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work inside another network namespace. Sockets made and files of
 * /proc/thread-self/net opened there stay bound to it.
 */
#ifndef LP_SOURCE_NETNS_H
#define LP_SOURCE_NETNS_H

#include "base/error.h"

/*
 * Run work(argument) in the namespace netns_fd, in a thread of its own that
 * ends with it: the caller stays where it is. With -1 it is called directly.
 * What work returned, or -errno when the namespace cannot be entered.
 */
int lp_netns_run(int netns_fd, int (*work)(void *argument), void *argument,
		 struct lp_error *err);

#endif
