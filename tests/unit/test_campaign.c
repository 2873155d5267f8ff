/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "campaign/campaign.h"
#include "campaign/overhead.h"
#include "campaign/runs.h"
#include "campaign/strain.h"
#include "workload/draw.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define RUNS                                                                   \
	"runs = ( { workloads = [\"ddw\", \"ddr\"]; faults = [\"none\", "      \
	"\"disk-hog\"]; repeats = 2; },\n"                                     \
	"{ workloads = \"ddr\"; faults = \"disk-busy\"; strengths = [1.5, "    \
	"4.0]; } );\n"
#define N_RUNS 10

struct planned {
	struct lab_campaign campaign;
	struct lab_plan plan;
};

static void make(struct planned *p, const char *text)
{
	struct lp_error err = { "" };

	if (lab_campaign_parse("test.conf", text, &p->campaign, &err) < 0 ||
	    lab_plan_make(&p->campaign, &p->plan, &err) < 0)
		fail_msg("%s", err.text);
}

static void done(struct planned *p)
{
	lab_plan_done(&p->plan);
	lab_campaign_done(&p->campaign);
}

static bool same_trial(const struct lab_trial *a, const struct lab_trial *b)
{
	return strcmp(a->name, b->name) == 0 && a->seed == b->seed &&
	       fabs(a->onset_s - b->onset_s) < 1e-9;
}

static bool same_plan(const struct lab_plan *a, const struct lab_plan *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (!same_trial(&a->trials[i], &b->trials[i]))
			return false;
	return true;
}

static void the_same_file_gives_the_same_plan(void **state)
{
	struct planned a, b;

	(void)state;
	make(&a, "seed = 5;" RUNS);
	make(&b, "seed = 5;" RUNS);
	assert_true(same_plan(&a.plan, &b.plan));
	done(&a);
	done(&b);
}

static void another_seed_gives_another_plan(void **state)
{
	struct planned a, b;

	(void)state;
	make(&a, "seed = 5;" RUNS);
	make(&b, "seed = 6;" RUNS);
	assert_false(same_plan(&a.plan, &b.plan));
	done(&a);
	done(&b);
}

static void a_seed_has_32_bits(void **state)
{
	struct planned a, b;

	(void)state;
	make(&a, "seed = 0xdeadbeefL;" RUNS);
	make(&b, "seed = 0xdeadbeeeL;" RUNS);
	assert_true(a.campaign.seed == 0xdeadbeef);
	assert_false(same_plan(&a.plan, &b.plan));
	done(&a);
	done(&b);
}

/* The plan of a file must not change with limpid's version either. */
static void a_plan_is_what_it_was(void **state)
{
	struct planned p;

	(void)state;
	make(&p, "seed = 5;" RUNS);
	assert_string_equal(p.plan.trials[0].name, "1-01-ddr-disk-busy-1.5-s2");
	done(&p);
}

static size_t count(const struct lab_plan *plan, unsigned block,
		    const char *workload, const char *fault, double strength)
{
	size_t n = 0;

	for (size_t i = 0; i < plan->n; i++) {
		const struct lab_trial *t = &plan->trials[i];
		const char *name = t->fault ? t->fault->name : "none";

		n += t->block == block &&
		     strcmp(t->workload->name, workload) == 0 &&
		     strcmp(name, fault) == 0 &&
		     (strength <= 0 || fabs(t->strength - strength) < 1e-9);
	}
	return n;
}

static void each_combination_is_there_once_per_repeat_and_block(void **state)
{
	struct planned p;

	(void)state;
	make(&p, "blocks = 2;" RUNS);
	assert_int_equal(p.plan.n, 2 * N_RUNS);
	for (unsigned block = 1; block <= 2; block++) {
		assert_int_equal(count(&p.plan, block, "ddw", "none", 0), 2);
		assert_int_equal(count(&p.plan, block, "ddr", "none", 0), 2);
		assert_int_equal(count(&p.plan, block, "ddw", "disk-hog", 0),
				 2);
		assert_int_equal(count(&p.plan, block, "ddr", "disk-hog", 0),
				 2);
		assert_int_equal(count(&p.plan, block, "ddr", "disk-busy", 1.5),
				 1);
		assert_int_equal(count(&p.plan, block, "ddr", "disk-busy", 4),
				 1);
	}
	done(&p);
}

