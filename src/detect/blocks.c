/* SPDX-License-Identifier: Apache-2.0 */
#include "detect/blocks.h"

#include "detect/carry.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A full segment, where only these are counted. */
#define SEGMENT_BYTES 1448

const char *const lp_sum_names[LP_SUMS] = {
	[LP_SUM_BUSY_MS] = "busy_ms",
	[LP_SUM_REQUESTS] = "requests",
	[LP_SUM_WAIT_MS] = "wait_ms",
	[LP_SUM_IN] = "in",
	[LP_SUM_OUT] = "out",
	[LP_SUM_RESENT] = "resent",
	[LP_SUM_LEVEL_MS] = "level_ms",
	[LP_SUM_LOSSY] = "lossy_samples",
	[LP_SUM_ACTIVE] = "active_samples",
};

/* One sum of one component in the block that runs, or in one that ended. */
struct cell {
	double v;
	uint32_t points; /* that it is known of */
};

struct lp_blocks {
	size_t n, points, count;
	size_t rest; /* of these, the last ones in which nobody did anything */
	double step_s;
	long row[LP_INPUTS]; /* where each input is in the rows, or -1 */
	double scale[LP_INPUTS];
	struct cell *running; /* [n][LP_SUMS] */
	struct lp_sums *sums; /* [n], of one block or for a while */
	double *kept; /* [LP_BLOCKS_KEPT][n][LP_SUMS], NaN: missing; or NULL */
	struct lp_carry *carry; /* or NULL */
};

static void find_rows(struct lp_blocks *b,
		      const struct lp_metric *const *metrics, size_t n)
{
	for (size_t i = 0; i < LP_INPUTS; i++)
		b->row[i] = -1;
	for (size_t m = 0; m < n; m++) {
		b->row[metrics[m]->input] = (long)m;
		b->scale[metrics[m]->input] = metrics[m]->scale;
	}
}

/* Which sums can be made of these inputs. */
static size_t sums_of(const struct lp_blocks *b, enum lp_sum *which)
{
	static const enum lp_input needs[LP_SUMS] = {
		[LP_SUM_BUSY_MS] = LP_INPUT_BUSY,
		[LP_SUM_REQUESTS] = LP_INPUT_REQUESTS,
		[LP_SUM_WAIT_MS] = LP_INPUT_WAIT,
		[LP_SUM_IN] = LP_INPUT_IN,
		[LP_SUM_OUT] = LP_INPUT_OUT,
		[LP_SUM_RESENT] = LP_INPUT_RESENT,
		[LP_SUM_LEVEL_MS] = LP_INPUT_WAIT,
		[LP_SUM_LOSSY] = LP_INPUT_RESENT,
		[LP_SUM_ACTIVE] = LP_INPUT_RESENT,
	};
	size_t n = 0;

	for (size_t s = 0; s < LP_SUMS; s++)
		if (b->row[needs[s]] >= 0 ||
		    (needs[s] == LP_INPUT_RESENT &&
		     b->row[LP_INPUT_RESENT_PACKETS] >= 0))
			which[n++] = (enum lp_sum)s;
	return n;
}

static bool keep(struct lp_blocks *b, const size_t *lengths)
{
	enum lp_sum which[LP_SUMS];
	size_t n_sums = sums_of(b, which);

	b->running = calloc(b->n * LP_SUMS + 1, sizeof(*b->running));
	b->sums = calloc(b->n + 1, sizeof(*b->sums));
	if (lengths)
		b->carry = lp_carry_new(b->n, which, n_sums, lengths);
	else
		b->kept = calloc(LP_BLOCKS_KEPT * b->n * LP_SUMS + 1,
				 sizeof(*b->kept));
	return b->running && b->sums && (b->kept || b->carry);
}

struct lp_blocks *lp_blocks_new(size_t n,
				const struct lp_metric *const *metrics,
				size_t n_metrics, double step_s, size_t points,
				const size_t *lengths)
{
	struct lp_blocks *b = calloc(1, sizeof(*b));

	assert(points > 0 && step_s > 0);
	if (!b)
		return NULL;
	b->n = n;
	b->points = points;
	b->step_s = step_s;
	find_rows(b, metrics, n_metrics);
	if (keep(b, lengths))
		return b;
	lp_blocks_free(b);
	return NULL;
}

void lp_blocks_free(struct lp_blocks *b)
{
	if (!b)
		return;
	free(b->running);
	free(b->sums);
	free(b->kept);
	lp_carry_free(b->carry);
	free(b);
}

/* ---- points ---- */

/* A rate as what it counts per second; a mean as it is. */
static double input_of(const struct lp_blocks *b, const double *const *rows,
		       enum lp_input input, size_t i)
{
	return b->row[input] < 0 ? NAN
				 : rows[b->row[input]][i] / b->scale[input];
}

static void add(struct cell *cell, double v)
{
	if (isnan(v))
		return;
	cell->v += v;
	cell->points++;
}

/* Requests have times of their own, or only a mean is known. */
static void take_requests(const struct lp_blocks *b, struct cell *cells,
			  const double *const *rows, size_t i)
{
	double requests = input_of(b, rows, LP_INPUT_REQUESTS, i);
	double wait = input_of(b, rows, LP_INPUT_WAIT, i);

	add(&cells[LP_SUM_BUSY_MS],
	    input_of(b, rows, LP_INPUT_BUSY, i) * b->step_s);
	add(&cells[LP_SUM_REQUESTS], requests * b->step_s);
	if (isnan(requests))
		add(&cells[LP_SUM_LEVEL_MS],
		    wait > 0 ? wait / (double)b->points : NAN);
	else
		add(&cells[LP_SUM_WAIT_MS], wait * requests * b->step_s);
}

