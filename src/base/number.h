/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers in text that the kernel or a user wrote.
 */
#ifndef LP_BASE_NUMBER_H
#define LP_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The decimal number at *at, which moves behind it; leading blanks are
 * skipped. False, *at and *v untouched: no digit there, or over 64 bits.
 */
static inline bool lp_scan_u64(const char **at, const char *end, uint64_t *v)
{
	const char *p = *at;
	uint64_t sum = 0;

	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	if (p == end || (unsigned char)(*p - '0') > 9)
		return false;
	for (; p < end && (unsigned char)(*p - '0') <= 9; p++) {
		uint64_t digit = (uint64_t)(*p - '0');

		/* Both limits are constants: no division. */
		if (sum >= UINT64_MAX / 10 &&
		    (sum > UINT64_MAX / 10 || digit > UINT64_MAX % 10))
			return false;
		sum = sum * 10 + digit;
	}
	*at = p;
	*v = sum;
	return true;
}

/* All n bytes of text as a number. 0, -EINVAL or -ERANGE. */
int lp_parse_u64(const char *text, size_t n, uint64_t *v);
/* "4096", "4K", "16M", "1G", "1T", also "4KiB": by 1024. 0, -EINVAL, -ERANGE.
 */
int lp_parse_bytes(const char *text, size_t n, uint64_t *v);
/* The same for doubles ("1e3", "nan" is refused), in the C locale. */
int lp_parse_double(const char *text, size_t n, double *v);

/* The shortest text that reads back as the same double; NaN gives "". */
#define LP_NUMBER_TEXT 32
const char *lp_format_double(double v, char text[LP_NUMBER_TEXT]);

/* For qsort: arrays of double (without NaN), of int64_t; ascending. */
int lp_compare_double(const void *a, const void *b);
int lp_compare_i64(const void *a, const void *b);

/* The word that goes with a count: one for 1, many for all others. */
static inline const char *lp_plural(uint64_t n, const char *one,
				    const char *many)
{
	return n == 1 ? one : many;
}

#endif
