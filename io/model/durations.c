/* SPDX-License-Identifier: Apache-2.0 */
#include "io/model/durations.h"

#include "base/memory.h"
#include "io/model/clusters.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static size_t slot_of(const struct lp_io_durations *d, uint8_t kind,
		      int64_t bytes)
{
	uint64_t key = (uint64_t)bytes * 16 + kind;

	return (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 20) &
	       (d->n_slots - 1);
}

static uint32_t *find(const struct lp_io_durations *d, uint8_t kind,
		      int64_t bytes)
{
	size_t at = slot_of(d, kind, bytes);

	while (d->slots[at]) {
		const struct lp_io_series *s = &d->series[d->slots[at] - 1];

		if (s->kind == kind && s->bytes == bytes)
			break;
		at = (at + 1) & (d->n_slots - 1);
	}
	return &d->slots[at];
}

static void number_all(struct lp_io_durations *d)
{
	for (size_t i = 0; i < d->n; i++)
		*find(d, d->series[i].kind, d->series[i].bytes) =
			(uint32_t)i + 1;
}

static int more_slots(struct lp_io_durations *d)
{
	size_t n = d->n_slots ? d->n_slots * 2 : 256;
	uint32_t *slots = calloc(n, sizeof(*slots));

	if (!slots)
		return -ENOMEM;
	free(d->slots);
	d->slots = slots;
	d->n_slots = n;
	number_all(d);
	return 0;
}

static struct lp_io_series *series_of(struct lp_io_durations *d, uint8_t kind,
				      int64_t bytes)
{
	uint32_t *slot;

	if (d->n * 2 >= d->n_slots && more_slots(d) < 0)
		return NULL;
	slot = find(d, kind, bytes);
	if (!*slot) {
		if (lp_grow(&d->series, &d->capacity, d->n + 1,
			    sizeof(*d->series)) < 0)
			return NULL;
		d->series[d->n++] =
			(struct lp_io_series){ .kind = kind, .bytes = bytes };
		*slot = (uint32_t)d->n;
	}
	return &d->series[*slot - 1];
}

/* What was shorter before a coarser trace came is at most its resolution. */
static void set_resolution(struct lp_io_durations *d, int64_t resolution_ns)
{
	double least = lp_io_log(resolution_ns);

	if (resolution_ns <= d->resolution_ns)
		return;
	d->resolution_ns = resolution_ns;
	for (size_t i = 0; i < d->n; i++)
		for (size_t k = 0; k < d->series[i].n; k++)
			if (d->series[i].log_ns[k] < least)
				d->series[i].log_ns[k] = least;
}

int lp_io_durations_add(struct lp_io_durations *d,
			const struct lp_io_trace *trace)
{
	set_resolution(d, trace->resolution_ns);
	for (size_t i = 0; i < trace->n_operations; i++) {
		const struct lp_io_operation *o = &trace->operation[i];
		struct lp_io_series *s;

		if (!lp_io_is_compared(o))
			continue;
		s = series_of(d, o->kind, o->result);
		if (!s || lp_grow(&s->log_ns, &s->capacity, s->n + 1,
				  sizeof(*s->log_ns)) < 0)
			return -ENOMEM;
		s->log_ns[s->n++] =
			lp_io_log_coarse(o->duration_ns, d->resolution_ns);
		s->time_ns += o->duration_ns;
	}
	return 0;
}

static int by_kind_and_size(const void *a, const void *b)
{
	const struct lp_io_series *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

void lp_io_durations_sort(struct lp_io_durations *d)
{
	if (d->n == 0)
		return;
	qsort(d->series, d->n, sizeof(*d->series), by_kind_and_size);
	memset(d->slots, 0, d->n_slots * sizeof(*d->slots));
	number_all(d);
}

const struct lp_io_series *lp_io_durations_find(const struct lp_io_durations *d,
						uint8_t kind, int64_t bytes)
{
	uint32_t number = d->n > 0 ? *find(d, kind, bytes) : 0;

	return number ? &d->series[number - 1] : NULL;
}

void lp_io_durations_done(struct lp_io_durations *d)
{
	for (size_t i = 0; i < d->n; i++)
		free(d->series[i].log_ns);
	free(d->series);
	free(d->slots);
	*d = (struct lp_io_durations){ .n = 0 };
}
