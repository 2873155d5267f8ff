/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One run of a campaign, on a lab that is up: a workload, the recorders, a
 * healthy phase, the fault, a while after it; and what is kept of it:
 *
 *     DIR/recording.limpid    all servers and clients, one sample a second
 *     DIR/truth.json          what was wrong, where, when, how much it hurt
 *     DIR/cluster.conf        who serves, and with which devices
 *     DIR/throughput.tsv      what the clients moved, second by second
 *     DIR/log.txt             what the file system warned of meanwhile
 */
#ifndef LAB_CAMPAIGN_TRIAL_H
#define LAB_CAMPAIGN_TRIAL_H

#include "campaign/campaign.h"
#include "campaign/strain.h"

/* What a run is made with. */
struct lab_bench {
	struct lab *lab;
	const struct lab_campaign *campaign;
	int64_t made_ns; /* when the cluster was made */
	const volatile int *stop;
	/* Told each phase and how long it will take; may be NULL. */
	void (*phase)(void *context, const char *phase, double seconds);
	void *context;
};

/* What is known of a run when it is over. */
struct lab_outcome {
	int64_t ready_ns;         /* before any of them; 0: it was never so */
	int64_t load_ns;          /* the workload was started */
	int64_t first_ns;         /* the workload and the recorders run */
	int64_t start_ns, end_ns; /* of the fault, or of its place */
	int64_t last_ns;
	double before, during, after; /* bytes a second of all clients */
	struct lab_strain idle, busy; /* at first_ns, at last_ns */
	unsigned attempt;             /* from 1 */
	char also[16];  /* a second victim of the fault; "": none */
	char seen[160]; /* what the fault did until its end; "": none was on */
};

/*
 * Make the run in the empty directory dir. -EINTR when *stop became non-zero;
 * any other failure is the run's: its line says why. Nothing of it is left in
 * the lab either way.
 */
int lab_trial_run(const struct lab_bench *bench, const struct lab_trial *trial,
		  const char *dir, struct lab_outcome *outcome,
		  struct lp_error *err);

/* How much slower the clients were in the fault: 0.25 is a quarter; or NaN. */
double lab_outcome_slowdown(const struct lab_outcome *outcome);

/* ---- its parts ---- */

/*
 * Files of the run before go, those of the workload come, no cache has them,
 * all servers are up to date, their disks rest.
 */
int lab_make_ready(const struct lab_bench *bench,
		   const struct lab_workload_spec *spec, struct lp_error *err);

/* truth.json, as limpid evaluate reads it. */
int lab_truth_write(const struct lab_bench *bench,
		    const struct lab_trial *trial,
		    const struct lab_outcome *outcome, const char *dir,
		    struct lp_error *err);

/* cluster.conf, limpid-cluster(5). */
int lab_cluster_write(const struct lab *lab, const char *dir,
		      struct lp_error *err);

/* throughput.tsv from the logs of the clients' processes. */
int lab_throughput_write(const struct lab *lab, const char *log_dir,
			 const char *dir, int64_t since_ns, int64_t until_ns,
			 struct lp_error *err);

/* log.txt: warnings and errors of the time of the run. Fills *log. */
struct lab_log;
int lab_logs_write(const struct lab_bench *bench, const char *dir,
		   struct lab_log *log, struct lp_error *err);

/* All archives in `from` become dir/recording.limpid. */
int lab_archive_join(const char *from, const char *dir, struct lp_error *err);

/* Wait so long, less if the bench's stop is set (-EINTR). */
int lab_bench_wait(const struct lab_bench *bench, double seconds,
		   struct lp_error *err);

#endif
