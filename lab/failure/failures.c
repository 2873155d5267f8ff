/* SPDX-License-Identifier: Apache-2.0 */
#include "failure/failure.h"

#include <string.h>

const struct lab_failure *const lab_failures[] = {
	/* a of PFault (TOS 2022): a whole device. */
	&lab_failure_device_error,
	&lab_failure_device_gone,
	&lab_failure_device_stuck,
	/* b: an inconsistency. */
	&lab_failure_missing_files,
	&lab_failure_local_damage,
	&lab_failure_bit_rot,
	/* c: the network. */
	&lab_failure_cut_off,
	&lab_failure_one_way_in,
	&lab_failure_one_way_out,
	/* Others. */
	&lab_failure_killed,
	&lab_failure_power_cut,
	&lab_failure_disk_full,
	&lab_failure_read_only,
	NULL,
};

const struct lab_failure *lab_failure_find(const char *name)
{
	for (size_t i = 0; lab_failures[i]; i++)
		if (strcmp(lab_failures[i]->name, name) == 0)
			return lab_failures[i];
	return NULL;
}
