/* SPDX-License-Identifier: Apache-2.0 */
#include "base/number.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int lp_parse_u64(const char *text, size_t n, uint64_t *v)
{
	const char *at = text, *end = text + n;
	uint64_t parsed;

	if (n == 0)
		return -EINVAL;
	for (size_t i = 0; i < n; i++)
		if (text[i] < '0' || text[i] > '9')
			return -EINVAL;
	if (!lp_scan_u64(&at, end, &parsed))
		return -ERANGE;
	*v = parsed;
	return 0;
}

int lp_parse_bytes(const char *text, size_t n, uint64_t *v)
{
	static const char units[] = "KMGT";
	size_t digits = 0;
	unsigned shift = 0;
	uint64_t number;
	int status;

	while (digits < n && text[digits] >= '0' && text[digits] <= '9')
		digits++;
	if (digits < n) {
		const char *unit = memchr(units, text[digits], 4);
		size_t rest = n - digits - 1;

		if (!unit || (rest > 0 && (rest != 2 ||
					   memcmp(text + n - 2, "iB", 2) != 0)))
			return -EINVAL;
		shift = 10 * (unsigned)(unit - units + 1);
	}
	status = lp_parse_u64(text, digits, &number);
	if (status < 0)
		return status;
	if (number > UINT64_MAX >> shift)
		return -ERANGE;
	*v = number << shift;
	return 0;
}

int lp_parse_double(const char *text, size_t n, double *v)
{
	char copy[64], *end;
	double parsed;

	if (n == 0 || n >= sizeof(copy))
		return -EINVAL;
	memcpy(copy, text, n);
	copy[n] = '\0';
	/* strtod would take leading blanks, hex, "inf" and "nan" as well. */
	if (strspn(copy, "+-.0123456789eE") != n)
		return -EINVAL;
	parsed = strtod(copy, &end);
	if (end != copy + n)
		return -EINVAL;
	if (!isfinite(parsed))
		return -ERANGE;
	*v = parsed;
	return 0;
}

const char *lp_format_double(double v, char text[LP_NUMBER_TEXT])
{
	text[0] = '\0';
	if (isnan(v))
		return text;
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, LP_NUMBER_TEXT, "%.*g", digits, v);
		if (strtod(text, NULL) == v)
			break;
	}
	return text;
}

int lp_compare_double(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int lp_compare_i64(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}
