/* SPDX-License-Identifier: Apache-2.0 */
#include "report/wrap.h"

#include "base/memory.h"
#include "base/visible.h"

#include <stdlib.h>
#include <string.h>

/* Columns of UTF-8 text: bytes that begin a character. */
static size_t width_of(const char *text, size_t n)
{
	size_t width = 0;

	for (size_t i = 0; i < n; i++)
		width += ((unsigned char)text[i] & 0xC0) != 0x80;
	return width;
}

void lp_wrap_begin(struct lp_wrap *wrap, FILE *out, const char *head)
{
	size_t n = strlen(head), width = width_of(head, n);

	*wrap = (struct lp_wrap){ out, width, width };
	fputs(head, out);
}

static void put_word(struct lp_wrap *wrap, const char *word)
{
	size_t n = strlen(word), width = width_of(word, n);
	int first = wrap->column == wrap->indent;

	if (!first && wrap->column + 1 + width > LP_WRAP_COLUMNS) {
		fprintf(wrap->out, "\n%*s", (int)wrap->indent, "");
		wrap->column = wrap->indent;
		first = 1;
	}
	if (!first)
		fputc(' ', wrap->out);
	fwrite(word, 1, n, wrap->out);
	wrap->column += width + !first;
}

/* A word may be a name from outside. */
void lp_wrap_word(struct lp_wrap *wrap, const char *word, size_t n)
{
	/* Four characters a byte are the most that escaping makes. */
	size_t size = 4 * n + 1;
	lp_auto_free char *copy = strndup(word, n), *shown = malloc(size);

	if (copy && shown)
		put_word(wrap, lp_visible_text(shown, size, copy));
}

void lp_wrap_end(struct lp_wrap *wrap)
{
	fputc('\n', wrap->out);
}

void lp_wrap(FILE *out, const char *head, const char *text)
{
	struct lp_wrap wrap;

	lp_wrap_begin(&wrap, out, head);
	while (*text) {
		size_t n = strcspn(text, " ");

		if (n)
			lp_wrap_word(&wrap, text, n);
		text += n + (text[n] == ' ');
	}
	lp_wrap_end(&wrap);
}
