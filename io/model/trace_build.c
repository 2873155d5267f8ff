/* SPDX-License-Identifier: Apache-2.0 */
#include "io/model/trace_build.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

struct lp_io_build *lp_io_build_new(void)
{
	struct lp_io_build *build = calloc(1, sizeof(*build));

	if (build)
		build->trace.host = build->trace.command = "";
	return build;
}

void lp_io_trace_free(struct lp_io_trace *trace)
{
	struct lp_io_build *build = (struct lp_io_build *)trace;

	if (!build)
		return;
	lp_names_done(&build->files);
	lp_names_done(&build->tasks);
	lp_arena_done(&build->arena);
	free(build->trace.file);
	free(build->trace.task);
	free(build->trace.operation);
	free(build);
}

uint32_t lp_io_build_file(struct lp_io_build *build, const char *path,
			  size_t length)
{
	return lp_names_add_n(&build->files, path, length);
}

uint32_t lp_io_build_task(struct lp_io_build *build, int64_t process,
			  int64_t thread)
{
	struct lp_io_trace *trace = &build->trace;
	char text[48];
	uint32_t task;

	snprintf(text, sizeof(text), "%" PRId64 " %" PRId64, process, thread);
	task = lp_names_add(&build->tasks, text);
	if (task == LP_NAME_NONE || task < trace->n_tasks)
		return task;
	if (lp_grow(&trace->task, &build->task_capacity, task + 1u,
		    sizeof(*trace->task)) < 0)
		return LP_NAME_NONE;
	trace->task[task] = (struct lp_io_task){ process, thread };
	trace->n_tasks = task + 1u;
	return task;
}

int lp_io_build_add(struct lp_io_build *build,
		    const struct lp_io_operation *operation)
{
	struct lp_io_trace *trace = &build->trace;

	if (lp_grow(&trace->operation, &build->operation_capacity,
		    trace->n_operations + 1, sizeof(*operation)) < 0)
		return -ENOMEM;
	trace->operation[trace->n_operations++] = *operation;
	return 0;
}

void lp_io_build_damage(struct lp_io_build *build, uint64_t offset,
			const char *what)
{
	struct lp_io_trace *trace = &build->trace;

	if (trace->n_damaged++ > 0)
		return;
	trace->damage_offset = offset;
	trace->damage = what;
}

/* What begins at once: the shorter first, so that the order is one. */
static int compare_start(const void *a, const void *b)
{
	const struct lp_io_operation *x = a, *y = b;

	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	if (x->duration_ns != y->duration_ns)
		return x->duration_ns < y->duration_ns ? -1 : 1;
	return (x->task > y->task) - (x->task < y->task);
}

/* A thread's own operations are in order already. */
static void sort_operations(struct lp_io_trace *trace)
{
	for (size_t i = 1; i < trace->n_operations; i++)
		if (trace->operation[i].start_ns <
		    trace->operation[i - 1].start_ns) {
			qsort(trace->operation, trace->n_operations,
			      sizeof(*trace->operation), compare_start);
			return;
		}
}

int lp_io_build_finish(struct lp_io_build *build, struct lp_io_trace **out,
		       struct lp_error *err)
{
	struct lp_io_trace *trace = &build->trace;

	trace->n_files = build->files.count;
	trace->file = calloc(trace->n_files + 1, sizeof(*trace->file));
	if (!trace->file) {
		lp_io_trace_free(trace);
		return lp_fail_memory(err);
	}
	for (size_t i = 0; i < trace->n_files; i++)
		trace->file[i].path = build->files.text[i];
	sort_operations(trace);
	*out = trace;
	return 0;
}
