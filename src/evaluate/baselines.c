/* SPDX-License-Identifier: Apache-2.0 */
#include "evaluate/baseline.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ADDRESS(name) &lp_baseline_##name,
const struct lp_baseline *const lp_baselines[] = {
	LP_BASELINES(ADDRESS) NULL,
};

/* ---- those that cannot be run ---- */

const struct lp_baseline lp_baseline_iaso = {
	.name = "iaso",
	.not_run = "IASO (ATC'19) counts the timeouts that the service itself "
		   "reports of each node, and recordings of disks and "
		   "interfaces have none",
};

const struct lp_baseline lp_baseline_csr = {
	.name = "csr",
	.not_run = "CSR, cost-sensitive ranking, learns from SMART data and "
		   "from many disks that are known to have failed",
};

/* ---- the table ---- */

const struct lp_baseline *lp_baseline_find(const char *name)
{
	for (size_t i = 0; lp_baselines[i]; i++)
		if (strcmp(lp_baselines[i]->name, name) == 0)
			return lp_baselines[i];
	return NULL;
}

const char *lp_baseline_names(char text[LP_BASELINES_TEXT])
{
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; lp_baselines[i] && used < LP_BASELINES_TEXT; i++)
		if (lp_baselines[i]->judge)
			used += (size_t)snprintf(
				text + used, LP_BASELINES_TEXT - used, "%s%s",
				used ? ", " : "", lp_baselines[i]->name);
	return text;
}

int lp_alarms_add(struct lp_alarms *alarms, const struct lp_indictment *alarm)
{
	if (lp_grow(&alarms->items, &alarms->capacity, alarms->n + 1,
		    sizeof(*alarm)) < 0)
		return -ENOMEM;
	alarms->items[alarms->n++] = *alarm;
	return 0;
}

void lp_alarms_done(struct lp_alarms *alarms)
{
	free(alarms->items);
	*alarms = (struct lp_alarms){ 0 };
}
