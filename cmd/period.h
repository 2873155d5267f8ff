/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The time that a command is asked about, and the zone in which times are said
 * and shown.
 *
 * A terminal gets the local zone, all else UTC; --tz and --utc choose another.
 * A time without a zone on the command line is meant in the zone in which times
 * are shown. What programs read (CSV, JSON, files) is UTC always.
 */
#ifndef LP_CMD_PERIOD_H
#define LP_CMD_PERIOD_H

#include "inputs.h"

#include "base/option.h"
#include "base/when.h"

/* Zero-initialise. */
struct lp_period_options {
	struct lp_when since, until;
	int64_t last_ns; /* 0: not given */
	const char *tz;
	bool utc;
};

/* Rows of an option table, for a struct with the above as `member`. */
#define LP_ZONE_OPTIONS(fields, member)                                        \
	{ .long_name = "tz",                                                   \
	  .type = LP_OPTION_STRING,                                            \
	  .value = "ZONE",                                                     \
	  .offset = offsetof(fields, member.tz),                               \
	  .help = "times are in this zone: Europe/Berlin, +01:00, local "      \
		  "(default: local on a terminal, else UTC)" },                \
	{                                                                      \
		.long_name = "utc", .type = LP_OPTION_FLAG,                    \
		.offset = offsetof(fields, member.utc),                        \
		.help = "times are in UTC"                                     \
	}
#define LP_PERIOD_OPTIONS(fields, member)                                      \
	{ .long_name = "since",                                                \
	  .type = LP_OPTION_WHEN,                                              \
	  .value = "TIME",                                                     \
	  .offset = offsetof(fields, member.since),                            \
	  .help = "from this time on: 10:00, '2026-11-14 10:00', yesterday, "  \
		  "-2h, 2026-11-14T10:00:00Z" },                               \
		{ .long_name = "until",                                        \
		  .type = LP_OPTION_WHEN,                                      \
		  .value = "TIME",                                             \
		  .offset = offsetof(fields, member.until),                    \
		  .help = "up to this time" },                                 \
		{ .long_name = "last",                                         \
		  .type = LP_OPTION_DURATION,                                  \
		  .value = "DURATION",                                         \
		  .offset = offsetof(fields, member.last_ns),                  \
		  .help = "only the end of the recording: 2h, 30min",          \
		  .low = 1 },                                                  \
		LP_ZONE_OPTIONS(fields, member)

/* What was asked for. */
struct lp_period {
	struct lp_zone zone;
	int64_t since_ns, until_ns; /* LP_TIME_MIN, LP_TIME_MAX: not said */
	/* Of the recording, once it was looked at. */
	bool looked;
	int64_t first_ns, last_ns;
};

/*
 * The zone, and whether the options make sense; before anything is read. Output
 * for programs is in UTC. 0 or -EINVAL: exit 2.
 */
int lp_period_begin(struct lp_period *period,
		    const struct lp_period_options *options, bool for_programs,
		    struct lp_error *err);

/*
 * The times themselves. Reads the inputs where a time depends on what was
 * recorded, and leaves their query as it was. -EINVAL with *usage: exit 2.
 */
int lp_period_resolve(struct lp_period *period,
		      const struct lp_period_options *options,
		      struct lp_inputs *inputs, bool *usage,
		      struct lp_error *err);

/* One more time, of another option, in the same way. */
int lp_period_time(struct lp_period *period, const char *option,
		   const struct lp_when *when, struct lp_inputs *inputs,
		   bool *usage, int64_t *time_ns, struct lp_error *err);

#endif