static void names_of_runs_are_unique(void **state)
{
	struct planned p;

	(void)state;
	make(&p, "blocks = 2;" RUNS);
	for (size_t i = 0; i < p.plan.n; i++)
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(p.plan.trials[i].name,
						p.plan.trials[k].name);
	done(&p);
}

static void no_server_is_a_victim_again_before_all_were(void **state)
{
	struct planned p;
	unsigned times[LAB_MAX_SERVERS + 1] = { 0 };

	(void)state;
	make(&p, "cluster = { servers = 6; }; runs = ( { workloads = "
		 "\"ddw\"; faults = \"disk-hog\"; repeats = 12; } );");
	for (size_t i = 0; i < p.plan.n; i++) {
		const char *victim = p.plan.trials[i].victim;

		assert_int_equal(victim[0], 's');
		times[strtoul(victim + 1, NULL, 10)]++;
		/* After the first six, and after all twelve. */
		for (int s = 1; i % 6 == 5 && s <= 6; s++)
			assert_int_equal(times[s], i / 6 + 1);
	}
	done(&p);
}

static void a_control_has_no_victim(void **state)
{
	struct planned p;

	(void)state;
	make(&p, RUNS);
	for (size_t i = 0; i < p.plan.n; i++)
		assert_int_equal(p.plan.trials[i].fault != NULL,
				 p.plan.trials[i].victim[0] != '\0');
	done(&p);
}

static void what_befalls_all_servers_has_no_victim(void **state)
{
	struct planned p;

	(void)state;
	make(&p, "runs = ( { workloads = \"varied\"; faults = \"backup\"; "
		 "} );");
	assert_string_equal(p.plan.trials[0].name, "1-01-varied-backup");
	assert_string_equal(p.plan.trials[0].victim, "");
	done(&p);
}

static void what_was_announced_is_called_so(void **state)
{
	struct planned p;

	(void)state;
	make(&p, "machine = true; cluster = { servers = 1; layout = "
		 "\"sharded\"; }; runs = ( { workloads = \"varied\"; faults = "
		 "\"rebuild\"; announced = true; stages = { shortest = 4; "
		 "longest = 9; }; }, { workloads = \"ddr\"; } );");
	assert_true(p.campaign.machine);
	assert_true(fabs(p.campaign.entries[0].stages.shortest_s - 4) < 1e-9);
	assert_true(fabs(p.campaign.entries[0].stages.longest_s - 9) < 1e-9);
	assert_true(fabs(p.campaign.entries[1].stages.longest_s - 1200) < 1e-9);
	for (size_t i = 0; i < p.plan.n; i++)
		assert_int_equal(p.plan.trials[i].fault != NULL,
				 strstr(p.plan.trials[i].name,
					"-varied-rebuild-announced-s1") !=
					 NULL);
	done(&p);
}

static void onsets_differ_within_the_jitter(void **state)
{
	struct planned p;

	(void)state;
	make(&p, "phases = { healthy = 80; fault = 180; after = 40; jitter = "
		 "16; };" RUNS);
	for (size_t i = 0; i < p.plan.n; i++) {
		assert_true(p.plan.trials[i].onset_s >= 64);
		assert_true(p.plan.trials[i].onset_s <= 96);
	}
	assert_true(fabs(p.plan.trials[0].onset_s - p.plan.trials[1].onset_s) >
		    1e-3);
	done(&p);
}

