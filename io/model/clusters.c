/* SPDX-License-Identifier: Apache-2.0 */
#include "io/model/clusters.h"

#include "stats/quantile.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

double lp_io_log(int64_t duration_ns)
{
	return duration_ns > 1 ? log((double)duration_ns) : 0;
}

double lp_io_log_coarse(int64_t duration_ns, int64_t resolution_ns)
{
	return lp_io_log(duration_ns > resolution_ns ? duration_ns
						     : resolution_ns);
}

size_t lp_io_cluster_of(const struct lp_io_clusters *c, double log_ns)
{
	size_t lo = 0, hi = c->n - 1;

	while (lo < hi) {
		size_t at = lo + (hi - lo) / 2;

		if (log_ns >= c->cluster[at].to)
			lo = at + 1;
		else
			hi = at;
	}
	return lo;
}

/* One for every maximum, parted by every minimum. */
static int take_all(struct lp_io_clusters *c, const struct lp_extremum *e,
		    size_t n)
{
	c->cluster = calloc(n / 2 + 1, sizeof(*c->cluster));
	if (!c->cluster)
		return -ENOMEM;
	for (size_t i = 0; i < n; i += 2)
		c->cluster[c->n++] = (struct lp_io_cluster){
			.from = i > 0 ? e[i - 1].at : -INFINITY,
			.to = i + 1 < n ? e[i + 1].at : INFINITY,
			.peak = e[i].at,
			.height = e[i].value,
		};
	return 0;
}

static void count(struct lp_io_clusters *c, const double *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		c->cluster[lp_io_cluster_of(c, x[i])].n++;
}

static double highest(const struct lp_io_clusters *c)
{
	double height = 0;

	for (size_t i = 0; i < c->n; i++)
		height = fmax(height, c->cluster[i].height);
	return height;
}

/* The highest always does, however many there are beside it. */
static bool counts(const struct lp_io_cluster *one, double height, size_t n)
{
	return one->height >= height ||
	       (one->height >= LP_IO_FAINTEST * height &&
		(double)one->n >= LP_IO_FEWEST * (double)n);
}

/*
 * Join what does not count to the one below. What lies between two that count
 * may be several minima: the lowest of them parts.
 */
static void join(struct lp_io_clusters *c, size_t n)
{
	double height = highest(c), lowest = INFINITY;
	struct lp_io_cluster *kept = c->cluster;
	size_t n_kept = 0;

	for (size_t i = 0; i < c->n; i++) {
		struct lp_io_cluster one = c->cluster[i];
		double depth = i > 0 ? lp_density_at(&c->density, one.from) : 0;

		if (n_kept > 0 && depth < lowest) {
			/* A better place to part the next from this. */
			lowest = depth;
			kept[n_kept - 1].to = one.from;
		}
		if (!counts(&one, height, n))
			continue;
		one.from = n_kept > 0 ? kept[n_kept - 1].to : -INFINITY;
		kept[n_kept++] = one;
		lowest = INFINITY;
	}
	kept[n_kept - 1].to = INFINITY;
	c->n = n_kept;
}

static const struct lp_io_cluster *last_that_matters(
	const struct lp_io_clusters *c)
{
	double height = highest(c);
	size_t i = c->n - 1;

	while (c->cluster[i].height < LP_IO_CUT * height)
		i--;
	return &c->cluster[i];
}

static const struct lp_io_cluster *first_that_matters(
	const struct lp_io_clusters *c)
{
	double height = highest(c);
	size_t i = 0;

	while (c->cluster[i].height < LP_IO_CUT * height)
		i++;
	return &c->cluster[i];
}

static void find_ends(struct lp_io_clusters *c, const double *x, size_t n)
{
	const struct lp_io_cluster *first = first_that_matters(c);
	const struct lp_io_cluster *last = last_that_matters(c);
	double from, to;

	lp_density_range(&c->density, &from, &to);
	c->begin = lp_density_falls_to(&c->density, first->peak, from,
				       LP_IO_CUT * first->height);
	c->last = last->peak;
	c->limit = lp_density_falls_to(&c->density, last->peak, to,
				       LP_IO_CUT * last->height);
	for (size_t i = 0; i < n; i++)
		c->n_slow += x[i] > c->limit;
}

static int part(struct lp_io_clusters *c, const double *x, size_t n)
{
	struct lp_extremum *extrema;
	size_t n_extrema;
	int status = lp_density_extrema(&c->density, &extrema, &n_extrema);

	if (status < 0)
		return status;
	status = take_all(c, extrema, n_extrema);
	free(extrema);
	if (status < 0)
		return status;
	count(c, x, n);
	join(c, n);
	for (size_t i = 0; i < c->n; i++)
		c->cluster[i].n = 0;
	count(c, x, n);
	find_ends(c, x, n);
	return 0;
}

/* The distance of two teeth where the fastest operations lie; 0: no comb. */
static int tooth(const double *log_ns, size_t n, int64_t resolution_ns,
		 double *distance)
{
	size_t few = (size_t)(LP_IO_FEWEST * (double)n);
	double *copy;

	*distance = 0;
	if (resolution_ns <= 1 || n == 0)
		return 0;
	copy = malloc(n * sizeof(*copy));
	if (!copy)
		return -ENOMEM;
	memcpy(copy, log_ns, n * sizeof(*copy));
	*distance = log1p((double)resolution_ns / exp(lp_select(copy, n, few)));
	free(copy);
	return 0;
}

int lp_io_clusters_init(struct lp_io_clusters *clusters, const double *log_ns,
			size_t n)
{
	return lp_io_clusters_init_coarse(clusters, log_ns, n, 0);
}

int lp_io_clusters_init_coarse(struct lp_io_clusters *clusters,
			       const double *log_ns, size_t n,
			       int64_t resolution_ns)
{
	struct lp_io_clusters c = { .n = 0 };
	double distance;
	int status = tooth(log_ns, n, resolution_ns, &distance);

	if (status == 0)
		status = lp_density_init_rounded(&c.density, log_ns, n,
						 LP_IO_ADJUST, distance);
	if (status == 0)
		status = part(&c, log_ns, n);
	if (status < 0)
		lp_io_clusters_done(&c);
	else
		*clusters = c;
	return status;
}

void lp_io_clusters_done(struct lp_io_clusters *clusters)
{
	lp_density_done(&clusters->density);
	free(clusters->cluster);
	*clusters = (struct lp_io_clusters){ .n = 0 };
}
