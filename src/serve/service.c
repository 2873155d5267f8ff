/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/service.h"

#include "cluster/cluster.h"
#include "diagnose/calibration.h"
#include "report/findings_json.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* Pictures of what lasts are made anew so often. */
#define EVIDENCE_NS (600 * LP_NS_PER_S)
#define FORGET_NS (3600 * LP_NS_PER_S)
#define MOST_FIELDS 16

void lp_service_log(const struct lp_service *s, const char *event, ...)
{
	const char *fields[MOST_FIELDS + 1] = { NULL };
	va_list args;
	size_t n = 0;

	if (!s->log)
		return;
	va_start(args, event);
	while (n < MOST_FIELDS && (fields[n] = va_arg(args, const char *)))
		n++;
	va_end(args);
	s->log(s->log_user, event, fields);
}

static void say(void *user, const char *line)
{
	lp_service_log(user, "archive", "text", line, NULL);
}

/* ---- opening ---- */

static int make_plan(void *user, const struct lp_survey *recording,
		     const struct lp_matrix *matrix, struct lp_plan *plan,
		     struct lp_error *err)
{
	const struct lp_service *s = user;

	return lp_cluster_plan(s->cluster, recording, matrix, plan, err);
}

static int follow(struct lp_service *s, struct lp_error *err)
{
	struct lp_live_config config = {
		.paths = s->settings.paths,
		.n = s->settings.n_paths,
		.period_ns = s->settings.period_ns,
		.step_ns = s->settings.step_ns,
		.plan = make_plan,
		.plan_user = s,
		.say = say,
		.say_user = s,
	};

	if (lp_service_options(s, &config.options) < 0)
		return lp_fail_memory(err);
	s->live = lp_live_new(&config);
	return s->live ? 0 : lp_fail_memory(err);
}

static int read_named(struct lp_service *s, struct lp_error *err)
{
	const struct lp_settings *set = &s->settings;
	struct lp_calibration *calibration = NULL;
	struct lp_cluster *cluster = NULL;
	int status = 0;

	if (set->calibration)
		status = lp_calibration_read(set->calibration, &calibration,
					     err);
	if (status == 0 && set->cluster)
		status = lp_cluster_read(set->cluster, &cluster, err);
	if (status < 0) {
		lp_calibration_free(calibration);
		return status;
	}
	/* Plans and units point into what they were made of. */
	if (s->live)
		lp_live_free(s->live);
	s->live = NULL;
	lp_calibration_free(s->calibration);
	lp_cluster_free(s->cluster);
	s->calibration = calibration;
	s->cluster = cluster;
	return 0;
}

static void read_site(struct lp_service *s)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/calibration", s->settings.state);
	lp_calibration_read(path, &s->site, NULL);
}

int lp_service_open(struct lp_service *s, struct lp_settings *settings,
		    void (*log)(void *user, const char *event,
				const char *const *fields),
		    void *log_user, struct lp_error *err)
{
	int status;

	*s = (struct lp_service){ .settings = *settings,
				  .log = log,
				  .log_user = log_user,
				  .started_ns = lp_time_now(),
				  .store.lock = -1 };
	*settings = (struct lp_settings){ 0 };
	pthread_mutex_init(&s->lock, NULL);
	status = lp_store_open(&s->store, s->settings.state, LP_STORE_SERVE,
			       err);
	if (status == 0 && s->store.moved)
		lp_service_log(s, "store", "text",
			       "it was damaged, and was moved aside", NULL);
	if (status == 0)
		status = read_named(s, err);
	if (status == 0)
		status = lp_rules_read(&s->store, &s->rules, err);
	if (status == 0)
		status = follow(s, err);
	if (status < 0)
		lp_service_close(s);
	else
		read_site(s);
	return status;
}

int lp_service_reload(struct lp_service *s, struct lp_error *err)
{
	int status;

	pthread_mutex_lock(&s->lock);
	status = read_named(s, err);
	if (status == 0)
		status = follow(s, err);
	pthread_mutex_unlock(&s->lock);
	return status;
}

