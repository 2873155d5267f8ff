/* SPDX-License-Identifier: Apache-2.0 */
#include "detect/trail.h"

#include <math.h>
#include <stdlib.h>

#define HISTORY LP_SCORE_HISTORY

bool lp_trail_init(struct lp_trail *p, size_t n, const size_t *lengths)
{
	bool made = true;

	*p = (struct lp_trail){ .n = n, .lengths = lengths };
	for (size_t w = 0; lengths[w]; w++) {
		p->known[w] = calloc(n + 1, 1);
		made = made && p->known[w];
		p->longest = lengths[w];
	}
	p->codes = calloc(n * HISTORY + 1, sizeof(*p->codes));
	p->present = calloc(p->longest * n + 1, 1);
	if (!made || !p->codes || !p->present)
		return false;
	for (size_t k = 0; k < n * HISTORY; k++)
		p->codes[k] = LP_CODE_MISSING;
	return true;
}

void lp_trail_done(struct lp_trail *p)
{
	for (size_t w = 0; w < LP_SCORE_WINDOWS; w++)
		free(p->known[w]);
	free(p->codes);
	free(p->present);
}

static uint8_t *present_at(const struct lp_trail *p, size_t block)
{
	return p->present + block % p->longest * p->n;
}

/* Before the new block takes the place of the oldest. */
static void forget_present(struct lp_trail *p)
{
	for (size_t w = 0; p->lengths[w]; w++) {
		const uint8_t *old;

		if (p->count < p->lengths[w])
			continue;
		old = present_at(p, p->count - p->lengths[w]);
		for (size_t i = 0; i < p->n; i++)
			p->known[w][i] = (uint8_t)(p->known[w][i] - old[i]);
	}
}

void lp_trail_add(struct lp_trail *p, const double *residuals)
{
	uint8_t *present = present_at(p, p->count);

	forget_present(p);
	for (size_t i = 0; i < p->n; i++) {
		*lp_trail_slot(p, i) = lp_code_of((float)residuals[i]);
		present[i] = (uint8_t)!isnan(residuals[i]);
	}
	for (size_t w = 0; p->lengths[w]; w++)
		for (size_t i = 0; i < p->n; i++)
			p->known[w][i] = (uint8_t)(p->known[w][i] + present[i]);
	p->count++;
}

/* The codes of all but the last blocks: how many. */
static size_t copy_early(const struct lp_trail *p, size_t i, size_t without,
			 int16_t *early)
{
	const int16_t *ring = p->codes + i * HISTORY;
	size_t next = p->count % HISTORY, n = HISTORY - without;
	size_t older = n < HISTORY - next ? n : HISTORY - next;

	memcpy(early, ring + next, older * sizeof(*ring));
	memcpy(early + older, ring, (n - older) * sizeof(*ring));
	return n;
}

void lp_trail_find_middle(const struct lp_trail *p, size_t i, size_t without,
			  size_t known, struct lp_codes_middle *middle)
{
	int16_t early[HISTORY];

	lp_codes_find_middle(early, copy_early(p, i, without, early), known,
			     middle);
}

/* ---- windows ---- */

/* The codes of the last blocks, in the order of the ring. */
static size_t copy_late(const struct lp_trail *p, size_t i, size_t blocks,
			int16_t *late)
{
	const int16_t *ring = p->codes + i * HISTORY;
	size_t end = p->count % HISTORY;
	size_t here = end < blocks ? end : blocks;

	memcpy(late, ring + end - here, here * sizeof(*ring));
	memcpy(late + here, ring + HISTORY - (blocks - here),
	       (blocks - here) * sizeof(*ring));
	return blocks;
}

struct lp_trail_mean lp_trail_mean(const struct lp_trail *p, size_t i, size_t w)
{
	int16_t late[HISTORY], least = LP_CODE_MISSING, most = INT16_MIN;
	size_t n = copy_late(p, i, p->lengths[w], late);
	double sum = 0;

	for (size_t k = 0; k < n; k++) {
		int16_t code = late[k];
		int16_t known = code == LP_CODE_MISSING ? INT16_MIN : code;

		sum += code == LP_CODE_MISSING ? 0
					       : (double)lp_code_value(code);
		least = code < least ? code : least;
		most = known > most ? known : most;
	}
	return (struct lp_trail_mean){ sum / (double)p->known[w][i],
				       lp_code_value(least),
				       lp_code_value(most) };
}

double lp_trail_clipped(const struct lp_trail *p, size_t i, size_t w,
			double base, double clip)
{
	int16_t late[HISTORY];
	size_t n = copy_late(p, i, p->lengths[w], late);
	double sum = 0;

	for (size_t k = 0; k < n; k++) {
		double v = lp_code_value(late[k]) - base;

		v = v < -clip ? -clip : v;
		v = v > clip ? clip : v;
		sum += late[k] == LP_CODE_MISSING ? 0 : v;
	}
	return sum / (double)p->known[w][i];
}
