/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid io bench: every single operation timed, in all circumstances that one
 * may ask for.
 */
#include "io_bench.h"
#include "io.h"
#include "outputs.h"
#include "progress.h"

#include "io/model/trace_write.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct options {
	const char *output, *sweep, *truth;
	bool json;
	struct lp_option_list operation, state, access, size, memory, file,
		threads, processes, think;
	const char *file_size, *buffer, *repeats, *limit, *seed, *share, *evict,
		*rounds;
};

#define FACTOR(name, what, text)                                               \
	{                                                                      \
		.long_name = #name, .type = LP_OPTION_LIST, .value = what,     \
		.offset = offsetof(struct options, name), .help = text         \
	}
#define SETTING(word, field, what, text)                                       \
	{                                                                      \
		.long_name = word, .type = LP_OPTION_STRING, .value = what,    \
		.offset = offsetof(struct options, field), .help = text        \
	}

static const struct lp_option table[] = {
	FACTOR(operation, "WORDS", "read, write, rewrite (default read)"),
	FACTOR(state, "WORDS", "discard, cached, uncached (default cached)"),
	FACTOR(access, "WORDS", "pread, read, mmap, direct, sync"),
	FACTOR(size, "BYTES", "size of an access, 1 to 1G (default 64K)"),
	FACTOR(memory, "LAYOUTS",
	       "order of accesses in the buffer (default off0)"),
	FACTOR(file, "LAYOUTS", "order of accesses in the file (default seq)"),
	FACTOR(threads, "N", "threads of each process (default 1)"),
	FACTOR(processes, "N", "processes (default 1)"),
	FACTOR(think, "TIME", "pause before each operation (default 0)"),
	SETTING("file-size", file_size, "BYTES",
		"size of each file (default 256M)"),
	SETTING("buffer", buffer, "BYTES",
		"memory of each thread (default 64M)"),
	SETTING("repeats", repeats, "N",
		"operations per thread and run (default 10000)"),
	SETTING("rounds", rounds, "N", "do all runs N times (default 1)"),
	SETTING("limit", limit, "TIME",
		"end a run after this time (default 60s)"),
	SETTING("seed", seed, "N", "seed of random offsets (default 1)"),
	SETTING("share", share, "WORD",
		"own: a file for each thread (default); shared: one for all"),
	SETTING("evict", evict, "WORD",
		"when to drop pages in the state uncached: once (default), "
		"before a run; each, before each operation"),
	SETTING("sweep", sweep, "FILE", "read factors and settings from FILE"),
	{ .short_name = 'o',
	  .long_name = "output",
	  .type = LP_OPTION_STRING,
	  .value = "OUT",
	  .offset = offsetof(struct options, output),
	  .help = "write the trace to OUT; with several runs, to the directory "
		  "OUT" },
	SETTING("truth", truth, "CSV",
		"write which pages were in the cache before each operation"),
	{ .long_name = "json",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, json),
	  .help = "print a line of JSON per run, with the kernel's counters" },
};

static const struct lp_usage usage = {
	.command = "limpid io bench",
	.summary = "Times single I/O operations in a directory.",
	.operands = "DIRECTORY",
	.min_operands = 1,
	.max_operands = 1,
	.options = table,
	.n_options = lp_array_size(table),
	.notes = "Factors take several values, separated by commas or as "
		 "repeated options. Every\ncombination is run. Layouts: off0, "
		 "seq, strideN, strideN,M, reverse, rnd, rndN,\nwhere N and M "
		 "are sizes such as 8M.\n",
};

/* Options into the sweep. */

static int set_list(struct lp_sweep *sweep, const char *key,
		    const struct lp_option_list *list, struct lp_error *err)
{
	for (size_t i = 0; i < list->count; i++) {
		int status = lp_sweep_set(sweep, key, list->text[i], err);

		if (status < 0)
			return status;
	}
	return 0;
}

/* The keys are the options' names, with _ for -. */
static int set_option(struct lp_sweep *sweep, const struct lp_option *option,
		      const struct options *options, struct lp_error *err)
{
	const void *field = (const char *)options + option->offset;
	const char *const *text = field;
	const char *key = option->long_name;

	if (strcmp(key, "sweep") == 0 || strcmp(key, "output") == 0 ||
	    strcmp(key, "truth") == 0)
		return 0;
	if (strcmp(key, "file-size") == 0)
		key = "file_size";
	if (option->type == LP_OPTION_LIST)
		return set_list(sweep, key, field, err);
	if (option->type == LP_OPTION_STRING && *text)
		return lp_sweep_set(sweep, key, *text, err);
	return 0;
}

