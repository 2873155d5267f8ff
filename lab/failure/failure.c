/* SPDX-License-Identifier: Apache-2.0 */
#include "failure/failure.h"

#include "driver/driver.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int lab_failure_check(const struct lab_failure *failure, double strength,
		      const struct lab_spec *spec, struct lp_error *err)
{
	const struct lab_driver *driver = lab_driver_find(spec->driver);

	if (strength != 0 && !failure->strength_unit)
		return lp_fail(err, EINVAL, "%s has no strength",
			       failure->name);
	if (strength < 0 || strength > 100)
		return lp_fail(err, EINVAL,
			       "%s has a strength from 0 to 100 %s, not %g",
			       failure->name, failure->strength_unit, strength);
	if (failure->takes_files && driver && !driver->backend)
		return lp_fail(err, EINVAL,
			       "%s: the files of %s on its servers' disks "
			       "cannot be told apart",
			       failure->name, spec->driver);
	return 0;
}

int lab_failure_note(struct lab_failure_run *run, enum lab_thing thing,
		     const char *text, struct lp_error *err)
{
	size_t mark;
	int status;

	if (run->n_marks == LAB_FAILURE_MARKS)
		return lp_fail(err, E2BIG, "a failure that changes too much");
	status = lab_journal_note(run->lab->journal, thing, text, &mark, err);
	if (status < 0)
		return status;
	run->marks[run->n_marks++] = mark;
	lab_guard_entrust(run->guard, mark);
	return 0;
}

/* What `limpid lab status` shows: "power-cut s1+s3 0". */
static int note(struct lab_failure_run *run, struct lp_error *err)
{
	char text[512];
	int used = snprintf(text, sizeof(text), "%s ", run->failure->name);

	for (size_t i = 0; i < run->n; i++)
		used += snprintf(text + used, sizeof(text) - (size_t)used,
				 "%s%s", i ? "+" : "", run->node[i]->name);
	snprintf(text + used, sizeof(text) - (size_t)used, " %g",
		 run->strength);
	return lab_failure_note(run, LAB_FAULT, text, err);
}

/* Undo all changes, last first; the first error counts. */
static int undo_changes(struct lab_failure_run *run, struct lp_error *err)
{
	int first = 0;

	while (run->n_marks > 0) {
		int status = lab_journal_undo(run->lab->journal,
					      run->marks[--run->n_marks],
					      first < 0 ? NULL : err);

		if (first == 0)
			first = status;
	}
	return first;
}

static void finish(struct lab_failure_run *run)
{
	lab_guard_dismiss(run->guard);
	free(run);
}

int lab_failure_start(struct lab *lab, const struct lab_failure *failure,
		      const struct lab_node *const *nodes, size_t n,
		      double strength, uint64_t seed,
		      struct lab_failure_run **started, struct lp_error *err)
{
	struct lab_failure_run *run = calloc(1, sizeof(*run));
	int status = run ? lab_guard_post(lab, &run->guard, err)
			 : lp_fail_memory(err);

	if (status < 0) {
		free(run);
		return status;
	}
	run->lab = lab;
	run->failure = failure;
	memcpy(run->node, nodes, n * sizeof(*nodes));
	run->n = n;
	run->strength = strength > 0 ? strength : failure->usual;
	run->seed = seed;
	status = note(run, err);
	if (status == 0)
		status = failure->make(run, err);
	if (status < 0) {
		undo_changes(run, NULL);
		finish(run);
	} else {
		*started = run;
	}
	return status;
}

int lab_failure_bites(struct lab_failure_run *run, struct lp_error *err)
{
	return run->failure->bites(run, err);
}

int lab_failure_undo(struct lab_failure_run *run, struct lp_error *err)
{
	int status, repaired = 0;

	if (!run)
		return 0;
	status = undo_changes(run, err);
	if (run->failure->repair)
		repaired = run->failure->repair(run, status < 0 ? NULL : err);
	finish(run);
	return status < 0 ? status : repaired;
}
