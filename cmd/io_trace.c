/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid io trace: what is in a trace of I/O, or all of it as CSV.
 */
#include "io.h"
#include "io_load.h"

#include "base/memory.h"
#include "base/outfile.h"
#include "base/timestamp.h"

#include <inttypes.h>
#include <stdio.h>

struct options {
	bool csv;
	const char *output;
};

static const struct lp_option table[] = {
	{ .long_name = "csv",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, csv),
	  .help = "every operation, as CSV" },
	{ .short_name = 'o',
	  .long_name = "output",
	  .type = LP_OPTION_STRING,
	  .value = "OUT",
	  .offset = offsetof(struct options, output),
	  .help = "write to OUT (default standard output)" },
};

static const struct lp_usage usage = {
	.command = "limpid io trace",
	.summary = "Says what is in a trace of I/O, or writes it as CSV.",
	.operands = "TRACE",
	.min_operands = 1,
	.max_operands = 1,
	.options = table,
	.n_options = lp_array_size(table),
	.notes = "TRACE is a file of limpid io run or limpid io bench, or the "
		 "output of\ndarshan-dxt-parser.\n",
};

static void print_kinds(const struct lp_io_trace *trace, FILE *out)
{
	for (unsigned kind = 0; kind < LP_IO_KINDS; kind++) {
		uint64_t n = 0, bytes = 0;
		int64_t time_ns = 0;

		for (size_t i = 0; i < trace->n_operations; i++) {
			const struct lp_io_operation *op = &trace->operation[i];

			if (op->kind != kind)
				continue;
			n++;
			bytes += op->result > 0 ? (uint64_t)op->result : 0;
			time_ns += op->duration_ns;
		}
		if (n > 0)
			fprintf(out,
				"  %-15s %10" PRIu64 " operations %15" PRIu64
				" bytes %12.6f s\n",
				lp_io_kind_name(kind), n, bytes,
				(double)time_ns / 1e9);
	}
}

static void print_summary(const struct lp_io_trace *trace, FILE *out)
{
	char start[LP_TIME_TEXT];

	fprintf(out, "command:    %s\n", trace->command);
	fprintf(out, "host:       %s\n", trace->host);
	fprintf(out, "start:      %s\n",
		lp_time_format(trace->start_ns, start));
	fprintf(out, "clock:      two readings take %" PRId64 " ns\n",
		trace->clock_ns);
	if (trace->record_ns > 0)
		fprintf(out, "recording:  %" PRId64 " ns an operation\n",
			trace->record_ns);
	fprintf(out, "tasks:      %zu\n", trace->n_tasks);
	fprintf(out, "files:      %zu\n", trace->n_files);
	fprintf(out, "operations: %zu\n", trace->n_operations);
	if (trace->n_lost > 0)
		fprintf(out, "lost:       %" PRIu64 "\n", trace->n_lost);
	print_kinds(trace, out);
}

static int write_out(const struct options *options,
		     const struct lp_io_trace *trace, struct lp_error *err)
{
	struct lp_outfile file = { 0 };
	FILE *out = stdout;
	int r = 0;

	if (options->output) {
		r = lp_outfile_open(&file, options->output, err);
		if (r < 0)
			return r;
		out = file.out;
	}
	if (options->csv)
		lp_io_trace_csv(trace, out);
	else
		print_summary(trace, out);
	if (options->output)
		r = lp_outfile_commit(&file, err);
	return r;
}

static int run(int argc, char **argv)
{
	struct options options = { 0 };
	struct lp_io_trace *trace = NULL;
	struct lp_error err;
	int first, status, r;

	if (!lp_command_begin(&usage, argc, argv, &options, &first, &status))
		return status;
	r = lp_io_load(&usage, argv[first], &trace, &err);
	if (r == 0)
		r = write_out(&options, trace, &err);
	lp_io_trace_free(trace);
	if (r < 0)
		return lp_command_fail(&usage, &err);
	return lp_command_finish(&usage);
}

const struct lp_word lp_io_word_trace = {
	.name = "trace",
	.usage = &usage,
	.run = run,
};
