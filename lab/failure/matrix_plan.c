/* SPDX-License-Identifier: Apache-2.0 */
#include "failure/failure_campaign.h"
#include "workload/draw.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct planning {
	const struct lab_matrix *matrix;
	struct lab_matrix_plan *plan;
	struct lab_draw draw;
	struct lp_error *err;
};

static bool is_member(const struct lab_members *members, const char *node)
{
	for (size_t i = 0; i < members->n; i++)
		if (strcmp(members->node[i], node) == 0)
			return true;
	return false;
}

/* The first server that does not fail. */
static void choose_limping(const struct planning *p, struct lab_matrix_run *run)
{
	for (unsigned long i = 1; i <= p->matrix->cluster.servers; i++) {
		snprintf(run->limping, sizeof(run->limping), "s%lu", i);
		if (!is_member(&run->members, run->limping))
			return;
	}
	run->limping[0] = '\0';
}

static void name_run(struct lab_matrix_run *run)
{
	const struct lab_matrix_case *c = run->of;

	snprintf(run->name, sizeof(run->name), "%u-%s%s%s%s%s%s%s%s",
		 run->repeat, run->set, *run->set ? "-" : "",
		 run->failure ? run->failure->name : "none",
		 c->then ? "-then-" : "", c->then ? c->then->name : "",
		 c->idle ? "-idle" : "", c->limping ? "-beside-" : "",
		 c->limping ? c->limping->name : "");
}

static int add(struct planning *p, const struct lab_matrix_case *c,
	       const struct lab_failure *failure, const char *set,
	       unsigned repeat)
{
	const struct lab_driver *driver =
		lab_driver_find(p->matrix->cluster.driver);
	struct lab_matrix_plan *plan = p->plan;
	struct lab_matrix_run run = {
		.repeat = repeat,
		.of = c,
		.failure = failure,
		.set = failure ? set : "",
		/* Not all bits: JSON's numbers hold 53. */
		.seed = lab_draw_u64(&p->draw) >> 16,
	};
	int status = 0;

	if (failure)
		status = driver->members(&p->matrix->cluster, set, run.seed,
					 &run.members, p->err);
	if (status < 0)
		return status;
	if (c->limping)
		choose_limping(p, &run);
	name_run(&run);
	for (size_t i = 0; i < plan->n; i++)
		if (strcmp(plan->run[i].name, run.name) == 0)
			return lp_fail(p->err, EINVAL,
				       "%s: two cases are called %s",
				       p->matrix->path, run.name);
	if (lp_grow(&plan->run, &plan->capacity, plan->n + 1,
		    sizeof(plan->run[0])) < 0)
		return lp_fail_memory(p->err);
	plan->run[plan->n++] = run;
	return 0;
}

static int add_case(struct planning *p, const struct lab_matrix_case *c,
		    unsigned repeat)
{
	unsigned repeats = c->repeats ? c->repeats : p->matrix->repeats;
	int status = 0;

	for (size_t f = 0; repeat <= repeats && f < c->n_failures; f++) {
		size_t n = c->failure[f] ? c->n_sets : 1;

		for (size_t s = 0; status == 0 && s < n; s++)
			status = add(p, c, c->failure[f], c->set[s], repeat);
	}
	return status;
}

int lab_matrix_plan(const struct lab_matrix *matrix,
		    struct lab_matrix_plan *plan, struct lp_error *err)
{
	struct planning p = { .matrix = matrix, .plan = plan, .err = err };
	unsigned most = matrix->repeats;
	int status = 0;

	*plan = (struct lab_matrix_plan){ 0 };
	lab_draw_init(&p.draw, matrix->seed, 0);
	for (size_t i = 0; i < matrix->n_cases; i++)
		if (matrix->cases[i].repeats > most)
			most = matrix->cases[i].repeats;
	for (unsigned r = 1; status == 0 && r <= most; r++)
		for (size_t i = 0; status == 0 && i < matrix->n_cases; i++)
			status = add_case(&p, &matrix->cases[i], r);
	if (status < 0)
		lab_matrix_plan_done(plan);
	return status;
}

void lab_matrix_plan_done(struct lab_matrix_plan *plan)
{
	free(plan->run);
	*plan = (struct lab_matrix_plan){ 0 };
}

/* Three tools and five steps of work, of which most end long before. */
double lab_matrix_usual_s(const struct lab_matrix *matrix)
{
	return 60 + matrix->delay_s + 1.5 * matrix->limits.tool_s +
	       1.5 * matrix->limits.work_s;
}
