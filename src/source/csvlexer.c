/* SPDX-License-Identifier: Apache-2.0 */
#include "source/csvlexer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * Small files are read at once, larger ones in windows. Behind a jump, as in
 * files that must be sorted, the window is small; from there on it doubles.
 */
#define SMALL_FILE ((size_t)1 << 20)
#define SMALL_WINDOW ((size_t)1 << 9)
#define LARGE_WINDOW ((size_t)1 << 18)
/* What is longer is no CSV, or a quote that is never closed. */
#define LONGEST_RECORD ((size_t)1 << 20)

/* The byte order mark. */
static void skip_mark(struct lp_csv_lexer *l)
{
	if (l->end - l->at >= 3 && memcmp(l->at, "\xef\xbb\xbf", 3) == 0)
		l->at += 3;
}

void lp_csv_lexer_init(struct lp_csv_lexer *lexer, const char *text, size_t n)
{
	*lexer = (struct lp_csv_lexer){ .line = 1, .separator = ',' };
	lexer->begin = lexer->at = text;
	lexer->end = n ? text + n : text;
	skip_mark(lexer);
}

void lp_csv_lexer_init_file(struct lp_csv_lexer *lexer,
			    struct lp_text_file *file)
{
	lp_csv_lexer_init(lexer, file->text, file->n);
	if (!file->windowed)
		return;
	lexer->file = file;
	lexer->window = file->size < SMALL_FILE ? SMALL_FILE : LARGE_WINDOW;
}

uint64_t lp_csv_lexer_offset(const struct lp_csv_lexer *lexer, const char *at)
{
	return lexer->offset + (uint64_t)(at - lexer->begin);
}

void lp_csv_lexer_seek(struct lp_csv_lexer *l, uint64_t offset, uint64_t line)
{
	l->line = line;
	if (offset >= l->offset &&
	    offset - l->offset <= (uint64_t)(l->end - l->begin)) {
		l->at = l->begin + (offset - l->offset);
		return;
	}
	l->offset = offset;
	l->end = l->at = l->begin;
	l->window = SMALL_WINDOW;
}

