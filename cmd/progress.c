/* SPDX-License-Identifier: Apache-2.0 */
#include "progress.h"

#include "base/timestamp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DELAY_NS (500 * LP_NS_PER_MS)
#define REDRAW_NS (100 * LP_NS_PER_MS)
#define BAR 24
/* Below this share an estimate of the time left would jump about. */
#define ENOUGH 0.02

void lp_progress_begin(struct lp_progress *progress, const char *title,
		       const char *unit)
{
	const char *terminal = getenv("TERM");

	*progress = (struct lp_progress){ .title = title, .unit = unit };
	progress->on = isatty(STDERR_FILENO) &&
		       !(terminal && strcmp(terminal, "dumb") == 0);
	progress->start_ns = progress->last_ns = lp_monotonic_now();
}

static void put_rate(double per_s, const char *unit)
{
	if (per_s >= 1e6)
		fprintf(stderr, "  %.1f M %s/s", per_s / 1e6, unit);
	else if (per_s >= 1e3)
		fprintf(stderr, "  %.1f k %s/s", per_s / 1e3, unit);
	else
		fprintf(stderr, "  %.0f %s/s", per_s, unit);
}

static void draw(const struct lp_progress *p, double part, uint64_t count,
		 int64_t elapsed_ns)
{
	double seconds = (double)elapsed_ns / (double)LP_NS_PER_S;
	char left[LP_TIME_TEXT];

	fprintf(stderr, "\r%s", p->title);
	if (part >= 0) {
		part = part > 1 ? 1 : part;
		fprintf(stderr, "  [");
		for (int i = 0; i < BAR; i++)
			fputc(i < (int)(part * BAR) ? '#' : '-', stderr);
		fprintf(stderr, "] %3.0f %%", part * 100);
	}
	put_rate((double)count / seconds, p->unit);
	if (part > ENOUGH)
		fprintf(stderr, "  %s left",
			lp_duration_format(
				(int64_t)(seconds * (1 - part) / part) *
					LP_NS_PER_S,
				left));
	fputs("\033[K", stderr);
	fflush(stderr);
}

void lp_progress_update(struct lp_progress *progress, double part,
			uint64_t count)
{
	int64_t now;

	if (!progress->on)
		return;
	now = lp_monotonic_now();
	if (now - progress->start_ns < DELAY_NS ||
	    now - progress->last_ns < REDRAW_NS)
		return;
	progress->last_ns = now;
	progress->shown = true;
	draw(progress, part, count, now - progress->start_ns);
}

void lp_progress_end(struct lp_progress *progress)
{
	if (!progress->shown)
		return;
	fputs("\r\033[K", stderr);
	fflush(stderr);
	progress->shown = false;
}
