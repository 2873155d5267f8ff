/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid simulate: recordings of a storage system that is not there.
 */
#include "command.h"
#include "progress.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/timestamp.h"
#include "simulate/simulate.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct options {
	const char *output, *scale, *hours;
	int64_t interval_ns;
	unsigned long seed;
	bool no_events, print;
};

static const struct lp_option option_table[] = {
	{ .short_name = 'o',
	  .long_name = "output",
	  .type = LP_OPTION_STRING,
	  .value = "DIR",
	  .offset = offsetof(struct options, output),
	  .help = "directory for the archives; must be new or empty" },
	{ .long_name = "interval",
	  .type = LP_OPTION_DURATION,
	  .value = "S",
	  .offset = offsetof(struct options, interval_ns),
	  .help = "time between samples (default: the script's, usually 1 s)",
	  .low = 1 },
	{ .long_name = "hours",
	  .type = LP_OPTION_STRING,
	  .value = "H",
	  .offset = offsetof(struct options, hours),
	  .help = "length of the recording; later events do not happen" },
	{ .long_name = "seed",
	  .type = LP_OPTION_UINT,
	  .value = "N",
	  .offset = offsetof(struct options, seed),
	  .help = "seed of random numbers (default 1)",
	  .low = 1 },
	{ .long_name = "scale",
	  .type = LP_OPTION_STRING,
	  .value = "ARRAYS[xLUNS]",
	  .offset = offsetof(struct options, scale),
	  .help = "use fewer arrays, and fewer LUNs in each" },
	{ .long_name = "no-events",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, no_events),
	  .help = "the same system without faults, for training" },
	{ .long_name = "print",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, print),
	  .help = "print the built-in script, as a start for your own" },
};

static const struct lp_usage usage = {
	.command = "limpid simulate",
	.summary =
		"Simulates recordings of a storage system with known faults.",
	.operands = "NAME|SCRIPT",
	.min_operands = 1,
	.max_operands = 1,
	.options = option_table,
	.n_options = lp_array_size(option_table),
	.notes =
		"NAME is intrepid, case-study, small, healthy or lossy. In the "
		"same directory,\ntruth.json says what happened, and "
		"cluster.conf lists the servers.\n",
};

/* "4" or "4x24". */
static int parse_scale(const char *text, unsigned *arrays, unsigned *luns)
{
	const char *cross = strchr(text, 'x');
	size_t n = cross ? (size_t)(cross - text) : strlen(text);
	uint64_t a, l = 0;

	if (lp_parse_u64(text, n, &a) < 0 || a > 100000)
		return -EINVAL;
	if (cross && (lp_parse_u64(cross + 1, strlen(cross + 1), &l) < 0 ||
		      l < 1 || l > 100000))
		return -EINVAL;
	*arrays = (unsigned)a;
	*luns = (unsigned)l;
	return 0;
}

static int adjust(const struct options *options, struct lp_scenario *s,
		  struct lp_error *err)
{
	unsigned arrays, luns;

	if (options->interval_ns > 0)
		s->interval_s = (double)options->interval_ns / LP_NS_PER_S;
	if (options->hours &&
	    (lp_parse_double(options->hours, strlen(options->hours),
			     &s->hours) < 0 ||
	     !(s->hours > 0)))
		return lp_fail(err, EINVAL,
			       "--hours %s: expected a number above 0",
			       options->hours);
	if (options->seed > 0)
		s->seed = options->seed;
	if (options->no_events)
		s->n_events = 0;
	if (!options->scale)
		return 0;
	if (parse_scale(options->scale, &arrays, &luns) < 0 || arrays < 1)
		return lp_fail(err, EINVAL,
			       "--scale %s: expected numbers above 0, for "
			       "example 4 or 4x24",
			       options->scale);
	return lp_scenario_scale(s, arrays, luns, err);
}

