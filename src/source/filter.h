/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A filter's answers, remembered by name: matching globs in every tick would
 * cost more than reading the counters.
 */
#ifndef LP_SOURCE_FILTER_H
#define LP_SOURCE_FILTER_H

#include "base/names.h"
#include "source/reader.h"

struct lp_chooser {
	bool asks; /* there is a rule of the class */
	const struct lp_filter *filter;
	const char *class_name;
	struct lp_names names;
	bool *wanted;
	size_t capacity;
};

/* The filter and the name are kept, not copied. */
void lp_chooser_init(struct lp_chooser *choice, const struct lp_filter *filter,
		     const char *class_name);
bool lp_chooser_wants(struct lp_chooser *choice, const char *name, size_t n);
void lp_chooser_done(struct lp_chooser *choice);

#endif
