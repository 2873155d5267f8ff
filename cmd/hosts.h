/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --host and --as-host: only some hosts of the inputs, or one under another
 * name. The same for every format and every command.
 */
#ifndef LP_CMD_HOSTS_H
#define LP_CMD_HOSTS_H

#include "base/names.h"
#include "base/option.h"
#include "model/stream.h"

/* Zero-initialise for "all, as they are called". */
struct lp_host_filter {
	struct lp_option_list only; /* patterns; the caller's */
	const char *as;             /* NULL: as they are called */
	struct lp_names seen;       /* all hosts, by their own names */
	struct lp_names taken;      /* those that match */
	bool failed;                /* for want of memory */
};

/*
 * Put the filter before an input's stream, which is closed at failure. The
 * filter must stay.
 */
int lp_host_filter_wrap(struct lp_host_filter *filter,
			struct lp_stream **stream, struct lp_error *err);
/*
 * After all inputs were read once: whether every pattern matched a host, and
 * no two hosts got one name. -EINVAL: the command line was wrong.
 */
int lp_host_filter_check(const struct lp_host_filter *filter,
			 struct lp_error *err);
void lp_host_filter_done(struct lp_host_filter *filter);

#endif
