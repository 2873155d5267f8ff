/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sadf -r -O debug: any text as the output of all three activities, through
 * the whole stream.
 */
#include "source/sadf.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct text {
	char *copy, *at, *end;
};

static int text_line(void *state, char **line, size_t *n, struct lp_error *err)
{
	struct text *text = state;
	char *newline;

	(void)err;
	if (text->at >= text->end)
		return 0;
	newline = memchr(text->at, '\n', (size_t)(text->end - text->at));
	/* One byte behind the text belongs to the copy. */
	if (!newline)
		newline = text->end;
	*newline = '\0';
	*line = text->at;
	*n = (size_t)(newline - text->at);
	text->at = newline + 1;
	return 1;
}

static void text_init(struct text *text, const uint8_t *data, size_t size)
{
	text->copy = malloc(size + 1);
	if (!text->copy)
		abort();
	memcpy(text->copy, data, size);
	text->copy[size] = '\0';
	text->at = text->copy;
	text->end = text->copy + size;
}

static void read_clock(struct lp_sadf_clock *clock, const uint8_t *data,
		       size_t size)
{
	struct lp_sadf_head head;
	struct text text;
	char *line;
	size_t n;

	text_init(&text, data, size);
	while (text_line(&text, &line, &n, NULL) > 0)
		if (lp_sadf_parse_head(line, n, &head))
			lp_sadf_clock_add(clock, &head);
	lp_sadf_clock_set(clock);
	free(text.copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lp_sadf_input input = { .host = strdup("h"),
				       .path = strdup("sa") };
	struct text texts[LP_SADF_ACTIVITIES];
	struct lp_stream *stream = NULL;
	struct lp_item item;
	struct lp_error err;

	for (size_t i = 0; i < LP_SADF_ACTIVITIES; i++) {
		text_init(&texts[i], data, size);
		input.tracks[input.n_tracks++] = (struct lp_sadf_track){
			.activity = &lp_sadf_activities[i],
			.lines = { text_line, &texts[i] },
		};
	}
	/* One activity alone gets further than all three. */
	if (size > 0 && data[size - 1] == '1')
		input.n_tracks = 1;
	read_clock(&input.clock, data, size);
	if (lp_sadf_stream_open(&input, &stream, &err) == 0) {
		while (lp_stream_next(stream, &item, &err) > 0)
			;
		lp_stream_close(stream);
	}
	for (size_t i = 0; i < LP_SADF_ACTIVITIES; i++)
		free(texts[i].copy);
	return 0;
}
