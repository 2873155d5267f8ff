/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid-record: the recorder. Also, under the name limpid-record-tidy, its
 * own child that compacts closed archives and removes old ones.
 */
#include "command.h"

#include "base/hostname.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/timestamp.h"
#include "record/record.h"
#include "record/tick.h"
#include "record/tidy.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

struct options {
	const char *output, *host, *root, *netns;
	int64_t interval_ns;
	unsigned long count, keep_days;
	bool no_tcp, sockets;
	struct lp_option_list include, exclude;
};

/* 10,000 years of days would overflow nothing, and mean nothing. */
#define MOST_DAYS 36500
#define NS_PER_DAY (86400 * LP_NS_PER_S)
#define NO_COUNT ULONG_MAX
/* Bound on instances of TCP; the page states what that costs. */
#define MOST_PEERS 1024
#define MOST_SOCKETS 4096

static const struct lp_option table[] = {
	{ .short_name = 'o',
	  .long_name = "output",
	  .type = LP_OPTION_REQUIRED,
	  .value = "DIR",
	  .offset = offsetof(struct options, output),
	  .help = "directory for the archives; created if it does not exist" },
	{ .short_name = 'i',
	  .long_name = "interval",
	  .type = LP_OPTION_DURATION,
	  .value = "SECONDS",
	  .offset = offsetof(struct options, interval_ns),
	  .help = "time between samples, 0.1 s to 1 h (default 1 s)" },
	{ .short_name = 'n',
	  .long_name = "count",
	  .type = LP_OPTION_UINT,
	  .value = "COUNT",
	  .offset = offsetof(struct options, count),
	  .help = "stop after COUNT samples" },
	{ .long_name = "host",
	  .type = LP_OPTION_STRING,
	  .value = "NAME",
	  .offset = offsetof(struct options, host),
	  .help = "name of this host (default: output of uname -n)" },
	{ .long_name = "root",
	  .type = LP_OPTION_STRING,
	  .value = "DIR",
	  .offset = offsetof(struct options, root),
	  .help = "read DIR/proc and DIR/sys instead of the kernel's" },
	{ .long_name = "netns",
	  .type = LP_OPTION_STRING,
	  .value = "NAME",
	  .offset = offsetof(struct options, netns),
	  .help = "read interfaces and connections of this network namespace" },
	{ .long_name = "no-tcp",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, no_tcp),
	  .help = "do not record TCP connections" },
	{ .long_name = "sockets",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, sockets),
	  .help = "record each TCP connection instead of sums per peer" },
	{ .long_name = "include",
	  .type = LP_OPTION_LIST,
	  .value = "CLASS:GLOB",
	  .offset = offsetof(struct options, include),
	  .help = "record only the instances of a class that match, "
		  "'disk:sd*'" },
	{ .long_name = "exclude",
	  .type = LP_OPTION_LIST,
	  .value = "CLASS:GLOB",
	  .offset = offsetof(struct options, exclude),
	  .help = "leave out the instances that match, 'net:veth*', 'host:*'" },
	{ .long_name = "keep",
	  .type = LP_OPTION_UINT,
	  .value = "DAYS",
	  .offset = offsetof(struct options, keep_days),
	  .help = "delete this host's archives that are older than DAYS days",
	  .low = 1 },
};

static const struct lp_usage usage = {
	.command = "limpid record",
	.summary = "Record this host's counters into archives.",
	.operands = "",
	.options = table,
	.n_options = lp_array_size(table),
	.notes = "SIGTERM and SIGINT stop the recorder, SIGHUP starts a new "
		 "file.\n",
};

static int check_rules(const char *option, const struct lp_option_list *rules,
		       struct lp_error *err)
{
	for (size_t i = 0; i < rules->count; i++) {
		const char *rule = rules->text[i];
		const char *colon = strchr(rule, ':');
		char name[32] = "";

		if (colon && (size_t)(colon - rule) < sizeof(name))
			memcpy(name, rule, (size_t)(colon - rule));
		if (!colon || !colon[1])
			return lp_fail(err, EINVAL,
				       "--%s %s: expected CLASS:GLOB, for "
				       "example disk:sd*",
				       option, rule);
		if (!lp_class_find(name))
			return lp_fail(err, EINVAL,
				       "--%s %s: no class '%.*s'; there are "
				       "disk, net, tcp, ib and host",
				       option, rule, (int)(colon - rule), rule);
	}
	return 0;
}

