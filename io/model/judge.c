/* SPDX-License-Identifier: Apache-2.0 */
#include "io/model/judge.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

static void tally(struct lp_io_tally *t, const struct lp_io_operation *o)
{
	t->n++;
	t->time_ns += o->duration_ns;
	/* A map moves nothing until its pages are touched. */
	if (o->kind != LP_IO_MAP && o->result > 0)
		t->bytes += (uint64_t)o->result;
}

/* ---- densities of the program's own ---- */

static int64_t whole_ns(double log_ns)
{
	double ns = exp(log_ns);

	return ns < 9e18 ? (int64_t)ns : INT64_MAX;
}

static int make_group(struct lp_io_group *group, const struct lp_io_series *s,
		      int64_t resolution_ns)
{
	*group = (struct lp_io_group){ .series = s };
	if (lp_io_clusters_init_coarse(&group->clusters, s->log_ns, s->n,
				       resolution_ns) < 0)
		return -ENOMEM;
	group->limit_ns = whole_ns(group->clusters.limit);
	group->time_ns = s->time_ns;
	return 0;
}

static int by_time(const void *a, const void *b)
{
	const struct lp_io_group *x = a, *y = b;

	return (x->time_ns < y->time_ns) - (x->time_ns > y->time_ns);
}

static int make_groups(struct lp_io_judgement *j)
{
	struct lp_io_durations *d = &j->durations;

	if (lp_io_durations_add(d, j->trace) < 0)
		return -ENOMEM;
	lp_io_durations_sort(d);
	j->group = calloc(d->n + 1, sizeof(*j->group));
	if (!j->group)
		return -ENOMEM;
	for (size_t i = 0; i < d->n; i++) {
		if (d->series[i].n < LP_IO_ENOUGH)
			continue;
		if (make_group(&j->group[j->n_groups], &d->series[i],
			       d->resolution_ns) < 0)
			return -ENOMEM;
		j->n_groups++;
	}
	qsort(j->group, j->n_groups, sizeof(*j->group), by_time);
	j->group_of = calloc(d->n + 1, sizeof(*j->group_of));
	if (!j->group_of)
		return -ENOMEM;
	for (size_t i = 0; i < j->n_groups; i++)
		j->group_of[j->group[i].series - d->series] = &j->group[i];
	return 0;
}

const struct lp_io_group *lp_io_group_of(const struct lp_io_judgement *j,
					 const struct lp_io_operation *o)
{
	const struct lp_io_series *series =
		lp_io_is_compared(o) ? lp_io_durations_find(&j->durations,
							    o->kind, o->result)
				     : NULL;

	return series ? j->group_of[series - j->durations.series] : NULL;
}

/* ---- slow ones ---- */

/* Those that lost the most time stay, the worst first. */
static void keep_slow(struct lp_io_judgement *j, struct lp_io_slow slow)
{
	const struct lp_io_operation *all = j->trace->operation;
	int64_t lost = all[slow.operation].duration_ns - slow.limit_ns;
	size_t at = j->n_slowest;

	while (at > 0 && lost > all[j->slowest[at - 1].operation].duration_ns -
					 j->slowest[at - 1].limit_ns)
		at--;
	if (at == LP_IO_SLOW_KEPT)
		return;
	if (j->n_slowest < LP_IO_SLOW_KEPT)
		j->n_slowest++;
	for (size_t i = j->n_slowest - 1; i > at; i--)
		j->slowest[i] = j->slowest[i - 1];
	j->slowest[at] = slow;
}

static void check_slow(struct lp_io_judgement *j, size_t number,
		       const struct lp_io_group *group,
		       struct lp_io_file_verdict *file)
{
	const struct lp_io_operation *all = j->trace->operation;
	const struct lp_io_operation *o = &all[number];

	if (!group) {
		if (j->lone.n == 0 ||
		    o->duration_ns > all[j->longest_lone].duration_ns)
			j->longest_lone = number;
		tally(&j->lone, o);
		return;
	}
	tally(&j->grouped, o);
	if (o->duration_ns <= group->limit_ns)
		return;
	tally(&j->slow, o);
	tally(&file->slow, o);
	j->slow_excess_ns += (double)o->duration_ns - exp(group->clusters.last);
	keep_slow(j, (struct lp_io_slow){ number, group->limit_ns });
}

/* ---- what could be saved ---- */

static void weigh(struct lp_io_judgement *j, const struct lp_io_operation *o,
		  const struct lp_io_factor *reference,
		  struct lp_io_file_verdict *file)
{
	struct lp_io_gain *gain = &j->gain[o->kind];
	double usual = lp_io_usual(reference, o->result);

	tally(&gain->judged, o);
	gain->usual_ns += usual;
	/* By a coarse clock it may have been shorter. */
	if ((double)(o->duration_ns - j->trace->resolution_ns) <=
	    lp_io_limit(reference, o->result))
		return;
	gain->n++;
	/* A model of another machine may expect more than was taken. */
	usual = fmin(usual, (double)o->duration_ns);
	gain->saving_ns += (double)o->duration_ns - usual;
	file->saving_ns += (double)o->duration_ns - usual;
}

static bool is_outside(const struct lp_io_factor *f, int64_t bytes)
{
	return bytes < f->size[0].bytes ||
	       bytes > f->size[f->n_sizes - 1].bytes;
}

/* ---- operations, one by one ---- */

static const struct lp_io_factor *reference_of(const struct lp_io_model *m,
					       unsigned kind)
{
	return m && *m->reference ? lp_io_factor_named(m, kind, m->reference)
				  : NULL;
}

