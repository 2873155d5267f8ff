/* SPDX-License-Identifier: Apache-2.0 */
#include "survey/amount.h"

#include "base/memory.h"
#include "base/timestamp.h"
#include "table/delta.h"

/* From the first value to the last. */
static double increase(const struct lp_values *v, size_t n)
{
	size_t first = 0, last = n;

	while (first < n && !lp_values_has(v, first))
		first++;
	while (last > first && !lp_values_has(v, last - 1))
		last--;
	if (last - first < 2 || v->bits[last - 1] < v->bits[first])
		return 0;
	return (double)(v->bits[last - 1] - v->bits[first]);
}

/* Absurd times in a file must not overflow. */
static int64_t span(int64_t from_ns, int64_t to_ns)
{
	int64_t ns;

	return __builtin_sub_overflow(to_ns, from_ns, &ns) ? 0 : ns;
}

/* A rate over the time of the chunk. */
static double integral(const struct lp_chunk *chunk, const struct lp_values *v,
		       enum lp_type type)
{
	size_t n = chunk->n_samples;
	double sum = 0, seconds;

	for (size_t i = 0; i < n; i++)
		if (lp_values_has(v, i))
			sum += lp_values_number(v, type, i);
	seconds =
		n < 2 ? 1
		      : (double)span(chunk->time_ns[0], chunk->time_ns[n - 1]) /
				(double)LP_NS_PER_S / (double)(n - 1);
	return seconds > 0 ? sum * seconds : 0;
}

double lp_amount_of(const struct lp_chunk *chunk,
		    const struct lp_column *column,
		    const struct lp_values *values)
{
	return lp_delta_counts(column) ? increase(values, chunk->n_samples)
				       : integral(chunk, values, column->type);
}
