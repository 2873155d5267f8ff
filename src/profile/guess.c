/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of functions in stripped files: many pass their own name (__func__) to
 * a logger. In the code of x86-64 that is
 *
 *     48 8d 35 xx xx xx xx    lea  xx(%rip), %rsi
 *
 * A string that looks like a name, and that one function alone uses so, is
 * offered as its name. It is a guess: it may be the name of something else.
 */
#include "profile/elf_file.h"
#include "profile/functions.h"

#include "base/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define LEA_BYTES 7
#define MOST_REFERENCES (1u << 22)
#define SHORTEST 5
#define LONGEST 80

struct reference {
	uint64_t target; /* offset of the string in the file */
	uint32_t place;
	uint32_t times; /* that the function uses it */
};

struct search {
	const struct lp_elf *elf;
	struct lp_functions *f;
	Elf64_Phdr loads[LP_MOST_SEGMENTS];
	size_t n_loads;
	struct reference *references;
	size_t n, capacity;
};

static bool to_offset(const struct search *s, uint64_t address, uint64_t *at)
{
	for (size_t i = 0; i < s->n_loads; i++) {
		const Elf64_Phdr *p = &s->loads[i];

		if (address >= p->p_vaddr &&
		    address - p->p_vaddr < p->p_filesz) {
			*at = p->p_offset + (address - p->p_vaddr);
			return *at < s->elf->n;
		}
	}
	return false;
}

/* The length of a name that stands there; 0: none does. */
static size_t name_length(const struct search *s, uint64_t at)
{
	const uint8_t *text = s->elf->bytes + at;
	size_t most =
		s->elf->n - at < LONGEST ? (size_t)(s->elf->n - at) : LONGEST;
	size_t n = 0;
	bool joined = false;

	/* A string begins behind another's end. */
	if (at == 0 || text[-1] != 0)
		return 0;
	while (n < most && (isalnum(text[n]) || text[n] == '_'))
		joined |= text[n++] == '_';
	return n >= SHORTEST && n < most && text[n] == 0 && joined &&
			       !isdigit(text[0])
		       ? n
		       : 0;
}

static void look_at(struct search *s, uint32_t place)
{
	const struct lp_function_place *p = &s->f->places[place];
	uint64_t from, n = p->end - p->start, target;
	const uint8_t *code;

	if (!to_offset(s, p->start, &from) || n > s->elf->n - from)
		return;
	code = s->elf->bytes + from;
	for (uint64_t i = 0; i + LEA_BYTES <= n; i++) {
		int32_t by;

		if ((code[i] != 0x48 && code[i] != 0x4c) ||
		    code[i + 1] != 0x8d || (code[i + 2] & 0xc7) != 0x05)
			continue;
		memcpy(&by, code + i + 3, sizeof(by));
		if (!to_offset(s, p->start + i + LEA_BYTES + (uint64_t)by,
			       &target) ||
		    name_length(s, target) == 0)
			continue;
		if (s->n >= MOST_REFERENCES ||
		    lp_grow(&s->references, &s->capacity, s->n + 1,
			    sizeof(*s->references)) < 0)
			return;
		s->references[s->n++] = (struct reference){ target, place, 1 };
	}
}

static int by_target(const void *left, const void *right)
{
	const struct reference *a = left, *b = right;

	if (a->target != b->target)
		return a->target < b->target ? -1 : 1;
	return a->place < b->place ? -1 : a->place > b->place;
}

/* One reference for each string that one function alone uses. */
static void keep_private(struct search *s)
{
	size_t kept = 0;

	qsort(s->references, s->n, sizeof(*s->references), by_target);
	for (size_t i = 0, end; i < s->n; i = end) {
		bool alone = true;

		for (end = i; end < s->n && s->references[end].target ==
						    s->references[i].target;
		     end++)
			alone &= s->references[end].place ==
				 s->references[i].place;
		if (!alone)
			continue;
		s->references[kept] = s->references[i];
		s->references[kept++].times = (uint32_t)(end - i);
	}
	s->n = kept;
}

/* The one that is used most is taken; of equals, the first of the file. */
static void offer(struct search *s)
{
	uint32_t *times = calloc(s->f->n + 1, sizeof(*times));
	uint64_t *best = calloc(s->f->n + 1, sizeof(*best));

	for (size_t i = 0; times && best && i < s->n; i++) {
		const struct reference *r = &s->references[i];

		if (r->times > times[r->place]) {
			times[r->place] = r->times;
			best[r->place] = r->target;
		}
	}
	for (size_t i = 0, n = s->f->n; times && best && i < n; i++) {
		if (!times[i])
			continue;
		lp_functions_add(s->f, s->f->places[i].start,
				 s->f->places[i].end,
				 (const char *)s->elf->bytes + best[i],
				 name_length(s, best[i]));
		s->f->places[s->f->n - 1].guessed = s->f->n > n;
	}
	free(times);
	free(best);
}

void lp_functions_guess(struct lp_functions *f, const uint8_t *bytes, size_t n)
{
	struct search s = { .f = f };
	struct lp_elf elf;
	Elf64_Phdr p;

	if (!lp_elf_open(&elf, bytes, n) || elf.machine != EM_X86_64)
		return;
	s.elf = &elf;
	for (size_t i = 0;
	     lp_elf_segment(&elf, i, &p) && s.n_loads < LP_MOST_SEGMENTS; i++)
		if (p.p_type == PT_LOAD)
			s.loads[s.n_loads++] = p;
	lp_functions_settle(f);
	for (size_t i = 0; i < f->n; i++)
		if (!f->places[i].name)
			look_at(&s, (uint32_t)i);
	keep_private(&s);
	offer(&s);
	free(s.references);
}
