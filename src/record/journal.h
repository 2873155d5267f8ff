/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The journal: puts batches of samples into archives, one file a day.
 *
 * Samples not yet sealed are the file's tail, which is written anew with every
 * batch, as a rule from where they are gathered, and so is the block when it is
 * sealed: the journal has samples of its own only while it cannot write. What
 * cannot be written (a full disk) is kept in memory, the newest samples of it,
 * and tried again with the next batches.
 *
 * An inventory is true of the samples that stand behind it. One that changed
 * comes some samples after the devices did, so it is put between those before
 * and those after (change.h), and no block is sealed while one is awaited. It
 * comes too late for that where devices change again within ten seconds of the
 * inventory before, or all the time (CENSUS_SOON_NS of worker.c): samples that
 * were sealed by then stand before it under the new names.
 */
#ifndef LP_RECORD_JOURNAL_H
#define LP_RECORD_JOURNAL_H

#include "record/notice.h"
#include "record/sampler.h"

struct lp_journal;

struct lp_journal_config {
	const char *dir, *host;
	int64_t interval_ns;
	/* A file was closed in order. */
	void (*closed)(void *user, const char *path);
	void *user;
};

struct lp_journal *lp_journal_new(const struct lp_journal_config *config);
/* Closes the file as it is. Accepts NULL. */
void lp_journal_free(struct lp_journal *journal);

/*
 * Look at samples that are still gathered, and at what else the batch brings:
 * true if they need not be handed over, since one block holds all of them.
 * lp_journal_add with a batch that was left then writes them.
 */
bool lp_journal_look(struct lp_journal *journal, const struct lp_batch *batch,
		     struct lp_builder *samples);

/* What is to be done with samples that were left. */
enum lp_journal_wish {
	LP_JOURNAL_KEEP,
	LP_JOURNAL_FORGET, /* they are sealed */
	LP_JOURNAL_LOOK,   /* there is a file for them now: look again */
};

/*
 * Put the batch, and the notices as events; both are empty afterwards, and the
 * batch's builder may be another one. What the journal itself has to say is
 * added to `says`.
 */
enum lp_journal_wish lp_journal_add(struct lp_journal *journal,
				    struct lp_batch *batch,
				    struct lp_notices *events,
				    struct lp_notices *says);
/* Close the file in order; the next sample begins another. */
void lp_journal_rotate(struct lp_journal *journal, struct lp_notices *says);
/* Mark an orderly stop and close. 0, or -errno: something was not kept. */
int lp_journal_stop(struct lp_journal *journal, struct lp_notices *says,
		    struct lp_error *err);

#endif
