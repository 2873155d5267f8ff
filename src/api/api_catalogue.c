/* SPDX-License-Identifier: Apache-2.0 */
#include "limpid/limpid.h"

#include "model/finding.h"

static const struct lp_class *class_at(size_t i)
{
	for (size_t c = 0; lp_classes[c]; c++)
		if (c == i)
			return lp_classes[c];
	return NULL;
}

static const struct lp_metric *metric_at(size_t of_class, size_t i)
{
	const struct lp_class *class = class_at(of_class);

	return class && i < class->n_metrics ? &class->metrics[i] : NULL;
}

const char *limpid_version(void)
{
	return LIMPID_VERSION;
}

const char *limpid_class_name(size_t of_class)
{
	const struct lp_class *class = class_at(of_class);

	return class ? class->name : NULL;
}

const char *limpid_metric_name(size_t of_class, size_t metric)
{
	const struct lp_metric *m = metric_at(of_class, metric);

	return m ? m->name : NULL;
}

const char *limpid_metric_unit(size_t of_class, size_t metric)
{
	const struct lp_metric *m = metric_at(of_class, metric);

	return m ? m->unit : NULL;
}

const char *limpid_metric_help(size_t of_class, size_t metric)
{
	const struct lp_metric *m = metric_at(of_class, metric);

	return m ? m->help : NULL;
}

const char *limpid_metric_role(size_t of_class, size_t metric)
{
	const struct lp_metric *m = metric_at(of_class, metric);

	return m ? lp_metric_role_name(m->role) : NULL;
}

int limpid_metric_accuses(size_t of_class, size_t metric)
{
	const struct lp_metric *m = metric_at(of_class, metric);

	return m && m->indicts;
}

const char *limpid_cause_name(size_t cause)
{
	return cause < LP_CAUSES ? lp_cause_name((enum lp_cause)cause) : NULL;
}

const char *limpid_cause_text(size_t cause)
{
	return cause < LP_CAUSES ? lp_cause_text((enum lp_cause)cause) : NULL;
}
