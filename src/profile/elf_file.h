/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An ELF file as bytes, 32 or 64 bits, of this machine's byte order. Written
 * for files that nobody can trust: whatever points outside is not there.
 */
#ifndef LP_PROFILE_ELF_FILE_H
#define LP_PROFILE_ELF_FILE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lp_elf {
	const uint8_t *bytes;
	size_t n;
	bool wide; /* 64 bits */
	uint16_t machine;
	uint64_t sections_at, segments_at;
	size_t n_sections, n_segments, section_size, segment_size;
	uint64_t names_at, names_size; /* of sections */
};

/* Of either width. */
struct lp_elf_section {
	const char *name;
	uint32_t type, link;
	uint64_t address, entry_size, size;
	const uint8_t *bytes; /* NULL: none in the file */
};

bool lp_elf_open(struct lp_elf *elf, const uint8_t *bytes, size_t n);
/* False: there is no such section, or it is broken. */
bool lp_elf_section(const struct lp_elf *elf, size_t i,
		    struct lp_elf_section *section);
bool lp_elf_find(const struct lp_elf *elf, const char *name,
		 struct lp_elf_section *section);
bool lp_elf_segment(const struct lp_elf *elf, size_t i, Elf64_Phdr *segment);

#endif