/* The message of a sweep begins with the key: here it is an option. */
static int set_named(struct lp_sweep *sweep, const struct lp_option *option,
		     const struct options *options, struct lp_error *err)
{
	struct lp_error why;
	int status = set_option(sweep, option, options, &why);
	const char *colon = status < 0 ? strchr(why.text, ':') : NULL;

	return status < 0 ? lp_fail(err, -status, "--%s%s", option->long_name,
				    colon ? colon : "")
			  : 0;
}

static int make_sweep(struct lp_sweep *sweep, const struct options *options,
		      struct lp_error *err)
{
	int status = 0;

	lp_sweep_init(sweep);
	if (options->sweep)
		status = lp_sweep_read(sweep, options->sweep, err);
	for (size_t i = 0; i < lp_array_size(table) && status == 0; i++)
		status = set_named(sweep, &table[i], options, err);
	if (status == 0 && lp_sweep_count(sweep) == 0)
		status = lp_fail(err, EINVAL, "--rounds: expected 1 or more");
	if (status == 0 && lp_sweep_count(sweep) > 1000000)
		status = lp_fail(
			err, EINVAL,
			"these are more than 1000000 runs; give fewer values");
	return status;
}

/*
 * A combination that makes no sense is left out of a sweep; of a single run it
 * is an error.
 */
static int check_sweep(const struct lp_sweep *sweep, uint64_t *good,
		       struct lp_error *err)
{
	struct lp_bench_run run;
	uint64_t n = lp_sweep_count(sweep);
	int status = 0;

	*good = 0;
	for (uint64_t i = 0; i < n; i++) {
		lp_sweep_get(sweep, i, &run);
		if (lp_bench_run_check(&run, err) == 0)
			++*good;
		else
			status = -EINVAL;
	}
	return *good > 0 ? 0 : status;
}

/* Output. */

/* Numbers make room for a file on standard output. */
static FILE *text_output(const struct options *o)
{
	bool filled = (o->output && lp_is_stdout(o->output)) ||
		      (o->truth && lp_is_stdout(o->truth));

	return filled ? stderr : stdout;
}

static int save(const char *path, const char *bytes, size_t n,
		struct lp_error *err)
{
	struct lp_outfile file;
	int status = lp_outfile_create(&file, path, &lp_outkind_io_trace, err);

	if (status < 0)
		return status;
	fwrite(bytes, 1, n, file.out);
	return lp_outfile_commit(&file, err);
}

#define TRUTH_HEADER                                                           \
	"start_ns,duration_ns,operation,offset,size,pages,resident\n"

static const struct lp_outkind truth_kind = {
	.name = "a file of --truth",
	.beginnings = (const char *const[]){ TRUTH_HEADER, NULL },
};

static int save_truth(const char *path, const struct lp_bench_result *result,
		      struct lp_error *err)
{
	const struct lp_io_trace *trace = result->trace;
	struct lp_outfile file;
	int status = lp_outfile_create(&file, path, &truth_kind, err);

	if (status < 0)
		return status;
	fputs(TRUTH_HEADER, file.out);
	for (size_t i = 0; i < trace->n_operations; i++) {
		const struct lp_io_operation *op = &trace->operation[i];

		fprintf(file.out,
			"%" PRId64 ",%" PRId64 ",%s,%" PRId64 ",%" PRId64
			",%" PRIu64 ",%" PRIu64 "\n",
			op->start_ns, op->duration_ns,
			lp_io_kind_name(op->kind), op->offset, op->size,
			result->truth[i].pages, result->truth[i].resident);
	}
	return lp_outfile_commit(&file, err);
}

/* One: the file itself. Several: numbered in a directory. */
static void name_output(const struct options *options,
			const struct lp_bench_run *run, uint64_t i, uint64_t n,
			char path[PATH_MAX])
{
	char label[LP_BENCH_LABEL];

	if (n == 1)
		snprintf(path, PATH_MAX, "%s", options->output);
	else
		snprintf(path, PATH_MAX, "%s/%04" PRIu64 "-%s.iotrace",
			 options->output, i, lp_bench_run_label(run, label));
}

