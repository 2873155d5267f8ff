/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions on rows of COUNT, named by NAME(). Included once for each type;
 * plain loops, which the compiler turns into the processor's wide ones (the
 * sum of absolute differences of bytes is one instruction).
 */
static void NAME(increment)(void *row, const uint16_t *places, size_t n)
{
	COUNT *c = row;

	for (size_t k = 0; k < n; k++)
		c[places[k]]++;
}

static uint32_t NAME(at)(const void *row, size_t place)
{
	return ((const COUNT *)row)[place];
}

static uint64_t NAME(sum)(const void *row, size_t length)
{
	const COUNT *c = row;
	uint32_t sum = 0;

	for (size_t b = 0; b < length; b++)
		sum += c[b];
	return sum;
}

static uint64_t NAME(l1)(const void *p, const void *q, size_t length)
{
	const COUNT *x = p, *y = q;
	int32_t sum = 0;

	length &= ~(size_t)(LP_ROW_PAD - 1);
	for (size_t b = 0; b < length; b++)
		sum += abs(x[b] - y[b]);
	return (uint64_t)sum;
}

static void NAME(l1_to_all)(const void *row, const void *rows, size_t n,
			    size_t length, uint32_t *sums)
{
	const COUNT *all = rows;

	for (size_t j = 0; j < n; j++)
		sums[j] = (uint32_t)NAME(l1)(row, all + j * length, length);
}

static uint64_t NAME(l1_scaled)(const void *p, uint32_t p_times, const void *q,
				uint32_t q_times, size_t length)
{
	const COUNT *x = p, *y = q;
	int32_t m = (int32_t)p_times, n = (int32_t)q_times;
	uint64_t sum = 0;

	for (size_t b = 0; b < length; b++)
		sum += (uint32_t)abs(x[b] * m - y[b] * n);
	return sum;
}

static void NAME(median)(void *row, const void *a, const void *b, const void *c,
			 size_t length)
{
	const COUNT *x = a, *y = b, *z = c;
	COUNT *out = row;

	for (size_t k = 0; k < length; k++) {
		COUNT low = x[k] < y[k] ? x[k] : y[k];
		COUNT high = x[k] < y[k] ? y[k] : x[k];
		COUNT least = high < z[k] ? high : z[k];

		out[k] = low > least ? low : least;
	}
}
