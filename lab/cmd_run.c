/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid lab run: a workload on the lab's clients.
 */
#include "interrupt.h"
#include "word.h"

#include "base/memory.h"
#include "base/nearest.h"
#include "base/timestamp.h"
#include "disk/settings.h"
#include "verify/verify.h"
#include "verify/verify_word.h"
#include "workload/workload.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct options {
	const char *dir, *pace, *log;
	int64_t for_ns;
	unsigned long processes, seed;
	bool list, clean;
};

static const struct lp_option option_table[] = {
	{ .long_name = "for",
	  .type = LP_OPTION_DURATION,
	  .value = "TIME",
	  .offset = offsetof(struct options, for_ns),
	  .help = "how long, for example 2m (default: until Ctrl-C)",
	  .low = 1 },
	{ .long_name = "pace",
	  .type = LP_OPTION_STRING,
	  .value = "BYTES",
	  .offset = offsetof(struct options, pace),
	  .help = "bytes per second of all processes together, for example "
		  "20M; 0: full speed (default: see --list)" },
	{ .long_name = "processes",
	  .type = LP_OPTION_UINT,
	  .value = "N",
	  .offset = offsetof(struct options, processes),
	  .help = "processes on each client (default 2)" },
	{ .long_name = "seed",
	  .type = LP_OPTION_UINT,
	  .value = "N",
	  .offset = offsetof(struct options, seed),
	  .help = "seed of random choices (default 1)" },
	{ .long_name = "log",
	  .type = LP_OPTION_STRING,
	  .value = "DIR",
	  .offset = offsetof(struct options, log),
	  .help = "write the bytes that each process moved per second, as "
		  "CSV" },
	{ .long_name = "clean",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, clean),
	  .help = "remove the workloads' files afterwards; without NAME, only "
		  "that" },
	{ .long_name = "list",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, list),
	  .help = "list the workloads and their paces" },
	LAB_OPTION_DIR(struct options),
};

static const struct lp_usage usage = {
	.command = "limpid lab run",
	.summary = "Runs a workload on the lab's clients.",
	.operands = "[NAME]",
	.max_operands = 1,
	.options = option_table,
	.n_options = lp_array_size(option_table),
	.notes = "limpid-lab-workload(7) describes the workloads.\n",
};

static int list(void)
{
	for (size_t i = 0; lab_workloads[i]; i++) {
		const struct lab_workload *workload = lab_workloads[i];

		printf("%-12s %s; ", workload->name, workload->summary);
		if (workload->pace)
			printf("%g MB/s\n", (double)workload->pace / 1e6);
		else
			printf("full speed\n");
	}
	for (int i = 0; i < LAB_VERIFY_LOOP; i++)
		printf("%-12s work that can be checked, once\n",
		       lab_verify_name((enum lab_verify_step)i));
	return lp_command_finish(&usage);
}

static bool is_checked(const char *name)
{
	return name && lab_verify_find(name) != LAB_VERIFY_STEPS;
}

static int find_workload(const char *name, const struct lab_workload **workload,
			 struct lp_error *err)
{
	struct lp_nearest nearest = lp_nearest_begin(name);
	char hint[LP_NEAREST_HINT];

	*workload = lab_workload_find(name);
	if (*workload)
		return 0;
	for (size_t i = 0; lab_workloads[i]; i++)
		lp_nearest_offer(&nearest, lab_workloads[i]->name);
	for (int i = 0; i < LAB_VERIFY_LOOP; i++)
		lp_nearest_offer(&nearest,
				 lab_verify_name((enum lab_verify_step)i));
	return lp_fail(err, ENOENT,
		       "there is no workload '%s'%s; 'limpid lab run "
		       "--list' shows all workloads",
		       name, lp_nearest_hint(&nearest, hint));
}

/* What can be said wrong without a lab. */
static int check(const struct options *options, const char *name,
		 struct lab_workload_spec *spec, struct lp_error *err)
{
	const char *pace = options->pace;
	int status;

	if (!name && options->clean)
		return 0;
	if (!name)
		return lp_fail(err, EINVAL,
			       "the name of a workload is missing; 'limpid lab "
			       "run --list' shows all workloads");
	spec->seed = options->seed;
	if (is_checked(name))
		return 0;
	status = find_workload(name, &spec->workload, err);
	if (status < 0)
		return status;
	spec->pace = spec->workload->pace;
	if (pace && lab_bytes_parse(pace, strlen(pace), &spec->pace) < 0)
		return lp_fail(
			err, EINVAL,
			"--pace %s: expected bytes per second, for example 20M",
			pace);
	if (options->processes < 1 || options->processes > LAB_MAX_PROCESSES)
		return lp_fail(err, EINVAL, "--processes must be from 1 to %d",
			       LAB_MAX_PROCESSES);
	spec->processes = options->processes;
	spec->log_dir = options->log;
	return 0;
}