void lp_service_close(struct lp_service *s)
{
	lp_live_free(s->live);
	if (s->has_findings)
		lp_findings_done(&s->findings);
	lp_rules_done(&s->rules);
	free(s->exclude);
	free(s->resets);
	free(s->due);
	lp_arena_done(&s->texts);
	lp_calibration_free(s->calibration);
	lp_calibration_free(s->site);
	lp_cluster_free(s->cluster);
	if (s->store.db)
		lp_store_close(&s->store);
	lp_settings_done(&s->settings);
	*s = (struct lp_service){ .store.lock = -1 };
}

/* ---- a step ---- */

/* Who is silent, or out of step, says nothing of what is ill there. */
static bool is_unknown(void *user, const char *host)
{
	const struct lp_service *s = user;
	size_t n;
	const struct lp_live_host *hosts = lp_live_hosts(s->live, &n);

	for (size_t i = 0; i < n; i++)
		if (strcmp(hosts[i].name, host) == 0)
			return hosts[i].state != LP_LIVE_HEARD;
	return false;
}

static bool is_maintained(void *user, const char *component, const char *host)
{
	return lp_service_maintained(user, component, host);
}

static bool alerts(void *user, const struct lp_finding *finding)
{
	return lp_service_alerts(user, finding);
}

static void told(void *user, enum lp_life_event event,
		 const struct lp_stored *stored,
		 const struct lp_finding *finding)
{
	struct lp_service *s = user;
	char id[24];

	snprintf(id, sizeof(id), "%lld", (long long)stored->id);
	lp_service_log(s, lp_life_event_name(event), "finding", id, "component",
		       stored->component, "cause", stored->cause, "state",
		       stored->state, NULL);
	if (finding && lp_grow(&s->due, &s->due_capacity, s->n_due + 1,
			       sizeof(*s->due)) == 0)
		s->due[s->n_due++] = stored->id;
}

static int keep_evidence(struct lp_service *s, int64_t id,
			 const struct lp_findings *all,
			 const struct lp_finding *one, struct lp_error *err)
{
	struct lp_findings single = *all;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int status;

	if (!out)
		return lp_fail_memory(err);
	single.items = (struct lp_finding *)one;
	single.n = 1;
	single.map = NULL;
	single.n_hourly = 0;
	lp_findings_write(&single, NULL, out);
	status = fclose(out) == 0
			 ? lp_stored_put_evidence(&s->store, id, text, err)
			 : lp_fail_memory(err);
	free(text);
	return status;
}

/* The finding of a diagnosis that a stored one is about. */
static const struct lp_finding *same(const struct lp_findings *findings,
				     const struct lp_stored *stored)
{
	const struct lp_finding *latest = NULL;

	for (size_t i = 0; i < findings->n; i++) {
		const struct lp_finding *f = &findings->items[i];

		if (strcmp(lp_finding_identity(f), stored->identity) == 0 &&
		    strcmp(lp_finding_kind(f), stored->kind) == 0 &&
		    (!latest || f->since_ns > latest->since_ns))
			latest = f;
	}
	return latest;
}

static int keep_due(struct lp_service *s, const struct lp_findings *findings,
		    struct lp_error *err)
{
	struct lp_arena arena = { 0 };
	int status = 0;

	for (size_t i = 0; i < s->n_due && status >= 0; i++) {
		const struct lp_finding *f = NULL;
		struct lp_stored stored;

		status = lp_stored_get(&s->store, s->due[i], &arena, &stored,
				       err);
		if (status > 0)
			f = same(findings, &stored);
		if (f)
			status = keep_evidence(s, stored.id, findings, f, err);
	}
	lp_arena_done(&arena);
	return status < 0 ? status : 0;
}

static int add_due(void *user, const struct lp_stored *stored)
{
	struct lp_service *s = user;

	if (lp_grow(&s->due, &s->due_capacity, s->n_due + 1, sizeof(*s->due)) ==
	    0)
		s->due[s->n_due++] = stored->id;
	return 0;
}

