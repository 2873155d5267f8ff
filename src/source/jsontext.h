/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A text of JSON that comes byte by byte.
 */
#ifndef LP_SOURCE_JSONTEXT_H
#define LP_SOURCE_JSONTEXT_H

#include <stddef.h>

#define LP_JSON_TEXT_MOST ((size_t)16 << 10)

/* Zero-initialise; n = 0 begins a text. */
struct lp_json_text {
	char bytes[LP_JSON_TEXT_MOST + 4];
	size_t n;
	enum { LP_JSON_PLAIN, LP_JSON_ESCAPE, LP_JSON_UNICODE } state;
	unsigned unicode, digits; /* of a \u */
	unsigned high;            /* the half of a character before */
};

/* A byte behind the opening quote. 1: the text has ended, and bytes with it; 0:
 * it goes on; -EINVAL: *what says why not. */
int lp_json_text_feed(struct lp_json_text *text, unsigned char c,
		      const char **what);
/* A byte as it is. 0 or -EINVAL. */
int lp_json_text_put(struct lp_json_text *text, unsigned char c,
		     const char **what);

#endif
