/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid lab up: make a lab.
 */
#include "word.h"

#include "base/memory.h"
#include "site/lab.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The texts of the spec's keys, in the order of the table below. */
enum {
	SERVERS,
	CLIENTS,
	DRIVER,
	LAYOUT,
	SIZE,
	RATE,
	SEEK,
	LINK,
	MEMORY,
	TCP,
	CACHE
};
#define KEYS (CACHE + 1)

struct options {
	const char *dir, *file;
	const char *key[KEYS];
	bool quiet;
};

#define SPEC_OPTION(i, name, word, text)                                       \
	{                                                                      \
		.long_name = name, .type = LP_OPTION_STRING, .value = word,    \
		.offset = offsetof(struct options, key[i]), .help = text       \
	}

#define FIRST_KEY 3
static const struct lp_option option_table[] = {
	LAB_OPTION_DIR(struct options),
	{ .long_name = "file",
	  .type = LP_OPTION_STRING,
	  .value = "FILE",
	  .offset = offsetof(struct options, file),
	  .help = "read the options below from a lab file" },
	{ .short_name = 'q',
	  .long_name = "quiet",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, quiet),
	  .help = "do not show the steps" },
	SPEC_OPTION(SERVERS, "servers", "N", "servers (default 6)"),
	SPEC_OPTION(CLIENTS, "clients", "N", "clients (default 2)"),
	SPEC_OPTION(DRIVER, "driver", "NAME",
		    "the file system: glusterfs (default), ceph"),
	SPEC_OPTION(LAYOUT, "layout", "NAME",
		    "how files are distributed: dispersed (default), "
		    "replicated, or sharded (GlusterFS)"),
	SPEC_OPTION(SIZE, "disk-size", "BYTES",
		    "size of a server's disk (default 2Gi)"),
	SPEC_OPTION(RATE, "disk-rate", "BYTES",
		    "bytes per second of a server's disk (default 12M)"),
	SPEC_OPTION(
		SEEK, "seek", "DURATION",
		"extra time of a request that is not sequential (default 8ms)"),
	SPEC_OPTION(LINK, "link", "BITS",
		    "bits per second of a link (default 150M)"),
	SPEC_OPTION(MEMORY, "memory", "BYTES",
		    "memory limit of a server with its cache, 0: no limit "
		    "(default 256Mi, with Ceph 512Mi)"),
	SPEC_OPTION(TCP, "congestion", "NAME",
		    "TCP congestion control (default reno)"),
	SPEC_OPTION(CACHE, "cache", "NAME",
		    "of the disks: through (default), or volatile: a power "
		    "cut loses what was not flushed"),
};

static const struct lp_usage usage = {
	.command = "limpid lab up",
	.summary = "Creates a cluster with a parallel file system on this "
		   "machine.",
	.operands = "",
	.options = option_table,
	.n_options = lp_array_size(option_table),
};

static volatile int stopped;

static void stop(int signal)
{
	(void)signal;
	stopped = 1;
}

static void catch_signals(void)
{
	struct sigaction action = { .sa_handler = stop };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
}

static int fill(const struct options *options, struct lab_spec *spec,
		struct lp_error *err)
{
	int status = 0;

	lab_spec_default(spec);
	if (options->file)
		status = lab_spec_read(options->file, spec, err);
	for (size_t i = 0; i < KEYS && status == 0; i++)
		if (options->key[i])
			status = lab_spec_set(
				spec, option_table[FIRST_KEY + i].long_name,
				options->key[i], err);
	return status;
}

/* "  2.1 s  disks" */
static void show_step(void *context, const char *step)
{
	const struct timespec *begin = context;
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	fprintf(stderr, "%5.1f s  %s\n",
		(double)(now.tv_sec - begin->tv_sec) +
			(double)(now.tv_nsec - begin->tv_nsec) / 1e9,
		step);
}

static int run(int argc, char **argv)
{
	struct options options = { .dir = LAB_DIR };
	struct lab_spec spec;
	struct timespec begin;
	struct lp_error err;
	int first, status;

	if (!lp_command_begin(&usage, argc, argv, &options, &first, &status))
		return status;
	if (fill(&options, &spec, &err) < 0 || lab_spec_check(&spec, &err) < 0)
		return lp_command_misuse(&usage, &err);
	if (lab_check(usage.command, &spec, &err) < 0)
		return lp_command_fail(&usage, &err);
	clock_gettime(CLOCK_MONOTONIC, &begin);
	catch_signals();
	if (lab_up(options.dir, &spec, &stopped,
		   options.quiet ? NULL : show_step, &begin, &err) < 0)
		return lp_command_fail(&usage, &err);
	printf("the lab is up: %lu servers, %lu clients, %s %s, in %s\n",
	       spec.servers, spec.clients, spec.layout, spec.driver,
	       options.dir);
	return lp_command_finish(&usage);
}

const struct lp_word lab_word_up = {
	.name = "up",
	.usage = &usage,
	.run = run,
};
