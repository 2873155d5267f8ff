/* SPDX-License-Identifier: Apache-2.0 */
#include "model/picture.h"

#include <math.h>

bool lp_picture_shortened(const struct lp_picture *picture)
{
	return picture->slots < picture->points;
}

size_t lp_picture_values(const struct lp_picture *picture)
{
	return lp_picture_shortened(picture) ? 2 * picture->slots
					     : picture->slots;
}

/* Where slot i begins, in points. */
static double begin_of(const struct lp_picture *picture, size_t i)
{
	return (double)i * (double)picture->points / (double)picture->slots;
}

double lp_picture_middle(const struct lp_picture *picture, size_t i)
{
	return (begin_of(picture, i) + begin_of(picture, i + 1) - 1) / 2;
}

/* Two values of a slot are drawn a quarter before and behind its middle. */
static size_t draw_pairs(const struct lp_picture *picture, const float *v,
			 double *x, double *y)
{
	double quarter = (begin_of(picture, 1) - 1) / 4;
	size_t count = 0;

	for (size_t i = 0; i < picture->slots; i++) {
		double at = lp_picture_middle(picture, i);

		x[count] = at - quarter;
		y[count++] = (double)v[2 * i];
		if (isnan(v[2 * i + 1]))
			continue;
		x[count] = at + quarter;
		y[count++] = (double)v[2 * i + 1];
	}
	return count;
}

size_t lp_picture_draw(const struct lp_picture *picture,
		       const struct lp_picture_line *line, double *x, double *y)
{
	if (lp_picture_shortened(picture))
		return draw_pairs(picture, line->y, x, y);
	for (size_t i = 0; i < picture->slots; i++) {
		x[i] = lp_picture_middle(picture, i);
		y[i] = (double)line->y[i];
	}
	return picture->slots;
}