static int put_result(const struct options *options,
		      const struct lp_bench_run *run,
		      const struct lp_bench_result *result, uint64_t i,
		      uint64_t n, struct lp_error *err)
{
	char path[PATH_MAX] = "", doubt[256];
	int status = 0;

	if (options->output) {
		name_output(options, run, i, n, path);
		status = save(path, result->bytes, result->n_bytes, err);
	}
	if (status == 0 && options->truth && result->truth)
		status = save_truth(options->truth, result, err);
	if (status < 0)
		return status;
	if (options->json)
		lp_io_bench_json(text_output(options), run, result,
				 path[0] ? path : NULL);
	else
		lp_io_bench_line(text_output(options), run, result);
	if (*lp_io_bench_doubt(run, result, doubt, sizeof(doubt)))
		fprintf(stderr, "limpid io bench: warning: %s\n", doubt);
	return 0;
}

static int run_all(const struct options *options, const struct lp_sweep *sweep,
		   struct lp_bench *bench, uint64_t good, struct lp_error *err)
{
	uint64_t n = lp_sweep_count(sweep), done = 0;
	struct lp_progress progress;
	int status = 0;

	if (!options->json)
		lp_io_bench_line(text_output(options), NULL, NULL);
	lp_progress_begin(&progress, "measuring", "runs");
	for (uint64_t i = 0; i < n && status == 0; i++) {
		struct lp_bench_result result;
		struct lp_bench_run run;
		struct lp_error ignored;

		lp_sweep_get(sweep, i, &run);
		if (lp_bench_run_check(&run, &ignored) < 0)
			continue;
		lp_progress_update(&progress, (double)done / (double)good,
				   done);
		status = lp_bench_do(bench, &run, options->truth != NULL,
				     &result, err);
		if (status < 0)
			break;
		lp_progress_end(&progress);
		status = put_result(options, &run, &result, ++done, good, err);
		lp_bench_result_done(&result);
	}
	lp_progress_end(&progress);
	return status;
}

static int check_output(const struct options *options, uint64_t good,
			struct lp_error *err)
{
	const struct lp_output outputs[] = {
		{ "--truth", options->truth, &truth_kind },
		{ "-o", good > 1 ? NULL : options->output,
		  &lp_outkind_io_trace },
	};
	bool directory = good > 1 && options->output;

	if (directory && lp_is_stdout(options->output))
		return lp_fail(err, EEXIST,
			       "-o -: several runs need a directory");
	return lp_outputs_check(outputs, lp_array_size(outputs), NULL, err);
}

static int prepare_output(const struct options *options, uint64_t good,
			  struct lp_error *err)
{
	int status = check_output(options, good, err);

	if (status < 0)
		return status;
	if (options->output && good > 1 && mkdir(options->output, 0777) < 0 &&
	    errno != EEXIST)
		return lp_fail_errno(err, errno, "%s", options->output);
	if (options->truth && good > 1)
		return lp_fail(err, EINVAL, "--truth is for a single run");
	return 0;
}

static int bench_directory(const struct options *options, const char *directory,
			   bool *wrong, struct lp_error *err)
{
	struct lp_sweep sweep;
	struct lp_bench bench;
	uint64_t good = 0;
	int status = make_sweep(&sweep, options, err);

	if (status == 0)
		status = check_sweep(&sweep, &good, err);
	if (status == 0)
		status = prepare_output(options, good, err);
	/* Unless a file says it, it is the command line that is wrong. */
	*wrong = status == -EEXIST || (status == -EINVAL && !options->sweep);
	if (status < 0)
		return status;
	status = lp_bench_open(&bench, directory, lp_io_bench_signals(), err);
	if (status == 0)
		status = run_all(options, &sweep, &bench, good, err);
	lp_bench_close(&bench);
	return status;
}

static void done(struct options *options)
{
	for (size_t i = 0; i < lp_array_size(table); i++)
		if (table[i].type == LP_OPTION_LIST)
			lp_option_list_done(
				(struct lp_option_list *)((char *)options +
							  table[i].offset));
}

static int run(int argc, char **argv)
{
	struct options options = { 0 };
	struct lp_error err;
	int first, exit_code, status;
	bool wrong = false;

	if (!lp_command_begin(&usage, argc, argv, &options, &first, &exit_code))
		return exit_code;
	status = bench_directory(&options, argv[first], &wrong, &err);
	done(&options);
	if (status == -ECANCELED) {
		fputs("limpid io bench: interrupted; all files were removed\n",
		      stderr);
		return LP_EXIT_ERROR;
	}
	if (wrong)
		return lp_command_misuse(&usage, &err);
	if (status < 0)
		return lp_command_fail(&usage, &err);
	return lp_command_finish(&usage);
}

const struct lp_word lp_io_word_bench = {
	.name = "bench",
	.usage = &usage,
	.run = run,
};
