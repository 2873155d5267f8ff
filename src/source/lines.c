/* SPDX-License-Identifier: Apache-2.0 */
#include "source/lines.h"

#include "base/memory.h"
#include "base/number.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

int lp_lines_open(const struct lp_line_format *format,
		  const struct lp_reader_context *context, void **state)
{
	struct lp_lines *lines = calloc(1, sizeof(*lines));

	if (!lines || lp_procfile_init(&lines->file, context, format->path)) {
		free(lines);
		return -ENOMEM;
	}
	lines->format = format;
	lp_chooser_init(&lines->choice, context->filter, format->class->name);
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
	lp_chooser_done(&lines->choice);
	free(lines->last.bytes);
	for (size_t i = 0; i < LP_HELD_TEXTS; i++)
		free(lines->held[i].bytes);
	free(lines->kept);
	free(lines);
}

uint64_t lp_lines_instances(const void *state)
{
	const struct lp_lines *lines = state;

	return lines->instances;
}

bool lp_line_numbers(const char *at, const char *end,
		     struct lp_input_line *line)
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
		    const struct lp_input_line *line, uint32_t *series)
{
	struct lp_row row;

	if (!lp_builder_row(builder, panel, line->name, line->name_length,
			    &row))
		return -ENOMEM;
	*series = (uint32_t)row.series;
	if (!line->columns) {
		lp_row_u64s(&row, line->values, line->n_values);
		return 0;
	}
	for (size_t i = 0; i < line->n_values; i++)
		lp_row_u64(&row, line->columns[i], line->values[i]);
	return 0;
}

struct parsing {
	struct lp_lines *lines;
	const struct lp_text *text;
	struct lp_builder *builder;
	size_t panel, broken;
	struct lp_error *err;
};

/* Whether the line is that of the last text, and its row that of then. */
static bool repeat_line(const struct parsing *p, size_t i, const char *at,
			const char *end)
{
	const struct lp_lines *lines = p->lines;
	const struct lp_kept_line *kept = &lines->kept[i];

	if (i >= lines->n_kept || !kept->whole ||
	    kept->size > (size_t)(end - at) ||
	    memcmp(lines->last.bytes + kept->at, at, kept->size) != 0)
		return false;
	return kept->name_length == 0 ||
	       lp_row_repeat(
		       &(struct lp_row){ p->builder, p->panel, kept->series });
}

static void bad_line(struct parsing *p, const char *from, const char *to)
{
	const struct lp_procfile file = { .path = p->lines->file.path,
					  .text = p->text->bytes,
					  .size = p->text->size };

	lp_bad_line(&file, from, to, &p->broken, p->err);
}

static int parse_line(struct parsing *p, const char *at, const char *end,
		      struct lp_kept_line *kept)
{
	const char *next = at, *from, *to;
	enum lp_line_outcome outcome;
	struct lp_input_line line;

	lp_next_line(&next, end, &from, &to);
	outcome = p->lines->format->understand(from, to, &line);
	if (outcome == LP_LINE_BAD)
		bad_line(p, from, to);
	*kept = (struct lp_kept_line){ .size = (uint32_t)(next - at),
				       .whole = outcome != LP_LINE_BAD &&
						next > to };
	if (outcome != LP_LINE_OK ||
	    !lp_chooser_wants(&p->lines->choice, line.name, line.name_length))
		return 0;
	kept->name = (uint32_t)(line.name - at);
	kept->name_length = (uint32_t)line.name_length;
	return put_line(p->builder, p->panel, &line, &kept->series);
}

static int parse_text(struct parsing *p)
{
	struct lp_lines *lines = p->lines;
	const char *text = p->text->bytes, *end = text + p->text->size;
	uint64_t hash = 0;
	size_t i = 0;

	for (const char *at = text; at < end; at += lines->kept[i++].size) {
		struct lp_kept_line *kept;

		if (lp_grow(&lines->kept, &lines->kept_capacity, i + 1,
			    sizeof(*lines->kept)) < 0)
			return -ENOMEM;
		kept = &lines->kept[i];
		if (!repeat_line(p, i, at, end) &&
		    parse_line(p, at, end, kept) < 0)
			return -ENOMEM;
		kept->at = (uint32_t)(at - text);
		if (kept->name_length > 0)
			hash = add_name(hash, at + kept->name,
					kept->name_length);
	}
	lines->n_kept = i;
	lines->instances = hash;
	return 0;
}

static struct lp_text take_fetched(const struct lp_lines *lines, size_t sample)
{
	return (struct lp_text){ .bytes = lines->file.text,
				 .size = lines->file.size,
				 .capacity = lines->file.capacity,
				 .sample = sample };
}

/* The next fetch goes where another text was. */
static void give_room(struct lp_lines *lines, const struct lp_text *old)
{
	lines->file.text = old->bytes;
	lines->file.capacity = old->capacity;
	lines->file.size = 0;
}

/* Whether the rows of the last text are in the sample before this one. */
static bool goes_on(const struct lp_lines *lines,
		    const struct lp_builder *builder, size_t sample)
{
	return lines->builder == builder &&
	       lines->epoch == lp_builder_epoch(builder) &&
	       lines->last.sample + 1 == sample;
}

/* One text, which then is the last; *text is where the last one was. */
static int parse_next(struct lp_lines *lines, struct lp_builder *builder,
		      struct lp_text *text, struct lp_error *err)
{
	struct parsing p = { .lines = lines,
			     .text = text,
			     .builder = builder,
			     .panel = lp_builder_panel(builder,
						       lines->format->class),
			     .err = err };
	struct lp_text last = lines->last;

	if (p.panel == LP_BUILDER_NONE)
		return lp_fail_memory(err);
	assert(text->sample == lp_builder_now(builder));
	if (!goes_on(lines, builder, text->sample))
		lines->n_kept = 0;
	if (parse_text(&p) < 0) {
		lines->n_kept = 0;
		return lp_fail_memory(err);
	}
	lines->builder = builder;
	lines->epoch = lp_builder_epoch(builder);
	lines->last = *text;
	*text = last;
	return p.broken ? -EINVAL : 0;
}

bool lp_lines_hold(void *state, size_t sample)
{
	struct lp_lines *lines = state;
	struct lp_text *held = &lines->held[lines->n_held], empty;

	if (lines->n_held == LP_HELD_TEXTS || lines->file.size > LP_HELD_BYTES)
		return false;
	assert(lines->n_held == 0 || held[-1].sample < sample);
	empty = *held;
	*held = take_fetched(lines, sample);
	give_room(lines, &empty);
	lines->n_held++;
	return true;
}

int lp_lines_catch_up(void *state, struct lp_builder *builder,
		      struct lp_error *err)
{
	struct lp_lines *lines = state;
	int status = 0;

	for (size_t i = 0; i < lines->n_held; i++) {
		struct lp_error why;
		int one;

		lp_builder_turn(builder, lines->held[i].sample);
		one = parse_next(lines, builder, &lines->held[i], &why);
		if (one < 0 && status == 0)
			*err = why;
		status = status < 0 ? status : one;
	}
	lines->n_held = 0;
	lp_builder_turn(builder, lp_builder_samples(builder));
	return status;
}

int lp_lines_parse(void *state, struct lp_builder *builder,
		   struct lp_error *err)
{
	struct lp_lines *lines = state;
	int before = lp_lines_catch_up(lines, builder, err);
	struct lp_text text = take_fetched(lines, lp_builder_now(builder));
	struct lp_error why;
	int status = parse_next(lines, builder, &text, before < 0 ? &why : err);

	give_room(lines, &text);
	return before < 0 ? before : status;
}