static void runs_of_one_cluster_stand_together(void **state)
{
	struct planned p;
	size_t changes = 0;

	(void)state;
	make(&p, "runs = ( { workloads = \"ddw\"; repeats = 3; }, { workloads "
		 "= \"ddr\"; repeats = 3; cluster = { layout = \"sharded\"; }; "
		 "}, { workloads = \"ddr\"; repeats = 3; } );");
	for (size_t i = 1; i < p.plan.n; i++)
		changes += p.plan.trials[i].entry->cluster !=
			   p.plan.trials[i - 1].entry->cluster;
	assert_int_equal(p.plan.n, 9);
	assert_int_equal(changes, 1);
	assert_string_equal(p.campaign.clusters[1].layout, "sharded");
	done(&p);
}

static void a_fault_without_a_strength_in_the_file_has_its_first(void **state)
{
	struct planned p;

	(void)state;
	make(&p,
	     "runs = ( { workloads = \"ddw\"; faults = \"disk-busy\"; } );");
	assert_true(fabs(p.plan.trials[0].strength -
			 lab_fault_find("disk-busy")->strengths[0]) < 1e-9);
	done(&p);
}

/* ---- what is refused ---- */

static void assert_refused(const char *text, const char *words)
{
	struct lab_campaign campaign;
	struct lp_error err = { "" };

	assert_int_equal(lab_campaign_parse("test.conf", text, &campaign, &err),
			 -EINVAL);
	lab_campaign_done(&campaign);
	if (!strstr(err.text, words))
		fail_msg("'%s' does not say '%s'", err.text, words);
}

static void mistakes_are_named_with_their_line(void **state)
{
	(void)state;
	assert_refused("seed = 1;\nseeds = 2;\n" RUNS,
		       "test.conf:2: unknown key 'seeds'; did you mean seed?");
	assert_refused("titel = \"a title\";" RUNS,
		       "unknown key 'titel'; did you mean title?");
	assert_refused("runs = ( { workloads = \"ddx\"; } );",
		       "did you mean dd");
	assert_refused("runs = ( { workloads = \"ddw\";\nfaults = "
		       "\"disk-bsy\"; } );",
		       "test.conf:2: no fault 'disk-bsy'; did you mean "
		       "disk-busy?");
	assert_refused("runs = ( { faults = \"none\"; } );", "needs workloads");
	assert_refused("seed = 1;", "the list runs is missing");
	assert_refused("seed = 4294967296L;" RUNS,
		       "test.conf:1: seed needs a number from 0 to "
		       "4294967295");
	assert_refused("runs = 3;", "needs a list");
	assert_refused("runs = ( { workloads = \"ddw\"; repeats = 0; } );",
		       "from 1 to");
	assert_refused("phases = { healthy = 10; jitter = 16; };" RUNS,
		       "jitter");
	assert_refused("seed = ;", "test.conf:1: syntax");
	assert_refused("@include \"other\"\n" RUNS, "@include");
	assert_refused("cluster = { servers = 99; };" RUNS, "test.conf:1:");
	assert_refused("cluster = { server = 6; };" RUNS, "test.conf:1:");
	assert_refused("runs = ( { workloads = \"ddw\"; processes = 65; } );",
		       "from 1 to 64");
	assert_refused("runs = ( { workloads = \"varied\"; stages = { shortest "
		       "= 30; longest = 20; }; } );",
		       "longest must not be below shortest");
}

static void what_could_not_be_run_is_refused_before_it_is(void **state)
{
	(void)state;
	assert_refused("runs = (\n{ workloads = \"ddw\"; faults = "
		       "\"disk-busy\"; strengths = 0.5; } );",
		       "test.conf:2: disk-busy has a strength from");
	assert_refused("runs = ( { workloads = \"ddw\"; faults = "
		       "\"disk-busy\"; event = \"recorder-restart\"; } );",
		       "faults or an event, not both");
	assert_refused("cluster = { clients = 1; };\nruns = ( { workloads = "
		       "\"ddw\"; event = \"client-added\"; } );",
		       "client-added needs at least two clients");
	assert_refused("runs = ( { workloads = \"ddw\"; event = "
		       "\"client-added\"; cluster = { clients = 1; }; } );",
		       "client-added needs at least two clients");
}

