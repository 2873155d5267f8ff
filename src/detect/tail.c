/* SPDX-License-Identifier: Apache-2.0 */
#include "detect/tail.h"

#include "base/memory.h"
#include "base/timestamp.h"
#include "stats/quantile.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HOUR_NS (3600 * LP_NS_PER_S)
#define WEEK_HOURS 168
/* Of each hour this part of the components, those that differ most, may be
   faulty. */
#define FAULTY_PART 6
/* Smaller distances are everywhere and do not tell how the large ones fall. */
#define EXCESS_FROM 2
#define EXCESSES_MIN 50
/* No tail is taken to fall faster than the lab's. */
#define SCALE_LEAST 0.7

/* Measured on 42.8 hours of healthy servers, without the gates. */
const struct lp_tail lp_tail_lab = { .from = 2, .scale = 0.7, .rate = 3.5 };

double lp_tail_limit(const struct lp_tail *tail, double per_hour)
{
	return tail->from +
	       fmax(tail->scale, SCALE_LEAST) * log(tail->rate / per_hour);
}

bool lp_tail_is_measured(const struct lp_tail *tail)
{
	return tail->excesses >= EXCESSES_MIN;
}

/* ---- the largest distances ---- */

struct lp_maxima {
	size_t n, hours, capacity;
	int64_t hour; /* since the epoch, of the last row */
	float *rows;  /* [hours][n]; below 0: nothing was said */
};

struct lp_maxima *lp_maxima_new(size_t n)
{
	struct lp_maxima *m = calloc(1, sizeof(*m));

	if (m)
		m->n = n;
	return m;
}

void lp_maxima_free(struct lp_maxima *m)
{
	if (m)
		free(m->rows);
	free(m);
}

static int begin_hour(struct lp_maxima *m, int64_t hour)
{
	if (m->hours && m->hour == hour)
		return 0;
	if (lp_grow(&m->rows, &m->capacity, (m->hours + 1) * m->n,
		    sizeof(*m->rows)) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < m->n; i++)
		m->rows[m->hours * m->n + i] = -1;
	m->hours++;
	m->hour = hour;
	return 0;
}

int lp_maxima_add(struct lp_maxima *m, int64_t end_ns, size_t i,
		  double distance)
{
	float *largest;

	/* A block belongs to the hour that it ends in. */
	if (begin_hour(m, (end_ns - 1) / HOUR_NS) < 0)
		return -ENOMEM;
	largest = &m->rows[(m->hours - 1) * m->n + i];
	if (distance > (double)*largest)
		*largest = (float)fmax(distance, 0);
	return 0;
}

void lp_maxima_forget(struct lp_maxima *m)
{
	size_t over = m->hours > WEEK_HOURS ? m->hours - WEEK_HOURS : 0;

	if (!over)
		return;
	m->hours -= over;
	memmove(m->rows, m->rows + over * m->n,
		m->hours * m->n * sizeof(*m->rows));
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* Those of an hour that are taken for healthy; returns how many. */
static size_t healthy_of(const float *row, size_t n, double *values)
{
	size_t m = 0, ill;

	for (size_t i = 0; i < n; i++)
		if (row[i] >= 0)
			values[m++] = (double)row[i];
	qsort(values, m, sizeof(*values), by_value);
	ill = (m + FAULTY_PART - 1) / FAULTY_PART;
	return m - ill;
}

/* The exponential above the median of what exceeds. */
static void fit(struct lp_tail *tail, double *excesses, size_t n)
{
	double sum = 0;
	size_t above = 0;

	tail->from = lp_median(excesses, n);
	for (size_t i = 0; i < n; i++)
		if (excesses[i] > tail->from) {
			sum += excesses[i] - tail->from;
			above++;
		}
	tail->scale = above ? sum / (double)above : 0;
	tail->rate = (double)above / tail->hours;
}

/* What exceeds in one group, behind what is there. 0 or -ENOMEM. */
static int gather(const struct lp_maxima *m, struct lp_tail *tail,
		  double *excesses)
{
	lp_auto_free double *hour = calloc(m->n + 1, sizeof(*hour));

	if (!hour)
		return -ENOMEM;
	for (size_t h = 0; h < m->hours; h++) {
		size_t healthy = healthy_of(m->rows + h * m->n, m->n, hour);

		tail->hours += (double)healthy;
		for (size_t i = 0; i < healthy; i++)
			if (hour[i] > EXCESS_FROM)
				excesses[tail->excesses++] = hour[i];
	}
	return 0;
}

int lp_maxima_tail(const struct lp_maxima *const *groups, size_t n_groups,
		   struct lp_tail *tail)
{
	lp_auto_free double *excesses = NULL;
	size_t cells = 0;

	*tail = (struct lp_tail){ .from = NAN, .scale = NAN, .rate = NAN };
	for (size_t g = 0; g < n_groups; g++)
		cells += groups[g]->hours * groups[g]->n;
	excesses = calloc(cells + 1, sizeof(*excesses));
	if (!excesses)
		return -ENOMEM;
	for (size_t g = 0; g < n_groups; g++)
		if (gather(groups[g], tail, excesses) < 0)
			return -ENOMEM;
	if (lp_tail_is_measured(tail))
		fit(tail, excesses, tail->excesses);
	/* Distances end at a largest: if most are there, they tell nothing. */
	if (!(tail->scale > 0))
		tail->excesses = 0;
	return 0;
}
