/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows on their way to their columns. The columns of a row lie far apart, and a
 * second later none of them is in the processor's cache: a tick of the recorder
 * would wait for every one. So a whole row is first put behind the one before,
 * and goes to its columns when somebody looks at them, with those of ten ticks.
 *
 *     | series, n | sample   | n values ... |     a row
 *     | series, 0 | from, to |                    samples that repeat the one
 *                                                 before them
 */
#include "model/builder_parts.h"

#include <assert.h>
#include <string.h>

/* Words; more go to their columns at once, so that memory stays bounded. */
#define MOST_WORDS 8192
#define HEAD_WORDS 2

static uint64_t join(size_t low, size_t high)
{
	return (uint64_t)low | (uint64_t)high << 32;
}

static size_t low(uint64_t word)
{
	return (size_t)(word & UINT32_MAX);
}

static size_t high(uint64_t word)
{
	return (size_t)(word >> 32);
}

/* Room for n more values and their head; NULL: out of memory. */
static uint64_t *extend(struct lp_builder *b, size_t p, size_t n)
{
	struct build_panel *panel = &b->panels[p];
	size_t size = panel->log_size + HEAD_WORDS + n;

	if (size > MOST_WORDS) {
		lp_builder_flush(b, p);
		size = HEAD_WORDS + n;
	}
	if (lp_grow(&panel->log, &panel->log_capacity, size,
		    sizeof(*panel->log)) < 0)
		return NULL;
	panel->log_size = size;
	return panel->log + size - n - HEAD_WORDS;
}

bool lp_builder_log_row(const struct lp_row *row, const uint64_t *bits,
			size_t n)
{
	struct lp_builder *b = row->builder;
	uint64_t *to = extend(b, row->panel, n);

	assert(b->now > 0 && n > 0 && n <= 64);
	if (!to)
		return false;
	to[0] = join(row->series, n);
	to[1] = b->now - 1;
	memcpy(to + HEAD_WORDS, bits, n * sizeof(*bits));
	return true;
}

void lp_builder_log_owed(struct lp_builder *b, size_t p, size_t s)
{
	struct build_series *series = &b->panels[p].series[s];
	uint64_t *to;

	if (series->owed == 0)
		return;
	to = extend(b, p, 0);
	if (!to) {
		lp_builder_flush(b, p);
		lp_builder_settle(b, p, s);
		return;
	}
	to[0] = join(s, 0);
	to[1] = join(series->last - series->owed, series->last);
	series->owed = 0;
}

void lp_builder_flush(struct lp_builder *b, size_t p)
{
	struct build_panel *panel = &b->panels[p];
	size_t n;

	for (size_t at = 0; at < panel->log_size; at += HEAD_WORDS + n) {
		const uint64_t *head = panel->log + at;
		size_t series = low(head[0]);

		n = high(head[0]);
		assert(series < b->chunk.panels[p].n_series);
		if (n == 0)
			lp_builder_repeat(b, p, series, low(head[1]),
					  high(head[1]));
		else
			lp_builder_store(b, p, series, (size_t)head[1],
					 head + HEAD_WORDS,
					 UINT64_MAX >> (64 - n));
	}
	panel->log_size = 0;
}
