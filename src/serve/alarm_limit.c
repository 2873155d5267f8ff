/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From which distance on people are alerted: findings are opened by the budget
 * of diagnose, alerts have a smaller one of their own. It goes by how far the
 * healthy components of this site come by chance, which is measured once a day.
 */
#include "serve/service.h"

#include "base/outfile.h"
#include "detect/tail.h"
#include "diagnose/calibration.h"

#include <errno.h>
#include <limits.h>
#include <math.h>

#define DAY_NS (86400 * LP_NS_PER_S)

/* That of a file counts more than what was measured. */
static const struct lp_tail *tail_of(const struct lp_service *s,
				     const struct lp_evidence *e)
{
	const struct lp_calibration *c =
		s->calibration ? s->calibration : s->site;

	return c && e->class ? lp_calibration_tail(c, e->class->name,
						   e->group ? e->group : "")
			     : NULL;
}

/* The lab's tail is of servers, a site's of components: see limits.c. */
static double limit_of(const struct lp_service *s, const struct lp_evidence *e)
{
	const struct lp_tail *tail = tail_of(s, e);
	size_t servers = s->findings.n_hosts ? s->findings.n_hosts : 1;
	double rate = lp_budget_rate(&s->settings.budget, servers);
	double components = (double)s->findings.n_components / (double)servers;

	if (!tail)
		return lp_tail_limit(&lp_tail_lab, rate);
	return fmax(LP_LIMIT_LEAST,
		    lp_tail_limit(tail, rate / fmax(components, 1)));
}

/* Who is gone needs no distance. */
bool lp_service_alerts(const struct lp_service *s, const struct lp_finding *f)
{
	if (f->cause == LP_CAUSE_ABSENT)
		return true;
	for (size_t i = 0; i < f->n_evidence; i++) {
		const struct lp_evidence *e = &f->evidence[i];

		if (e->accuses && e->distance >= limit_of(s, e))
			return true;
	}
	return false;
}

static int write_site(const struct lp_service *s,
		      const struct lp_calibration *c, struct lp_error *err)
{
	struct lp_outfile file = { 0 };
	char path[PATH_MAX];
	int status;

	snprintf(path, sizeof(path), "%s/calibration", s->settings.state);
	status = lp_outfile_open(&file, path, err);
	if (status < 0)
		return status;
	lp_calibration_write(c, "this site, by limpid serve", file.out);
	return lp_outfile_commit(&file, err);
}

static int measure(struct lp_service *s, struct lp_error *err)
{
	struct lp_calibration *c = lp_calibration_new();
	int status = c ? lp_case_measure(lp_live_case(s->live), c, err)
		       : lp_fail_memory(err);

	/* Of a few hours nothing can be told yet. */
	if (status < 0 || lp_calibration_count(c) == 0) {
		lp_calibration_free(c);
		return status;
	}
	lp_calibration_free(s->site);
	s->site = c;
	lp_service_log(s, "measured", "text",
		       "how far healthy components of this site go", NULL);
	return write_site(s, c, err);
}

int lp_service_measure(struct lp_service *s, struct lp_error *err)
{
	if (!lp_live_case(s->live) || s->calibration)
		return 0;
	if (!s->measured_ns)
		s->measured_ns = s->now_ns;
	if (s->now_ns - s->measured_ns < DAY_NS)
		return 0;
	s->measured_ns = s->now_ns;
	return measure(s, err);
}
