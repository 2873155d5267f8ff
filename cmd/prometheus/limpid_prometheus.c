/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid-prometheus: what limpid runs to read "prometheus:URL", because it
 * alone is linked with libcurl. Writes an archive to a descriptor that it
 * inherits, and to standard output one line if not all could be fetched.
 */
#include "prom_fetch.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/timestamp.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct fields {
	int64_t since_ns, until_ns;
	struct lp_option_list settings;
	unsigned long terminal;
};

static const struct lp_option options[] = {
	{ .long_name = "since",
	  .type = LP_OPTION_TIME,
	  .value = "TIME",
	  .offset = offsetof(struct fields, since_ns),
	  .help = "leave out what is before" },
	{ .long_name = "until",
	  .type = LP_OPTION_TIME,
	  .value = "TIME",
	  .offset = offsetof(struct fields, until_ns),
	  .help = "leave out what is after" },
	{ .long_name = "set",
	  .type = LP_OPTION_LIST,
	  .value = "NAME=VALUE",
	  .offset = offsetof(struct fields, settings),
	  .help = "a setting, see limpid-prometheus(7)" },
	{ .long_name = "terminal",
	  .type = LP_OPTION_UINT,
	  .value = "DESCRIPTOR",
	  .offset = offsetof(struct fields, terminal),
	  .help = "where to show how far it is" },
};

static const struct lp_usage usage = {
	.command = "limpid-prometheus",
	.summary = "Fetch from a Prometheus; 'limpid diagnose prometheus:URL' "
		   "runs this.",
	.operands = "URL DESCRIPTOR",
	.min_operands = 2,
	.max_operands = 2,
	.options = options,
	.n_options = lp_array_size(options),
};

static int complain(const char *text, int code)
{
	fprintf(stderr, "%s\n", text);
	return code;
}

static int fetch(const struct fields *fields, const char *url, int fd)
{
	struct lp_prom_settings settings;
	struct lp_prom_request request = {
		.url = url,
		.settings = &settings,
		.since_ns = fields->since_ns,
		.until_ns = fields->until_ns,
		.fd = fd,
	};
	int status, complaints = -1;
	struct lp_error err;
	char lost[LP_PROM_LOST];

	status = lp_prom_settings_init(&settings, &fields->settings, &err);
	/* The progress is on standard error, if that is a terminal. */
	if (status == 0 && fields->terminal) {
		complaints = dup(STDERR_FILENO);
		dup2((int)fields->terminal, STDERR_FILENO);
	}
	if (status == 0)
		status = lp_prom_fetch(&request, lost, &err);
	if (complaints >= 0)
		dup2(complaints, STDERR_FILENO);
	lp_prom_settings_done(&settings);
	if (status < 0)
		return complain(err.text, 1);
	if (lost[0])
		puts(lost);
	return fflush(stdout) == 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
	struct fields fields = { LP_TIME_MIN, LP_TIME_MAX, { 0 }, 0 };
	struct lp_error err;
	uint64_t fd;
	int first, outcome;

	outcome = lp_options_parse(&usage, argc, argv, &fields, &first, &err);
	if (outcome == LP_OPTIONS_HELP) {
		lp_options_help(&usage, stdout);
		return fflush(stdout) == 0 ? 0 : 1;
	}
	if (outcome < 0)
		return complain(err.text, 2);
	if (lp_parse_u64(argv[first + 1], strlen(argv[first + 1]), &fd) < 0 ||
	    fd > INT_MAX)
		return complain("the second operand is the number of a "
				"descriptor; use 'limpid import "
				"prometheus:URL'",
				2);
	outcome = fetch(&fields, argv[first], (int)fd);
	lp_option_list_done(&fields.settings);
	return outcome;
}
