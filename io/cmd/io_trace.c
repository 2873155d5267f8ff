/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid io trace: what is in a trace of I/O, or all of it as CSV.
 */
#include "io.h"
#include "io_load.h"
#include "outputs.h"

#include "base/memory.h"
#include "base/timestamp.h"
#include "base/visible.h"
#include "io/report/io_reports.h"
#include "io/report/io_words.h"

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
	  .help = "write every operation as CSV" },
	{ .short_name = 'o',
	  .long_name = "output",
	  .type = LP_OPTION_STRING,
	  .value = "OUT",
	  .offset = offsetof(struct options, output),
	  .help = "write to OUT (default standard output)" },
};

static const struct lp_usage usage = {
	.command = "limpid io trace",
	.summary = "Shows what is in a trace of I/O, or writes it as CSV.",
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

static void print_clock(const struct lp_io_trace *trace, FILE *out)
{
	char text[LP_IO_WORD];

	if (trace->clock_ns > 0)
		fprintf(out, "clock:      two readings take %" PRId64 " ns\n",
			trace->clock_ns);
	else
		fputs("clock:      the time that a reading takes is unknown\n",
		      out);
	if (trace->resolution_ns > 1)
		fprintf(out, "resolution: %s\n",
			lp_io_clock_text(trace->resolution_ns, text));
}

static void print_account(const struct lp_io_account *a, FILE *out)
{
	if (!a->known)
		return;
	fprintf(out,
		"counted by the kernel:\n"
		"  read by calls   %15" PRIu64 " bytes, of these %" PRIu64
		" not of files\n"
		"  written         %15" PRIu64 " bytes, of these %" PRIu64
		" not of files\n"
		"  from storage    %15" PRIu64 " bytes\n"
		"  to storage      %15" PRIu64 " bytes\n",
		a->rchar, a->passed_read, a->wchar, a->passed_written,
		a->read_bytes, a->write_bytes);
	if (a->aio_bytes > 0)
		fprintf(out, "  handed to aio   %15" PRIu64 " bytes\n",
			a->aio_bytes);
	if (a->rings > 0)
		fprintf(out,
			"  io_uring        %15" PRIu32 " open at the end\n",
			a->rings);
}

static void print_summary(const struct lp_io_trace *trace, FILE *out)
{
	char start[LP_TIME_TEXT];

	lp_io_put_name(out, "command:    ", trace->command);
	lp_io_put_name(out, "host:       ", trace->host);
	fprintf(out, "start:      %s\n",
		lp_time_format(trace->start_ns, start));
	print_clock(trace, out);
	if (trace->record_ns > 0)
		fprintf(out, "recording:  %" PRId64 " ns per operation\n",
			trace->record_ns);
	fprintf(out, "tasks:      %zu\n", trace->n_tasks);
	fprintf(out, "files:      %zu\n", trace->n_files);
	fprintf(out, "operations: %zu\n", trace->n_operations);
	if (trace->n_lost > 0)
		fprintf(out, "lost:       %" PRIu64 "\n", trace->n_lost);
	if (trace->n_left_out > 0)
		fprintf(out,
			"left out:   %" PRIu64 " MPI-IO calls, which end in "
			"these operations\n",
			trace->n_left_out);
	print_kinds(trace, out);
	print_account(&trace->account, out);
}

static const struct lp_outkind summary_kind = {
	.name = "a summary of limpid io trace",
	.beginnings = (const char *const[]){ "command: ", NULL },
};

static const struct lp_outkind csv_kind = {
	.name = "a CSV file of limpid io trace",
	.beginnings = (const char *const[]){ "start_ns,duration_ns,operation,"
					     "offset,size,result,",
					     NULL },
};

static const struct lp_outkind *kind_of(const struct options *options)
{
	return options->csv ? &csv_kind : &summary_kind;
}

static int write_out(const struct options *options,
		     const struct lp_io_trace *trace, struct lp_error *err)
{
	struct lp_outfile file = { 0 };
	int status = lp_outfile_create(&file, options->output, kind_of(options),
				       err);

	if (status < 0)
		return status;
	if (options->csv)
		lp_io_trace_csv(trace, file.out);
	else
		print_summary(trace, file.out);
	return lp_outfile_commit(&file, err);
}

static int run(int argc, char **argv)
{
	struct options options = { .output = "-" };
	struct lp_output output = { .option = "-o" };
	struct lp_io_trace *trace = NULL;
	struct lp_error err;
	int first, exit_code, status;

	if (!lp_command_begin(&usage, argc, argv, &options, &first, &exit_code))
		return exit_code;
	output.path = options.output;
	output.kind = kind_of(&options);
	if (lp_outputs_check(&output, 1, argv + first, &err) < 0)
		return lp_command_misuse(&usage, &err);
	status = lp_io_load(&usage, argv[first], &trace, &err);
	if (status == 0)
		status = write_out(&options, trace, &err);
	lp_io_trace_free(trace);
	if (status < 0)
		return lp_command_fail(&usage, &err);
	return lp_command_finish(&usage);
}

const struct lp_word lp_io_word_trace = {
	.name = "trace",
	.usage = &usage,
	.run = run,
};