struct gauge {
	bool live; /* a terminal */
	int64_t begun_ns, last_ns;
	uint64_t bytes; /* at last_ns */
};

static void show(struct gauge *gauge, const struct lab_workload_run *run,
		 const char *name, int64_t end_ns)
{
	int64_t now_ns = lp_monotonic_now();
	double s = (double)(now_ns - gauge->last_ns) / (double)LP_NS_PER_S;
	uint64_t bytes, operations;
	char left[LP_TIME_TEXT];

	if (!gauge->live)
		return;
	lab_workload_moved(run, &bytes, &operations);
	fprintf(stderr, "\r%s  %.1f MB/s  %.2f GB", name,
		(double)(bytes - gauge->bytes) / 1e6 / s, (double)bytes / 1e9);
	if (end_ns < LP_TIME_MAX)
		fprintf(stderr, "  %s left",
			lp_duration_format((end_ns - now_ns) / LP_NS_PER_S *
						   LP_NS_PER_S,
					   left));
	fputs("\033[K", stderr);
	gauge->last_ns = now_ns;
	gauge->bytes = bytes;
}

static void conclude(const struct gauge *gauge,
		     const struct lab_workload_run *run, const char *name)
{
	double s = (double)(lp_monotonic_now() - gauge->begun_ns) /
		   (double)LP_NS_PER_S;
	uint64_t bytes, operations;

	lab_workload_moved(run, &bytes, &operations);
	if (gauge->live)
		fputs("\r\033[K", stderr);
	printf("%s: %.2f GB in %.0f s, %.1f MB/s, %.0f operations/s\n", name,
	       (double)bytes / 1e9, s, (double)bytes / 1e6 / s,
	       (double)operations / s);
}

static int watch(struct lab_workload_run *run, const char *name, int64_t for_ns,
		 struct lp_error *err)
{
	struct gauge gauge = { .live = isatty(STDERR_FILENO),
			       .begun_ns = lp_monotonic_now() };
	const int64_t end_ns =
		for_ns > 0 ? gauge.begun_ns + for_ns : LP_TIME_MAX;
	bool stopped = false;
	int status = 0;

	gauge.last_ns = gauge.begun_ns;
	while (status == 0 && !stopped) {
		int64_t left_ns = end_ns - lp_monotonic_now();

		if (left_ns <= 0)
			break;
		stopped = lab_interrupt_wait(
			left_ns < LP_NS_PER_S ? left_ns : LP_NS_PER_S);
		status = lab_workload_alive(run, err);
		show(&gauge, run, name, end_ns);
	}
	conclude(&gauge, run, name);
	return status;
}

static int make_log_dir(const char *dir, struct lp_error *err)
{
	if (dir && mkdir(dir, 0777) < 0 && errno != EEXIST)
		return lp_fail_errno(err, errno, "cannot make %s", dir);
	return 0;
}

static int work(struct lab *lab, const struct lab_workload_spec *spec,
		int64_t for_ns, const volatile int *stop, struct lp_error *err)
{
	struct lab_workload_run *run;
	int status = make_log_dir(spec->log_dir, err), ended;

	if (status == 0)
		status = lab_workload_prepare(lab, spec, stop, err);
	if (status == 0)
		status = lab_workload_start(lab, spec, &run, err);
	if (status < 0)
		return status;
	status = watch(run, spec->workload->name, for_ns, err);
	ended = lab_workload_stop(run, status < 0 ? NULL : err);
	return status < 0 ? status : ended;
}

static int run(int argc, char **argv)
{
	struct options options = { .dir = LAB_DIR, .processes = 2, .seed = 1 };
	struct lab_workload_spec spec = { 0 };
	const volatile int *stop;
	struct lp_error err;
	struct lab *lab;
	int first, exit_code, status;

	if (!lp_command_begin(&usage, argc, argv, &options, &first, &exit_code))
		return exit_code;
	if (options.list)
		return list();
	if (check(&options, first < argc ? argv[first] : NULL, &spec, &err) < 0)
		return lp_command_misuse(&usage, &err);
	stop = lab_interrupt_catch();
	status = lab_open(options.dir, false, &lab, &err);
	if (status < 0)
		return lp_command_fail(&usage, &err);
	lab->stop = stop;
	if (spec.workload)
		status = work(lab, &spec, options.for_ns, stop, &err);
	else if (first < argc && is_checked(argv[first]))
		status = lab_verify_word(lab, argv[first],
					 (double)options.for_ns / 1e9,
					 spec.seed, &err);
	if (status == 0 && options.clean)
		status = lab_workload_clean(lab, &err);
	lab_close(lab);
	return status < 0 ? lp_command_fail(&usage, &err)
			  : lp_command_finish(&usage);
}

const struct lp_word lab_word_run = {
	.name = "run",
	.usage = &usage,
	.run = run,
};
