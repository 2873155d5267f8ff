/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file of lines, read three times: as it is, again, and with one digit
 * changed; lines that stay, and lines that are held, must give what reading
 * them anew gives.
 */
#ifndef LP_TESTS_FUZZ_LINES_H
#define LP_TESTS_FUZZ_LINES_H

#include "source/lines.h"

#include <stdlib.h>
#include <string.h>

enum fuzz_way { FUZZ_ANEW, FUZZ_KEEP, FUZZ_HOLD };

static inline void fuzz_tick(struct lp_lines *lines, struct lp_builder *builder,
			     const char *text, size_t size, int64_t time_ns,
			     enum fuzz_way way)
{
	struct lp_error err;

	if (lp_grow(&lines->file.text, &lines->file.capacity, size + 1, 1) < 0)
		abort();
	memcpy(lines->file.text, text, size);
	lines->file.size = size;
	lp_builder_tick(builder, time_ns);
	if (way == FUZZ_ANEW)
		lines->n_kept = 0;
	if (way != FUZZ_HOLD ||
	    !lp_lines_hold(lines, lp_builder_samples(builder)))
		lp_lines_parse(lines, builder, &err);
}

static inline struct lp_builder *fuzz_ticks(const struct lp_line_format *format,
					    char *text, size_t size,
					    char *digit, enum fuzz_way way)
{
	const struct lp_reader_context context = { .root = "", .netns_fd = -1 };
	struct lp_builder *builder = lp_builder_new("h");
	struct lp_lines *lines = NULL;
	struct lp_error err;
	void *state;

	if (lp_lines_open(format, &context, &state) < 0)
		abort();
	lines = state;
	for (int64_t tick = 0; tick < 3; tick++) {
		if (tick == 2 && digit)
			*digit = *digit == '9' ? '0' : *digit + 1;
		fuzz_tick(lines, builder, text, size, tick, way);
	}
	lp_lines_catch_up(lines, builder, &err);
	if (digit)
		*digit = *digit == '0' ? '9' : *digit - 1;
	lp_lines_close(lines);
	return builder;
}

static inline int fuzz_lines(const struct lp_line_format *format,
			     const uint8_t *data, size_t size)
{
	struct lp_builder *kept, *held, *anew;
	char *text = malloc(size + 1), *digit = NULL;

	if (!text)
		return 0;
	memcpy(text, data, size);
	for (size_t i = size / 2; i < size && !digit; i++)
		if (text[i] >= '0' && text[i] <= '9')
			digit = text + i;
	kept = fuzz_ticks(format, text, size, digit, FUZZ_KEEP);
	held = fuzz_ticks(format, text, size, digit, FUZZ_HOLD);
	anew = fuzz_ticks(format, text, size, digit, FUZZ_ANEW);
	if (!lp_chunk_equal(lp_builder_chunk(kept), lp_builder_chunk(anew)) ||
	    !lp_chunk_equal(lp_builder_chunk(held), lp_builder_chunk(anew)))
		abort();
	lp_builder_free(kept);
	lp_builder_free(held);
	lp_builder_free(anew);
	free(text);
	return 0;
}

#endif
