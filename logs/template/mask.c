/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/template/mask.h"

#include <string.h>

enum {
	DIGIT = 1,
	HEX = 2,   /* a to f */
	OTHER = 4, /* another letter or sign that words are made of */
	WORD = DIGIT | HEX | OTHER,
	LIGHT = 8,      /* punctuation that may stand between masks */
	ENDS_PATH = 16, /* what a path does not go beyond */
};

/* Bytes from 0x80 on are letters of some language. */
static const uint8_t class_of[256] = {
	['0' ... '9'] = DIGIT,
	['a' ... 'f'] = HEX,
	['g' ... 'z'] = OTHER,
	['A' ... 'F'] = HEX,
	['G' ... 'Z'] = OTHER,
	[0x80 ... 0xff] = OTHER,
	['_'] = OTHER,
	['-'] = OTHER,
	['.'] = OTHER,
	['@'] = OTHER,
	['#'] = OTHER,
	['%'] = OTHER,
	['+'] = OTHER,
	['~'] = OTHER,
	['$'] = OTHER,
	['*'] = OTHER,
	[' '] = LIGHT | ENDS_PATH,
	[','] = LIGHT | ENDS_PATH,
	[':'] = LIGHT | ENDS_PATH,
	['/'] = LIGHT,
	['\t'] = ENDS_PATH,
	['"'] = ENDS_PATH,
	['\''] = ENDS_PATH,
	[')'] = ENDS_PATH,
	[']'] = ENDS_PATH,
	['}'] = ENDS_PATH,
	[';'] = ENDS_PATH,
	['>'] = ENDS_PATH,
	['\0'] = ENDS_PATH,
};

#define HEX_WORD 8
#define MOST_ERRNO 133
#define PENDING 4

/* Once for hashes, once for texts; never called. */
#define ALWAYS static inline __attribute__((always_inline))

/* Where the template goes: always into the hash, into a text if there is one.
 */
struct sink {
	uint64_t hash;
	char *at, *end;
};

ALWAYS void put(struct sink *s, char c, bool text)
{
	s->hash = (s->hash ^ (uint8_t)c) * UINT64_C(0x9e3779b97f4a7c15);
	s->hash ^= s->hash >> 29;
	if (text && s->at < s->end)
		*s->at++ = (unsigned char)c < ' ' || c == 0x7f ? ' ' : c;
}

/* "-110": a number of errno. */
static bool is_errno(const char *word, size_t n)
{
	int value = 0;

	if (word[0] != '-' || n < 2 || n > 4)
		return false;
	for (size_t i = 1; i < n; i++) {
		if ((class_of[(uint8_t)word[i]] & DIGIT) == 0)
			return false;
		value = value * 10 + (word[i] - '0');
	}
	return value >= 1 && value <= MOST_ERRNO;
}

static inline bool is_masked(const char *word, size_t n, unsigned seen)
{
	if (seen & DIGIT)
		return !is_errno(word, n);
	return seen == HEX && n >= HEX_WORD;
}

/* A path begins where no word ends: " /dev/sdb", "=/a". */
static const char *path_end(const char *begin, const char *at, const char *end)
{
	if ((at > begin && (class_of[(uint8_t)at[-1]] & WORD)) ||
	    at + 1 == end || (class_of[(uint8_t)at[1]] & WORD) == 0)
		return NULL;
	while (at < end && (class_of[(uint8_t)*at] & ENDS_PATH) == 0)
		at++;
	return at;
}

/* Where a walk is, and what stands between the last mask and here. */
struct walk {
	const char *begin, *at, *end;
	char pending[PENDING];
	size_t n_pending;
	bool after_mask;
};

/* A mask, or nothing where one stands already. */
ALWAYS void put_mask(struct walk *w, struct sink *s, bool text)
{
	if (!w->after_mask)
		put(s, LP_LOG_MASK, text);
	w->after_mask = true;
	w->n_pending = 0;
}

ALWAYS void put_pending(struct walk *w, struct sink *s, bool text)
{
	for (size_t i = 0; i < w->n_pending; i++)
		put(s, w->pending[i], text);
}

/* The word that begins here, into the sink until it is known to be masked. */
ALWAYS void take_word(struct walk *w, struct sink *s, bool text)
{
	const char *word = w->at;
	struct sink before = *s;
	unsigned seen = 0, one;

	put_pending(w, s, text);
	while (w->at < w->end && (one = class_of[(uint8_t)*w->at] & WORD)) {
		put(s, *w->at++, text);
		seen |= one;
	}
	if (is_masked(word, (size_t)(w->at - word), seen)) {
		*s = before;
		put_mask(w, s, text);
	} else {
		w->after_mask = false;
		w->n_pending = 0;
	}
}

/* Punctuation waits behind a mask: another one may follow. */
ALWAYS void take_sign(struct walk *w, struct sink *s, bool text)
{
	if (w->after_mask && w->n_pending < PENDING &&
	    (class_of[(uint8_t)*w->at] & LIGHT)) {
		w->pending[w->n_pending++] = *w->at++;
		return;
	}
	put_pending(w, s, text);
	w->n_pending = 0;
	w->after_mask = false;
	put(s, *w->at++, text);
}

ALWAYS void walk(struct sink *s, const char *begin, size_t n, bool text)
{
	struct walk w = { .begin = begin, .at = begin, .end = begin + n };
	const char *stop;

	while (w.at < w.end) {
		if (class_of[(uint8_t)*w.at] & WORD) {
			take_word(&w, s, text);
		} else if (*w.at == '/' &&
			   (stop = path_end(w.begin, w.at, w.end))) {
			put_mask(&w, s, text);
			w.at = stop;
		} else {
			take_sign(&w, s, text);
		}
	}
}

ALWAYS void key(struct sink *s, const struct lp_log_line *line, bool text)
{
	size_t n = line->message.n;

	if (line->function.n > 0) {
		walk(s, line->function.at, line->function.n, text);
		put(s, ':', text);
		put(s, ' ', text);
	}
	walk(s, line->message.at,
	     n < LP_LOG_MASKED_MOST ? n : LP_LOG_MASKED_MOST, text);
}

uint64_t lp_log_mask_hash(const struct lp_log_line *line)
{
	struct sink s = {
		.hash = (uint64_t)(uintptr_t)line->format * 31 + line->level,
	};

	key(&s, line, false);
	return s.hash ? s.hash : 1;
}

size_t lp_log_mask_text(const struct lp_log_line *line,
			char text[LP_LOG_TEMPLATE_MOST])
{
	struct sink s = { .at = text, .end = text + LP_LOG_TEMPLATE_MOST - 1 };

	key(&s, line, true);
	while (s.at > text && s.at[-1] == ' ')
		s.at--;
	*s.at = '\0';
	return (size_t)(s.at - text);
}