/* ---- the directory of runs ---- */

struct place {
	char dir[PATH_MAX];
};

static void write_text(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void begin_place(struct place *p)
{
	snprintf(p->dir, sizeof(p->dir), "/tmp/limpid-runs.XXXXXX");
	assert_non_null(mkdtemp(p->dir));
}

static void end_place(struct place *p)
{
	assert_int_equal(lab_runs_remove(p->dir), 0);
	assert_int_equal(access(p->dir, F_OK), -1);
}

static void put_truth(const char *run)
{
	char path[PATH_MAX + 16];

	snprintf(path, sizeof(path), "%s/truth.json", run);
	write_text(path, "{}");
}

static void a_run_is_there_when_it_is_whole(void **state)
{
	char path[PATH_MAX];
	struct lp_error err;
	struct place p;

	(void)state;
	begin_place(&p);
	assert_int_equal(lab_runs_begin(p.dir, "a", path, &err), 0);
	put_truth(path);
	assert_false(lab_runs_has(p.dir, "a"));
	assert_int_equal(lab_runs_commit(p.dir, "a", &err), 0);
	assert_true(lab_runs_has(p.dir, "a"));
	end_place(&p);
}

static void what_an_interrupted_run_left_is_removed(void **state)
{
	char path[PATH_MAX], left[PATH_MAX + 16];
	struct lp_error err;
	struct place p;

	(void)state;
	begin_place(&p);
	assert_int_equal(lab_runs_begin(p.dir, "a", path, &err), 0);
	snprintf(left, sizeof(left), "%s/left", path);
	write_text(left, "1-01-ddr-disk-busy-1.5-s2");
	assert_int_equal(lab_runs_begin(p.dir, "a", path, &err), 0);
	assert_int_equal(access(left, F_OK), -1);
	lab_runs_drop(p.dir, "a");
	assert_int_equal(access(path, F_OK), -1);
	end_place(&p);
}

static void a_failed_run_is_kept_aside_and_counted(void **state)
{
	char path[PATH_MAX], reason[PATH_MAX + 32];
	struct lp_error err;
	struct place p;

	(void)state;
	begin_place(&p);
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(lab_runs_failures(p.dir, "a"), i);
		assert_int_equal(lab_runs_begin(p.dir, "a", path, &err), 0);
		assert_int_equal(
			lab_runs_put_aside(p.dir, "a", "a daemon died", &err),
			0);
	}
	assert_int_equal(lab_runs_failures(p.dir, "a"), 2);
	assert_false(lab_runs_has(p.dir, "a"));
	snprintf(reason, sizeof(reason), "%s/failed/a.2/reason.txt", p.dir);
	assert_int_equal(access(reason, R_OK), 0);
	end_place(&p);
}

static void runs_of_another_campaign_are_not_mixed_in(void **state)
{
	char runs[PATH_MAX + 16];
	struct lp_error err;
	struct place p;

	(void)state;
	begin_place(&p);
	snprintf(runs, sizeof(runs), "%s/runs", p.dir);
	assert_int_equal(lab_runs_open(runs, "a", RUNS, &err), 0);
	assert_int_equal(lab_runs_open(runs, "a", RUNS, &err), 0);
	assert_int_equal(lab_runs_open(runs, "b", "seed = 2;" RUNS, &err),
			 -EEXIST);
	end_place(&p);
}

/* ---- the machine ---- */

static void put_proc(const char *root, const char *stat, const char *cpu)
{
	char path[PATH_MAX + 32];

	snprintf(path, sizeof(path), "%s/proc", root);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/proc/stat", root);
	write_text(path, stat);
	snprintf(path, sizeof(path), "%s/proc/pressure", root);
	if (!cpu)
		return;
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/proc/pressure/cpu", root);
	write_text(path, cpu);
}

