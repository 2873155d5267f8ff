/* SPDX-License-Identifier: Apache-2.0 */
#include "survey/selection.h"

#include <fnmatch.h>
#include <string.h>

static bool matches(const struct lp_option_list *patterns, const char *name)
{
	for (size_t i = 0; i < patterns->count; i++)
		if (fnmatch(patterns->text[i], name, 0) == 0)
			return true;
	return patterns->count == 0;
}

bool lp_selection_class(const struct lp_selection *selection, const char *name)
{
	for (size_t i = 0; i < selection->classes.count; i++)
		if (strcmp(selection->classes.text[i], name) == 0)
			return true;
	return selection->classes.count == 0;
}

bool lp_selection_host(const struct lp_selection *selection, const char *name)
{
	return matches(&selection->hosts, name);
}

bool lp_selection_device(const struct lp_selection *selection, const char *name)
{
	return matches(&selection->devices, name);
}

bool lp_selection_time(const struct lp_selection *selection, int64_t time_ns)
{
	return time_ns >= selection->since_ns && time_ns <= selection->until_ns;
}

void lp_selection_done(struct lp_selection *selection)
{
	lp_option_list_done(&selection->classes);
	lp_option_list_done(&selection->hosts);
	lp_option_list_done(&selection->devices);
}
