/* SPDX-License-Identifier: Apache-2.0 */
#include "workload/workload.h"

#include <string.h>

const struct lab_workload *const lab_workloads[] = {
	&lab_workload_ddw,      &lab_workload_ddr,
	&lab_workload_iozonew,  &lab_workload_iozoner,
	&lab_workload_postmark, &lab_workload_mixed,
	&lab_workload_varied,   NULL,
};

const struct lab_workload *lab_workload_find(const char *name)
{
	for (size_t i = 0; lab_workloads[i]; i++)
		if (strcmp(lab_workloads[i]->name, name) == 0)
			return lab_workloads[i];
	return NULL;
}
