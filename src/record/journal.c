/* SPDX-License-Identifier: Apache-2.0 */
#include "record/journal.h"

#include "archive/archive.h"
#include "base/number.h"
#include "base/timestamp.h"
#include "record/change.h"
#include "record/naming.h"
#include "record/tick.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

/* Bounds the memory at short intervals: a power of two, as builders grow. */
#define SEAL_SAMPLES 64
/* The oldest sample that is not sealed, or not on the disk. */
#define OLDEST_NS (60 * LP_NS_PER_S)
#define RETRY_EVERY_NS (10 * LP_NS_PER_S)
/* Files begun within one second: their names step ahead. */
#define MOST_NAMES 60

struct lp_journal {
	struct lp_journal_config config;
	struct lp_archive_writer *writer; /* NULL: no file is open */
	char *path;
	int64_t day;              /* of the open file */
	struct lp_builder *block; /* samples that it was given, not sealed */
	int64_t first_ns;         /* of samples that were left without a file */
	enum lp_journal_wish wish; /* once what was looked at is written */
	struct lp_notices events;  /* not yet written */
	struct lp_inventory *inventory;
	bool inventory_written; /* into the open file */
	bool inventory_changed; /* since one was written into any file */
	bool unsettled;         /* another one is about to come */
	int64_t sealed_ns, synced_ns, failed_ns; /* monotonic */
	bool failing;
	uint64_t lost;
};

struct lp_journal *lp_journal_new(const struct lp_journal_config *config)
{
	struct lp_journal *j = calloc(1, sizeof(*j));

	if (!j)
		return NULL;
	j->config = *config;
	j->block = lp_builder_new(config->host);
	if (!j->block) {
		free(j);
		return NULL;
	}
	return j;
}

void lp_journal_free(struct lp_journal *j)
{
	if (!j)
		return;
	lp_archive_abandon(j->writer);
	free(j->path);
	lp_builder_free(j->block);
	lp_notices_done(&j->events);
	lp_inventory_free(j->inventory);
	free(j);
}

static int create_file(struct lp_journal *j, struct lp_error *err)
{
	int64_t first_ns = lp_builder_samples(j->block) > 0
				   ? lp_builder_shape(j->block)->time_ns[0]
				   : j->first_ns;
	int status = -EEXIST;

	assert(!j->writer);
	for (int64_t i = 0; status == -EEXIST && i < MOST_NAMES; i++) {
		free(j->path);
		j->path = lp_archive_path(j->config.dir, j->config.host,
					  first_ns + i * LP_NS_PER_S);
		status = j->path ? lp_archive_create(j->path, LP_ARCHIVE_LIVE,
						     &j->writer, err)
				 : lp_fail_memory(err);
	}
	if (status < 0)
		return status;
	j->day = lp_tick_day(first_ns);
	j->inventory_written = false;
	j->sealed_ns = lp_monotonic_now();
	/* At once, so that a file that has a sample has a name for good. */
	j->synced_ns = j->sealed_ns - OLDEST_NS;
	return 0;
}

/* The oldest n samples of the block. */
static int seal_first(struct lp_journal *j, size_t n, struct lp_error *err)
{
	struct lp_chunk first = *lp_builder_chunk(j->block);
	int status;

	assert(n <= first.n_samples);
	if (n == 0)
		return 0;
	first.n_samples = n;
	status = lp_archive_put_chunk(j->writer, &first, err);
	if (status < 0)
		return status;
	lp_builder_drop(j->block, n);
	j->sealed_ns = lp_monotonic_now();
	return 0;
}

/* After the samples that it does not describe: names may have other owners. */
static int put_inventory(struct lp_journal *j, struct lp_error *err)
{
	int status = 0;

	if (!j->inventory || j->inventory_written)
		return 0;
	if (j->inventory_changed)
		status = seal_first(j,
				    lp_change_find(lp_builder_chunk(j->block),
						   j->inventory),
				    err);
	if (status == 0)
		status = lp_archive_put_inventory(j->writer, j->inventory, err);
	if (status < 0)
		return status;
	j->inventory_written = true;
	j->inventory_changed = false;
	return 0;
}

