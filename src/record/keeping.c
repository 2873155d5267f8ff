/* SPDX-License-Identifier: Apache-2.0 */
#include "record/keeping.h"

#include "base/timestamp.h"

#include <string.h>

static void put_error(const struct lp_class *host, struct lp_builder *samples,
		      int64_t error_us)
{
	int column = lp_class_column(host, LP_HOST_CLOCK_ERROR);
	size_t panel = lp_builder_panel(samples, host);
	struct lp_row row;

	if (panel != LP_BUILDER_NONE && error_us >= 0 &&
	    lp_builder_row(samples, panel, LP_HOST_INSTANCE,
			   strlen(LP_HOST_INSTANCE), &row))
		lp_row_u64(&row, (size_t)column, (uint64_t)error_us);
}

static void say(struct lp_keeping_log *log, bool synchronised, int64_t time_ns,
		struct lp_notices *notices)
{
	struct lp_notice *notice;

	if (log->unkept != synchronised)
		return;
	log->unkept = !synchronised;
	/* Who starts a recorder on a laptop need not be told each time. */
	notice = lp_notice_at(notices, time_ns, LP_EVENT_CLOCK,
			      synchronised ? "the clock is synchronised"
					   : "the clock is not synchronised: "
					     "nothing keeps it right (chronyd, "
					     "ntpd)");
	if (notice)
		notice->silent = true;
	lp_notice_pair(notice, "synchronised", synchronised ? "yes" : "no");
}

void lp_keeping_note(struct lp_keeping_log *log, const struct lp_clock *clock,
		     int64_t time_ns, struct lp_builder *samples,
		     struct lp_notices *notices)
{
	int64_t minute = time_ns / (60 * LP_NS_PER_S);
	struct lp_clock_keeping keeping;

	if (!log->host || !clock->keeping || minute == log->minute)
		return;
	log->minute = minute;
	if (clock->keeping(clock->user, &keeping) < 0)
		return;
	put_error(log->host, samples, keeping.error_us);
	say(log, keeping.synchronised, time_ns, notices);
}
