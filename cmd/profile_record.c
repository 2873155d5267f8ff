/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The options of limpid profile record: limpid-profile parses them, limpid
 * itself only tells of them.
 */
#include "profile_record.h"

#include "base/memory.h"

#include <stddef.h>

static const struct lp_option table[] = {
	{ .short_name = 'o',
	  .long_name = "output",
	  .type = LP_OPTION_REQUIRED,
	  .value = "DIR",
	  .offset = offsetof(struct lp_profile_record_options, output),
	  .help = "directory for the profiles; created if it does not exist" },
	{ .short_name = 'n',
	  .long_name = "count",
	  .type = LP_OPTION_UINT,
	  .value = "COUNT",
	  .offset = offsetof(struct lp_profile_record_options, count),
	  .help = "stop after COUNT slots of 10 s",
	  .low = 1 },
	{ .long_name = "host",
	  .type = LP_OPTION_STRING,
	  .value = "NAME",
	  .offset = offsetof(struct lp_profile_record_options, host),
	  .help = "name of this host (default: output of uname -n)" },
	{ .long_name = "rate",
	  .type = LP_OPTION_UINT,
	  .value = "HZ",
	  .offset = offsetof(struct lp_profile_record_options, rate),
	  .help = "samples a second of a busy CPU, 10 to 999 (default 99)",
	  .low = 10,
	  .high = 999 },
	{ .long_name = "no-chains",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct lp_profile_record_options, no_chains),
	  .help = "do not record who called the kernel's functions" },
	{ .long_name = "cgroup",
	  .type = LP_OPTION_STRING,
	  .value = "GLOB",
	  .offset = offsetof(struct lp_profile_record_options, cgroup),
	  .help = "make a host of each control group that matches, and "
		  "record nothing else" },
	{ .long_name = "wait",
	  .type = LP_OPTION_LIST,
	  .value = "PROGRAM",
	  .offset = offsetof(struct lp_profile_record_options, waits),
	  .help = "look at what the threads of PROGRAM wait for (default: "
		  "the daemons of file systems)" },
	{ .long_name = "no-wait",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct lp_profile_record_options, no_waits),
	  .help = "do not look at waiting threads" },
	{ .long_name = "keep",
	  .type = LP_OPTION_UINT,
	  .value = "DAYS",
	  .offset = offsetof(struct lp_profile_record_options, keep_days),
	  .help = "delete this host's profiles that are older than DAYS days",
	  .low = 1,
	  .high = 36500 },
	{ .short_name = 'v',
	  .long_name = "verbose",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct lp_profile_record_options, verbose),
	  .help = "say at the end how many samples have a function and a "
		  "name" },
};

const struct lp_usage lp_profile_record_usage = {
	.command = "limpid profile record",
	.summary = "Record which functions this host's CPUs are in.",
	.operands = "",
	.options = table,
	.n_options = lp_array_size(table),
	.notes = "SIGTERM and SIGINT stop the recorder, SIGHUP starts a new "
		 "file.\n",
};
