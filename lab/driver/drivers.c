/* SPDX-License-Identifier: Apache-2.0 */
#include "driver/driver.h"

#include <string.h>

const struct lab_driver *const lab_drivers[] = {
	&lab_driver_glusterfs,
	&lab_driver_ceph,
	NULL,
};

const struct lab_driver *lab_driver_find(const char *name)
{
	for (size_t i = 0; lab_drivers[i]; i++)
		if (strcmp(lab_drivers[i]->name, name) == 0)
			return lab_drivers[i];
	return NULL;
}