static void judge_one(struct lp_io_judgement *j, size_t number)
{
	const struct lp_io_operation *o = &j->trace->operation[number];
	struct lp_io_file_verdict *file = &j->file[o->file];
	const struct lp_io_factor *reference;

	tally(&j->kind[o->kind], o);
	tally(&file->all, o);
	if (o->result < 0)
		tally(&j->failed, o);
	if (lp_io_is_compared(o)) {
		tally(&file->judged, o);
		check_slow(j, number, lp_io_group_of(j, o), file);
	}
	if (!lp_io_is_judged(o) || !j->class ||
	    j->class[number] == LP_IO_NOT_JUDGED)
		return;
	if (j->class[number] == LP_IO_UNCLEAR) {
		tally(&j->unclear[o->kind], o);
	} else {
		tally(&j->by_class[o->kind][j->class[number]], o);
		tally(&file->class[j->class[number]], o);
	}
	j->n_outside +=
		is_outside(j->classifier.kind[o->kind].factor[0], o->result);
	reference = reference_of(j->model, o->kind);
	if (reference)
		weigh(j, o, reference, file);
}

static void judge_all(struct lp_io_judgement *j)
{
	const struct lp_io_trace *t = j->trace;

	for (size_t i = 0; i < t->n_operations; i++) {
		int64_t end =
			t->operation[i].start_ns + t->operation[i].duration_ns;

		j->span_ns = end > j->span_ns ? end : j->span_ns;
		judge_one(j, i);
	}
	if (t->n_operations > 0)
		j->span_ns -= t->operation[0].start_ns;
}

/* ---- who did it ---- */

static int by_process(const void *a, const void *b)
{
	const struct lp_io_task *x = a, *y = b;

	return (x->process > y->process) - (x->process < y->process);
}

static int count_tasks(struct lp_io_judgement *j)
{
	const struct lp_io_trace *t = j->trace;
	struct lp_io_task *active = calloc(t->n_tasks + 1, sizeof(*active));
	uint8_t *seen = calloc(t->n_tasks + 1, 1);

	if (active && seen)
		for (size_t i = 0; i < t->n_operations; i++) {
			uint32_t task = t->operation[i].task;

			if (!seen[task])
				active[j->n_threads++] = t->task[task];
			seen[task] = 1;
		}
	if (active && j->n_threads > 0)
		qsort(active, j->n_threads, sizeof(*active), by_process);
	for (size_t i = 0; active && i < j->n_threads; i++)
		j->n_processes +=
			i == 0 || active[i].process != active[i - 1].process;
	free(active);
	free(seen);
	return active && seen ? 0 : -ENOMEM;
}

/* ---- room ---- */

static int make_files(struct lp_io_judgement *j)
{
	size_t n = j->trace->n_files, classes = j->classifier.n_classes;

	j->n_files = n;
	j->file = lp_arena_alloc(&j->arena, n * sizeof(*j->file));
	if (!j->file)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		j->file[i].file = (uint32_t)i;
		if (!j->model)
			continue;
		j->file[i].class = lp_arena_alloc(
			&j->arena, classes * sizeof(struct lp_io_tally));
		if (!j->file[i].class)
			return -ENOMEM;
	}
	return 0;
}

static int make_classes(struct lp_io_judgement *j)
{
	size_t n = j->trace->n_operations;

	if (!j->model)
		return 0;
	lp_io_classifier_init(&j->classifier, j->model);
	j->class = malloc(n + 1);
	if (!j->class)
		return -ENOMEM;
	if (j->trace->resolution_ns > 1)
		lp_io_classify_coarse(&j->classifier, j->trace->operation, n,
				      j->trace->resolution_ns, j->class);
	else
		lp_io_classify(&j->classifier, j->trace->operation, n,
			       j->class);
	for (unsigned kind = 0; kind < 2; kind++) {
		j->has_gain[kind] = reference_of(j->model, kind) != NULL;
		j->by_class[kind] = lp_arena_alloc(
			&j->arena,
			j->classifier.n_classes * sizeof(struct lp_io_tally));
		if (!j->by_class[kind])
			return -ENOMEM;
	}
	return 0;
}

static int by_file_time(const void *a, const void *b)
{
	const struct lp_io_file_verdict *x = a, *y = b;

	if (x->all.time_ns != y->all.time_ns)
		return x->all.time_ns > y->all.time_ns ? -1 : 1;
	return (x->file > y->file) - (x->file < y->file);
}

int lp_io_judge(struct lp_io_judgement *judgement,
		const struct lp_io_trace *trace,
		const struct lp_io_model *model)
{
	struct lp_io_judgement j = { .trace = trace, .model = model };

	if (make_classes(&j) < 0 || make_files(&j) < 0 || make_groups(&j) < 0 ||
	    count_tasks(&j) < 0 || lp_io_cover(&j.coverage, trace) < 0) {
		lp_io_judgement_done(&j);
		return -ENOMEM;
	}
	judge_all(&j);
	if (j.n_files > 0)
		qsort(j.file, j.n_files, sizeof(*j.file), by_file_time);
	*judgement = j;
	return 0;
}

void lp_io_judgement_done(struct lp_io_judgement *j)
{
	for (size_t i = 0; i < j->n_groups; i++)
		lp_io_clusters_done(&j->group[i].clusters);
	free(j->group);
	free(j->group_of);
	free(j->class);
	lp_io_durations_done(&j->durations);
	lp_arena_done(&j->arena);
	*j = (struct lp_io_judgement){ .trace = NULL };
}
