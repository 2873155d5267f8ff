/* SPDX-License-Identifier: Apache-2.0 */
/*
 * With a grid whose cells are so small that all points of one are close to each
 * other. Cores of one cell are then one cluster, and only cells that are at
 * most two apart have to be compared.
 */
#include "stats/dbscan.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#define REACH 2

struct cell {
	int64_t x, y;
	size_t first, n; /* of the points, in the order of cells */
	size_t parent;   /* another cell of its cluster, or itself */
	size_t cores;
	size_t size; /* of the cluster, at the root */
};

struct point {
	double x, y;
	int64_t cell_x, cell_y;
	size_t index; /* as given */
	size_t cell;
	bool core;
};

struct scan {
	struct point *points;
	size_t n;
	struct cell *cells;
	size_t n_cells;
	double squared;
	size_t least;
};

static int compare(const void *a, const void *b)
{
	const struct point *p = a, *q = b;

	if (p->cell_x != q->cell_x)
		return p->cell_x < q->cell_x ? -1 : 1;
	return (p->cell_y > q->cell_y) - (p->cell_y < q->cell_y);
}

static void make_cells(struct scan *s)
{
	qsort(s->points, s->n, sizeof(s->points[0]), compare);
	for (size_t i = 0; i < s->n; i++) {
		struct point *p = &s->points[i];

		if (i == 0 || compare(p - 1, p) != 0) {
			s->cells[s->n_cells] =
				(struct cell){ .x = p->cell_x,
					       .y = p->cell_y,
					       .first = i,
					       .parent = s->n_cells };
			s->n_cells++;
		}
		p->cell = s->n_cells - 1;
		s->cells[p->cell].n++;
	}
}

static int place(const void *key, const void *member)
{
	const struct cell *a = key, *b = member;

	if (a->x != b->x)
		return a->x < b->x ? -1 : 1;
	return (a->y > b->y) - (a->y < b->y);
}

static struct cell *cell_at(const struct scan *s, int64_t x, int64_t y)
{
	struct cell key = { .x = x, .y = y };

	return bsearch(&key, s->cells, s->n_cells, sizeof(key), place);
}

static bool is_near(const struct scan *s, const struct point *p,
		    const struct point *q)
{
	double dx = p->x - q->x, dy = p->y - q->y;

	return dx * dx + dy * dy <= s->squared;
}

/* Of a cell beside it or its own: so many points near it, at most `most`. */
static size_t count_near(const struct scan *s, const struct point *p,
			 const struct cell *c, size_t most)
{
	size_t near = 0;

	for (size_t i = 0; c && i < c->n && near < most; i++)
		near += is_near(s, p, &s->points[c->first + i]);
	return near;
}

static bool is_core(const struct scan *s, const struct point *p)
{
	size_t near = 0;

	if (s->cells[p->cell].n >= s->least)
		return true;
	for (int64_t dx = -REACH; dx <= REACH; dx++)
		for (int64_t dy = -REACH; dy <= REACH; dy++) {
			near += count_near(
				s, p,
				cell_at(s, p->cell_x + dx, p->cell_y + dy),
				s->least - near);
			if (near >= s->least)
				return true;
		}
	return false;
}

static size_t root(const struct scan *s, size_t cell)
{
	while (s->cells[cell].parent != cell)
		cell = s->cells[cell].parent;
	return cell;
}

static const struct point *core_near(const struct scan *s,
				     const struct point *p,
				     const struct cell *c)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct point *q = &s->points[c->first + i];

		if (q->core && is_near(s, p, q))
			return q;
	}
	return NULL;
}

static void join(struct scan *s, size_t a, size_t b)
{
	const struct cell *c = &s->cells[a];
	size_t i = root(s, a), k = root(s, b);

	if (i == k || !c->cores || !s->cells[b].cores)
		return;
	for (size_t n = 0; n < c->n; n++) {
		const struct point *p = &s->points[c->first + n];

		if (p->core && core_near(s, p, &s->cells[b])) {
			s->cells[i].parent = k;
			return;
		}
	}
}

/* The root of the point's cluster, or n_cells: noise. */
static size_t cluster_of(const struct scan *s, const struct point *p)
{
	if (p->core)
		return root(s, p->cell);
	for (int64_t dx = -REACH; dx <= REACH; dx++)
		for (int64_t dy = -REACH; dy <= REACH; dy++) {
			const struct cell *c =
				cell_at(s, p->cell_x + dx, p->cell_y + dy);
			const struct point *q =
				c && c->cores ? core_near(s, p, c) : NULL;

			if (q)
				return root(s, q->cell);
		}
	return s->n_cells;
}

static void find_clusters(struct scan *s)
{
	for (size_t i = 0; i < s->n; i++) {
		s->points[i].core = is_core(s, &s->points[i]);
		s->cells[s->points[i].cell].cores += s->points[i].core;
	}
	for (size_t a = 0; a < s->n_cells; a++)
		for (int64_t dx = 0; dx <= REACH; dx++)
			for (int64_t dy = -REACH; dy <= REACH; dy++) {
				const struct cell *b =
					cell_at(s, s->cells[a].x + dx,
						s->cells[a].y + dy);

				if (b && b != &s->cells[a])
					join(s, a, (size_t)(b - s->cells));
			}
}

static void keep_largest(struct scan *s, bool *kept)
{
	size_t best = s->n_cells;

	for (size_t i = 0; i < s->n; i++) {
		size_t r = cluster_of(s, &s->points[i]);

		if (r == s->n_cells)
			continue;
		s->cells[r].size++;
		if (best == s->n_cells ||
		    s->cells[r].size > s->cells[best].size)
			best = r;
	}
	for (size_t i = 0; i < s->n; i++)
		kept[s->points[i].index] = best < s->n_cells &&
					   cluster_of(s, &s->points[i]) == best;
}

int lp_dbscan_largest(const double *x, const double *y, size_t n,
		      double distance, size_t least, bool *kept)
{
	double side = distance / sqrt(2);
	struct scan s = { .points = calloc(n + 1, sizeof(struct point)),
			  .n = n,
			  .cells = calloc(n + 1, sizeof(struct cell)),
			  .squared = distance * distance,
			  .least = least };
	int status = s.points && s.cells ? 0 : -ENOMEM;

	for (size_t i = 0; i < n && status == 0; i++)
		s.points[i] =
			(struct point){ .x = x[i],
					.y = y[i],
					.cell_x = (int64_t)floor(x[i] / side),
					.cell_y = (int64_t)floor(y[i] / side),
					.index = i };
	if (status == 0) {
		make_cells(&s);
		find_clusters(&s);
		keep_largest(&s, kept);
	}
	free(s.points);
	free(s.cells);
	return status;
}
