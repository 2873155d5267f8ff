/* SPDX-License-Identifier: Apache-2.0 */
#include "api/api.h"

#include "case/case_metrics.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct limpid_case {
	struct lp_case *open;
	struct lp_matrix_metric *metrics;
	struct lp_cluster *cluster; /* NULL: none */
	char *metric;               /* that may accuse; NULL: all */
	const char *listed;         /* the same, as a list of one */
	bool advanced;
};

static int begin(struct limpid_case *c, const struct limpid_options *o,
		 struct lp_error *err)
{
	struct lp_option_list metrics = lp_api_metrics(o, &c->listed);
	struct lp_case_config config = {
		.step_ns = o->step_ns,
		.since_ns = o->since_ns,
		.until_ns = o->until_ns,
		.history_ns = o->history_ns,
		.plan = lp_api_plan,
		.options = lp_api_diagnose_options(o),
	};

	c->metric = o->metric ? strdup(o->metric) : NULL;
	if (o->metric && !c->metric)
		return lp_fail_memory(err);
	/* The options may be gone before the case is. */
	c->listed = c->metric;
	config.options.only = metrics;
	if (o->cluster && lp_cluster_read(o->cluster, &c->cluster, err) < 0)
		return -EINVAL;
	c->metrics = lp_case_metrics(&metrics, NULL, true);
	if (!c->metrics)
		return lp_fail_memory(err);
	config.metrics = c->metrics;
	config.plan_user = c->cluster;
	return lp_case_open(&config, &c->open, err);
}

int limpid_case_open(const struct limpid_options *options,
		     struct limpid_case **opened, struct limpid_error *err)
{
	const struct limpid_options *o = lp_api_options(options);
	struct limpid_case *c;
	int status;

	if (!o->step_ns)
		return lp_fail(lp_api_error(err), EINVAL,
			       "a case needs the option 'step'");
	c = calloc(1, sizeof(*c));
	status = c ? begin(c, o, lp_api_error(err))
		   : lp_fail_memory(lp_api_error(err));
	if (status < 0)
		limpid_case_close(c);
	else
		*opened = c;
	return status;
}

int limpid_case_put(struct limpid_case *c, const struct limpid_item *item,
		    struct limpid_error *err)
{
	return lp_case_put(c->open, &item->is, lp_api_error(err));
}

int limpid_case_advance(struct limpid_case *c, int64_t until_ns,
			struct limpid_error *err)
{
	int status = lp_case_advance(c->open, until_ns, lp_api_error(err));

	c->advanced |= status == 0;
	return status;
}

int limpid_case_findings(struct limpid_case *c,
			 struct limpid_findings **findings,
			 struct limpid_error *err)
{
	if (!c->advanced)
		return lp_fail(
			lp_api_error(err), EINVAL,
			"nothing was judged yet: advance the case first");
	return lp_api_publish(c->open, NULL, 0, findings, lp_api_error(err));
}

void limpid_case_close(struct limpid_case *c)
{
	if (!c)
		return;
	lp_case_close(c->open);
	free(c->metrics);
	free(c->metric);
	lp_cluster_free(c->cluster);
	free(c);
}
