/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How findings are told, by the command that makes them and by the one that
 * reads them: as text, as JSON, hour by hour, as a page and as a file.
 */
#ifndef LP_CMD_REPORTING_H
#define LP_CMD_REPORTING_H

#include "outputs.h"

#include "base/option.h"
#include "base/zone.h"
#include "model/findings.h"

/* Zero-initialise. */
struct lp_reporting {
	const char *html, *findings;
	unsigned long top;
	bool hourly, json, nagios, verbose;
};

/* Rows of an option table, for a struct with the above as `member`. */
#define LP_REPORTING_HOURLY(fields, member)                                    \
	{                                                                      \
		.long_name = "hourly", .type = LP_OPTION_FLAG,                 \
		.offset = offsetof(fields, member.hourly),                     \
		.help = "list the components that keep differing, hour by "    \
			"hour"                                                 \
	}
#define LP_REPORTING_TOP(fields, member)                                       \
	{                                                                      \
		.long_name = "top", .type = LP_OPTION_UINT, .value = "N",      \
		.offset = offsetof(fields, member.top),                        \
		.help = "show N findings, or N lines per hour (default: 10)",  \
		.low = 1                                                       \
	}
#define LP_REPORTING_FILES(fields, member)                                     \
	{ .long_name = "html",                                                 \
	  .type = LP_OPTION_STRING,                                            \
	  .value = "FILE",                                                     \
	  .offset = offsetof(fields, member.html),                             \
	  .help = "also write an HTML page with pictures of every finding" },  \
		{ .long_name = "findings",                                     \
		  .type = LP_OPTION_STRING,                                    \
		  .value = "FILE",                                             \
		  .offset = offsetof(fields, member.findings),                 \
		  .help = "also write all findings as JSON, for 'limpid "      \
			  "report'" },                                         \
	{                                                                      \
		.long_name = "json", .type = LP_OPTION_FLAG,                   \
		.offset = offsetof(fields, member.json),                       \
		.help = "print one JSON object"                                \
	}
#define LP_REPORTING_VERBOSE(fields, member)                                   \
	{                                                                      \
		.short_name = 'v', .long_name = "verbose",                     \
		.type = LP_OPTION_FLAG,                                        \
		.offset = offsetof(fields, member.verbose),                    \
		.help = "show all metrics, all peers, and what was left out"   \
	}

/*
 * Whether they go together, and the files may be written; before any work.
 * more: further outputs of the command, or NULL. Inputs end with NULL.
 */
int lp_reporting_check(const struct lp_reporting *reporting,
		       const struct lp_output *more, size_t n_more,
		       char *const *inputs, struct lp_error *err);

/* Whether pictures are needed. */
bool lp_reporting_pictures(const struct lp_reporting *reporting);

/*
 * Write the files, then print, unless a file is standard output (or `silent`:
 * another of the command is).
 */
int lp_reporting_run(const struct lp_reporting *reporting,
		     const struct lp_findings *findings,
		     const struct lp_zone *zone, bool silent,
		     struct lp_error *err);

/* The help of --check, and its exit status. */
#define LP_CHECK_HELP                                                          \
	"exit status: 0 nothing differs, 3 a component differs, 4 cannot tell"
int lp_exit_of(enum lp_outcome outcome);

/* Standard output takes the verdict or a file, not both in one. */
bool lp_fills_stdout(const char *path);

#endif