static int check(const struct options *options, struct lp_error *err)
{
	int status;

	if (options->count == 0)
		return lp_fail(err, EINVAL,
			       "-n must be at least 1; without it the "
			       "recorder runs until it is stopped");
	if (options->interval_ns < LP_INTERVAL_MIN_NS ||
	    options->interval_ns > LP_INTERVAL_MAX_NS)
		return lp_fail(err, EINVAL, "-i must be from 0.1 s to 1 h");
	if (options->keep_days > MOST_DAYS)
		return lp_fail(err, EINVAL, "--keep must be at most %d days",
			       MOST_DAYS);
	status = lp_host_name_check("--host", options->host, err);
	if (status < 0)
		return status;
	if (options->netns && options->root)
		return lp_fail(err, EINVAL,
			       "--netns and --root cannot be used together");
	status = check_rules("include", &options->include, err);
	return status < 0 ? status
			  : check_rules("exclude", &options->exclude, err);
}

static int open_netns(const char *name, struct lp_error *err)
{
	lp_auto_free char *path = NULL;
	int fd;

	if (asprintf(&path, "%s%s", strchr(name, '/') ? "" : "/run/netns/",
		     name) < 0)
		return lp_fail_memory(err);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return lp_fail_errno(err, errno, "cannot open the namespace %s",
				     path);
	return fd;
}

static void say(void *user, const char *line)
{
	(void)user;
	fprintf(stderr, "%s: %s\n", usage.command, line);
}

static int record(const struct options *options, const char *host, int netns_fd,
		  bool *stuck, struct lp_error *err)
{
	const struct lp_filter filter = { options->include.text,
					  options->include.count,
					  options->exclude.text,
					  options->exclude.count };
	const struct lp_record_config config = {
		.dir = options->output,
		.host = host,
		.interval_ns = options->interval_ns,
		.count = options->count == NO_COUNT ? 0 : options->count,
		.keep_ns = (int64_t)options->keep_days * NS_PER_DAY,
		.no_tcp = options->no_tcp,
		.context = { .root = options->root ? options->root : "",
			     .filter = &filter,
			     .netns_fd = netns_fd,
			     .each_socket = options->sockets,
			     .max_series = options->sockets ? MOST_SOCKETS
							    : MOST_PEERS },
		.say = say,
	};

	return lp_record_run(&config, stuck, err);
}

static int tidy(int argc, char **argv)
{
	struct lp_error err;
	uint64_t keep_ns;

	if (argc < 4 || lp_parse_u64(argv[3], strlen(argv[3]), &keep_ns) < 0)
		return LP_EXIT_USAGE;
	/* The lowest priority for CPU and disk; both may be refused. */
	if (nice(19) < 0)
		errno = 0;
	syscall(SYS_ioprio_set, 1 /* process */, 0, 3 << 13 /* idle */);
	if (lp_tidy_up(argv[1], argv[2], (int64_t)keep_ns, argv + 4,
		       (size_t)argc - 4, &err) < 0)
		return lp_command_fail(&usage, &err);
	return LP_EXIT_OK;
}

static int begin(const struct options *options, bool *stuck)
{
	char name[HOST_NAME_MAX + 1] = "localhost";
	lp_auto_close int netns_fd = -1;
	struct lp_error err;

	/* A second arena for the worker's thread would double the memory. */
	mallopt(M_ARENA_MAX, 1);
	if (check(options, &err) < 0) {
		lp_command_fail(&usage, &err);
		return LP_EXIT_USAGE;
	}
	gethostname(name, sizeof(name) - 1);
	if (options->netns) {
		netns_fd = open_netns(options->netns, &err);
		if (netns_fd < 0)
			return lp_command_fail(&usage, &err);
	}
	if (record(options, options->host ? options->host : name, netns_fd,
		   stuck, &err) < 0)
		return lp_command_fail(&usage, &err);
	return LP_EXIT_OK;
}

int main(int argc, char **argv)
{
	struct options options = { .interval_ns = LP_NS_PER_S,
				   .count = NO_COUNT };
	int status, first;
	bool stuck = false;

	if (argc > 0 && strcmp(argv[0], LP_TIDY_NAME) == 0)
		return tidy(argc, argv);
	if (lp_command_begin(&usage, argc, argv, &options, &first, &status))
		status = begin(&options, &stuck);
	lp_option_list_done(&options.include);
	lp_option_list_done(&options.exclude);
	if (stuck)
		_exit(status);
	return status;
}
