/* SPDX-License-Identifier: Apache-2.0 */
#include "source/filter.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* Names that come and go (a container's veth) must not fill the memory. */
#define MOST_NAMES 4096

/* The glob of "CLASS:GLOB" if it is of this class, or NULL. */
static const char *glob_of(const char *rule, const char *class_name)
{
	size_t n = strlen(class_name);

	if (strncmp(rule, class_name, n) != 0 || rule[n] != ':')
		return NULL;
	return rule + n + 1;
}

/* 1: one of the class's rules matches; 0: none does; -1: there are none. */
static int match_rules(const char *const *rules, size_t n,
		       const char *class_name, const char *name)
{
	int result = -1;

	for (size_t i = 0; i < n; i++) {
		const char *glob = glob_of(rules[i], class_name);

		if (!glob)
			continue;
		if (fnmatch(glob, name, 0) == 0)
			return 1;
		result = 0;
	}
	return result;
}

bool lp_filter_wants(const struct lp_filter *filter, const char *class_name,
		     const char *name, size_t n)
{
	char text[256];

	if (!filter)
		return true;
	if (n >= sizeof(text))
		n = sizeof(text) - 1;
	memcpy(text, name, n);
	text[n] = '\0';
	return match_rules(filter->include, filter->n_include, class_name,
			   text) != 0 &&
	       match_rules(filter->exclude, filter->n_exclude, class_name,
			   text) != 1;
}

bool lp_filter_wants_class(const struct lp_filter *filter,
			   const char *class_name)
{
	for (size_t i = 0; filter && i < filter->n_exclude; i++) {
		const char *glob = glob_of(filter->exclude[i], class_name);

		if (glob && strcmp(glob, "*") == 0)
			return false;
	}
	return true;
}

static bool remember(struct lp_chooser *choice, const char *name, size_t n,
		     bool wanted)
{
	uint32_t id;

	if (choice->names.count >= MOST_NAMES)
		lp_names_done(&choice->names);
	id = lp_names_add_n(&choice->names, name, n);
	if (id != LP_NAME_NONE &&
	    lp_grow(&choice->wanted, &choice->capacity, (size_t)id + 1,
		    sizeof(*choice->wanted)) == 0)
		choice->wanted[id] = wanted;
	else
		lp_names_done(&choice->names);
	return wanted;
}

static bool has_rules(const struct lp_chooser *choice)
{
	const struct lp_filter *filter = choice->filter;

	for (size_t i = 0; filter && i < filter->n_include; i++)
		if (glob_of(filter->include[i], choice->class_name))
			return true;
	for (size_t i = 0; filter && i < filter->n_exclude; i++)
		if (glob_of(filter->exclude[i], choice->class_name))
			return true;
	return false;
}

void lp_chooser_init(struct lp_chooser *choice, const struct lp_filter *filter,
		     const char *class_name)
{
	*choice = (struct lp_chooser){ .filter = filter,
				       .class_name = class_name };
	choice->asks = has_rules(choice);
}

bool lp_chooser_wants(struct lp_chooser *choice, const char *name, size_t n)
{
	const struct lp_filter *filter = choice->filter;
	uint32_t id;

	if (!choice->asks)
		return true;
	id = lp_names_find_n(&choice->names, name, n);
	if (id != LP_NAME_NONE)
		return choice->wanted[id];
	return remember(choice, name, n,
			lp_filter_wants(filter, choice->class_name, name, n));
}

void lp_chooser_done(struct lp_chooser *choice)
{
	lp_names_done(&choice->names);
	free(choice->wanted);
	choice->wanted = NULL;
	choice->capacity = 0;
}
