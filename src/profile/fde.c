/* SPDX-License-Identifier: Apache-2.0 */
/*
 * .eh_frame: a sequence of CIEs, which say how pointers are encoded, and FDEs,
 * each of which begins with the place and the length of one function.
 *
 *     u32 length, u32 id (0: CIE; else how far back its CIE is), ...
 *     CIE  u8 version, string augmentation, uleb, sleb, uleb or u8,
 *          [uleb n, a byte for each letter after 'z': 'R' the encoding]
 *     FDE  pointer start, pointer size (same form, not relative), ...
 *
 * LSB 5.0, 10.6; the letters are those of DWARF's DW_EH_PE.
 */
#include "profile/functions.h"

#include <string.h>

#define ABSOLUTE 0x00
#define UDATA2 0x02
#define UDATA4 0x03
#define UDATA8 0x04
#define SDATA2 0x0a
#define SDATA4 0x0b
#define SDATA8 0x0c
#define FORM 0x0f
#define HOW 0x70
#define RELATIVE 0x10
#define NO_POINTER 0xff

struct walk {
	const uint8_t *bytes;
	size_t n, at, end; /* end: of the entry */
	uint64_t address;
	unsigned pointer_bytes;
	bool failed;
};

static uint64_t take(struct walk *w, size_t n)
{
	uint64_t v = 0;

	if (w->failed || n > w->end - w->at) {
		w->failed = true;
		return 0;
	}
	memcpy(&v, w->bytes + w->at, n); /* of this machine's order */
	w->at += n;
	return v;
}

static uint64_t take_leb(struct walk *w)
{
	uint64_t v = 0;
	unsigned shift = 0;
	uint8_t byte;

	do {
		byte = (uint8_t)take(w, 1);
		if (shift < 64)
			v |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (!w->failed && byte & 0x80);
	return v;
}

static size_t form_size(const struct walk *w, uint8_t encoding)
{
	switch (encoding & FORM) {
	case UDATA2:
	case SDATA2:
		return 2;
	case UDATA4:
	case SDATA4:
		return 4;
	case UDATA8:
	case SDATA8:
		return 8;
	case ABSOLUTE:
		return w->pointer_bytes;
	}
	return 0;
}

static uint64_t take_pointer(struct walk *w, uint8_t encoding)
{
	size_t size = form_size(w, encoding);
	uint64_t place = w->address + w->at, v;

	if (size == 0 ||
	    ((encoding & HOW) != 0 && (encoding & HOW) != RELATIVE))
		w->failed = true;
	v = take(w, size);
	if ((encoding & FORM) == SDATA4)
		v = (uint64_t)(int64_t)(int32_t)v;
	if ((encoding & FORM) == SDATA2)
		v = (uint64_t)(int64_t)(int16_t)v;
	return (encoding & HOW) == RELATIVE ? v + place : v;
}

/* What stands before 'R' in the augmentation's data. */
static uint8_t find_encoding(struct walk *w, const char *letters)
{
	uint8_t found = ABSOLUTE;

	take_leb(w); /* its length */
	for (letters++; *letters && !w->failed; letters++) {
		if (*letters == 'R') {
			found = (uint8_t)take(w, 1);
			break;
		}
		if (*letters == 'P') {
			uint8_t encoding = (uint8_t)take(w, 1);

			take(w, form_size(w, encoding));
		} else if (*letters == 'L') {
			take(w, 1);
		}
	}
	return found;
}

/* The encoding of pointers in FDEs of the CIE at `at`; NO_POINTER: no such. */
static uint8_t read_cie(const struct walk *fde, size_t at)
{
	struct walk w = *fde;
	const char *letters;
	uint64_t length;
	uint8_t version;

	w.at = at;
	w.end = w.n;
	length = take(&w, 4);
	if (w.failed || length > w.n - w.at || take(&w, 4) != 0)
		return NO_POINTER;
	w.end = at + 4 + (size_t)length;
	version = (uint8_t)take(&w, 1);
	letters = (const char *)w.bytes + w.at;
	if (w.failed || !memchr(letters, 0, w.end - w.at))
		return NO_POINTER;
	w.at += strlen(letters) + 1;
	take_leb(&w);
	take_leb(&w);
	if (version == 1)
		take(&w, 1);
	else
		take_leb(&w);
	if (letters[0] != 'z')
		return w.failed || letters[0] ? NO_POINTER : ABSOLUTE;
	version = find_encoding(&w, letters);
	return w.failed ? NO_POINTER : version;
}

static void read_fde(struct walk *w, size_t id_at, uint32_t id,
		     struct lp_functions *f)
{
	uint64_t start, size;
	uint8_t encoding;

	if (id > id_at)
		return;
	encoding = read_cie(w, id_at - id);
	if (encoding == NO_POINTER)
		return;
	start = take_pointer(w, encoding);
	size = take_pointer(w, encoding & FORM);
	if (!w->failed && size > 0 && start && start + size > start)
		lp_functions_add(f, start, start + size, "", 0);
	w->failed = false;
}

void lp_functions_add_fdes(struct lp_functions *f, const uint8_t *section,
			   size_t n, uint64_t address, unsigned pointer_bytes)
{
	struct walk w = { section, n, 0, n, address, pointer_bytes, false };

	while (n - w.at >= 8) {
		size_t begin = w.at, id_at;
		uint32_t length, id;

		w.end = n;
		length = (uint32_t)take(&w, 4);
		/* 0 ends the section; 64-bit lengths are of no linker's. */
		if (length < 4 || length > n - w.at)
			return;
		w.end = begin + 4 + length;
		id_at = w.at;
		id = (uint32_t)take(&w, 4);
		if (id != 0)
			read_fde(&w, id_at, id, f);
		w.at = begin + 4 + length;
	}
}
