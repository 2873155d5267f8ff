/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid io run: an unmodified program, every I/O call of it timed.
 */
#include "io_run.h"
#include "io.h"
#include "io_load.h"
#include "io_report.h"
#include "io_store.h"
#include "outputs.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/timestamp.h"
#include "io/model/coverage.h"
#include "io/model/trace_write.h"
#include "io/report/io_words.h"
#include "report/html.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MIB (UINT64_C(1) << 20)
#define DEFAULT_LIMIT_MIB 1024

struct options {
	const char *output, *model, *html;
	bool json;
	unsigned long limit_mib;
};

static const struct lp_option table[] = {
	{ .short_name = 'o',
	  .long_name = "output",
	  .type = LP_OPTION_STRING,
	  .value = "TRACE",
	  .offset = offsetof(struct options, output),
	  .help = "write the trace to TRACE and keep it" },
	{ .short_name = 'm',
	  .long_name = "model",
	  .type = LP_OPTION_STRING,
	  .value = "MODEL",
	  .offset = offsetof(struct options, model),
	  .help = "use MODEL (default: that of limpid io calibrate)" },
	{ .long_name = "html",
	  .type = LP_OPTION_STRING,
	  .value = "PAGE",
	  .offset = offsetof(struct options, html),
	  .help = "also write the report as a page with charts" },
	{ .long_name = "json",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, json),
	  .help = "print the report as JSON" },
	{ .long_name = "limit",
	  .type = LP_OPTION_UINT,
	  .value = "MIB",
	  .offset = offsetof(struct options, limit_mib),
	  .help = "maximum size of the trace (default 1024)",
	  .low = 1,
	  .high = 1 << 20 },
};

static const struct lp_usage usage = {
	.command = "limpid io run",
	.summary = "Runs a program, times its I/O calls and explains their "
		   "durations.",
	.operands = "PROGRAM [ARGUMENT...]",
	.min_operands = 1,
	.max_operands = LP_OPERANDS_ANY,
	.options = table,
	.n_options = lp_array_size(table),
	.notes = "Put -- before PROGRAM if its arguments begin with a dash. "
		 "The exit status is\nthe program's. It is 128 plus the signal "
		 "number if a signal ended the program,\nand 125 if limpid "
		 "itself failed.\n",
};

#define EXIT_SELF 125 /* as env, nohup and timeout say it */

/* Everything a run has. */
struct run {
	const char *trace; /* where it is written */
	bool temporary;
	char place[PATH_MAX];
	int64_t elapsed_ns;
	int status;
};

/* "app -x 'a b'" for the trace's header. */
static void join(char *text, size_t size, char **argv)
{
	size_t n = 0;

	text[0] = '\0';
	for (size_t i = 0; argv[i] && n < size; i++)
		n += (size_t)snprintf(text + n, size - n, "%s%s", i ? " " : "",
				      argv[i]);
}

/* Memory, if there is some: the disk may be what is to be judged. */
static int make_place(struct run *run, struct lp_error *err)
{
	const char *directory = getenv("TMPDIR");
	int fd;

	if (access("/dev/shm", W_OK) == 0)
		directory = "/dev/shm";
	snprintf(run->place, sizeof(run->place), "%s/limpid-io-XXXXXX",
		 directory ? directory : "/tmp");
	fd = mkstemp(run->place);
	if (fd < 0)
		return lp_fail_errno(err, errno, "%s", run->place);
	close(fd);
	run->trace = run->place;
	run->temporary = true;
	return 0;
}

static int run_program(struct run *run, const struct options *options,
		       char **argv, struct lp_error *err)
{
	uint64_t limit = options->limit_mib * MIB;
	struct lp_io_account account = { .known = false };
	char path[PATH_MAX], command[2048];
	int64_t begin;
	int status = lp_io_run_find(argv[0], path, err);

	if (status < 0)
		return status;
	run->trace = options->output;
	if (!run->trace)
		status = make_place(run, err);
	join(command, sizeof(command), argv);
	if (status == 0)
		status = lp_io_trace_create(run->trace, command, limit, err);
	if (status < 0)
		return status;
	begin = lp_monotonic_now();
	status = lp_io_run_program(path, argv, run->trace, &run->status,
				   &account, err);
	run->elapsed_ns = lp_monotonic_now() - begin;
	if (status < 0)
		unlink(run->trace);
	return status < 0 ? status
			  : lp_io_trace_finish(run->trace, &account, err);
}

static void print_cost(const struct run *run, const struct lp_io_trace *trace)
{
	double cost = (double)trace->record_ns * (double)trace->n_operations;

	fprintf(stderr,
		"limpid io run: %zu %s on %zu %s by %zu %s in "
		"%.3f s; recording took about %" PRId64
		" ns each, %.2g %% of the time\n",
		trace->n_operations,
		lp_plural(trace->n_operations, "operation", "operations"),
		trace->n_files, lp_plural(trace->n_files, "file", "files"),
		trace->n_tasks, lp_plural(trace->n_tasks, "thread", "threads"),
		(double)run->elapsed_ns / 1e9, trace->record_ns,
		100 * cost / (double)run->elapsed_ns);
}

