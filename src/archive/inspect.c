/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/inspect.h"

#include <errno.h>

struct walk {
	const struct inspection *inspection;
	struct lp_archive_state *verdict;
	struct scan scan;
	struct lp_buffer payload;
	struct decoder decoder;
	int64_t last_ns;         /* of the last sound block */
	struct lp_damage damage; /* not told yet: its end is not known */
	bool damaged;
};

/* Tell of the damage before `at`, now that it is known where it ends. */
static void tell_damage(struct walk *w, uint64_t at, int64_t next_ns)
{
	const struct lp_damage_sink *sink = w->inspection->sink;

	if (!w->damaged)
		return;
	w->damaged = false;
	w->damage.bytes = at - w->damage.offset;
	if (w->damage.loss == LP_LOSS_UNKNOWN)
		w->damage.last_ns = next_ns;
	w->verdict->damages++;
	w->verdict->damaged_bytes += w->damage.bytes;
	if (sink)
		sink->damage(sink->context, &w->damage);
}

static enum lp_loss loss_of(const struct walk *w, const struct block_header *h)
{
	if (h && h->type == BLOCK_SAMPLES)
		return LP_LOSS_SAMPLES;
	if (h && h->type == BLOCK_INVENTORY)
		return LP_LOSS_INVENTORY;
	if (h && (h->type == BLOCK_EVENT || h->type == BLOCK_PROSE))
		return LP_LOSS_EVENT;
	if (h && h->type == BLOCK_COUNTS)
		return LP_LOSS_COUNTS;
	return w->verdict->closed ? LP_LOSS_NOTHING : LP_LOSS_UNKNOWN;
}

static void note_damage(struct walk *w, const char *what,
			const struct block_header *h)
{
	w->damaged = true;
	w->damage = (struct lp_damage){
		.offset = w->scan.at,
		.what = what,
		.loss = loss_of(w, h),
		.first_ns = h ? h->first_ns : w->last_ns,
		.last_ns = h ? h->last_ns : LP_TIME_MAX,
		.samples = h ? h->n_samples : 0,
	};
}

/* 0 or -ENOMEM; *why is NULL for a block that is as it should be. */
static int check_content(struct walk *w, const struct block *block,
			 const char **why)
{
	struct lp_item item;
	int code;

	*why = NULL;
	if (block->header.type == BLOCK_END)
		return 0;
	code = lp_decode_whole(&w->decoder, block, &item);
	if (code == -ENOTSUP) {
		w->verdict->skipped++;
		return 0;
	}
	if (code != -EBADMSG)
		return code;
	*why = w->decoder.why;
	return 0;
}

static int sound_block(struct walk *w, const struct block *block,
		       struct lp_error *err)
{
	const struct block_header *h = &block->header;
	struct lp_archive_state *v = w->verdict;
	const struct inspection *i = w->inspection;

	tell_damage(w, w->scan.at, h->first_ns);
	v->closed = h->type == BLOCK_END;
	v->open_tail = (h->flags & BLOCK_OPEN) != 0;
	v->blocks += h->type != BLOCK_END; /* which holds nothing */
	v->samples += h->n_samples;
	v->values += h->n_values;
	if (h->type == BLOCK_SAMPLES)
		w->last_ns = h->last_ns;
	lp_scan_skip(&w->scan, h);
	return i->block ? i->block(i->context, block, err) : 0;
}

/* Go on at the next header that is sound. */
static int step_over(struct walk *w, const char *what,
		     const struct block_header *h, struct lp_error *err)
{
	uint64_t next;
	int code = lp_scan_resync(&w->scan, w->scan.at + 1, &next, err);

	if (code < 0)
		return code;
	if (!w->damaged)
		note_damage(w, what, h);
	w->scan.at = next;
	return 0;
}

static int step(struct walk *w, struct lp_error *err)
{
	static const char *const words[] = {
		[SCAN_HEADER] = "no block header, or a damaged one",
		[SCAN_SHORT] = "the file ends within this block",
		[SCAN_PAYLOAD] = "its checksum differs",
	};
	struct block block;
	const char *why = NULL;
	int found = lp_scan_block(&w->scan, &block, &w->payload, err);

	if (found <= 0)
		return found;
	if (found == SCAN_BLOCK) {
		int code = check_content(w, &block, &why);

		if (code < 0)
			return lp_fail_memory(err);
	} else {
		why = words[found];
	}
	if (why) {
		/* One damage after another: tell of the first. */
		if (found != SCAN_HEADER)
			tell_damage(w, w->scan.at, block.header.first_ns);
		found = step_over(w, why,
				  found == SCAN_HEADER ? NULL : &block.header,
				  err);
	} else {
		found = sound_block(w, &block, err);
	}
	return found < 0 ? found : 1;
}

/*
 * A damaged head is damage if blocks follow; else this is no archive. What the
 * blocks of a later version mean is not known.
 */
static int check_head(struct walk *w, struct lp_error *err)
{
	struct lp_error head_err;
	int code = lp_scan_head(&w->scan, &head_err);
	uint64_t next;

	if (code == 0)
		return 0;
	if (code == -ENOTSUP)
		return lp_fail(err, ENOTSUP, "%s", head_err.text);
	w->scan.at = 0;
	if (lp_scan_resync(&w->scan, 0, &next, err) < 0)
		return code;
	if (next >= w->scan.size && code == -EBADMSG && w->scan.size > 0)
		return lp_fail(err, EBADMSG,
			       "%s: not a limpid archive: there is no sound "
			       "block in it",
			       w->scan.path);
	if (next >= w->scan.size)
		return lp_fail(err, -code, "%s", head_err.text);
	note_damage(w, "the head of the file is damaged", NULL);
	w->damage.loss = LP_LOSS_NOTHING;
	w->scan.at = next;
	return 0;
}

int lp_inspect(const char *path, const struct inspection *inspection,
	       struct lp_archive_state *verdict, struct lp_error *err)
{
	struct walk w = {
		.inspection = inspection,
		.verdict = verdict,
		.last_ns = LP_TIME_MIN,
	};
	int code = lp_scan_open_any(&w.scan, path, err);

	if (code < 0)
		return code;
	*verdict = (struct lp_archive_state){ 0 };
	lp_decoder_init(&w.decoder);
	code = check_head(&w, err);
	if (code == 0)
		while ((code = step(&w, err)) > 0)
			;
	if (code == 0 && w.damaged) {
		verdict->closed &= w.damage.loss == LP_LOSS_NOTHING;
		verdict->open_tail = false;
		tell_damage(&w, w.scan.size, LP_TIME_MAX);
	}
	verdict->bytes = w.scan.size;
	lp_decoder_done(&w.decoder);
	lp_buffer_done(&w.payload);
	lp_scan_close(&w.scan);
	return code;
}

int lp_archive_verify(const char *path, const struct lp_damage_sink *sink,
		      struct lp_archive_state *verdict, struct lp_error *err)
{
	struct inspection inspection = { .sink = sink };

	return lp_inspect(path, &inspection, verdict, err);
}
