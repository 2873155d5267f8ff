/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"

size_t lp_utf8_length(const char *bytes)
{
	static const struct {
		unsigned char first, last, low, high;
		size_t n;
	} forms[] = {
		{ 0x00, 0x7f, 0x00, 0xff, 1 }, { 0xc2, 0xdf, 0x80, 0xbf, 2 },
		{ 0xe0, 0xe0, 0xa0, 0xbf, 3 }, { 0xe1, 0xec, 0x80, 0xbf, 3 },
		{ 0xed, 0xed, 0x80, 0x9f, 3 }, { 0xee, 0xef, 0x80, 0xbf, 3 },
		{ 0xf0, 0xf0, 0x90, 0xbf, 4 }, { 0xf1, 0xf3, 0x80, 0xbf, 4 },
		{ 0xf4, 0xf4, 0x80, 0x8f, 4 },
	};
	const unsigned char *text = (const unsigned char *)bytes;

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (text[0] < forms[i].first || text[0] > forms[i].last)
			continue;
		if (forms[i].n > 1 &&
		    (text[1] < forms[i].low || text[1] > forms[i].high))
			return 0;
		for (size_t k = 2; k < forms[i].n; k++)
			if ((text[k] & 0xc0) != 0x80)
				return 0;
		return forms[i].n;
	}
	return 0;
}
