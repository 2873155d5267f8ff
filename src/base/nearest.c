/* SPDX-License-Identifier: Apache-2.0 */
#include "base/nearest.h"

#include <string.h>

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Levenshtein's distance, one row at a time. */
size_t lp_nearest_distance(const char *a, const char *b)
{
	size_t row[LP_NEAREST_LONGEST + 1], n = strlen(b);

	if (n > LP_NEAREST_LONGEST || strlen(a) > LP_NEAREST_LONGEST)
		return LP_NEAREST_LONGEST;
	for (size_t k = 0; k <= n; k++)
		row[k] = k;
	for (size_t i = 0; a[i]; i++) {
		size_t diagonal = row[0];

		row[0] = i + 1;
		for (size_t k = 0; k < n; k++) {
			size_t swap = diagonal + (a[i] != b[k]);

			diagonal = row[k + 1];
			row[k + 1] = least(least(row[k], row[k + 1]) + 1, swap);
		}
	}
	return row[n];
}

struct lp_nearest lp_nearest_begin(const char *wrong)
{
	return (struct lp_nearest){ .wrong = wrong,
				    .distance = strlen(wrong) / 3 + 2 };
}

void lp_nearest_offer(struct lp_nearest *nearest, const char *candidate)
{
	size_t d = lp_nearest_distance(candidate, nearest->wrong);

	if (d >= nearest->distance)
		return;
	nearest->distance = d;
	nearest->best = candidate;
}
