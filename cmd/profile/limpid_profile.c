/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid-profile: limpid profile record. Also, under the name of the
 * recorder's child, its own child that condenses closed files and removes old
 * ones.
 */
#include "profile_record.h"

#include "base/hostname.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/timestamp.h"
#include "behavior/daemons.h"
#include "profile/daybook.h"
#include "profile/profiler.h"
#include "record/tidy.h"

#include <errno.h>
#include <limits.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NS_PER_DAY (86400 * LP_NS_PER_S)

static const struct lp_usage *const usage = &lp_profile_record_usage;

static void say(void *user, const char *line)
{
	(void)user;
	fprintf(stderr, "%s: %s\n", usage->command, line);
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void say_account(const struct lp_profiler_account *a)
{
	uint64_t n = a->samples - a->nobodys;

	printf("%llu samples, %llu of no recorded host, %llu lost\n",
	       (unsigned long long)a->samples, (unsigned long long)a->nobodys,
	       (unsigned long long)a->lost);
	printf("of %llu: %.1f %% in a known function, %.1f %% with a name, "
	       "%.1f %% with a guessed one, %.1f %% moved to a caller\n",
	       (unsigned long long)n, percent(a->identified, n),
	       percent(a->named, n), percent(a->guessed, n),
	       percent(a->moved, n));
}

static int tidy(int argc, char **argv)
{
	int status = LP_EXIT_OK;
	struct lp_error err;
	uint64_t keep_ns;

	if (argc < 4 || lp_parse_u64(argv[3], strlen(argv[3]), &keep_ns) < 0)
		return LP_EXIT_USAGE;
	if (nice(19) < 0)
		errno = 0;
	for (int i = 4; i < argc; i++)
		if (lp_profile_condense(argv[i], &err) < 0)
			status = lp_command_fail(usage, &err);
	if (keep_ns > 0 &&
	    lp_profile_remove_old(argv[1], argv[2],
				  lp_time_now() - (int64_t)keep_ns, &err) < 0)
		status = lp_command_fail(usage, &err);
	return status;
}

static int record(const struct lp_profile_record_options *options)
{
	static const char *const none[] = { NULL };
	char name[HOST_NAME_MAX + 1] = "localhost";
	struct lp_profiler_account account = { 0 };
	struct lp_error err;
	struct lp_profiler_config config = {
		.dir = options->output,
		.host = options->host ? options->host : name,
		.cgroup = options->cgroup,
		.rate = (unsigned)options->rate,
		.chains = !options->no_chains,
		.waits = lp_daemons,
		.count = options->count == LP_PROFILE_NO_COUNT ? 0
							       : options->count,
		.keep_ns = (int64_t)options->keep_days * NS_PER_DAY,
		.say = say,
	};

	gethostname(name, sizeof(name) - 1);
	if (options->no_waits)
		config.waits = none;
	else if (options->waits.count)
		config.waits = options->waits.text;
	if (lp_profiler_run(&config, &account, &err) < 0)
		return lp_command_fail(usage, &err);
	if (options->verbose)
		say_account(&account);
	return lp_command_finish(usage);
}

static int check(struct lp_profile_record_options *options,
		 struct lp_error *err)
{
	static const char *const end;
	int status = lp_host_name_check("--host", options->host, err);

	if (status < 0 || options->waits.count == 0)
		return status;
	if (options->no_waits)
		return lp_fail(err, EINVAL,
			       "--wait and --no-wait cannot be used together");
	/* The list ends by NULL. */
	if (lp_grow(&options->waits.text, &options->waits.capacity,
		    options->waits.count + 1, sizeof(end)) < 0)
		return lp_fail_memory(err);
	options->waits.text[options->waits.count] = end;
	return 0;
}

int main(int argc, char **argv)
{
	struct lp_profile_record_options options = {
		.count = LP_PROFILE_NO_COUNT, .rate = 99
	};
	struct lp_error err;
	int status, first;

	if (argc > 0 && strcmp(argv[0], LP_TIDY_NAME) == 0)
		return tidy(argc, argv);
	mallopt(M_ARENA_MAX, 1);
	mallopt(M_MMAP_THRESHOLD, 64 << 10);
	if (lp_command_begin(usage, argc, argv, &options, &first, &status)) {
		if (check(&options, &err) < 0) {
			lp_command_fail(usage, &err);
			status = LP_EXIT_USAGE;
		} else {
			status = record(&options);
		}
	}
	lp_option_list_done(&options.waits);
	return status;
}
