/* SPDX-License-Identifier: Apache-2.0 */
#include "source/source.h"

#include <string.h>

/* The least particular last: CSV takes any text with a column "time". */
const struct lp_source *const lp_sources[] = {
	&lp_source_prometheus,  &lp_source_pcp, &lp_source_sysstat,
	&lp_source_openmetrics, &lp_source_csv, NULL,
};

const struct lp_source *lp_source_find(const char *name)
{
	for (size_t i = 0; lp_sources[i]; i++)
		if (strcmp(lp_sources[i]->name, name) == 0)
			return lp_sources[i];
	return NULL;
}

const struct lp_source *lp_source_guess(const char *path, const uint8_t *head,
					size_t n)
{
	for (size_t i = 0; lp_sources[i]; i++)
		if (lp_sources[i]->recognise(path, head, n))
			return lp_sources[i];
	return NULL;
}
