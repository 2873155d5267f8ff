/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/elf_file.h"

#include <string.h>

/* Whether n bytes from there on are in the file. */
static bool is_inside(const struct lp_elf *e, uint64_t at, uint64_t n)
{
	return at <= e->n && n <= e->n - at;
}

/* As many of a table's rows as are in the file. */
static size_t rows_inside(const struct lp_elf *e, uint64_t at, size_t size,
			  size_t n)
{
	if (size == 0 || at == 0 || at > e->n)
		return 0;
	return n < (e->n - at) / size ? n : (size_t)((e->n - at) / size);
}

static void read_head(struct lp_elf *e, Elf64_Ehdr *h)
{
	Elf32_Ehdr narrow;

	if (e->wide) {
		memcpy(h, e->bytes, sizeof(*h));
		return;
	}
	memcpy(&narrow, e->bytes, sizeof(narrow));
	*h = (Elf64_Ehdr){
		.e_machine = narrow.e_machine,
		.e_shoff = narrow.e_shoff,
		.e_shentsize = narrow.e_shentsize,
		.e_shnum = narrow.e_shnum,
		.e_shstrndx = narrow.e_shstrndx,
		.e_phoff = narrow.e_phoff,
		.e_phentsize = narrow.e_phentsize,
		.e_phnum = narrow.e_phnum,
	};
}

static bool raw_section(const struct lp_elf *e, size_t i, Elf64_Shdr *s)
{
	const uint8_t *at = e->bytes + e->sections_at + i * e->section_size;
	Elf32_Shdr narrow;

	if (i >= e->n_sections)
		return false;
	if (e->wide) {
		memcpy(s, at, sizeof(*s));
		return true;
	}
	memcpy(&narrow, at, sizeof(narrow));
	*s = (Elf64_Shdr){
		.sh_name = narrow.sh_name,
		.sh_type = narrow.sh_type,
		.sh_addr = narrow.sh_addr,
		.sh_offset = narrow.sh_offset,
		.sh_size = narrow.sh_size,
		.sh_link = narrow.sh_link,
		.sh_entsize = narrow.sh_entsize,
	};
	return true;
}

static void find_tables(struct lp_elf *e, const Elf64_Ehdr *h)
{
	size_t section = e->wide ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
	size_t segment = e->wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
	Elf64_Shdr names;

	e->machine = h->e_machine;
	e->sections_at = h->e_shoff;
	e->section_size = h->e_shentsize;
	if (e->section_size >= section)
		e->n_sections = rows_inside(e, e->sections_at, e->section_size,
					    h->e_shnum);
	e->segments_at = h->e_phoff;
	e->segment_size = h->e_phentsize;
	if (e->segment_size >= segment)
		e->n_segments = rows_inside(e, e->segments_at, e->segment_size,
					    h->e_phnum);
	if (raw_section(e, h->e_shstrndx, &names) &&
	    is_inside(e, names.sh_offset, names.sh_size)) {
		e->names_at = names.sh_offset;
		e->names_size = names.sh_size;
	}
}

bool lp_elf_open(struct lp_elf *e, const uint8_t *bytes, size_t n)
{
	const uint8_t order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
				      ? ELFDATA2LSB
				      : ELFDATA2MSB;
	Elf64_Ehdr head;

	*e = (struct lp_elf){ .bytes = bytes, .n = n };
	if (n < sizeof(Elf32_Ehdr) || memcmp(bytes, ELFMAG, SELFMAG) != 0 ||
	    bytes[EI_DATA] != order)
		return false;
	e->wide = bytes[EI_CLASS] == ELFCLASS64;
	if ((!e->wide && bytes[EI_CLASS] != ELFCLASS32) ||
	    (e->wide && n < sizeof(Elf64_Ehdr)))
		return false;
	read_head(e, &head);
	find_tables(e, &head);
	return true;
}

static const char *name_of(const struct lp_elf *e, uint32_t at)
{
	const char *name = (const char *)e->bytes + e->names_at + at;

	if (at >= e->names_size || !memchr(name, 0, e->names_size - at))
		return "";
	return name;
}

bool lp_elf_section(const struct lp_elf *e, size_t i, struct lp_elf_section *s)
{
	Elf64_Shdr raw;

	if (!raw_section(e, i, &raw))
		return false;
	*s = (struct lp_elf_section){
		.name = name_of(e, raw.sh_name),
		.type = raw.sh_type,
		.link = raw.sh_link,
		.address = raw.sh_addr,
		.entry_size = raw.sh_entsize,
		.size = raw.sh_size,
	};
	if (raw.sh_type == SHT_NOBITS)
		return true;
	if (!is_inside(e, raw.sh_offset, raw.sh_size))
		return false;
	s->bytes = e->bytes + raw.sh_offset;
	return true;
}

bool lp_elf_find(const struct lp_elf *e, const char *name,
		 struct lp_elf_section *section)
{
	for (size_t i = 0; i < e->n_sections; i++)
		if (lp_elf_section(e, i, section) &&
		    strcmp(section->name, name) == 0 && section->bytes)
			return true;
	return false;
}

bool lp_elf_segment(const struct lp_elf *e, size_t i, Elf64_Phdr *s)
{
	const uint8_t *at = e->bytes + e->segments_at + i * e->segment_size;
	Elf32_Phdr narrow;

	if (i >= e->n_segments)
		return false;
	if (e->wide) {
		memcpy(s, at, sizeof(*s));
		return true;
	}
	memcpy(&narrow, at, sizeof(narrow));
	*s = (Elf64_Phdr){
		.p_type = narrow.p_type,
		.p_flags = narrow.p_flags,
		.p_offset = narrow.p_offset,
		.p_vaddr = narrow.p_vaddr,
		.p_filesz = narrow.p_filesz,
	};
	return true;
}