static bool is_empty(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	bool empty = true;

	while (dir && empty && (entry = readdir(dir)))
		empty = strcmp(entry->d_name, ".") == 0 ||
			strcmp(entry->d_name, "..") == 0;
	if (dir)
		closedir(dir);
	return empty;
}

/* 1: it was made; 0: it was there. */
static int make_directory(const char *path, struct lp_error *err)
{
	if (mkdir(path, 0777) == 0)
		return 1;
	if (errno != EEXIST)
		return lp_fail_errno(err, errno, "cannot make %s", path);
	if (!is_empty(path))
		return lp_fail(err, ENOTEMPTY,
			       "%s is not empty; give -o a new directory",
			       path);
	return 0;
}

static void show_progress(void *progress, double part, uint64_t values)
{
	lp_progress_update(progress, part, values);
}

static void print_stats(const struct lp_scenario *s,
			const struct lp_sim_stats *stats, const char *path)
{
	char start[LP_TIME_TEXT], span[LP_TIME_TEXT];
	int64_t span_ns = (int64_t)(s->hours * 3600 * (double)LP_NS_PER_S);

	printf("%s: simulated '%s' with seed %" PRIu64 ": %zu %s, %zu "
	       "%s,\n%s from %s every %g s, %" PRIu64 " values, "
	       "%zu %s\n",
	       path, s->name, s->seed, stats->hosts,
	       lp_plural(stats->hosts, "host", "hosts"), stats->components,
	       lp_plural(stats->components, "component", "components"),
	       lp_duration_format(span_ns, span),
	       lp_time_format(s->start_ns, start), s->interval_s, stats->values,
	       stats->events, lp_plural(stats->events, "event", "events"));
}

static int simulate(const struct lp_scenario *s, const char *path,
		    struct lp_error *err)
{
	struct lp_progress progress;
	struct lp_sim_stats stats;
	int made = make_directory(path, err), status;

	if (made < 0)
		return made;
	lp_progress_begin(&progress, "simulating", "values");
	status = lp_simulate(s, path, show_progress, &progress, &stats, err);
	lp_progress_end(&progress);
	if (status == 0)
		print_stats(s, &stats, path);
	else if (made)
		rmdir(path);
	return status;
}

static int run_with(const struct options *options, const char *name,
		    bool *wrong, struct lp_error *err)
{
	struct lp_scenario scenario;
	int status = lp_scenario_open(name, &scenario, err);

	if (status < 0)
		return status;
	status = lp_scenario_check(&scenario, err);
	if (status == 0) {
		status = adjust(options, &scenario, err);
		if (status == 0)
			status = lp_scenario_check(&scenario, err);
		*wrong = status < 0;
	}
	if (status == 0)
		status = simulate(&scenario, options->output, err);
	lp_scenario_done(&scenario);
	return status;
}

static int print_script(const char *name)
{
	const char *text = lp_scenario_builtin(name);
	char known[LP_SCENARIO_LIST];

	if (!text) {
		fprintf(stderr, "%s: '%s' is not built in; there are %s\n",
			usage.command, name, lp_scenario_list(known));
		return LP_EXIT_USAGE;
	}
	fputs(text, stdout);
	return lp_command_finish(&usage);
}

static int run(int argc, char **argv)
{
	struct options options = { 0 };
	struct lp_error err;
	int first, status;
	bool wrong = false;

	if (!lp_command_begin(&usage, argc, argv, &options, &first, &status))
		return status;
	if (options.print)
		return print_script(argv[first]);
	if (!options.output) {
		fprintf(stderr, "%s: needs -o DIR; see '%s --help'\n",
			usage.command, usage.command);
		return LP_EXIT_USAGE;
	}
	if (run_with(&options, argv[first], &wrong, &err) < 0)
		return wrong ? lp_command_misuse(&usage, &err)
			     : lp_command_fail(&usage, &err);
	return lp_command_finish(&usage);
}

const struct lp_command lp_command_simulate = {
	.name = "simulate",
	.summary = "simulate recordings of a storage system with known faults",
	.run = run,
	.usage = &usage,
};
