/* SPDX-License-Identifier: Apache-2.0 */
#include "fault/fault.h"

#include "fault/guard.h"

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
		err, EINVAL, "%s is a fault of a %s, but %s is not a %s",
		fault->name, fault->role == LAB_CLIENT ? "client" : "server",
		victim->name, fault->role == LAB_CLIENT ? "client" : "server");
}

int lab_fault_entrust(struct lab_fault_run *run, size_t mark,
		      struct lp_error *err)
{
	if (run->n_marks == LAB_MAX_CHANGES)
		return lp_fail(err, E2BIG, "a fault that changes too much");
	run->marks[run->n_marks++] = mark;
	lab_guard_entrust(run->guard, mark);
	return 0;
}

int lab_fault_note(struct lab_fault_run *run, enum lab_thing thing,
		   const char *text, struct lp_error *err)
{
	size_t mark;
	int status =
		lab_journal_note(run->lab->journal, thing, text, &mark, err);

	return status < 0 ? status : lab_fault_entrust(run, mark, err);
}

/* What `limpid lab status` shows. */
static int note(struct lab_fault_run *run, struct lp_error *err)
{
	char text[128];

	snprintf(text, sizeof(text), "%s %s %g", run->fault->name,
		 run->fault->everywhere ? "all" : run->victim->name,
		 run->strength);
	return lab_fault_note(run, LAB_FAULT, text, err);
}

/* Undo all changes, last first, and free. The first error counts. */
static int finish(struct lab_fault_run *run, struct lp_error *err)
{
	int first = 0;

	while (run->n_marks > 0) {
		int status = lab_journal_undo(run->lab->journal,
					      run->marks[--run->n_marks],
					      first < 0 ? NULL : err);

		if (first == 0)
			first = status;
	}
	lab_guard_dismiss(run->guard);
	free(run);
	return first;
}

static struct lab_fault_run *run_new(struct lab *lab,
				     const struct lab_fault *fault,
				     const struct lab_node *victim,
				     double strength)
{
	struct lab_fault_run *run = calloc(1, sizeof(*run));

	if (!run)
		return NULL;
	run->lab = lab;
	run->fault = fault;
	run->victim = victim;
	run->strength = strength > 0 ? strength : fault->strengths[0];
	return run;
}

int lab_fault_start(struct lab *lab, const struct lab_fault *fault,
		    const struct lab_node *victim, double strength,
		    struct lab_fault_run **started, struct lp_error *err)
{
	struct lab_fault_run *run;
	int status = lab_fault_check(fault, strength, err);

	if (status == 0)
		status = check_victim(fault, victim, err);
	if (status < 0)
		return status;
	run = run_new(lab, fault, victim, strength);
	if (!run)
		return lp_fail_memory(err);
	status = lab_guard_post(lab, &run->guard, err);
	if (status == 0)
		status = note(run, err);
	if (status == 0)
		status = fault->start(run, err);
	if (status < 0)
		finish(run, NULL);
	else
		*started = run;
	return status;
}

int lab_fault_bites(struct lab_fault_run *run, struct lp_error *err)
{
	return run->fault->bites(run, err);
}

int lab_fault_stop(struct lab_fault_run *run, struct lp_error *err)
{
	int status = 0, undone;

	if (!run)
		return 0;
	if (run->fault->stop)
		status = run->fault->stop(run, err);
	undone = finish(run, status < 0 ? NULL : err);
	return status < 0 ? status : undone;
}
