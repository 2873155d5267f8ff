/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an ELF file says of its functions: .symtab, .dynsym, the compressed
 * table in .gnu_debugdata, and .eh_frame.
 */
#include "profile/elf_file.h"
#include "profile/functions.h"

#ifdef LP_HAVE_LZMA
#include "base/unpack_kind.h"
#endif

#include <stdlib.h>
#include <string.h>

/* .gnu_debugdata, unpacked. */
#define MOST_DEBUGDATA ((size_t)64 << 20)

static void add_symbol(struct lp_functions *f, const struct lp_elf_section *t,
		       const Elf64_Sym *s)
{
	const char *name = (const char *)t->bytes + s->st_name;
	unsigned type = ELF64_ST_TYPE(s->st_info);
	const char *end;

	if ((type != STT_FUNC && type != STT_GNU_IFUNC) ||
	    s->st_shndx == SHN_UNDEF || s->st_value == 0 ||
	    s->st_name >= t->size)
		return;
	end = memchr(name, 0, t->size - s->st_name);
	if (end && !f->failed)
		lp_functions_add(f, s->st_value, s->st_value + s->st_size, name,
				 (size_t)(end - name));
}

static void add_table(const struct lp_elf *e, struct lp_functions *f,
		      const struct lp_elf_section *symbols)
{
	size_t size = e->wide ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
	struct lp_elf_section texts;

	if (!symbols->bytes || !lp_elf_section(e, symbols->link, &texts) ||
	    !texts.bytes)
		return;
	for (uint64_t at = 0; symbols->size - at >= size; at += size) {
		Elf64_Sym wide;
		Elf32_Sym narrow;

		if (e->wide) {
			memcpy(&wide, symbols->bytes + at, size);
		} else {
			memcpy(&narrow, symbols->bytes + at, size);
			wide = (Elf64_Sym){ .st_name = narrow.st_name,
					    .st_info = narrow.st_info,
					    .st_shndx = narrow.st_shndx,
					    .st_value = narrow.st_value,
					    .st_size = narrow.st_size };
		}
		add_symbol(f, &texts, &wide);
	}
}

static void add_tables(const struct lp_elf *e, struct lp_functions *f)
{
	struct lp_elf_section s;

	for (size_t i = 0; i < e->n_sections; i++)
		if (lp_elf_section(e, i, &s) &&
		    (s.type == SHT_SYMTAB || s.type == SHT_DYNSYM))
			add_table(e, f, &s);
}

#ifdef LP_HAVE_LZMA
/* All of it, or NULL. */
static uint8_t *unpack(const struct lp_elf_section *s, size_t *n)
{
	struct lp_unpack_io io = { .in = s->bytes, .in_left = s->size };
	void *state = lp_unpack_xz.begin();
	uint8_t *bytes = NULL;
	size_t room = 0;
	int status = state ? 0 : -1;

	while (status == 0 && room < MOST_DEBUGDATA) {
		uint8_t *more = realloc(bytes, room + (1 << 20));
		size_t left = io.in_left;

		if (!more)
			break;
		bytes = more;
		io.out = bytes + room;
		io.out_left = 1 << 20;
		while (status == 0 && io.out_left > 0) {
			size_t before = io.out_left;

			status = lp_unpack_xz.step(state, &io);
			if (io.out_left == before && io.in_left == left)
				status = status ? status : -1;
			left = io.in_left;
		}
		*n = room + (1 << 20) - io.out_left;
		room += 1 << 20;
	}
	if (state)
		lp_unpack_xz.end(state);
	if (status == 1)
		return bytes;
	free(bytes);
	return NULL;
}
#endif

static void add_debugdata(const struct lp_elf *e, struct lp_functions *f)
{
#ifdef LP_HAVE_LZMA
	struct lp_elf_section s;
	uint8_t *bytes;
	size_t n = 0;

	if (!lp_elf_find(e, ".gnu_debugdata", &s))
		return;
	bytes = unpack(&s, &n);
	if (bytes)
		lp_functions_add_debug(f, bytes, n);
	free(bytes);
#else
	(void)e;
	(void)f;
#endif
}

/* u32 name size, u32 size, u32 type, name, bytes; each a multiple of 4. */
static void read_notes(struct lp_functions *f, const uint8_t *at, uint64_t n)
{
	while (n >= 12) {
		uint32_t head[3];
		uint64_t name, size;

		memcpy(head, at, sizeof(head));
		name = ((uint64_t)head[0] + 3) & ~UINT64_C(3);
		size = ((uint64_t)head[1] + 3) & ~UINT64_C(3);
		if (name > n - 12 || size > n - 12 - name)
			return;
		if (head[2] == NT_GNU_BUILD_ID && head[0] == 4 &&
		    memcmp(at + 12, "GNU", 4) == 0 &&
		    head[1] <= LP_BUILD_ID_MOST) {
			memcpy(f->build_id, at + 12 + name, head[1]);
			f->build_id_size = head[1];
			return;
		}
		at += 12 + name + size;
		n -= 12 + name + size;
	}
}

static void read_segments(const struct lp_elf *e, struct lp_functions *f)
{
	Elf64_Phdr p;

	for (size_t i = 0; lp_elf_segment(e, i, &p); i++) {
		if (p.p_type == PT_NOTE && p.p_offset <= e->n &&
		    p.p_filesz <= e->n - p.p_offset)
			read_notes(f, e->bytes + p.p_offset, p.p_filesz);
		if (p.p_type == PT_LOAD && p.p_flags & PF_X &&
		    f->n_segments < LP_MOST_SEGMENTS)
			f->segments[f->n_segments++] =
				(struct lp_load_segment){ p.p_offset, p.p_vaddr,
							  p.p_filesz };
	}
}

bool lp_functions_read(struct lp_functions *f, const uint8_t *bytes, size_t n)
{
	struct lp_elf_section frames;
	struct lp_elf e;

	if (!lp_elf_open(&e, bytes, n))
		return false;
	read_segments(&e, f);
	add_tables(&e, f);
	add_debugdata(&e, f);
	if (lp_elf_find(&e, ".eh_frame", &frames))
		lp_functions_add_fdes(f, frames.bytes, frames.size,
				      frames.address, e.wide ? 8 : 4);
	return true;
}

void lp_functions_add_debug(struct lp_functions *f, const uint8_t *bytes,
			    size_t n)
{
	struct lp_elf e;

	if (lp_elf_open(&e, bytes, n))
		add_tables(&e, f);
}
