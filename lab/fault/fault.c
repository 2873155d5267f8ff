/* SPDX-License-Identifier: Apache-2.0 */
#include "fault/fault.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

int lab_fault_check(const struct lab_fault *fault, double strength,
		    struct lp_error *err)
{
	if (strength == 0)
		return 0;
	if (!fault->strength_unit)
		return lp_fail(err, EINVAL, "%s has no strength", fault->name);
	if (!(strength >= fault->weakest && strength <= fault->strongest))
		return lp_fail(err, EINVAL,
			       "%s has a strength from %g to %g %s, not %g",
			       fault->name, fault->weakest, fault->strongest,
			       fault->strength_unit, strength);
	return 0;
}

static int check_victim(const struct lab_fault *fault,
			const struct lab_node *victim, struct lp_error *err)
{
	if (victim->role == fault->role)
		return 0;
	return lp_fail(
		err, EINVAL, "%s befalls a %s, and %s is none", fault->name,
		fault->role == LAB_CLIENT ? "client" : "server", victim->name);
}

/* What `limpid lab status` shows. */
static int note(struct lab_fault_run *run, struct lp_error *err)
{
	char text[128];

	snprintf(text, sizeof(text), "%s %s %g", run->fault->name,
		 run->victim->name, run->strength);
	return lab_journal_note(run->lab->journal, LAB_FAULT, text, &run->mark,
				err);
}

int lab_fault_start(struct lab *lab, const struct lab_fault *fault,
		    const struct lab_node *victim, double strength,
		    struct lab_fault_run **started, struct lp_error *err)
{
	struct lab_fault_run *run;
	int r = lab_fault_check(fault, strength, err);

	if (r == 0)
		r = check_victim(fault, victim, err);
	if (r < 0)
		return r;
	run = calloc(1, sizeof(*run));
	if (!run)
		return lp_fail_memory(err);
	run->lab = lab;
	run->fault = fault;
	run->victim = victim;
	run->strength = strength > 0 ? strength : fault->strengths[0];
	r = note(run, err);
	if (r == 0) {
		r = fault->start(run, err);
		if (r < 0)
			lab_journal_undo(lab->journal, run->mark, NULL);
	}
	if (r < 0)
		free(run);
	else
		*started = run;
	return r;
}

int lab_fault_bites(struct lab_fault_run *run, struct lp_error *err)
{
	return run->fault->bites(run, err);
}

int lab_fault_stop(struct lab_fault_run *run, struct lp_error *err)
{
	int r, marked;

	if (!run)
		return 0;
	r = run->fault->stop(run, err);
	marked = lab_journal_undo(run->lab->journal, run->mark,
				  r < 0 ? NULL : err);
	free(run);
	return r < 0 ? r : marked;
}
