/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sampler: a thread that wakes at every tick, lets all readers fetch, and
 * puts what they found into a builder, from which another thread takes it.
 *
 *   worker                    watching thread              keeping thread
 *   ──────                    ───────────────              ──────────────
 *   wait for the tick
 *   fetch, fetch, fetch ...   (sleeps; wakes only if
 *   lock; parse or hold;       a fetch takes too long)
 *   unlock; push the alarm                                 parse what is held,
 *   back                                                   take, write
 *
 * When a fetch does not come back in time, the watching thread marks that
 * reader as stuck, counts the generation up and starts a new worker, which
 * takes the sample anew without it. The old worker, should its call ever
 * return, sees that it was superseded, gives the reader back and ends. The
 * alarm is a timer that the worker pushes back at the end of a tick, so in the
 * normal case nobody else wakes.
 *
 * The keeping thread need not take samples to write them: it looks at them and
 * leaves them, and says when they may go, so that nothing is copied, one
 * builder serves for good, and the readers can go on from the sample before.
 */
#ifndef LP_RECORD_SAMPLER_H
#define LP_RECORD_SAMPLER_H

#include "model/inventory.h"
#include "record/clock.h"
#include "record/notice.h"
#include "source/reader.h"

/* So many samples are taken at once, however soon they came. */
#define LP_BATCH_SAMPLES 32
/* How long the first sample of a batch waits for the last. */
int64_t lp_batch_wait(int64_t interval_ns);

struct lp_sampler;

struct lp_sampler_config {
	const char *host;
	int64_t interval_ns;
	uint64_t count; /* samples; 0: no end */
	bool no_tcp;
	struct lp_reader_context context; /* outlives the sampler */
	const struct lp_clock *clock;     /* NULL: the real one */
};

/* What the keeping thread took. */
struct lp_batch {
	struct lp_builder *samples; /* give an empty one, get the full one */
	bool left; /* the samples stay where they are, yours is as it was */
	struct lp_inventory *inventory; /* NULL: no new one; you now own it */
	bool unsettled; /* devices changed; the next batch or so brings one */
	struct lp_notices notices; /* not heard yet; yours */
	uint64_t lost;             /* samples dropped: nobody took them */
	bool end;                  /* no more will come */
	bool barren;               /* no reader has anything to give */
};

int lp_sampler_new(const struct lp_sampler_config *config,
		   struct lp_sampler **sampler, struct lp_error *err);
int lp_sampler_start(struct lp_sampler *sampler, struct lp_error *err);
/* Ask the worker to end; lp_sampler_wait then gives the end. */
void lp_sampler_stop(struct lp_sampler *sampler);
/*
 * Frees it. False, and all is left as it is: a thread is still in a reader;
 * end the process without a look back.
 */
bool lp_sampler_free(struct lp_sampler *sampler);

/* Readable when lp_sampler_watch has to look after the worker. */
int lp_sampler_alarm_fd(const struct lp_sampler *sampler);
void lp_sampler_watch(struct lp_sampler *sampler);
/* Readable when there are notices, or at the end. */
int lp_sampler_news_fd(const struct lp_sampler *sampler);
/* Move the notices out. True: the end was reached. */
bool lp_sampler_news(struct lp_sampler *sampler, struct lp_notices *notices);

/*
 * Looks at the samples so far, the worker standing still meanwhile, and at the
 * batch's inventory; true: it saw all it needs of them, and they may grow on.
 */
typedef bool lp_look(void *user, const struct lp_batch *batch,
		     struct lp_builder *samples);
/*
 * Wait until samples must be written, or the end, or a nudge. Take all, unless
 * `look` leaves them; at the end it is not asked.
 */
void lp_sampler_wait(struct lp_sampler *sampler, lp_look *look, void *user,
		     struct lp_batch *batch);
/* Those that were left by the last wait are not needed any more. */
void lp_sampler_forget(struct lp_sampler *sampler);
void lp_sampler_nudge(struct lp_sampler *sampler);

/* Samples of this interval that are kept in memory when none can be written. */
size_t lp_samples_to_keep(int64_t interval_ns);

#endif
