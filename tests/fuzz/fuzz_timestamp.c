/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Times, durations and numbers as users and files write them. What is read and
 * written again must read back as the same.
 */
#include "base/number.h"
#include "base/timestamp.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void try_time(const char *text, size_t n)
{
	char again[LP_TIME_TEXT];
	int64_t t, back;

	if (lp_time_parse(text, n, &t) < 0)
		return;
	lp_time_format(t, again);
	require(lp_time_parse(again, strlen(again), &back) == 0);
	require(back == t);
}

static void try_number(const char *text, size_t n)
{
	char again[LP_NUMBER_TEXT];
	double v, back;
	uint64_t u;

	lp_parse_u64(text, n, &u);
	if (lp_parse_double(text, n, &v) < 0)
		return;
	lp_format_double(v, again);
	require(lp_parse_double(again, strlen(again), &back) == 0);
	require(back == v);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	char word[64];
	int64_t duration;

	try_time(text, size);
	try_number(text, size);
	if (size < sizeof(word)) {
		if (size)
			memcpy(word, data, size);
		word[size] = '\0';
		if (lp_duration_parse(word, &duration) == 0)
			require(duration >= 0);
	}
	return 0;
}
