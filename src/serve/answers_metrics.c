/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GET /metrics: OpenMetrics. The number of series does not grow with the site:
 * findings are counted by state and cause, hosts by state; scores are those of
 * the worst few.
 */
#include "serve/answers.h"

#include <errno.h>
#include <stdlib.h>

#define MOST_SCORES 100

/* A label's value: backslash, quote and line feed are escaped, others of the
   control characters left out. */
static void put_label(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '\\' || *text == '"')
			fputc('\\', out);
		if (*text == '\n')
			fputs("\\n", out);
		else if ((unsigned char)*text >= ' ' && *text != 0x7f)
			fputc(*text, out);
	}
}

static void put_family(FILE *out, const char *name, const char *type,
		       const char *help)
{
	fprintf(out, "# TYPE limpid_%s %s\n# HELP limpid_%s %s\n", name, type,
		name, help);
}

static int put_counts(struct lp_asked *a)
{
	sqlite3_stmt *s;
	struct lp_store *store = &a->service->store;
	int status = lp_store_prepare(
		store, &s, &a->err,
		"SELECT state, cause, count(*) FROM finding GROUP BY state, "
		"cause ORDER BY state, cause LIMIT 100",
		"");

	if (status < 0)
		return status;
	put_family(a->out, "findings", "gauge", "findings in the store");
	while ((status = lp_store_step(store, s, &a->err)) > 0) {
		fputs("limpid_findings{state=\"", a->out);
		put_label(a->out, lp_store_text(s, 0));
		fputs("\",cause=\"", a->out);
		put_label(a->out, lp_store_text(s, 1));
		fprintf(a->out, "\"} %lld\n",
			(long long)sqlite3_column_int64(s, 2));
	}
	sqlite3_finalize(s);
	return status;
}

static int put_score(void *user, const struct lp_stored *f)
{
	FILE *out = user;

	fprintf(out, "limpid_finding_score{id=\"%lld\",component=\"",
		(long long)f->id);
	put_label(out, f->component);
	fputs("\",cause=\"", out);
	put_label(out, f->cause);
	fprintf(out, "\"} %g\n", f->score);
	return 0;
}

static int put_scores(struct lp_asked *a)
{
	static const struct lp_stored_filter active = { .state = "unresolved",
							.since_ns = LP_TIME_MIN,
							.most = MOST_SCORES };

	put_family(a->out, "finding_score", "gauge",
		   "how much what is open differs");
	return lp_stored_list(&a->service->store, &active, put_score, a->out,
			      &a->err);
}

static void put_hosts(struct lp_asked *a)
{
	size_t n, of[LP_LIVE_STATES] = { 0 };
	int64_t lag = 0;
	const struct lp_live_host *hosts = lp_live_hosts(a->service->live, &n);

	for (size_t i = 0; i < n; i++) {
		of[hosts[i].state]++;
		if (hosts[i].state == LP_LIVE_HEARD && hosts[i].lag_ns > lag)
			lag = hosts[i].lag_ns;
	}
	put_family(a->out, "hosts", "gauge", "hosts by what is heard of them");
	for (int s = 0; s < LP_LIVE_STATES; s++)
		fprintf(a->out, "limpid_hosts{state=\"%s\"} %zu\n",
			lp_live_state_name(s), of[s]);
	put_family(a->out, "lag_seconds", "gauge",
		   "age of the newest sample, of the host that lags most");
	fprintf(a->out, "limpid_lag_seconds %g\n",
		(double)lag / (double)LP_NS_PER_S);
}

static void put_work(struct lp_asked *a)
{
	const struct lp_service *s = a->service;
	uint64_t late, samples = lp_live_samples(s->live, &late);

	put_family(a->out, "samples", "counter",
		   "ticks of hosts that were "
		   "read");
	fprintf(a->out, "limpid_samples_total %llu\n",
		(unsigned long long)samples);
	put_family(a->out, "late_samples", "counter",
		   "ticks that came too late");
	fprintf(a->out, "limpid_late_samples_total %llu\n",
		(unsigned long long)late);
	put_family(a->out, "cpu_seconds", "counter",
		   "processor time of the analysis");
	fprintf(a->out, "limpid_cpu_seconds_total %.3f\n", s->cpu_s);
	put_family(a->out, "store_trouble", "gauge",
		   "1 while the store cannot be written");
	fprintf(a->out, "limpid_store_trouble %d\n", s->trouble[0] != '\0');
}

int lp_route_metrics(struct lp_asked *a)
{
	int status;

	a->type = "application/openmetrics-text; version=1.0.0; charset=utf-8";
	status = put_counts(a);
	if (status == 0)
		status = put_scores(a);
	if (status < 0)
		return status;
	put_hosts(a);
	put_work(a);
	fputs("# EOF\n", a->out);
	return 0;
}
