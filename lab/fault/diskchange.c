/* SPDX-License-Identifier: Apache-2.0 */
#include "fault/diskchange.h"

#include "disk/control.h"

#include <errno.h>

int lab_disk_change(struct lab_fault_run *run, const char *command,
		    struct lp_error *err)
{
	const char *control = run->victim->control;
	int status = lab_fault_note(run, LAB_DISK, control, err);

	return status < 0 ? status
			  : lab_disk_control(control, command, NULL, err);
}

int lab_disk_ask(const struct lab_fault_run *run, const char *key,
		 uint64_t *figure, struct lp_error *err)
{
	char reply[LAB_DISK_LINE];
	int status =
		lab_disk_control(run->victim->control, "status", reply, err);

	if (status == 0 && !lab_disk_figure(reply, key, figure))
		status = lp_fail(err, EPROTO, "%s did not report its %s",
				 run->victim->control, key);
	return status;
}
