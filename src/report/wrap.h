/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Paragraphs of at most 80 columns with a hanging indent:
 *
 *       peers: oss1/sdb oss1/sdc oss2/sdb
 *              oss2/sdc
 */
#ifndef LP_REPORT_WRAP_H
#define LP_REPORT_WRAP_H

#include <stdio.h>

#define LP_WRAP_COLUMNS 80

/* Print "head text", folded at blanks, further lines under the text. */
void lp_wrap(FILE *out, const char *head, const char *text);

/* The same, word by word: begin, add words, end. */
struct lp_wrap {
	FILE *out;
	size_t indent, column;
};
void lp_wrap_begin(struct lp_wrap *wrap, FILE *out, const char *head);
void lp_wrap_word(struct lp_wrap *wrap, const char *word, size_t n);
void lp_wrap_end(struct lp_wrap *wrap);

#endif
