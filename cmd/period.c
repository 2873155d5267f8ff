/* SPDX-License-Identifier: Apache-2.0 */
#include "period.h"

#include <errno.h>
#include <unistd.h>

#define DAY_NS (24 * 3600 * LP_NS_PER_S)

static int choose_zone(struct lp_zone *zone,
		       const struct lp_period_options *options,
		       bool for_programs, struct lp_error *err)
{
	if (options->tz && options->utc)
		return lp_fail(err, EINVAL,
			       "--tz and --utc cannot be used together");
	if (options->tz)
		return lp_zone_find(options->tz, zone, err);
	return lp_zone_find(options->utc || for_programs ||
					    !isatty(STDOUT_FILENO)
				    ? "UTC"
				    : "local",
			    zone, err);
}

int lp_period_begin(struct lp_period *period,
		    const struct lp_period_options *options, bool for_programs,
		    struct lp_error *err)
{
	*period = (struct lp_period){ .since_ns = LP_TIME_MIN,
				      .until_ns = LP_TIME_MAX };
	if (options->last_ns && (options->since.kind || options->until.kind))
		return lp_fail(err, EINVAL,
			       "--last cannot be used with --since or --until");
	return choose_zone(&period->zone, options, for_programs, err);
}

static void note_times(struct lp_period *period, const struct lp_chunk *chunk)
{
	for (size_t i = 0; i < chunk->n_samples; i++) {
		int64_t t = chunk->time_ns[i];

		period->first_ns = t < period->first_ns ? t : period->first_ns;
		period->last_ns = t > period->last_ns ? t : period->last_ns;
	}
}

/* When the recording begins and ends. */
static int look(struct lp_period *period, struct lp_inputs *inputs,
		struct lp_error *err)
{
	struct lp_query query = inputs->query;
	struct lp_stream *stream = NULL;
	struct lp_item item;
	int status;

	if (period->looked)
		return 0;
	/*
	 * Nobody fetches all that a server has to learn when that ends: now.
	 * "10:00" was within the last day.
	 */
	if (lp_inputs_are_remote(inputs)) {
		period->last_ns = lp_time_now();
		period->first_ns = lp_time_add(period->last_ns, -DAY_NS);
		period->looked = true;
		return 0;
	}
	period->first_ns = LP_TIME_MAX;
	period->last_ns = LP_TIME_MIN;
	lp_query_init(&inputs->query);
	status = lp_inputs_open(inputs, &stream, err);
	while (status >= 0 && (status = lp_stream_next(stream, &item, err)) > 0)
		if (item.chunk)
			note_times(period, item.chunk);
	lp_stream_close(stream);
	inputs->query = query;
	period->looked = status == 0;
	return status;
}

static bool counts_from_now(const struct lp_when *when)
{
	return when->kind == LP_WHEN_AGO || when->kind == LP_WHEN_DAY;
}

/* Of a recording of the past nothing is left: say where it ends. */
static int all_over(const struct lp_period *period, const struct lp_when *when,
		    int64_t now_ns, struct lp_error *err)
{
	char last[LP_TIME_TEXT], now[LP_TIME_TEXT];
	int64_t second = LP_NS_PER_S;
	bool ago = when->kind == LP_WHEN_AGO && when->ns > 0;

	return lp_fail(
		err, ENODATA,
		"'%s' counts from now, %s, but the recording ended at "
		"%s; use --last %s for the end of the recording",
		when->text,
		lp_zone_format(&period->zone, now_ns - now_ns % second, now),
		lp_zone_format(&period->zone, period->last_ns, last),
		ago ? when->text + 1 : "2h");
}

int lp_period_time(struct lp_period *period, const char *option,
		   const struct lp_when *when, struct lp_inputs *inputs,
		   bool *usage, int64_t *time_ns, struct lp_error *err)
{
	struct lp_when_frame frame = { .zone = period->zone,
				       .now_ns = lp_time_now() };
	struct lp_error why;
	int64_t t;
	int status = 0;

	if (when->kind == LP_WHEN_UNSET)
		return 0;
	if (lp_when_needs_recording(when) || counts_from_now(when))
		status = look(period, inputs, err);
	if (status < 0)
		return status;
	frame.first_ns = period->first_ns;
	frame.last_ns = period->last_ns;
	*usage = true;
	if (lp_when_resolve(when, &frame, &t, &why) < 0)
		return lp_fail(err, EINVAL, "%s: %s", option, why.text);
	*usage = false;
	*time_ns = t;
	return 0;
}

/* The last so many hours, whenever they were. */
static int take_last(struct lp_period *period,
		     const struct lp_period_options *options,
		     struct lp_inputs *inputs, struct lp_error *err)
{
	int status = look(period, inputs, err);

	if (status < 0 || period->first_ns > period->last_ns)
		return status;
	period->since_ns = lp_time_add(period->last_ns, -options->last_ns);
	return 0;
}

int lp_period_resolve(struct lp_period *period,
		      const struct lp_period_options *options,
		      struct lp_inputs *inputs, bool *usage,
		      struct lp_error *err)
{
	int status = 0;

	*usage = false;
	if (options->last_ns)
		status = take_last(period, options, inputs, err);
	if (status == 0)
		status = lp_period_time(period, "--since", &options->since,
					inputs, usage, &period->since_ns, err);
	if (status == 0)
		status = lp_period_time(period, "--until", &options->until,
					inputs, usage, &period->until_ns, err);
	if (status < 0)
		return status;
	if (period->since_ns > period->until_ns) {
		*usage = true;
		return lp_fail(err, EINVAL, "--since is after --until");
	}
	if (counts_from_now(&options->since) &&
	    period->first_ns <= period->last_ns &&
	    period->since_ns > period->last_ns)
		return all_over(period, &options->since, lp_time_now(), err);
	return 0;
}
