/* SPDX-License-Identifier: Apache-2.0 */
#include "table/held.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct held {
	struct lp_stream stream;
	struct lp_stream *inner;
	int fd;
	char lost[LP_LOST_TEXT];
};

static int held_next(struct lp_stream *stream, struct lp_item *item,
		     struct lp_error *err)
{
	return lp_stream_next(((struct held *)stream)->inner, item, err);
}

static void held_close(struct lp_stream *stream)
{
	struct held *h = (struct held *)stream;

	lp_stream_close(h->inner);
	if (h->fd >= 0)
		close(h->fd);
	free(h);
}

static double held_progress(const struct lp_stream *stream)
{
	return lp_stream_progress(((const struct held *)stream)->inner);
}

static const char *held_lost(const struct lp_stream *stream)
{
	const struct held *h = (const struct held *)stream;

	return h->lost[0] ? h->lost : lp_stream_lost(h->inner);
}

static uint64_t held_skipped(const struct lp_stream *stream)
{
	return lp_stream_skipped(((const struct held *)stream)->inner);
}

static const struct lp_stream_ops ops = {
	.next = held_next,
	.close = held_close,
	.progress = held_progress,
	.lost = held_lost,
	.skipped = held_skipped,
};

int lp_held_open(struct lp_stream *inner, int fd, const char *lost,
		 struct lp_stream **stream, struct lp_error *err)
{
	struct held *h = calloc(1, sizeof(*h));

	if (!h) {
		lp_stream_close(inner);
		if (fd >= 0)
			close(fd);
		return lp_fail_memory(err);
	}
	h->stream.ops = &ops;
	h->inner = inner;
	h->fd = fd;
	snprintf(h->lost, sizeof(h->lost), "%s", lost);
	*stream = &h->stream;
	return 0;
}