/* Pictures take time: only of what is new, and of what lasts now and then. */
static int refresh_evidence(struct lp_service *s, struct lp_error *err)
{
	static const struct lp_stored_filter active = { .state = "unresolved",
							.since_ns =
								LP_TIME_MIN };
	struct lp_findings pictured;
	int status = 0;

	if (s->now_ns - s->evidence_ns >= EVIDENCE_NS) {
		s->n_due = 0;
		s->evidence_ns = s->now_ns;
		status = lp_stored_list(&s->store, &active, add_due, s, err);
	}
	if (status < 0 || s->n_due == 0)
		return status;
	status = lp_live_findings(s->live, NULL, true, &pictured, err);
	if (status < 0)
		return status;
	status = lp_store_begin(&s->store, err);
	if (status == 0)
		status = lp_store_end(&s->store, keep_due(s, &pictured, err),
				      err);
	lp_findings_done(&pictured);
	if (status == 0)
		s->n_due = 0;
	return status;
}

static int note_hosts(struct lp_service *s, struct lp_error *err)
{
	size_t n;
	const struct lp_live_host *hosts = lp_live_hosts(s->live, &n);
	int status = lp_store_begin(&s->store, err);

	if (status < 0)
		return status;
	for (size_t i = 0; i < n && status == 0; i++)
		status = lp_store_run(
			&s->store, err,
			"INSERT INTO host (name, state, first_ns, newest_ns, "
			"late) VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (name) "
			"DO UPDATE SET state = ?2, newest_ns = ?4, late = ?5",
			"ssiii", hosts[i].name,
			lp_live_state_name(hosts[i].state), s->now_ns,
			hosts[i].newest_ns, (int64_t)hosts[i].late);
	return lp_store_end(&s->store, status, err);
}

static int forget_old(struct lp_service *s, struct lp_error *err)
{
	if (s->now_ns - s->forgotten_ns < FORGET_NS)
		return 0;
	s->forgotten_ns = s->now_ns;
	return lp_stored_forget(&s->store, s->now_ns - s->settings.keep_ns,
				err);
}

static int keep(struct lp_service *s, struct lp_error *err)
{
	int64_t horizon = lp_live_horizon(s->live);
	struct lp_life life = {
		.now_ns = horizon == LP_TIME_MIN ? s->now_ns : horizon,
		.quiet_ns = s->settings.quiet_ns,
		.unknown = is_unknown,
		.maintained = is_maintained,
		.alerts = alerts,
		.told = told,
		.user = s,
	};
	int status = lp_life_apply(&life, &s->store, &s->findings, err);

	if (status == 0)
		status = refresh_evidence(s, err);
	if (status == 0)
		status = note_hosts(s, err);
	return status ? status : forget_old(s, err);
}

/* What could not be stored is stored by a later step. */
static int note_trouble(struct lp_service *s, int status,
			const struct lp_error *why)
{
	if (status == -ENOMEM)
		return status;
	if (status < 0 && !s->trouble[0])
		lp_service_log(s, "store", "text", why->text, NULL);
	if (status == 0 && s->trouble[0])
		lp_service_log(s, "store", "text", "it works again", NULL);
	snprintf(s->trouble, sizeof(s->trouble), "%s",
		 status < 0 ? why->text : "");
	return 0;
}

static double cpu_seconds(void)
{
	struct rusage u;

	getrusage(RUSAGE_THREAD, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
	       (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

static int step(struct lp_service *s, bool last, struct lp_error *err)
{
	struct lp_findings findings;
	struct lp_error why;
	int trouble = lp_service_look_at_rules(s, &why);
	int status = lp_live_look(s->live, s->now_ns, err);

	if (status == 0 && last)
		status = lp_live_finish(s->live, err);
	if (status == 0)
		status = lp_live_findings(s->live, NULL, false, &findings, err);
	if (status == 0)
		status = lp_service_unheard(s, &findings, err);
	if (status < 0)
		return status;
	if (s->has_findings)
		lp_findings_done(&s->findings);
	s->findings = findings;
	s->has_findings = true;
	s->revision++;
	if (trouble == 0)
		trouble = lp_service_measure(s, &why);
	if (trouble == 0)
		trouble = keep(s, &why);
	return note_trouble(s, trouble, &why);
}

int lp_service_step(struct lp_service *s, int64_t now_ns, bool last,
		    struct lp_error *err)
{
	double began = cpu_seconds();
	int status;

	pthread_mutex_lock(&s->lock);
	s->now_ns = now_ns;
	status = step(s, last, err);
	s->cpu_s += cpu_seconds() - began;
	pthread_mutex_unlock(&s->lock);
	return status;
}
