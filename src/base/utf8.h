/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LP_BASE_UTF8_H
#define LP_BASE_UTF8_H

#include <stddef.h>

/*
 * The length of the UTF-8 sequence at the beginning of a terminated text, or
 * 0: overlong forms, surrogates and what is beyond U+10FFFF are none.
 */
size_t lp_utf8_length(const char *text);

#define LP_UTF8_REPLACEMENT "\xef\xbf\xbd"

#endif
