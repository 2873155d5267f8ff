/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Most windows of most groups, in which nobody differs, without a histogram.
 *
 * The distance of two cumulative histograms is what it takes to move the
 * samples of one onto those of the other, in bins. By way of any value r, and
 * with half a bin for where each sample lies in its own:
 *
 *     d(P_i, P_j) <= A_i + A_j + 1,    A_i = mean |x_i - r| / width
 *
 * So component i is normal if A_j <= T - 1 - A_i for half of the others. That
 * needs no bins but their width, and of it no more than a lower bound. The
 * width follows from the quartiles: a few samples of the group tell two values
 * that should lie between the quartiles, and counting how many of all samples
 * are below and above proves it. Who remains open is paired with others until
 * it is decided; where nothing is certain, all histograms are made.
 */
#include "detect/cdf.h"

#include "detect/pair.h"
#include "stats/quantile.h"

#include <errno.h>
#include <math.h>

/* In a smaller window there is nothing to gain. */
#define SAMPLES_LEAST 2048
/* So many are taken for a guess at the quartiles. */
#define GUESSES 512
/* Larger than any window. */
#define PRIME 7919
/* The guesses lie so far inside of the quartiles: three standard errors. */
#define INSIDE 0.06
/* Fewer components have another width (see lp_bins_freedman). */
#define COMPONENTS_LEAST 5
/* More than all roundings below together. */
#define SURE (1 - 1e-9)
/* Sums above it may be too large for a range that can be divided. */
#define SUM_MOST 1e300

struct look {
	const struct lp_judge_input *input;
	struct lp_glance *found;
	double middle, low, high; /* guesses: the median, and of the quartiles
				     one from above, one from below */
	double *scratch;
	size_t n_with;  /* components that have samples */
	size_t samples; /* of all components */
	size_t up_to_low, from_high;
};

static bool guess(struct look *l)
{
	const struct lp_window *window = &l->input->window;
	size_t n = 0;

	/* Of all components and, a prime being no multiple, of all times. */
	for (size_t k = 0; k < GUESSES; k++) {
		size_t i = k * window->n / GUESSES, t = k * PRIME % window->w;

		l->scratch[n] = window->x[i * window->w + t];
		n += lp_is_sample(l->scratch[n]);
	}
	if (n < GUESSES / 2)
		return false;
	l->middle = lp_select(l->scratch, n, n / 2);
	l->low =
		lp_select(l->scratch, n, (size_t)((0.25 + INSIDE) * (double)n));
	l->high =
		lp_select(l->scratch, n, (size_t)((0.75 - INSIDE) * (double)n));
	return true;
}

struct sums {
	double far;
	size_t present, up_to_low, from_high;
};

/* Of a component that misses samples. */
static struct sums add_present(const struct look *l, const double *x)
{
	struct sums s = { 0 };

	for (size_t k = 0; k < l->input->window.w; k++) {
		if (!lp_is_sample(x[k]))
			continue;
		s.far += fabs(x[k] - l->middle);
		s.present++;
		s.up_to_low += x[k] <= l->low;
		s.from_high += x[k] >= l->high;
	}
	return s;
}

static struct sums add(const struct look *l, const double *x)
{
	size_t w = l->input->window.w, whole = w - w % 2;
	lp_pair middle = { l->middle, l->middle }, far = { 0, 0 };
	lp_pair low = { l->low, l->low }, high = { l->high, l->high };
	lp_pair_bits below = { 0, 0 }, above = { 0, 0 };
	struct sums s = { .present = w };

	for (size_t k = 0; k < whole; k += 2) {
		lp_pair v = lp_pair_load(x + k);

		far += lp_pair_abs(v - middle);
		below -= v <= low;
		above -= v >= high;
	}
	s.far = far[0] + far[1];
	s.up_to_low = (size_t)(below[0] + below[1]);
	s.from_high = (size_t)(above[0] + above[1]);
	if (whole < w) {
		s.far += fabs(x[whole] - l->middle);
		s.up_to_low += x[whole] <= l->low;
		s.from_high += x[whole] >= l->high;
	}
	return lp_is_sample(s.far) ? s : add_present(l, x);
}