static void the_machine_says_how_short_its_cpus_were(void **state)
{
	struct lab_strain a, b;
	struct place p;
	double tick = 1.0 / (double)sysconf(_SC_CLK_TCK);

	(void)state;
	begin_place(&p);
	put_proc(p.dir, "cpu  10 0 10 70 10 0 0 5 0 0\n",
		 "some avg10=0 total=0\n");
	lab_strain_read(p.dir, &a);
	put_proc(p.dir, "cpu  20 0 20 130 20 0 0 15 0 0\n",
		 "some avg10=1.00 avg60=0 avg300=0 total=2500000\n");
	lab_strain_read(p.dir, &b);
	b.at_ns = a.at_ns + 10000000000;
	assert_true(fabs((b.total_s - a.total_s) / tick - 100) < 1e-6);
	assert_true(fabs((b.idle_s - a.idle_s) / tick - 70) < 1e-6);
	assert_true(fabs((b.steal_s - a.steal_s) / tick - 10) < 1e-6);
	assert_true(fabs(lab_strain_cpu_pressure(&a, &b) - 0.25) < 1e-9);
	assert_true(isnan(b.io_s));
	end_place(&p);
}

/* ---- numbers ---- */

static void the_increase_of_run_time_has_a_standard_error(void **state)
{
	/* Increases of 0, 2 and 4 %: mean 2, deviation 2, error 2/sqrt(3). */
	struct lab_overhead o = { .pairs = 3,
				  .without = { 100, 102, 104 },
				  .with = { 100, 100, 100 } };
	double mean, error;

	(void)state;
	lab_overhead_increase(&o, &mean, &error);
	assert_true(fabs(mean - 2) < 1e-9);
	assert_true(fabs(error - 2 / sqrt(3)) < 1e-9);
	o.pairs = 1;
	lab_overhead_increase(&o, &mean, &error);
	assert_true(isnan(error));
}

static void draws_are_even_and_the_same_everywhere(void **state)
{
	struct lab_draw draw;
	size_t seen[6] = { 0 };

	(void)state;
	/* The first values of splitmix64 from 0, as its authors give them. */
	draw.state = 0;
	assert_true(lab_draw_u64(&draw) == UINT64_C(0xe220a8397b1dcdaf));
	assert_true(lab_draw_u64(&draw) == UINT64_C(0x6e789e6aa1b965f4));
	lab_draw_init(&draw, 1, 2);
	for (int i = 0; i < 6000; i++)
		seen[lab_draw_below(&draw, 6)]++;
	for (int i = 0; i < 6; i++)
		assert_in_range(seen[i], 850, 1150);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_file_gives_the_same_plan),
		cmocka_unit_test(another_seed_gives_another_plan),
		cmocka_unit_test(a_seed_has_32_bits),
		cmocka_unit_test(a_plan_is_what_it_was),
		cmocka_unit_test(
			each_combination_is_there_once_per_repeat_and_block),
		cmocka_unit_test(names_of_runs_are_unique),
		cmocka_unit_test(no_server_is_a_victim_again_before_all_were),
		cmocka_unit_test(a_control_has_no_victim),
		cmocka_unit_test(what_befalls_all_servers_has_no_victim),
		cmocka_unit_test(what_was_announced_is_called_so),
		cmocka_unit_test(onsets_differ_within_the_jitter),
		cmocka_unit_test(runs_of_one_cluster_stand_together),
		cmocka_unit_test(
			a_fault_without_a_strength_in_the_file_has_its_first),
		cmocka_unit_test(mistakes_are_named_with_their_line),
		cmocka_unit_test(what_could_not_be_run_is_refused_before_it_is),
		cmocka_unit_test(a_run_is_there_when_it_is_whole),
		cmocka_unit_test(what_an_interrupted_run_left_is_removed),
		cmocka_unit_test(a_failed_run_is_kept_aside_and_counted),
		cmocka_unit_test(runs_of_another_campaign_are_not_mixed_in),
		cmocka_unit_test(the_machine_says_how_short_its_cpus_were),
		cmocka_unit_test(the_increase_of_run_time_has_a_standard_error),
		cmocka_unit_test(draws_are_even_and_the_same_everywhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
