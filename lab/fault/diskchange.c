/* SPDX-License-Identifier: Apache-2.0 */
#include "fault/diskchange.h"

#include "disk/control.h"

#include <errno.h>
#include <stdlib.h>

int lab_disk_change_start(struct lab_fault_run *run, const char *command,
			  struct lp_error *err)
{
	const char *control = run->victim->control;
	size_t *mark = malloc(sizeof(*mark));
	int r;

	if (!mark)
		return lp_fail_memory(err);
	r = lab_journal_note(run->lab->journal, LAB_DISK, control, mark, err);
	if (r == 0) {
		r = lab_disk_control(control, command, NULL, err);
		if (r < 0)
			lab_journal_undo(run->lab->journal, *mark, NULL);
	}
	if (r < 0)
		free(mark);
	else
		run->own = mark;
	return r;
}

int lab_disk_change_stop(struct lab_fault_run *run, struct lp_error *err)
{
	size_t *mark = run->own;
	int r = lab_journal_undo(run->lab->journal, *mark, err);

	free(mark);
	return r;
}

int lab_disk_ask(const struct lab_fault_run *run, const char *key,
		 uint64_t *figure, struct lp_error *err)
{
	char status[LAB_DISK_LINE];
	int r = lab_disk_control(run->victim->control, "status", status, err);

	if (r == 0 && !lab_disk_figure(status, key, figure))
		r = lp_fail(err, EPROTO, "%s does not say its %s",
			    run->victim->control, key);
	return r;
}
