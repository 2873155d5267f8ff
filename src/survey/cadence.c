/* SPDX-License-Identifier: Apache-2.0 */
#include "survey/cadence.h"

#include "base/number.h"

#include <stdlib.h>
#include <string.h>

/* Beyond that it is no interval, and sums of it would overflow. */
#define INTERVAL_MAX (366 * 86400 * LP_NS_PER_S)

/* Samples are taken at round times; what is measured is not. */
static int64_t round_interval(int64_t ns)
{
	int64_t unit = ns >= 950 * LP_NS_PER_MS  ? LP_NS_PER_S
		       : ns >= 50 * LP_NS_PER_MS ? 10 * LP_NS_PER_MS
						 : 1;

	if (ns > INTERVAL_MAX)
		return INTERVAL_MAX;
	return (ns + unit / 2) / unit * unit;
}

/* The times between samples, or between those with a value. */
struct gaps {
	int64_t ns[256];
	size_t n;
};

static void find_gaps(const struct lp_chunk *chunk,
		      const struct lp_values *values, struct gaps *gaps)
{
	size_t last = chunk->n_samples;
	int64_t ns;

	gaps->n = 0;
	for (size_t i = 0; i < chunk->n_samples; i++) {
		if (values && !lp_values_has(values, i))
			continue;
		if (last < i && gaps->n < lp_array_size(gaps->ns) &&
		    !__builtin_sub_overflow(chunk->time_ns[i],
					    chunk->time_ns[last], &ns) &&
		    ns > 0)
			gaps->ns[gaps->n++] = ns;
		last = i;
	}
	qsort(gaps->ns, gaps->n, sizeof(*gaps->ns), lp_compare_i64);
}

/* Fewer gaps than these may be holes as well. */
#define GAPS_ENOUGH 4

/*
 * How often a counter is there: the lower quartile of the gaps, as some of its
 * samples may be missing. 0: cannot tell.
 */
static int64_t counter_interval(const struct lp_chunk *chunk,
				const struct lp_values *values)
{
	struct gaps gaps;

	if (!values->bits || !values->present)
		return 0; /* never, or always: as often as any sample */
	find_gaps(chunk, values, &gaps);
	return gaps.n < GAPS_ENOUGH ? 0 : round_interval(gaps.ns[gaps.n / 4]);
}

static int64_t panel_interval(const struct lp_chunk *chunk,
			      const struct lp_panel *panel)
{
	int64_t longest = 0, ns;

	for (size_t c = 0; panel->n_series && c < panel->n_columns; c++) {
		if (panel->columns[c].kind > LP_SATURATING)
			continue;
		ns = counter_interval(chunk, &panel->series[0].values[c]);
		longest = ns > longest ? ns : longest;
	}
	return longest;
}

/*
 * The median of the times between samples; 0: cannot tell. PCP logs some
 * metrics more often than others, each at its own times: then that of the
 * counters that are logged least often, which have no increase at less.
 */
static int64_t cadence_of(const struct lp_chunk *chunk)
{
	struct gaps gaps;
	int64_t longest, ns;

	find_gaps(chunk, NULL, &gaps);
	longest = gaps.n ? round_interval(gaps.ns[gaps.n / 2]) : 0;
	for (size_t p = 0; p < chunk->n_panels; p++) {
		ns = panel_interval(chunk, &chunk->panels[p]);
		longest = ns > longest ? ns : longest;
	}
	return longest;
}

/* Recorders wake up a little after the second that they wait for. */
#define AT_SECOND_NS (50 * LP_NS_PER_MS)

static bool is_between_seconds(int64_t time_ns)
{
	int64_t off = time_ns % LP_NS_PER_S;

	off = off < 0 ? off + LP_NS_PER_S : off;
	return off > AT_SECOND_NS && off < LP_NS_PER_S - AT_SECOND_NS;
}

void lp_cadence_chunk(struct lp_roster_host *host, const struct lp_chunk *chunk)
{
	for (size_t i = 0; i < chunk->n_samples; i++)
		host->n_between += is_between_seconds(chunk->time_ns[i]);
	if (!host->cadence_ns)
		host->cadence_ns = cadence_of(chunk);
}

/* The recorder says how often it samples. */
void lp_cadence_inventory(struct lp_roster_host *host,
			  const struct lp_inventory *inventory)
{
	const char *text = lp_labels_get(&inventory->labels, "interval_ns");
	uint64_t ns;

	if (text && lp_parse_u64(text, strlen(text), &ns) == 0 && ns > 0 &&
	    ns <= INTERVAL_MAX && (int64_t)ns > host->cadence_ns)
		host->cadence_ns = (int64_t)ns;
}
