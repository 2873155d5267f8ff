/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid-pcp: what `limpid import -f pcp` runs, because it alone is linked
 * with libpcp. Writes an archive to a descriptor that it inherits, and to
 * standard output one line if the PCP archive could not be read to its end.
 */
#include "pcp_recording.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/option.h"
#include "base/timestamp.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

struct fields {
	const char *host;
	int64_t since_ns, until_ns;
};

static const struct lp_option options[] = {
	{ .long_name = "host",
	  .type = LP_OPTION_STRING,
	  .value = "NAME",
	  .offset = offsetof(struct fields, host),
	  .help = "the host's name, instead of the archive's" },
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
};

static const struct lp_usage usage = {
	.command = "limpid-pcp",
	.summary = "Convert a PCP archive; 'limpid import' runs this.",
	.operands = "ARCHIVE DESCRIPTOR",
	.min_operands = 2,
	.max_operands = 2,
	.options = options,
	.n_options = lp_array_size(options),
};

static int print_usage_error(const char *text)
{
	fprintf(stderr, "%s\n", text);
	return 2;
}

int main(int argc, char **argv)
{
	struct fields fields = { NULL, LP_TIME_MIN, LP_TIME_MAX };
	struct lp_pcp_request request;
	struct lp_error err;
	char lost[LP_PCP_LOST];
	uint64_t fd;
	int first, outcome;

	outcome = lp_options_parse(&usage, argc, argv, &fields, &first, &err);
	if (outcome == LP_OPTIONS_HELP) {
		lp_options_help(&usage, stdout);
		return fflush(stdout) == 0 ? 0 : 1;
	}
	if (outcome < 0)
		return print_usage_error(err.text);
	if (lp_parse_u64(argv[first + 1], strlen(argv[first + 1]), &fd) < 0 ||
	    fd > INT_MAX)
		return print_usage_error(
			"limpid-pcp: the second operand is the number of a "
			"descriptor; use 'limpid import -f pcp'");
	request = (struct lp_pcp_request){
		.archive = argv[first],
		.host = fields.host,
		.since_ns = fields.since_ns,
		.until_ns = fields.until_ns,
		.fd = (int)fd,
	};
	if (lp_pcp_convert(&request, lost, &err) == 0) {
		if (lost[0])
			puts(lost);
		return fflush(stdout) == 0 ? 0 : 1;
	}
	fprintf(stderr, "%s\n", err.text);
	return 1;
}
