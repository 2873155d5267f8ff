/* SPDX-License-Identifier: Apache-2.0 */
#include "io/model/coverage.h"

#include <errno.h>
#include <stdlib.h>

#define PAGE 4096u
/*
 * What starting a program reads by itself: headers of shared libraries, some
 * hundred bytes each, tables of the C library. A share below it is not worth a
 * word.
 */
#define START_BYTES 65536u

/* What the operations moved, as the kernel counts. */
struct sums {
	uint64_t read, written, spliced;
	uint64_t dirtied; /* pages that writing can have made dirty, in bytes */
};

static uint64_t less(uint64_t from, uint64_t bytes)
{
	return from > bytes ? from - bytes : 0;
}

/* All pages from the first byte to the last; two more if nobody knows. */
static uint64_t whole_pages(const struct lp_io_operation *o)
{
	uint64_t size = (uint64_t)o->result, first;

	if (o->offset < 0)
		return size + 2 * PAGE;
	first = (uint64_t)o->offset % PAGE;
	return (first + size + PAGE - 1) / PAGE * PAGE;
}

static void add(struct sums *s, const struct lp_io_operation *o)
{
	uint64_t n = (uint64_t)o->result;

	switch (o->kind) {
	case LP_IO_READ:
	case LP_IO_BUFFERED_READ:
		s->read += n;
		break;
	case LP_IO_COPY:
		s->read += n;
		s->written += n;
		s->dirtied += whole_pages(o);
		break;
	case LP_IO_SPLICE:
		s->spliced += n;
		s->dirtied += whole_pages(o);
		break;
	case LP_IO_WRITE:
	case LP_IO_BUFFERED_WRITE:
		s->written += n;
		s->dirtied += whole_pages(o);
		break;
	default:
		break;
	}
}

/* Of each file what was mapped, however often. */
static void add_map(uint64_t *mapped, const struct lp_io_operation *o)
{
	uint64_t end = (uint64_t)o->result;

	if (o->offset > 0)
		end += (uint64_t)o->offset;
	if (end > mapped[o->file])
		mapped[o->file] = end;
}

static void compare(struct lp_io_coverage *c, const struct sums *s,
		    const struct lp_io_account *a, uint64_t processes)
{
	uint64_t read = less(a->rchar, s->read + a->passed_read + a->refill);
	uint64_t written = less(a->wchar, s->written + a->passed_written);
	uint64_t start = START_BYTES * (processes + 1);
	uint64_t by_calls = s->dirtied + written + a->trace_bytes;

	c->known = a->known;
	if (!a->known)
		return;
	c->unseen = read + written > start ? read + written : 0;
	c->aio = a->aio_bytes;
	c->rings = a->rings;
	c->stored = less(a->write_bytes, by_calls + c->aio + c->mapped);
	c->stored = c->stored > start ? c->stored : 0;
}

int lp_io_cover(struct lp_io_coverage *coverage,
		const struct lp_io_trace *trace)
{
	uint64_t *mapped = calloc(trace->n_files + 1, sizeof(*mapped));
	struct lp_io_coverage c = { .known = false };
	struct sums sums = { .read = 0 };

	if (!mapped)
		return -ENOMEM;
	for (size_t i = 0; i < trace->n_operations; i++) {
		const struct lp_io_operation *o = &trace->operation[i];

		if (o->result <= 0)
			continue;
		if (o->kind == LP_IO_MAP)
			add_map(mapped, o);
		else
			add(&sums, o);
	}
	for (size_t i = 0; i < trace->n_files; i++)
		c.mapped += mapped[i];
	free(mapped);
	c.timed = sums.read + sums.written + sums.spliced;
	compare(&c, &sums, &trace->account, trace->n_tasks);
	*coverage = c;
	return 0;
}

uint64_t lp_io_untimed(const struct lp_io_coverage *c)
{
	return c->unseen + c->aio + c->mapped + c->stored;
}

bool lp_io_is_unseen(const struct lp_io_coverage *c)
{
	return c->rings > 0 || lp_io_untimed(c) > c->timed;
}
