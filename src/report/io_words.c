/* SPDX-License-Identifier: Apache-2.0 */
#include "report/io_words.h"

#include "base/utf8.h"
#include "report/markup.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

const char *lp_io_time_text(double ns, char text[LP_IO_WORD])
{
	static const char *const units[] = { "ns", "µs", "ms", "s" };
	char number[LP_PEOPLE_TEXT];
	size_t unit = 0;

	if (isnan(ns))
		return "–";
	while (unit < 3 && fabs(ns) >= 999.5) {
		ns /= 1000;
		unit++;
	}
	snprintf(text, LP_IO_WORD, "%s %s",
		 lp_people_number(round(ns * 1e3) / 1e3, number), units[unit]);
	return text;
}

const char *lp_io_size_text(int64_t bytes, char text[LP_IO_WORD])
{
	static const char suffixes[] = { 'G', 'M', 'K' };

	for (int i = 0; i < 3; i++) {
		int64_t unit = INT64_C(1) << (30 - 10 * i);

		if (bytes >= unit && bytes % unit == 0) {
			snprintf(text, LP_IO_WORD, "%" PRId64 "%c",
				 bytes / unit, suffixes[i]);
			return text;
		}
	}
	snprintf(text, LP_IO_WORD, "%" PRId64, bytes);
	return text;
}

const char *lp_io_rate_text(double bytes, double ns, char text[LP_IO_WORD])
{
	static const char *const units[] = { "B/s", "kB/s", "MB/s", "GB/s" };
	char number[LP_PEOPLE_TEXT];
	double rate = bytes / ns * 1e9;
	size_t unit = 0;

	if (!(ns > 0))
		return "–";
	while (unit < 3 && rate >= 999.5) {
		rate /= 1000;
		unit++;
	}
	snprintf(text, LP_IO_WORD, "%s %s", lp_people_number(rate, number),
		 units[unit]);
	return text;
}

const char *lp_io_share_text(double part, double all, char text[LP_IO_WORD])
{
	double share = 100 * part / all;

	if (!(all > 0) || isnan(part))
		return "–";
	if (part == 0)
		return "0";
	snprintf(text, LP_IO_WORD, share >= 9.995 ? "%.1f %%" : "%.2g %%",
		 share);
	return text;
}

static int width_of(const char *text)
{
	int width = 0;

	for (size_t n; *text; text += n ? n : 1, width++)
		n = lp_utf8_length(text);
	return width;
}

void lp_io_cell(FILE *out, const char *text, int columns)
{
	int pad = abs(columns) - width_of(text);

	if (columns > 0)
		fprintf(out, "%*s%s ", pad > 0 ? pad : 0, "", text);
	else
		fprintf(out, "%s%*s ", text, pad > 0 ? pad : 0, "");
}
