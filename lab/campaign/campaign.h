/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A campaign: which faults are to be put under which workloads, how strong,
 * how often and how long, as limpid-campaign(5) describes it; and its plan,
 * which follows from the file alone.
 */
#ifndef LAB_CAMPAIGN_CAMPAIGN_H
#define LAB_CAMPAIGN_CAMPAIGN_H

#include "base/memory.h"
#include "fault/fault.h"
#include "site/spec.h"
#include "workload/workload.h"

/* What happens at the onset beside, or instead of, a fault. */
enum lab_happening {
	LAB_NOTHING,
	LAB_RECORDER_RESTART, /* of the victim; none for some seconds */
	LAB_CLIENT_ADDED,     /* the last client begins only now */
	LAB_HAPPENINGS
};

/* "recorder-restart". */
const char *lab_happening_name(enum lab_happening happening);

/* One entry of the list `runs`: every combination of its lists is a run. */
struct lab_campaign_entry {
	const struct lab_workload **workloads;
	size_t n_workloads;
	const struct lab_fault **faults; /* NULL: a control */
	size_t n_faults;
	double *strengths; /* none: the fault's first */
	size_t n_strengths;
	unsigned repeats;
	unsigned processes; /* per client */
	/* Bytes a second of all; 0: as fast as it goes; below: its own. */
	double pace;
	enum lab_happening happening;
	bool announced; /* somebody said before that this will happen */
	struct lab_stage_lengths stages; /* of the workload `varied` */
	unsigned cluster;                /* number of its cluster */
	unsigned line;
};

struct lab_phases {
	double healthy_s, fault_s, after_s;
	/* The onset is earlier or later by up to so much. */
	double jitter_s;
};

struct lab_campaign {
	const char *path;
	const char *text; /* all of the file */
	const char *title;
	uint64_t seed;
	unsigned blocks;
	struct lab_phases phases;
	bool machine; /* is recorded, too, as a host of that name */
	struct lab_spec *clusters; /* 0: the one of the file as a whole */
	size_t n_clusters, clusters_capacity;
	struct lab_campaign_entry *entries;
	size_t n_entries, entries_capacity;
	struct lp_arena arena;
};

/*
 * Read a campaign file; -EINVAL names file and line. lab_campaign_done in any
 * case.
 */
int lab_campaign_read(const char *path, struct lab_campaign *campaign,
		      struct lp_error *err);
/* The same from memory; name is for messages. */
int lab_campaign_parse(const char *name, const char *text,
		       struct lab_campaign *campaign, struct lp_error *err);
void lab_campaign_done(struct lab_campaign *campaign);

/* Reads a seed, an uint64_t, as lp_conf_read_fn does. */
struct lp_conf;
struct lp_conf_key;
struct config_setting_t;
int lab_conf_seed(struct lp_conf *conf, const struct lp_conf_key *key,
		  const struct config_setting_t *setting, void *field);

/* ---- the plan ---- */

#define LAB_TRIAL_NAME 128

/* One run of the plan. */
struct lab_trial {
	char name[LAB_TRIAL_NAME]; /* "1-07-ddw-disk-busy-2-s3" */
	unsigned block;            /* from 1 */
	const struct lab_campaign_entry *entry;
	const struct lab_workload *workload;
	const struct lab_fault *fault; /* NULL: a control */
	double strength;               /* 0: it has none */
	char victim[16];               /* "" if nothing has one */
	double onset_s;                /* after the recording begins */
	uint64_t seed;                 /* of the workload */
};

struct lab_plan {
	struct lab_trial *trials; /* in the order in which they are run */
	size_t n, capacity;
};

/*
 * Every combination once per repeat and block, those of one cluster together,
 * else in random order, with random victims (each server once before one comes
 * again) and onsets. The same file gives the same plan.
 */
int lab_plan_make(const struct lab_campaign *campaign, struct lab_plan *plan,
		  struct lp_error *err);
void lab_plan_done(struct lab_plan *plan);

/* Seconds of one run's recording. */
double lab_phases_total(const struct lab_phases *phases);

#endif
