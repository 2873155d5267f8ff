/* SPDX-License-Identifier: Apache-2.0 */
#include "source/lines.h"

#include "base/number.h"

#include <errno.h>
#include <stdlib.h>

int lp_lines_open(const struct lp_line_format *format,
		  const struct lp_reader_context *context, void **state)
{
	struct lp_lines *lines = calloc(1, sizeof(*lines));

	if (!lines || lp_procfile_init(&lines->file, context, format->path)) {
		free(lines);
		return -ENOMEM;
	}
	lines->format = format;
	lp_choice_init(&lines->choice, context->filter, format->class->name);
	*state = lines;
	return 0;
}

int lp_lines_fetch(void *state, struct lp_error *err)
{
	struct lp_lines *lines = state;

	return lp_procfile_read(&lines->file, err);
}

void lp_lines_close(void *state)
{
	struct lp_lines *lines = state;

	if (!lines)
		return;
	lp_procfile_done(&lines->file);
	lp_choice_done(&lines->choice);
	free(lines);
}

uint64_t lp_lines_instances(const void *state)
{
	const struct lp_lines *lines = state;

	return lines->instances;
}

bool lp_line_numbers(const char *at, const char *end, struct lp_line *line)
{
	uint64_t v;

	line->n_values = 0;
	while (lp_scan_u64(&at, end, &v)) {
		if (at < end && *at != ' ' && *at != '\t' && *at != '\r')
			return false;
		if (line->n_values < LP_LINE_VALUES)
			line->values[line->n_values++] = v;
	}
	while (at < end && (*at == ' ' || *at == '\t' || *at == '\r'))
		at++;
	return at == end;
}

static uint64_t add_name(uint64_t hash, const char *name, size_t n)
{
	for (size_t i = 0; i < n; i++)
		hash = (hash ^ (unsigned char)name[i]) * 1099511628211u;
	return hash * 31 + n;
}

static int put_line(struct lp_builder *builder, size_t panel,
		    const struct lp_line *line)
{
	struct lp_row row;

	if (!lp_builder_row(builder, panel, line->name, line->name_length,
			    &row))
		return -ENOMEM;
	if (!line->columns) {
		lp_row_u64s(&row, line->values, line->n_values);
		return 0;
	}
	for (size_t i = 0; i < line->n_values; i++)
		lp_row_u64(&row, line->columns[i], line->values[i]);
	return 0;
}

int lp_lines_parse(void *state, struct lp_builder *builder,
		   struct lp_error *err)
{
	struct lp_lines *lines = state;
	const char *at = lines->file.text, *end = at + lines->file.size;
	size_t panel = lp_builder_panel(builder, lines->format->class);
	size_t broken = 0;
	uint64_t hash = 0;
	const char *from, *to;

	if (panel == LP_BUILDER_NONE)
		return lp_fail_memory(err);
	while (lp_next_line(&at, end, &from, &to)) {
		struct lp_line line;
		enum lp_line_outcome outcome =
			lines->format->understand(from, to, &line);

		if (outcome == LP_LINE_BAD)
			lp_bad_line(&lines->file, from, to, &broken, err);
		if (outcome != LP_LINE_OK ||
		    !lp_choice_wants(&lines->choice, line.name,
				     line.name_length))
			continue;
		hash = add_name(hash, line.name, line.name_length);
		if (put_line(builder, panel, &line) < 0)
			return lp_fail_memory(err);
	}
	lines->instances = hash;
	return broken ? -EINVAL : 0;
}
