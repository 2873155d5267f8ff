/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate/simulate.h"

#include "base/outfile.h"
#include "base/timestamp.h"
#include "simulate/host.h"
#include "simulate/topology.h"
#include "simulate/truth.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct run {
	const struct lp_scenario *scenario;
	const char *directory;
	struct lp_sim_load load;
	struct lp_sim_world world;
	struct lp_sim_stats *stats;
};

/* Servers first, then clients. */
static bool is_client(const struct run *run, size_t i)
{
	return i >= lp_scenario_hosts(run->scenario);
}

static int host_path(const struct run *run, size_t i, char path[PATH_MAX])
{
	const struct lp_scenario *s = run->scenario;
	char name[LP_SIM_NAME], time[LP_TIME_TEXT];
	int n;

	if (is_client(run, i))
		lp_sim_client_name((unsigned)(i - lp_scenario_hosts(s)), name);
	else
		lp_sim_host_name(s, (unsigned)i / s->servers,
				 (unsigned)i % s->servers, name);
	n = snprintf(path, PATH_MAX, "%s/%s-%s" LP_ARCHIVE_SUFFIX,
		     run->directory, name,
		     lp_time_format_compact(s->start_ns, time));
	return n < PATH_MAX ? 0 : -ENAMETOOLONG;
}

static int write_host(struct run *run, size_t i, struct lp_error *err)
{
	size_t servers = lp_scenario_hosts(run->scenario);
	struct lp_archive_writer *writer;
	char path[PATH_MAX];
	int status = host_path(run, i, path);

	if (status < 0)
		return lp_fail_errno(err, -status, "%s", run->directory);
	status = lp_archive_create(path, LP_ARCHIVE_ATOMIC, &writer, err);
	if (status < 0)
		return status;
	if (is_client(run, i))
		status = lp_sim_client_write(&run->world, i - servers, writer,
					     run->stats, err);
	else
		status = lp_sim_host_write(&run->world, i, writer, run->stats,
					   err);
	if (status == 0)
		return lp_archive_finish(writer, err);
	lp_archive_abandon(writer);
	return status;
}

static void remove_hosts(const struct run *run, size_t n)
{
	char path[PATH_MAX];

	for (size_t i = 0; i < n; i++)
		if (host_path(run, i, path) == 0)
			unlink(path);
}

static int write_text(const struct run *run, const char *name,
		      void (*write)(const struct lp_scenario *, FILE *),
		      struct lp_error *err)
{
	struct lp_outfile file = { 0 };
	char path[PATH_MAX];
	int status;

	if (snprintf(path, sizeof(path), "%s/%s", run->directory, name) >=
	    (int)sizeof(path))
		return lp_fail_errno(err, ENAMETOOLONG, "%s", run->directory);
	status = lp_outfile_open(&file, path, err);
	if (status < 0)
		return status;
	write(run->scenario, file.out);
	return lp_outfile_commit(&file, err);
}

static int write_rest(struct run *run, struct lp_error *err)
{
	const struct lp_scenario *s = run->scenario;
	int status = write_text(run, "cluster.conf", lp_sim_cluster_write, err);

	if (status == 0)
		status = write_text(run, "truth.json", lp_sim_truth_write, err);
	for (size_t i = 0; i < s->n_events; i += lp_scenario_parts(s, i))
		run->stats->events += lp_sim_event_shows(s, &s->events[i]);
	return status;
}

/* What all hosts share. */
static int world_init(struct run *run)
{
	const struct lp_scenario *s = run->scenario;
	struct lp_sim_traffic *t = &run->world.traffic;
	size_t n;

	run->world.scenario = s;
	run->world.load = &run->load;
	t->ticks = lp_scenario_ticks(s);
	if (lp_sim_load_make(s, &run->load) < 0)
		return -ENOMEM;
	if (s->clients == 0)
		return 0;
	n = t->ticks * lp_scenario_hosts(s);
	t->in = calloc(n, sizeof(*t->in));
	t->out = calloc(n, sizeof(*t->out));
	return t->in && t->out ? 0 : -ENOMEM;
}

static void world_done(struct run *run)
{
	free(run->world.traffic.in);
	free(run->world.traffic.out);
	lp_sim_load_done(&run->load);
}

int lp_simulate(const struct lp_scenario *scenario, const char *directory,
		lp_sim_progress *progress, void *user,
		struct lp_sim_stats *stats, struct lp_error *err)
{
	struct run run = { .scenario = scenario,
			   .directory = directory,
			   .stats = stats };
	size_t hosts = lp_scenario_hosts(scenario) + scenario->clients, i;
	int status = lp_scenario_check(scenario, err);

	*stats = (struct lp_sim_stats){ 0 };
	if (status < 0)
		return status;
	if (world_init(&run) < 0)
		status = lp_fail_memory(err);
	for (i = 0; status == 0 && i < hosts; i++) {
		status = write_host(&run, i, err);
		if (progress)
			progress(user, (double)(i + 1) / (double)hosts,
				 stats->values);
	}
	if (status == 0)
		status = write_rest(&run, err);
	if (status < 0)
		remove_hosts(&run, i);
	world_done(&run);
	return status;
}
