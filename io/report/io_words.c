/* SPDX-License-Identifier: Apache-2.0 */
#include "io/report/io_words.h"

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

const char *lp_io_clock_text(int64_t resolution_ns, char text[LP_IO_WORD])
{
	if (resolution_ns < 100000 || resolution_ns >= 1000000000)
		return lp_io_time_text((double)resolution_ns, text);
	snprintf(text, LP_IO_WORD, "%g ms", (double)resolution_ns / 1e6);
	return text;
}

/* The peak of a density lies a bit beyond the shortest durations. */
bool lp_io_is_below(double ns, int64_t resolution_ns)
{
	return resolution_ns > 1 && ns <= 1.1 * (double)resolution_ns;
}

const char *lp_io_duration_text(double ns, int64_t resolution_ns,
				char text[LP_IO_WORD])
{
	char clock[LP_IO_WORD];

	if (!lp_io_is_below(ns, resolution_ns))
		return lp_io_time_text(ns, text);
	snprintf(text, LP_IO_WORD, "at most %.20s",
		 lp_io_clock_text(resolution_ns, clock));
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

const char *lp_io_bytes_text(double bytes, char text[LP_IO_WORD])
{
	static const char *const units[] = { "B", "kB", "MB", "GB", "TB" };
	char number[LP_PEOPLE_TEXT];
	size_t unit = 0;

	while (unit < 4 && bytes >= 999.5) {
		bytes /= 1000;
		unit++;
	}
	snprintf(text, LP_IO_WORD, "%s %s", lp_people_number(bytes, number),
		 units[unit]);
	return text;
}

const char *lp_io_rate_text(double bytes, double ns, char text[LP_IO_WORD])
{
	char amount[LP_IO_WORD];

	if (!(ns > 0))
		return "–";
	snprintf(text, LP_IO_WORD, "%.20s/s",
		 lp_io_bytes_text(bytes / ns * 1e9, amount));
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