void lp_csv_lexer_done(struct lp_csv_lexer *lexer)
{
	free(lexer->fields);
	lp_arena_done(&lexer->unquoted);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool add_field(struct lp_csv_lexer *l, const char *text, size_t n)
{
	if (l->n_fields == l->capacity &&
	    lp_grow(&l->fields, &l->capacity, l->n_fields + 1,
		    sizeof(*l->fields)) < 0)
		return false;
	l->fields[l->n_fields++] = (struct lp_csv_field){ text, n };
	return true;
}

/* a ,b -> "a" and "b"; the end is the comma's or the line's. */
static bool plain_field(struct lp_csv_lexer *l)
{
	const char *from = l->at, *to = from, *end = l->end;
	char separator = l->separator;

	while (to < end && *to != separator && *to != '\n')
		to++;
	l->at = to;
	if (to > from && to[-1] == '\r' && (to == l->end || *to == '\n'))
		to--;
	while (to > from && is_blank(to[-1]))
		to--;
	return add_field(l, from, (size_t)(to - from));
}

/* The text between the quotes, with "" made ". */
static char *without_doubles(struct lp_csv_lexer *l, const char *from,
			     const char *to, size_t *n)
{
	char *copy = lp_arena_alloc_raw(&l->unquoted, (size_t)(to - from));
	size_t used = 0;

	if (!copy)
		return NULL;
	for (const char *p = from; p < to; p++) {
		copy[used++] = *p;
		if (*p == '"')
			p++;
	}
	l->used_arena = true;
	*n = used;
	return copy;
}

/* Behind the closing quote, or NULL: there is none. */
static const char *find_close(struct lp_csv_lexer *l, bool *doubled)
{
	for (const char *p = l->at + 1; p < l->end; p++) {
		if (*p == '\n')
			l->line++;
		if (*p != '"')
			continue;
		if (p + 1 == l->end || p[1] != '"')
			return p;
		*doubled = true;
		p++;
	}
	return NULL;
}

/* "a ""b""" -> a "b" */
static int quoted_field(struct lp_csv_lexer *l, const char **what)
{
	const char *from = l->at + 1, *text = from, *close;
	bool doubled = false;
	size_t n;

	close = find_close(l, &doubled);
	if (!close) {
		l->at = l->end;
		*what = "a quoted field has no closing quote";
		return -EINVAL;
	}
	n = (size_t)(close - from);
	if (doubled && !(text = without_doubles(l, from, close, &n)))
		return -ENOMEM;
	for (l->at = close + 1;
	     l->at < l->end && is_blank(*l->at) && *l->at != l->separator;
	     l->at++)
		;
	if (l->at < l->end && *l->at == '\r')
		l->at++;
	if (l->at < l->end && *l->at != l->separator && *l->at != '\n') {
		*what = "a closing quote is followed by more text; quotes "
			"within a field are doubled";
		return -EINVAL;
	}
	return add_field(l, text, n) ? 0 : -ENOMEM;
}

static int next_field(struct lp_csv_lexer *l, const char **what)
{
	while (l->at < l->end && is_blank(*l->at) && *l->at != l->separator)
		l->at++;
	if (l->at < l->end && *l->at == '"')
		return quoted_field(l, what);
	return plain_field(l) ? 0 : -ENOMEM;
}

static void begin_record(struct lp_csv_lexer *l)
{
	l->n_fields = 0;
	if (l->used_arena)
		lp_arena_reset(&l->unquoted);
	l->used_arena = false;
	while (l->at < l->end && (*l->at == '\n' || *l->at == '\r')) {
		l->line += *l->at == '\n';
		l->at++;
	}
	l->start = l->at;
	l->start_line = l->line;
}

static int record(struct lp_csv_lexer *l, const char **what)
{
	int status;

	begin_record(l);
	if (l->at == l->end)
		return 0;
	for (;;) {
		status = next_field(l, what);
		if (status < 0)
			return status;
		if (l->at == l->end)
			return 1;
		if (*l->at++ == '\n') {
			l->line++;
			return 1;
		}
	}
}

static bool file_goes_on(const struct lp_csv_lexer *l)
{
	return l->file && lp_csv_lexer_offset(l, l->end) < l->file->size;
}

bool lp_csv_lexer_is_cut(const struct lp_csv_lexer *l)
{
	return l->at == l->end && l->end > l->begin && l->end[-1] != '\n' &&
	       !file_goes_on(l);
}

/* Let the window begin with the last record and reach further than it did. */
static int read_on(struct lp_csv_lexer *l, const char **what)
{
	uint64_t start = lp_csv_lexer_offset(l, l->start);
	size_t have = (size_t)(l->end - l->start);
	int status;

	if (have >= LONGEST_RECORD) {
		*what = "a line, or a field in quotes, of more than 1 MiB";
		return -EINVAL;
	}
	while (l->window <= have)
		l->window *= 2;
	status = lp_text_file_read(l->file, start, l->window);
	if (status < 0)
		*what = status == -ESTALE
				? "the file became shorter while it was "
				  "read"
				: strerrordesc_np(-status);
	l->offset = start;
	l->begin = l->at = l->start = l->file->text;
	l->end = l->begin + l->file->n;
	l->line = l->start_line;
	if (l->window < LARGE_WINDOW)
		l->window *= 2;
	if (start == 0)
		skip_mark(l);
	return status;
}

int lp_csv_lexer_next(struct lp_csv_lexer *l, const char **what)
{
	int status = record(l, what);

	/* What the window's end cut off is read again, whole. */
	while (l->at == l->end && status != -ENOMEM && file_goes_on(l)) {
		status = read_on(l, what);
		if (status < 0)
			return status;
		status = record(l, what);
	}
	return status;
}