/* False: too large a sum, or too few components, to go on. */
static bool add_all(struct look *l)
{
	const struct lp_window *window = &l->input->window;
	struct lp_glance *found = l->found;

	for (size_t i = 0; i < window->n; i++) {
		struct sums s = add(l, window->x + i * window->w);

		if (!(s.far <= SUM_MOST))
			return false;
		l->samples += s.present;
		l->up_to_low += s.up_to_low;
		l->from_high += s.from_high;
		l->n_with += s.present > 0;
		found->far[i] = NAN;
		if (s.present == 0 || 2 * s.present < window->w)
			continue;
		found->far[i] = s.far / (double)s.present;
		l->scratch[found->n++] = found->far[i];
	}
	return l->n_with >= COMPONENTS_LEAST && found->n > 2;
}

/* Both quartiles are the same number, but not all samples are. */
static double width_of_idle(const struct look *l, size_t first, size_t third)
{
	if (l->up_to_low < third + 2 || l->from_high < l->samples - first ||
	    l->up_to_low + l->from_high == 2 * l->samples)
		return 0;
	return fmax(l->input->floor.idle, l->input->floor.always);
}

/*
 * At most the width of the bins; 0: nothing is certain. A quartile lies between
 * two samples of neighbouring ranks.
 */
static double width_at_least(const struct look *l)
{
	size_t first = (l->samples - 1) / 4, third = 3 * (l->samples - 1) / 4;
	double root = cbrt((double)l->input->window.w), spread;

	if (l->low == l->high)
		return width_of_idle(l, first, third);
	if (l->up_to_low < first + 2 || l->from_high < l->samples - third)
		return 0;
	/* Less what interpolating between large numbers may round off. */
	spread = l->high - l->low -
		 8 * DBL_EPSILON * (fabs(l->low) + fabs(l->high));
	return spread > 0 ? fmax(2 * spread / root, l->input->floor.always) : 0;
}

/* How far two components may be together without a doubt. */
static double reach(double threshold, double width)
{
	return (threshold - 1) * width * SURE;
}

/* Nothing is over a threshold that is none: NaN leaves nobody open. */
static void find_open(const struct look *l, double width)
{
	struct lp_glance *found = l->found;
	/* One more than half are no farther, of whom it may be one itself. */
	double half = lp_select(l->scratch, found->n, found->n / 2);

	found->n_open = 0;
	for (size_t i = 0; i < l->input->window.n; i++) {
		found->open[i] = found->far[i] + half >
				 reach(l->input->thresholds[i], width);
		found->n_open += found->open[i];
	}
}

int lp_cdf_glance(struct lp_glance *glance, const struct lp_judge_input *input,
		  struct lp_arena *arena)
{
	size_t n = input->window.n;
	struct look l = { .input = input, .found = glance };
	double width;

	*glance = (struct lp_glance){ .n_open = SIZE_MAX };
	if (n * input->window.w < SAMPLES_LEAST)
		return 0;
	glance->far = lp_arena_alloc_raw(arena, n * sizeof(double));
	glance->open = lp_arena_alloc_raw(arena, n);
	l.scratch = lp_arena_alloc_raw(arena, (n + GUESSES) * sizeof(double));
	if (!glance->far || !glance->open || !l.scratch)
		return -ENOMEM;
	if (!guess(&l) || !add_all(&l))
		return 0;
	width = width_at_least(&l);
	if (width > 0 && lp_is_sample(width))
		find_open(&l, width);
	return 0;
}

static bool differs(const struct lp_glance *glance, struct lp_curves *curves,
		    size_t i, double threshold)
{
	double near = reach(threshold, curves->bins.width) - glance->far[i];
	size_t others = glance->n - 1, over = 0, not_over = 0;

	lp_curves_fill(curves, i);
	for (size_t j = 0; j < curves->n; j++)
		not_over += j != i && glance->far[j] <= near;
	for (size_t j = 0; j < curves->n; j++) {
		if (2 * over > others || 2 * not_over >= others)
			break;
		if (j == i || isnan(glance->far[j]) || glance->far[j] <= near)
			continue;
		lp_curves_fill(curves, j);
		if (lp_cdf_distance(curves, i, j) > threshold)
			over++;
		else
			not_over++;
	}
	return 2 * over > others;
}

void lp_cdf_settle(const struct lp_glance *glance, struct lp_curves *curves,
		   const struct lp_judge_input *input,
		   struct lp_verdict *verdicts)
{
	for (size_t i = 0; i < input->window.n; i++) {
		verdicts[i] = lp_verdict_none();
		if (isnan(glance->far[i]))
			continue;
		verdicts[i].others = (uint32_t)glance->n - 1;
		verdicts[i].flag =
			glance->open[i] &&
			differs(glance, curves, i, input->thresholds[i]);
	}
}
