/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The live service, without its network: looks at what came, keeps the store,
 * and knows what is to be said now.
 *
 * One lock is held during a step and during an answer (answers.h): they may be
 * of different threads.
 */
#ifndef LP_SERVE_SERVICE_H
#define LP_SERVE_SERVICE_H

#include "live/live.h"
#include "serve/life.h"
#include "serve/rules.h"
#include "serve/serve_settings.h"

#include <pthread.h>

struct lp_calibration;
struct lp_cluster;

struct lp_service {
	pthread_mutex_t lock;
	struct lp_settings settings;
	struct lp_store store;
	struct lp_live *live;
	struct lp_rules rules;
	struct lp_cluster *cluster;         /* NULL: found without a file */
	struct lp_calibration *calibration; /* given; or NULL */
	struct lp_calibration *site;        /* measured here; or NULL */
	int64_t measured_ns;                /* when that was */
	const char **exclude;               /* of the rules, for options */
	struct lp_arena texts;
	int64_t data_version; /* of the store, when rules were read */
	struct lp_reset *resets;
	struct lp_findings findings; /* of the last step */
	bool has_findings;
	int64_t now_ns, started_ns, forgotten_ns;
	uint64_t revision; /* steps so far */
	double cpu_s;      /* of all steps */
	char trouble[512]; /* with the store, until it is over; or "" */
	/* What needs evidence with pictures: ids of findings. */
	int64_t *due;
	size_t n_due, due_capacity;
	int64_t evidence_ns; /* when all was made anew */
	/* A line of the log; fields: pairs of text, ended by NULL. */
	void (*log)(void *user, const char *event, const char *const *fields);
	void *log_user;
};

/*
 * Open the store, and begin to follow. The settings were checked; the service
 * takes them, whatever happens. log may be NULL.
 */
int lp_service_open(struct lp_service *service, struct lp_settings *settings,
		    void (*log)(void *user, const char *event,
				const char *const *fields),
		    void *log_user, struct lp_error *err);
/* Accepts what was zero-initialised. */
void lp_service_close(struct lp_service *service);

/*
 * One look. now_ns: this machine's clock; last: nothing comes any more, of a
 * replay. Trouble with the store is told once,
 * and the next step tries again; -errno: nothing can go on.
 */
int lp_service_step(struct lp_service *service, int64_t now_ns, bool last,
		    struct lp_error *err);

/* Read again what the settings name. What cannot be read stays as it was. */
int lp_service_reload(struct lp_service *service, struct lp_error *err);

/* People changed the rules in the store: go by them from the next step on. */
int lp_service_rules_changed(struct lp_service *service, struct lp_error *err);
/* The same, if another process wrote to the store. */
int lp_service_look_at_rules(struct lp_service *service, struct lp_error *err);

/* decided.c: how findings are made, by what people decided. 0 or -ENOMEM. */
int lp_service_options(struct lp_service *service,
		       struct lp_diagnose_options *options);

/* Whether planned work is under way for a component of a host. */
bool lp_service_maintained(const struct lp_service *service,
			   const char *component, const char *host);

/* A line of the log: "event", "key", "value", ..., NULL. */
void lp_service_log(const struct lp_service *service, const char *event, ...)
	__attribute__((sentinel));

/* alarm_limit.c: whether a finding differs enough to alert people. */
bool lp_service_alerts(const struct lp_service *service,
		       const struct lp_finding *finding);
/* Measure the site's own tail once a day, and keep it. */
int lp_service_measure(struct lp_service *service, struct lp_error *err);

/* unheard.c: findings of hosts that are not heard, where half of their group
   is not: nobody can tell. */
int lp_service_unheard(struct lp_service *service, struct lp_findings *findings,
		       struct lp_error *err);

#endif
