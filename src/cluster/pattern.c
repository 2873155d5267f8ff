/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/pattern.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* The whole expression is a group of its own: see compile(). */
#define GROUPS_BEFORE 2

static int compile(struct lp_pattern *pattern, char why[LP_PATTERN_WHY])
{
	lp_auto_free char *whole = NULL;
	int n = (int)strlen(pattern->text) - 2, status;

	/* "/a|b/" must match as a whole: "^(a|b)$". */
	if (asprintf(&whole, "^(%.*s)$", n, pattern->text + 1) < 0) {
		whole = NULL;
		return -ENOMEM;
	}
	/* "/a)(b/" would be right as a whole. */
	whole[n + 2] = '\0';
	status = regcomp(&pattern->regex, whole + 2, REG_EXTENDED);
	if (status == 0) {
		regfree(&pattern->regex);
		whole[n + 2] = ')';
		status = regcomp(&pattern->regex, whole, REG_EXTENDED);
	}
	if (status == 0)
		return 0;
	regerror(status, &pattern->regex, why, LP_PATTERN_WHY);
	return status == REG_ESPACE ? -ENOMEM : -EINVAL;
}

int lp_patterns_add(struct lp_patterns *patterns, const char *text,
		    char why[LP_PATTERN_WHY])
{
	struct lp_pattern pattern = { .text = text };
	size_t n = strlen(text);
	int status;

	pattern.is_regex = n >= 2 && text[0] == '/' && text[n - 1] == '/';
	if (lp_grow(&patterns->items, &patterns->capacity, patterns->count + 1,
		    sizeof(pattern)) < 0)
		return -ENOMEM;
	status = pattern.is_regex ? compile(&pattern, why) : 0;
	if (status == 0)
		patterns->items[patterns->count++] = pattern;
	return status;
}

void lp_patterns_done(struct lp_patterns *patterns)
{
	for (size_t i = 0; i < patterns->count; i++)
		if (patterns->items[i].is_regex)
			regfree(&patterns->items[i].regex);
	free(patterns->items);
	*patterns = (struct lp_patterns){ 0 };
}

static void capture(struct lp_captures *captures, const char *text,
		    const regmatch_t *match)
{
	bool has = match->rm_so >= 0;

	if (captures->count == LP_CAPTURES)
		return;
	captures->items[captures->count].text = has ? text + match->rm_so : "";
	captures->items[captures->count].length =
		has ? (size_t)(match->rm_eo - match->rm_so) : 0;
	captures->count++;
}

static bool match_regex(const struct lp_pattern *pattern, const char *text,
			struct lp_captures *captures)
{
	regmatch_t matches[LP_CAPTURES + GROUPS_BEFORE];
	size_t n = pattern->regex.re_nsub + 1;

	if (regexec(&pattern->regex, text, LP_CAPTURES + GROUPS_BEFORE, matches,
		    0) != 0)
		return false;
	for (size_t i = GROUPS_BEFORE;
	     captures && i < n && i < LP_CAPTURES + GROUPS_BEFORE; i++)
		capture(captures, text, &matches[i]);
	return true;
}

bool lp_patterns_match(const struct lp_patterns *patterns, const char *text,
		       struct lp_captures *captures)
{
	for (size_t i = 0; i < patterns->count; i++) {
		const struct lp_pattern *p = &patterns->items[i];

		if (p->is_regex ? match_regex(p, text, captures)
				: fnmatch(p->text, text, FNM_EXTMATCH) == 0)
			return true;
	}
	return patterns->count == 0;
}

size_t lp_patterns_groups(const struct lp_patterns *patterns)
{
	size_t least = patterns->count ? LP_CAPTURES : 0;

	for (size_t i = 0; i < patterns->count; i++) {
		const struct lp_pattern *p = &patterns->items[i];
		size_t n = p->is_regex ? p->regex.re_nsub - 1 : 0;

		least = n < least ? n : least;
	}
	return least;
}

static bool is_reference(const char *at)
{
	return at[0] == '$' && at[1] >= '1' && at[1] <= '9';
}

size_t lp_captures_highest(const char *text)
{
	size_t highest = 0;

	for (; *text; text++)
		if (is_reference(text) && (size_t)(text[1] - '0') > highest)
			highest = (size_t)(text[1] - '0');
	return highest;
}

const char *lp_captures_expand(const struct lp_captures *captures,
			       const char *text, struct lp_arena *arena)
{
	lp_auto_free char *made = NULL;
	size_t size;
	FILE *out = open_memstream(&made, &size);

	if (!out)
		return NULL;
	for (; *text; text++) {
		size_t number = is_reference(text) ? (size_t)(text[1] - '1')
						   : LP_CAPTURES;

		if (number == LP_CAPTURES) {
			fputc(*text, out);
			continue;
		}
		if (number < captures->count)
			fwrite(captures->items[number].text, 1,
			       captures->items[number].length, out);
		text++;
	}
	return fclose(out) == 0 ? lp_arena_string(arena, made) : NULL;
}