/* What is no sample. It stands before the tail that comes with it. */
static int put_small_things(struct lp_journal *j, struct lp_error *err)
{
	int status = put_inventory(j, err);

	for (size_t i = 0; status == 0 && i < j->events.count; i++) {
		struct lp_label room[LP_NOTICE_PAIRS + 1];
		struct lp_event event = lp_notice_event(&j->events.items[i],
							j->config.host, room);

		status = lp_archive_put_event(j->writer, &event, err);
	}
	if (status == 0)
		lp_notices_done(&j->events);
	return status;
}

static int seal(struct lp_journal *j, struct lp_error *err)
{
	int status;

	if (lp_builder_samples(j->block) == 0)
		return 0;
	status = lp_archive_put_chunk(j->writer, lp_builder_brief(j->block),
				      err);
	if (status < 0)
		return status;
	lp_builder_clear(j->block);
	j->sealed_ns = lp_monotonic_now();
	return 0;
}

/* What the journal looked at. */
static int put_staged(struct lp_journal *j, struct lp_error *err)
{
	int status = lp_archive_put_staged(j->writer, err);

	if (status == 0 && j->wish == LP_JOURNAL_FORGET)
		j->sealed_ns = lp_monotonic_now();
	return status;
}

/*
 * Whether what was done last at `since_ns` cannot be left to the next batch.
 * The oldest sample came an interval after that; the next batch begins an
 * interval from now, and is written when its first sample has waited.
 */
static bool is_due(const struct lp_journal *j, int64_t since_ns, int64_t now_ns)
{
	int64_t interval_ns = j->config.interval_ns;

	return now_ns - since_ns + lp_batch_wait(interval_ns) +
		       lp_tick_slack(interval_ns) >
	       OLDEST_NS;
}

/*
 * Whether a block of so many samples is to be sealed. It waits for an inventory
 * that has to stand in its midst, but not for long: none may ever come.
 */
static bool is_full(const struct lp_journal *j, size_t n, int64_t now_ns)
{
	size_t most = j->unsettled ? 2 * SEAL_SAMPLES : SEAL_SAMPLES;
	int64_t grace_ns = j->unsettled ? OLDEST_NS : 0;

	return n >= most || is_due(j, j->sealed_ns, now_ns - grace_ns);
}

static int put_block(struct lp_journal *j, bool left, struct lp_error *err)
{
	int64_t now_ns = lp_monotonic_now();
	int status;

	assert(j->writer);
	if (left && j->wish == LP_JOURNAL_LOOK)
		return 0; /* there was no file yet to encode them for */
	if (left)
		status = put_staged(j, err);
	else if (is_full(j, lp_builder_samples(j->block), now_ns))
		status = seal(j, err);
	else
		status = lp_archive_put_tail(j->writer,
					     lp_builder_brief(j->block), err);
	if (status == 0 && is_due(j, j->synced_ns, now_ns)) {
		status = lp_archive_sync(j->writer, err);
		j->synced_ns = status == 0 ? now_ns : j->synced_ns;
	}
	return status;
}

/* The newest samples are worth most. */
static void bound_memory(struct lp_journal *j)
{
	size_t keep = lp_samples_to_keep(j->config.interval_ns);
	size_t have = lp_builder_samples(j->block);

	if (have <= keep)
		return;
	lp_builder_drop(j->block, have - keep);
	j->lost += have - keep;
}

/* A file that cannot be written, full disks apart, is given up. */
static void fail(struct lp_journal *j, int status, const struct lp_error *err,
		 struct lp_notices *says)
{
	if (!j->failing)
		lp_notice_add(says, LP_EVENT_LOST,
			      "%s; keeping the newest samples in memory and "
			      "trying again every 10 s",
			      err->text);
	j->failing = true;
	j->failed_ns = lp_monotonic_now();
	bound_memory(j);
	if (status != -ENOSPC && status != -EDQUOT) {
		lp_archive_abandon(j->writer);
		j->writer = NULL;
	}
}

