/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which part of a recording is meant: --class, --host, --device, --since,
 * --until.
 */
#ifndef LP_SURVEY_SELECTION_H
#define LP_SURVEY_SELECTION_H

#include "base/option.h"
#include "model/chunk.h"

/* Zero-initialise for "all", but for the times. An empty list is "any". */
struct lp_selection {
	struct lp_option_list classes; /* names */
	struct lp_option_list hosts;   /* patterns, as the shell's */
	struct lp_option_list devices; /* patterns of components' names */
	int64_t since_ns, until_ns;    /* both inclusive */
};

bool lp_selection_class(const struct lp_selection *selection, const char *name);
bool lp_selection_host(const struct lp_selection *selection, const char *name);
bool lp_selection_device(const struct lp_selection *selection,
			 const char *name);
bool lp_selection_time(const struct lp_selection *selection, int64_t time_ns);

/* The selection's lists are freed. */
void lp_selection_done(struct lp_selection *selection);

#endif
