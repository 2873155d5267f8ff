/* SPDX-License-Identifier: Apache-2.0 */
#include "fault/diskchange.h"

#include "disk/control.h"

#include <errno.h>

int lab_disk_change(struct lab_fault_run *run, const char *command,
		    struct lp_error *err)
{
	const char *control = run->victim->control;
	int r = lab_fault_note(run, LAB_DISK, control, err);

	return r < 0 ? r : lab_disk_control(control, command, NULL, err);
}

int lab_disk_ask(const struct lab_fault_run *run, const char *key,
		 uint64_t *figure, struct lp_error *err)
{
	char status[LAB_DISK_LINE];
	int r = lab_disk_control(run->victim->control, "status", status, err);

	if (r == 0 && !lab_disk_figure(status, key, figure))
		r = lp_fail(err, EPROTO, "%s did not report its %s",
			    run->victim->control, key);
	return r;
}
