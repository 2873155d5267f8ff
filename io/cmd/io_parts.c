/* SPDX-License-Identifier: Apache-2.0 */
#include "io_parts.h"

#include "base/timestamp.h"

#include <stdlib.h>

#define MIB (UINT64_C(1) << 20)

/*
 * The factors of Kunkel 2015, 6: where the data are and, in the names, where in
 * memory: off0 fits into the processor's cache, rnd does not. His files are
 * read at 0 always; here rnd is random in the file, too, since most programs
 * read a page once. Beyond his: what is not cached is measured as well, each
 * operation after its pages were dropped (writes: synchronous), so that what
 * is slower still is known for unexpectedly slow.
 */
static const struct {
	const char *factor;
	enum lp_bench_operation operation;
	enum lp_bench_state state;
	enum lp_bench_access access;
	enum lp_layout_kind memory, file;
} factors[] = {
	{ "discard-off0", LP_BENCH_READ, LP_BENCH_DISCARD, LP_BENCH_AT,
	  LP_LAYOUT_OFF0, LP_LAYOUT_OFF0 },
	{ "discard-rnd", LP_BENCH_READ, LP_BENCH_DISCARD, LP_BENCH_AT,
	  LP_LAYOUT_RND, LP_LAYOUT_RND },
	{ "discard-off0", LP_BENCH_REWRITE, LP_BENCH_DISCARD, LP_BENCH_AT,
	  LP_LAYOUT_OFF0, LP_LAYOUT_OFF0 },
	{ "cached-off0", LP_BENCH_READ, LP_BENCH_CACHED, LP_BENCH_AT,
	  LP_LAYOUT_OFF0, LP_LAYOUT_OFF0 },
	{ "cached-rnd", LP_BENCH_READ, LP_BENCH_CACHED, LP_BENCH_AT,
	  LP_LAYOUT_RND, LP_LAYOUT_RND },
	{ "cached-off0", LP_BENCH_REWRITE, LP_BENCH_CACHED, LP_BENCH_AT,
	  LP_LAYOUT_OFF0, LP_LAYOUT_OFF0 },
	{ "cached-rnd", LP_BENCH_REWRITE, LP_BENCH_CACHED, LP_BENCH_AT,
	  LP_LAYOUT_RND, LP_LAYOUT_RND },
	{ "uncached", LP_BENCH_READ, LP_BENCH_UNCACHED, LP_BENCH_AT,
	  LP_LAYOUT_OFF0, LP_LAYOUT_RND },
	{ "uncached", LP_BENCH_REWRITE, LP_BENCH_UNCACHED, LP_BENCH_SYNC,
	  LP_LAYOUT_OFF0, LP_LAYOUT_RND },
};

/* Kunkel 2015, 5.2; quick: every second one. */
static const uint64_t sizes[] = {
	1,     16,      256,     1024,       4096,       8192,
	16384, 32768,   65536,   128 * 1024, 256 * 1024, 512 * 1024,
	MIB,   2 * MIB, 4 * MIB, 8 * MIB,    16 * MIB,
};

static int add_part(struct lp_io_parts *parts, size_t factor,
		    const struct lp_bench_run *common, uint64_t size)
{
	struct lp_io_part part = { .factor = factors[factor].factor,
				   .run = *common };

	if (lp_grow(&parts->part, &parts->capacity, parts->n + 1,
		    sizeof(part)) < 0)
		return -1;
	part.run.operation = factors[factor].operation;
	part.run.state = factors[factor].state;
	part.run.access = factors[factor].access;
	part.run.memory.kind = factors[factor].memory;
	part.run.file.kind = factors[factor].file;
	part.run.size = size;
	part.run.evict = true;
	parts->part[parts->n++] = part;
	return 0;
}

static int common_run(bool quick, const char *file_size, const char *buffer,
		      struct lp_bench_run *run, struct lp_error *err)
{
	lp_auto_free struct lp_sweep *sweep = malloc(sizeof(*sweep));
	int status;

	if (!sweep)
		return lp_fail_memory(err);
	lp_sweep_init(sweep);
	status = lp_sweep_set(sweep, "file_size",
			      file_size ? file_size
			      : quick   ? "256M"
					: "1G",
			      err);
	if (status == 0)
		status = lp_sweep_set(sweep, "buffer",
				      buffer  ? buffer
				      : quick ? "128M"
					      : "256M",
				      err);
	*run = sweep->common;
	run->repeats = quick ? 500 : 3000;
	run->limit_ns = (uint64_t)LP_NS_PER_S * (quick ? 2 : 10);
	run->size = sizes[lp_array_size(sizes) - 1];
	return status == 0 ? lp_bench_run_check(run, err) : status;
}

int lp_io_parts_make(struct lp_io_parts *parts, bool quick,
		     const char *file_size, const char *buffer,
		     struct lp_error *err)
{
	struct lp_bench_run common;
	int status = common_run(quick, file_size, buffer, &common, err);

	for (size_t f = 0; f < lp_array_size(factors) && status == 0; f++)
		for (size_t s = 0; s < lp_array_size(sizes) && status == 0;
		     s += quick ? 2 : 1)
			if (add_part(parts, f, &common, sizes[s]) < 0)
				status = lp_fail_memory(err);
	return status;
}

void lp_io_parts_done(struct lp_io_parts *parts)
{
	free(parts->part);
	*parts = (struct lp_io_parts){ 0 };
}
