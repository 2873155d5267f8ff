/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid lab overhead: what recording costs the users of the file system.
 */
#include "interrupt.h"
#include "word.h"

#include "base/memory.h"
#include "base/timestamp.h"
#include "campaign/overhead.h"
#include "campaign/runs.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

struct options {
	const char *dir;
	struct lp_option_list workloads;
	unsigned long pairs, processes;
	int64_t span_ns;
};

static const struct lp_option option_table[] = {
	{ .long_name = "workload",
	  .type = LP_OPTION_LIST,
	  .value = "NAME",
	  .offset = offsetof(struct options, workloads),
	  .help = "workload to run; may be repeated (default ddw and ddr)" },
	{ .long_name = "pairs",
	  .type = LP_OPTION_UINT,
	  .value = "N",
	  .offset = offsetof(struct options, pairs),
	  .help = "pairs of measurements with and without recorders (default "
		  "6)",
	  .low = 1 },
	{ .long_name = "for",
	  .type = LP_OPTION_DURATION,
	  .value = "DURATION",
	  .offset = offsetof(struct options, span_ns),
	  .help = "length of each measurement (default 60 s)",
	  .low = 1 },
	{ .long_name = "processes",
	  .type = LP_OPTION_UINT,
	  .value = "N",
	  .offset = offsetof(struct options, processes),
	  .help = "processes of each client (default 2)",
	  .low = 1 },
	LAB_OPTION_DIR(struct options),
};

static const struct lp_usage usage = {
	.command = "limpid lab overhead",
	.summary = "Measures what recording costs the file system's users.",
	.operands = "",
	.options = option_table,
	.n_options = lp_array_size(option_table),
	.notes = "Workloads run at full speed, alternately with and without a "
		 "recorder on every\nserver and client. If no lab is up, one "
		 "is created and removed afterwards.\n",
};

static void show_phase(void *context, const char *phase, double seconds)
{
	const char *workload = context;

	fprintf(stderr, "\r\033[K%s: %s, %.0f s", workload, phase, seconds);
}

static void print_row(const char *name, const struct lab_overhead *o)
{
	double mean, error, with = 0, without = 0;

	for (size_t i = 0; i < o->pairs; i++) {
		with += o->with[i] / 1e6 / (double)o->pairs;
		without += o->without[i] / 1e6 / (double)o->pairs;
	}
	lab_overhead_increase(o, &mean, &error);
	printf("%-10s %5zu %12.2f %9.2f %8.2f %% +- %.2f %% %8.1f %+.1f\n",
	       name, o->pairs, without, with, mean, error, 100 * o->cpu_without,
	       100 * (o->cpu_with - o->cpu_without));
	fflush(stdout);
}

static int measure(const struct options *o, struct lab *lab,
		   const volatile int *stop, const char *dir,
		   struct lp_error *err)
{
	int status = 0;

	printf("%-10s %5s %12s %9s %s\n", "workload", "pairs", "MB/s without",
	       "with", "increase of run time  CPU % without, added");
	for (size_t i = 0; status == 0 && i < o->workloads.count; i++) {
		const char *name = o->workloads.text[i];
		const struct lab_workload *workload = lab_workload_find(name);
		struct lab_bench bench = { .lab = lab, .stop = stop };
		struct lab_overhead overhead;

		if (isatty(STDERR_FILENO))
			bench.phase = show_phase;
		bench.context = (void *)name;
		status = lab_overhead_measure(
			&bench, workload, (unsigned)o->processes, o->pairs,
			(double)o->span_ns / 1e9, dir, &overhead, err);
		if (bench.phase)
			fputs("\r\033[K", stderr);
		if (status == 0)
			print_row(name, &overhead);
	}
	return status;
}

/* With the lab that is up, or with one of its own. */
static int with_lab(const struct options *o, const char *dir,
		    struct lp_error *err)
{
	const volatile int *stop = lab_interrupt_catch();
	struct lab_spec spec;
	struct lab *lab;
	int status = lab_open(o->dir, false, &lab, err);
	bool made = status == -ENOENT;

	if (made) {
		lab_spec_default(&spec);
		status = lab_check(usage.command, &spec, err);
		if (status == 0)
			status = lab_up(o->dir, &spec, stop, NULL, NULL, err);
		if (status == 0)
			status = lab_open(o->dir, false, &lab, err);
	}
	if (status < 0)
		return status;
	lab->stop = stop;
	status = measure(o, lab, stop, dir, err);
	lab_close(lab);
	if (made) {
		struct lp_error late;
		int down = lab_down(o->dir, NULL, NULL, &late);

		if (status == 0 && down < 0) {
			*err = late;
			status = down;
		}
	}
	return status;
}

static int check(struct options *o, struct lp_error *err)
{
	for (size_t i = 0; i < o->workloads.count; i++)
		if (!lab_workload_find(o->workloads.text[i]))
			return lp_fail(err, EINVAL,
				       "there is no workload '%s'; 'limpid lab "
				       "run --list' shows all workloads",
				       o->workloads.text[i]);
	if (o->pairs < 1 || o->pairs > LAB_MOST_PAIRS)
		return lp_fail(err, EINVAL, "--pairs must be from 1 to %d",
			       LAB_MOST_PAIRS);
	if (o->processes < 1 || o->processes > 64)
		return lp_fail(err, EINVAL, "--processes must be from 1 to 64");
	return 0;
}

static int run(int argc, char **argv)
{
	static const char *both[] = { "ddw", "ddr" };
	struct options o = { .dir = LAB_DIR,
			     .pairs = 6,
			     .processes = 2,
			     .span_ns = 60 * LP_NS_PER_S };
	char dir[] = "/var/tmp/limpid-overhead.XXXXXX";
	struct lp_error err;
	int first, exit_code, status;

	if (!lp_command_begin(&usage, argc, argv, &o, &first, &exit_code))
		return exit_code;
	if (o.workloads.count == 0)
		o.workloads = (struct lp_option_list){ both, 2, 0 };
	if (check(&o, &err) < 0)
		return lp_command_misuse(&usage, &err);
	if (!mkdtemp(dir))
		status = lp_fail_errno(&err, errno, "cannot make %s", dir);
	else
		status = with_lab(&o, dir, &err);
	lab_runs_remove(dir);
	if (o.workloads.text != both)
		lp_option_list_done(&o.workloads);
	if (status < 0)
		return lp_command_fail(&usage, &err);
	return lp_command_finish(&usage);
}

const struct lp_word lab_word_overhead = {
	.name = "overhead",
	.usage = &usage,
	.run = run,
};
