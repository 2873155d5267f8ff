/* SPDX-License-Identifier: Apache-2.0 */
/* sadf -j: any text as its output. */
#include "source/sadf.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct text {
	char *at, *end;
};

static int text_line(void *state, char **line, size_t *n, struct lp_error *err)
{
	struct text *text = state;
	char *newline;

	(void)err;
	if (text->at >= text->end)
		return 0;
	newline = memchr(text->at, '\n', (size_t)(text->end - text->at));
	if (!newline)
		newline = text->end;
	*newline = '\0';
	*line = text->at;
	*n = (size_t)(newline - text->at);
	text->at = newline + 1;
	return 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *copy = malloc(size + 1);
	struct text text = { copy, copy + size };
	struct lp_sadf_json_input input = {
		.host = strdup("h"),
		.path = strdup("sa"),
		.lines = { text_line, &text },
	};
	struct lp_stream *stream = NULL;
	struct lp_item item;
	struct lp_error err;

	if (!copy)
		abort();
	memcpy(copy, data, size);
	copy[size] = '\0';
	if (lp_sadf_json_open(&input, &stream, &err) == 0) {
		while (lp_stream_next(stream, &item, &err) > 0)
			;
		lp_stream_close(stream);
	}
	free(copy);
	return 0;
}