static void take_loss(const struct lp_blocks *b, struct cell *cells,
		      const double *const *rows, double lossy, size_t i)
{
	double sent = input_of(b, rows, LP_INPUT_OUT, i);
	double resent = input_of(b, rows, LP_INPUT_RESENT, i);

	if (isnan(resent))
		resent = SEGMENT_BYTES *
			 input_of(b, rows, LP_INPUT_RESENT_PACKETS, i);
	if (isnan(sent) || isnan(resent))
		return;
	add(&cells[LP_SUM_RESENT], resent * b->step_s);
	add(&cells[LP_SUM_ACTIVE], sent > 0);
	add(&cells[LP_SUM_LOSSY], sent > 0 && resent > lossy * sent);
}

void lp_blocks_take(struct lp_blocks *b, const double *const *rows,
		    double lossy)
{
	for (size_t i = 0; i < b->n; i++) {
		struct cell *cells = b->running + i * LP_SUMS;

		take_requests(b, cells, rows, i);
		add(&cells[LP_SUM_IN],
		    input_of(b, rows, LP_INPUT_IN, i) * b->step_s);
		add(&cells[LP_SUM_OUT],
		    input_of(b, rows, LP_INPUT_OUT, i) * b->step_s);
		take_loss(b, cells, rows, lossy, i);
	}
}

/* ---- blocks ---- */

static double *block_at(const struct lp_blocks *b, size_t block)
{
	return b->kept + block % LP_BLOCKS_KEPT * b->n * LP_SUMS;
}

static double value_of(const struct lp_blocks *b, const struct cell *cell)
{
	size_t known = cell->points;

	return known == 0 || 2 * known < b->points
		       ? NAN
		       : cell->v * (double)b->points / (double)known;
}

/* The block itself as sums of one. */
static void add_block(struct lp_blocks *b)
{
	bool rest = true;

	for (size_t i = 0; i < b->n; i++)
		for (size_t s = 0; s < LP_SUMS; s++) {
			double v = value_of(b, &b->running[i * LP_SUMS + s]);
			bool known = !isnan(v);

			rest = rest && known == b->sums[i].present[s] &&
			       (!known || v == 0);
			b->sums[i].v[s] = known ? v : 0;
			b->sums[i].present[s] = (uint16_t)known;
		}
	b->rest = rest ? b->rest + 1 : 0;
	lp_carry_add(b->carry, b->sums);
}

void lp_blocks_end(struct lp_blocks *b)
{
	size_t cells = b->n * LP_SUMS;

	if (b->carry)
		add_block(b);
	else
		for (size_t i = 0; i < cells; i++)
			block_at(b, b->count)[i] = value_of(b, &b->running[i]);
	b->count++;
	memset(b->running, 0, cells * sizeof(*b->running));
}

bool lp_blocks_tell(const struct lp_blocks *b, enum lp_sum which)
{
	static const enum lp_input inputs[LP_SUMS] = {
		[LP_SUM_BUSY_MS] = LP_INPUT_BUSY,
		[LP_SUM_REQUESTS] = LP_INPUT_REQUESTS,
		[LP_SUM_WAIT_MS] = LP_INPUT_WAIT,
		[LP_SUM_IN] = LP_INPUT_IN,
		[LP_SUM_OUT] = LP_INPUT_OUT,
		[LP_SUM_RESENT] = LP_INPUT_RESENT,
		[LP_SUM_LOSSY] = LP_INPUT_RESENT,
		[LP_SUM_ACTIVE] = LP_INPUT_RESENT,
		[LP_SUM_LEVEL_MS] = LP_INPUT_WAIT,
	};

	return b->row[inputs[which]] >= 0 ||
	       (inputs[which] == LP_INPUT_RESENT &&
		b->row[LP_INPUT_RESENT_PACKETS] >= 0);
}

size_t lp_blocks_rest(const struct lp_blocks *b)
{
	return b->rest;
}

size_t lp_blocks_count(const struct lp_blocks *b)
{
	return b->count;
}

static void add_up(const struct lp_blocks *b, size_t last, struct lp_sums *sums)
{
	memset(sums, 0, b->n * sizeof(*sums));
	for (size_t block = b->count - last; block < b->count; block++) {
		const double *kept = block_at(b, block);

		for (size_t i = 0; i < b->n; i++)
			for (size_t s = 0; s < LP_SUMS; s++) {
				double v = kept[i * LP_SUMS + s];

				sums[i].v[s] += isnan(v) ? 0 : v;
				sums[i].present[s] =
					(uint16_t)(sums[i].present[s] +
						   !isnan(v));
			}
	}
}

const struct lp_sums *lp_blocks_sums(struct lp_blocks *b, size_t last)
{
	assert(last <= b->count && last <= LP_BLOCKS_KEPT);
	if (b->carry)
		return last == 1 ? b->sums : lp_carry_sums(b->carry, last);
	add_up(b, last, b->sums);
	return b->sums;
}
