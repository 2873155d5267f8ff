/* SPDX-License-Identifier: Apache-2.0 */
#include "base/nearest.h"

#include <stdio.h>
#include <string.h>

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/*
 * Levenshtein's distance, where two neighbours that changed places are one
 * mistake, too. Three rows of its table are enough.
 */
size_t lp_nearest_distance(const char *a, const char *b)
{
	size_t table[3][LP_NEAREST_LONGEST + 1], n = strlen(b), i;

	if (n > LP_NEAREST_LONGEST || strlen(a) > LP_NEAREST_LONGEST)
		return LP_NEAREST_LONGEST;
	for (size_t k = 0; k <= n; k++)
		table[0][k] = k;
	for (i = 0; a[i]; i++) {
		const size_t *before = table[(i + 2) % 3], *old = table[i % 3];
		size_t *row = table[(i + 1) % 3];

		row[0] = i + 1;
		for (size_t k = 0; k < n; k++) {
			row[k + 1] = least(least(row[k], old[k + 1]) + 1,
					   old[k] + (a[i] != b[k]));
			if (i && k && a[i] == b[k - 1] && a[i - 1] == b[k])
				row[k + 1] =
					least(row[k + 1], before[k - 1] + 1);
		}
	}
	return table[i % 3][n];
}

struct lp_nearest lp_nearest_begin(const char *wrong)
{
	size_t n = strlen(wrong);

	return (struct lp_nearest){ .wrong = wrong,
				    .distance = (n < 3 ? 1 : n / 3) + 1 };
}

void lp_nearest_offer(struct lp_nearest *nearest, const char *candidate)
{
	size_t d = lp_nearest_distance(candidate, nearest->wrong);

	if (d >= nearest->distance)
		return;
	nearest->distance = d;
	nearest->best = candidate;
}

const char *lp_nearest_hint(const struct lp_nearest *nearest,
			    char text[LP_NEAREST_HINT])
{
	text[0] = '\0';
	if (nearest->best)
		snprintf(text, LP_NEAREST_HINT, " (did you mean %s?)",
			 nearest->best);
	return text;
}