/* The block grew meanwhile and would stay as large. */
static void shrink(struct lp_journal *j)
{
	struct lp_builder *small;

	if (lp_builder_samples(j->block) > 0)
		return;
	small = lp_builder_new(j->config.host);
	if (!small)
		return;
	lp_builder_free(j->block);
	j->block = small;
}

static void recover(struct lp_journal *j, struct lp_notices *says)
{
	struct lp_error err;

	j->failing = false;
	lp_notice_add(says, LP_EVENT_LOST,
		      "writing to %s again; %llu samples were lost", j->path,
		      (unsigned long long)j->lost);
	if (j->lost)
		lp_notice_pair(lp_notice_add(&j->events, LP_EVENT_LOST,
					     "%llu samples could not be "
					     "written",
					     (unsigned long long)j->lost),
			       "samples", "%llu", (unsigned long long)j->lost);
	j->lost = 0;
	shrink(j);
	/* The event can wait for the next batch if it must. */
	put_small_things(j, &err);
}

/* Bring the file up to date, unless it failed just now. */
static void write_out(struct lp_journal *j, bool left, struct lp_notices *says)
{
	struct lp_error err;
	int status = 0;

	if (!left && lp_builder_samples(j->block) == 0)
		return;
	if (j->failing && lp_monotonic_now() - j->failed_ns < RETRY_EVERY_NS) {
		bound_memory(j);
		return;
	}
	if (!j->writer)
		status = create_file(j, &err);
	if (status == 0)
		status = put_small_things(j, &err);
	if (status == 0)
		status = put_block(j, left, &err);
	if (status < 0)
		fail(j, status, &err, says);
	else if (j->failing || j->lost)
		recover(j, says);
}

static void close_file(struct lp_journal *j, struct lp_notices *says)
{
	struct lp_error err;
	int status;

	if (!j->writer)
		return;
	status = put_inventory(j, &err);
	if (status == 0)
		status = seal(j, &err);
	if (status == 0)
		status = put_small_things(j, &err);
	if (status < 0)
		fail(j, status, &err, says);
	if (!j->writer)
		return;
	status = lp_archive_finish(j->writer, &err);
	j->writer = NULL;
	if (status < 0)
		fail(j, -ENOSPC, &err, says);
	else if (j->config.closed)
		j->config.closed(j->config.user, j->path);
}

void lp_journal_rotate(struct lp_journal *j, struct lp_notices *says)
{
	close_file(j, says);
}

static void exchange(struct lp_builder **a, struct lp_builder **b)
{
	struct lp_builder *kept = *a;

	*a = *b;
	*b = kept;
}

/* Samples [from, to) are of one day; all of them are not copied if they are
 * the only ones, but change places with the empty block. */
static void append(struct lp_journal *j, struct lp_builder **samples,
		   size_t from, size_t to, struct lp_notices *says)
{
	const struct lp_chunk *shape = lp_builder_shape(*samples);

	if (j->writer && lp_tick_day(shape->time_ns[from]) != j->day)
		close_file(j, says);
	if (to - from == shape->n_samples && lp_builder_samples(j->block) == 0)
		exchange(&j->block, samples);
	else if (lp_builder_append(j->block, lp_builder_chunk(*samples), from,
				   to) < 0)
		lp_notice_add(says, LP_EVENT_LOST,
			      "out of memory: samples were lost");
}

/* Samples from `from` on that are of one day: where they end. */
static size_t end_of_day(const struct lp_chunk *shape, size_t from)
{
	int64_t day = lp_tick_day(shape->time_ns[from]);
	size_t to = from + 1;

	while (to < shape->n_samples && lp_tick_day(shape->time_ns[to]) == day)
		to++;
	return to;
}

