/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mixed: every half minute or so all processes do something else: write, read,
 * read here and there, make and remove small files, or nearly nothing. What
 * comes when follows from the seed alone, so that all processes change
 * together: to their servers the change comes alike.
 */
#include "base/memory.h"
#include "base/timestamp.h"
#include "workload/passes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SMALL_RECORD ((size_t)64 << 10)
#define SMALL_FILES 64
#define PHASE_MIN_S 15
#define PHASE_SPREAD_S 30

enum kind { WRITE, READ, READ_ANYWHERE, SMALL, REST, KINDS };

struct mix {
	struct lab_worker *worker;
	unsigned short dice[3]; /* of the phases; the same in all processes */
	unsigned short own[3];
	enum kind kind;
	int64_t until_ns;
	int in, out;
	uint64_t in_size, room, in_at, out_at;
};

static void roll(unsigned short dice[3], uint64_t seed)
{
	dice[0] = (unsigned short)seed;
	dice[1] = (unsigned short)(seed >> 16);
	dice[2] = (unsigned short)(seed >> 32 ^ 0x330e);
	/* Neighbouring seeds give neighbouring first numbers. */
	for (int i = 0; i < 8; i++)
		nrand48(dice);
}

static void next_phase(struct mix *mix, int64_t now_ns)
{
	enum kind kind;
	double length_s;

	do
		kind = (enum kind)(nrand48(mix->dice) % KINDS);
	while (kind == mix->kind);
	mix->kind = kind;
	length_s = PHASE_MIN_S + PHASE_SPREAD_S * erand48(mix->dice);
	mix->until_ns = now_ns + (int64_t)(length_s * (double)LP_NS_PER_S);
}

static int read_on(struct mix *mix, struct lp_error *err)
{
	off_t at = (off_t)mix->in_at;

	if (mix->in_at == 0) {
		int status = lab_worker_evict(mix->worker, mix->in,
					      LAB_READ_NAME, err);

		if (status < 0)
			return status;
	}
	mix->in_at = (mix->in_at + LAB_RECORD_MAX) % mix->in_size;
	return lab_worker_read(mix->worker, mix->in, at, LAB_RECORD_MAX, err);
}

static int write_on(struct mix *mix, struct lp_error *err)
{
	off_t at = (off_t)mix->out_at;

	mix->out_at = (mix->out_at + LAB_RECORD_MAX) % mix->room;
	return lab_worker_write(mix->worker, mix->out, at, LAB_RECORD_MAX, err);
}

static int read_anywhere(struct mix *mix, struct lp_error *err)
{
	uint64_t records = mix->in_size / SMALL_RECORD;
	uint64_t which = (uint64_t)(erand48(mix->own) * (double)records);

	return lab_worker_read(mix->worker, mix->in,
			       (off_t)(which * SMALL_RECORD), SMALL_RECORD,
			       err);
}

/* One of the small files anew: the old one goes. */
static int small_file(struct mix *mix, struct lp_error *err)
{
	char name[32];
	lp_auto_close int fd = -1;
	lp_auto_free char *path = NULL;

	snprintf(name, sizeof(name), "small-%ld",
		 nrand48(mix->own) % SMALL_FILES);
	if (asprintf(&path, "%s/%s", mix->worker->dir, name) < 0)
		return lp_fail_memory(err);
	if (unlink(path) < 0 && errno != ENOENT)
		return lp_fail_errno(err, errno, "cannot remove %s", path);
	fd = lab_worker_open(mix->worker, name, O_WRONLY | O_CREAT, err);
	if (fd < 0)
		return fd;
	return lab_worker_write(mix->worker, fd, 0, SMALL_RECORD, err);
}

static int rest(struct mix *mix, struct lp_error *err)
{
	lab_sleep_ns(LP_NS_PER_S / 2);
	return read_anywhere(mix, err);
}

static int step(struct mix *mix, struct lp_error *err)
{
	static int (*const steps[KINDS])(struct mix *, struct lp_error *) = {
		[WRITE] = write_on,
		[READ] = read_on,
		[READ_ANYWHERE] = read_anywhere,
		[SMALL] = small_file,
		[REST] = rest,
	};
	int64_t now_ns = lp_monotonic_now();

	if (now_ns >= mix->until_ns)
		next_phase(mix, now_ns);
	return steps[mix->kind](mix, err);
}

static int work(struct lab_worker *worker, struct lp_error *err)
{
	struct mix mix = { .worker = worker, .kind = REST };
	lp_auto_close int in = -1, out = -1;
	int status = lab_worker_room(worker, &mix.room, err);

	if (status < 0)
		return status;
	roll(mix.dice, worker->spec->seed);
	roll(mix.own, worker->spec->seed * 1000 + worker->number);
	in = mix.in = lab_read_open(worker, &mix.in_size, err);
	if (in < 0)
		return in;
	out = mix.out =
		lab_worker_open(worker, "mixed", O_WRONLY | O_CREAT, err);
	if (out < 0)
		return out;
	while (status == 0)
		status = step(&mix, err);
	return status;
}

const struct lab_workload lab_workload_mixed = {
	.name = "mixed",
	.summary = "write, read, use small files and rest, in turn",
	.pace = 20000000,
	.prepare = lab_read_prepare,
	.work = work,
};
