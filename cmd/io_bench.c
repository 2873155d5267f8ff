/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid io bench: every single operation timed, in all circumstances that one
 * may ask for.
 */
#include "io_bench.h"
#include "io.h"
#include "progress.h"

#include "base/outfile.h"

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
	FACTOR(size, "BYTES", "of an access: 1 to 1G (default 64K)"),
	FACTOR(memory, "LAYOUTS", "of the buffer (default off0)"),
	FACTOR(file, "LAYOUTS", "of the file (default seq)"),
	FACTOR(threads, "N", "threads of each process (default 1)"),
	FACTOR(processes, "N", "processes (default 1)"),
	FACTOR(think, "TIME", "pause before each operation (default 0)"),
	SETTING("file-size", file_size, "BYTES", "of each file (256M)"),
	SETTING("buffer", buffer, "BYTES", "of each thread (64M)"),
	SETTING("repeats", repeats, "N", "operations a thread (10000)"),
	SETTING("rounds", rounds, "N", "repeat all runs (1)"),
	SETTING("limit", limit, "TIME", "end a run after so long (60s)"),
	SETTING("seed", seed, "N", "of random offsets (1)"),
	SETTING("share", share, "WORD",
		"a file each: own (default), or shared"),
	SETTING("evict", evict, "WORD",
		"uncached: once (default), or before each operation: each"),
	SETTING("sweep", sweep, "FILE", "read factors and settings from FILE"),
	{ .short_name = 'o',
	  .long_name = "output",
	  .type = LP_OPTION_STRING,
	  .value = "OUT",
	  .offset = offsetof(struct options, output),
	  .help = "keep the trace as OUT; of several runs in directory OUT" },
	SETTING("truth", truth, "CSV",
		"write what was in the cache before each operation"),
	{ .long_name = "json",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, json),
	  .help = "a line of JSON a run, with the kernel's counters" },
};

static const struct lp_usage usage = {
	.command = "limpid io bench",
	.summary = "Times single I/O operations in a directory.",
	.operands = "DIRECTORY",
	.min_operands = 1,
	.max_operands = 1,
	.options = table,
	.n_options = lp_array_size(table),
	.notes = "Factors take several values, with commas or repeated: every "
		 "combination is run.\nLayouts: off0, seq, strideN, strideN,M, "
		 "reverse, rnd, rndN; N and M as 8M.\n",
};

/* Options into the sweep. */

static int set_list(struct lp_sweep *sweep, const char *key,
		    const struct lp_option_list *list, struct lp_error *err)
{
	for (size_t i = 0; i < list->count; i++) {
		int r = lp_sweep_set(sweep, key, list->text[i], err);

		if (r < 0)
			return r;
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

static int make_sweep(struct lp_sweep *sweep, const struct options *options,
		      struct lp_error *err)
{
	int r = 0;

	lp_sweep_init(sweep);
	if (options->sweep)
		r = lp_sweep_read(sweep, options->sweep, err);
	for (size_t i = 0; i < lp_array_size(table) && r == 0; i++)
		r = set_option(sweep, &table[i], options, err);
	if (r == 0 && lp_sweep_count(sweep) == 0)
		r = lp_fail(err, EINVAL, "rounds must be above 0");
	if (r == 0 && lp_sweep_count(sweep) > 1000000)
		r = lp_fail(err, EINVAL, "these are more than 1000000 runs");
	return r;
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
	int r = 0;

	*good = 0;
	for (uint64_t i = 0; i < n; i++) {
		lp_sweep_get(sweep, i, &run);
		if (lp_bench_run_check(&run, err) == 0)
			++*good;
		else
			r = -EINVAL;
	}
	return *good > 0 ? 0 : r;
}

/* Output. */

static int save(const char *path, const char *bytes, size_t n,
		struct lp_error *err)
{
	struct lp_outfile file;
	int r = lp_outfile_open(&file, path, err);

	if (r < 0)
		return r;
	fwrite(bytes, 1, n, file.out);
	return lp_outfile_commit(&file, err);
}

static int save_truth(const char *path, const struct lp_bench_result *result,
		      struct lp_error *err)
{
	const struct lp_io_trace *trace = result->trace;
	struct lp_outfile file;
	int r = lp_outfile_open(&file, path, err);

	if (r < 0)
		return r;
	fputs("start_ns,duration_ns,operation,offset,size,pages,resident\n",
	      file.out);
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
	int r = 0;

	if (options->output) {
		name_output(options, run, i, n, path);
		r = save(path, result->bytes, result->n_bytes, err);
	}
	if (r == 0 && options->truth && result->truth)
		r = save_truth(options->truth, result, err);
	if (r < 0)
		return r;
	if (options->json)
		lp_io_bench_json(stdout, run, result, path[0] ? path : NULL);
	else
		lp_io_bench_line(stdout, run, result);
	if (*lp_io_bench_doubt(run, result, doubt, sizeof(doubt)))
		fprintf(stderr, "limpid io bench: warning: %s\n", doubt);
	return 0;
}

static int run_all(const struct options *options, const struct lp_sweep *sweep,
		   struct lp_bench *bench, uint64_t good, struct lp_error *err)
{
	uint64_t n = lp_sweep_count(sweep), done = 0;
	struct lp_progress progress;
	int r = 0;

	if (!options->json)
		lp_io_bench_line(stdout, NULL, NULL);
	lp_progress_begin(&progress, "measuring", "runs");
	for (uint64_t i = 0; i < n && r == 0; i++) {
		struct lp_bench_result result;
		struct lp_bench_run run;
		struct lp_error ignored;

		lp_sweep_get(sweep, i, &run);
		if (lp_bench_run_check(&run, &ignored) < 0)
			continue;
		lp_progress_update(&progress, (double)done / (double)good,
				   done);
		r = lp_bench_do(bench, &run, options->truth != NULL, &result,
				err);
		if (r < 0)
			break;
		lp_progress_end(&progress);
		r = put_result(options, &run, &result, ++done, good, err);
		lp_bench_result_done(&result);
	}
	lp_progress_end(&progress);
	return r;
}

static int prepare_output(const struct options *options, uint64_t good,
			  struct lp_error *err)
{
	if (options->output && good > 1 && mkdir(options->output, 0777) < 0 &&
	    errno != EEXIST)
		return lp_fail_errno(err, errno, "%s", options->output);
	if (options->truth && good > 1)
		return lp_fail(err, EINVAL, "--truth is for a single run");
	return 0;
}

static int bench_directory(const struct options *options, const char *directory,
			   struct lp_error *err)
{
	struct lp_sweep sweep;
	struct lp_bench bench;
	uint64_t good = 0;
	int r = make_sweep(&sweep, options, err);

	if (r == 0)
		r = check_sweep(&sweep, &good, err);
	if (r == 0)
		r = prepare_output(options, good, err);
	if (r < 0)
		return r;
	r = lp_bench_open(&bench, directory, lp_io_bench_signals(), err);
	if (r == 0)
		r = run_all(options, &sweep, &bench, good, err);
	lp_bench_close(&bench);
	return r;
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
	int first, status, r;

	if (!lp_command_begin(&usage, argc, argv, &options, &first, &status))
		return status;
	r = bench_directory(&options, argv[first], &err);
	done(&options);
	if (r == -ECANCELED) {
		fputs("limpid io bench: interrupted; all files are removed\n",
		      stderr);
		return LP_EXIT_ERROR;
	}
	if (r < 0)
		return lp_command_fail(&usage, &err);
	return lp_command_finish(&usage);
}

const struct lp_word lp_io_word_bench = {
	.name = "bench",
	.usage = &usage,
	.run = run,
};