static void append_by_day(struct lp_journal *j, struct lp_builder **samples,
			  struct lp_notices *says)
{
	size_t n = lp_builder_samples(*samples), from = 0;

	while (from < n) {
		size_t to = end_of_day(lp_builder_shape(*samples), from);

		append(j, samples, from, to, says);
		if (to < n)
			write_out(j, false, says);
		from = to;
	}
}

/* The builder that was filled last goes back, so that no third one grows. */
static void take(struct lp_journal *j, struct lp_builder **samples,
		 struct lp_notices *says)
{
	const struct lp_builder *own = j->block;
	bool exchanged;

	append_by_day(j, samples, says);
	exchanged = *samples == own;
	write_out(j, false, says);
	if (exchanged && lp_builder_samples(j->block) == 0)
		exchange(&j->block, samples);
	lp_builder_clear(*samples);
}

static bool is_news(const struct lp_journal *j,
		    const struct lp_inventory *inventory)
{
	return inventory &&
	       !(j->inventory && lp_inventory_same(j->inventory, inventory));
}

static void keep_inventory(struct lp_journal *j, struct lp_inventory *inventory)
{
	if (!is_news(j, inventory)) {
		lp_inventory_free(inventory);
		return;
	}
	/* The first one was true of all before it. */
	j->inventory_changed = j->inventory != NULL;
	lp_inventory_free(j->inventory);
	j->inventory = inventory;
	j->inventory_written = false;
}

bool lp_journal_look(struct lp_journal *j, const struct lp_batch *batch,
		     struct lp_builder *samples)
{
	const struct lp_chunk *shape = lp_builder_shape(samples);
	size_t n = shape->n_samples;
	struct lp_error err;
	bool full;

	if (j->failing || n == 0 || lp_builder_samples(j->block) > 0 ||
	    end_of_day(shape, 0) != n)
		return false;
	if (j->inventory && is_news(j, batch->inventory))
		return false; /* it may divide them */
	if (!j->writer) {
		j->first_ns = shape->time_ns[0];
		j->wish = LP_JOURNAL_LOOK;
		return true;
	}
	if (lp_tick_day(shape->time_ns[0]) != j->day)
		return false;
	j->unsettled = batch->unsettled;
	full = is_full(j, n, lp_monotonic_now());
	j->wish = full ? LP_JOURNAL_FORGET : LP_JOURNAL_KEEP;
	return lp_archive_stage(j->writer, lp_builder_brief(samples), full,
				&err) == 0;
}

enum lp_journal_wish lp_journal_add(struct lp_journal *j,
				    struct lp_batch *batch,
				    struct lp_notices *events,
				    struct lp_notices *says)
{
	keep_inventory(j, batch->inventory);
	batch->inventory = NULL;
	j->unsettled = batch->unsettled;
	j->lost += batch->lost;
	lp_notices_move(&j->events, events);
	if (!batch->left) {
		take(j, &batch->samples, says);
		return LP_JOURNAL_KEEP;
	}
	/* Samples are left only to a journal that has none of its own. */
	assert(!j->failing && lp_builder_samples(j->block) == 0);
	write_out(j, true, says);
	return j->failing ? LP_JOURNAL_KEEP : j->wish;
}

int lp_journal_stop(struct lp_journal *j, struct lp_notices *says,
		    struct lp_error *err)
{
	size_t left;

	j->failed_ns = 0;
	if (!j->writer)
		write_out(j, false, says);
	lp_notice_add(&j->events, LP_EVENT_STOP, "in order");
	close_file(j, says);
	left = lp_builder_samples(j->block);
	if (left || j->lost)
		return lp_fail(
			err, ENOSPC, "%zu %s could not be written to %s",
			left + (size_t)j->lost,
			lp_plural(left + (size_t)j->lost, "sample", "samples"),
			j->config.dir);
	return 0;
}