/* The one that was asked for, or the one for files of this directory. */
static int find_model(const struct options *options, struct lp_io_model *model,
		      bool *found, struct lp_error *err)
{
	char path[PATH_MAX];
	struct lp_error none;

	*found = true;
	if (options->model)
		return lp_io_model_read(options->model, model, err);
	if (lp_io_store_path(".", ".model", path, &none) == 0 &&
	    access(path, R_OK) == 0)
		return lp_io_model_read(path, model, err);
	*found = false;
	fputs("limpid io run: there is no model of this file system; to see "
	      "likely causes, run once: limpid io calibrate DIRECTORY\n",
	      stderr);
	return 0;
}

static int report(const struct run *run, const struct options *options,
		  const struct lp_io_trace *trace, struct lp_error *err)
{
	struct lp_io_report_options how = { options->html, options->json };
	struct lp_io_model model = { .n_factors = 0 };
	bool found;
	int status = find_model(options, &model, &found, err);

	/* Standard output is the program's: whoever reads it wants no more. */
	fflush(stdout);
	if (status == 0 && dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		status = lp_fail_errno(err, errno, "standard error");
	if (status == 0)
		status = lp_io_put_report(
			&how, run->temporary ? trace->command : run->trace,
			trace, found ? &model : NULL, err);
	lp_io_model_done(&model);
	return status;
}

/* No thread of it recorded anything: did it do nothing? */
static int say_nothing_seen(const struct lp_io_trace *trace,
			    struct lp_error *err)
{
	struct lp_io_coverage c;
	char bytes[LP_IO_WORD];

	if (lp_io_cover(&c, trace) < 0)
		return lp_fail_memory(err);
	if (c.known && lp_io_untimed(&c) == 0)
		fputs("limpid io run: the program used no file\n", stderr);
	else if (c.known)
		fprintf(stderr,
			"limpid io run: cannot tell: none of the %s that the "
			"program read and wrote was traced; the library was "
			"not loaded into it, or it does not call the C "
			"library\n",
			lp_io_bytes_text((double)lp_io_untimed(&c), bytes));
	else
		fputs("limpid io run: the program used no file, or the library "
		      "was not loaded into it\n",
		      stderr);
	return 0;
}

static int say(const struct run *run, const struct options *options,
	       struct lp_error *err)
{
	struct lp_io_trace *trace;
	int status = lp_io_load(&usage, run->trace, &trace, err);

	/* Before anything is printed: a closed pipe may end this process. */
	if (run->temporary)
		unlink(run->place);
	if (status < 0)
		return status;
	if (trace->n_tasks == 0) {
		status = say_nothing_seen(trace, err);
	} else {
		print_cost(run, trace);
		status = report(run, options, trace, err);
	}
	fflush(stdout);
	lp_io_trace_free(trace);
	return status;
}

static int exit_status(int status)
{
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	fprintf(stderr,
		"limpid io run: the program was ended by signal %d, "
		"%s\n",
		WTERMSIG(status), strsignal(WTERMSIG(status)));
	return 128 + WTERMSIG(status);
}

/* Before the program runs: its output is not to be lost afterwards. */
static int check_outputs(const struct options *o, struct lp_error *err)
{
	const struct lp_output outputs[] = {
		{ "-o", o->output, &lp_outkind_io_trace },
		{ "--html", o->html, &lp_outkind_page },
	};

	for (size_t i = 0; i < lp_array_size(outputs); i++)
		if (outputs[i].path && lp_is_stdout(outputs[i].path))
			return lp_fail(err, EINVAL,
				       "%s -: standard output belongs to the "
				       "program; give a file",
				       outputs[i].option);
	return lp_outputs_check(outputs, lp_array_size(outputs), NULL, err);
}

/* Better said before the program has run for hours. */
static int check_model(const struct options *options, struct lp_error *err)
{
	struct lp_io_model model = { .n_factors = 0 };
	int status = options->model
			     ? lp_io_model_read(options->model, &model, err)
			     : 0;

	lp_io_model_done(&model);
	return status;
}

static int run(int argc, char **argv)
{
	struct options options = { .limit_mib = DEFAULT_LIMIT_MIB };
	struct run this = { 0 };
	struct lp_error err;
	int first, exit_code, status;

	if (!lp_command_begin(&usage, argc, argv, &options, &first, &exit_code))
		return exit_code;
	if (check_outputs(&options, &err) < 0)
		return lp_command_misuse(&usage, &err);
	status = check_model(&options, &err);
	if (status == 0)
		status = run_program(&this, &options, argv + first, &err);
	if (status == 0)
		status = say(&this, &options, &err);
	if (this.temporary)
		unlink(this.place);
	if (status < 0) {
		lp_command_fail(&usage, &err);
		return EXIT_SELF;
	}
	return exit_status(this.status);
}

const struct lp_word lp_io_word_run = {
	.name = "run",
	.usage = &usage,
	.run = run,
};
