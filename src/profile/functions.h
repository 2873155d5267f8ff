/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of a file of code: where each begins and, as far as it is
 * known, what it is called. A stripped file has no names, but .eh_frame still
 * says where every function begins, and to compare peers needs no more.
 *
 * The bytes are from outside and may be broken or hostile: all parsing is in
 * bounds, and what cannot be read is left out.
 */
#ifndef LP_PROFILE_FUNCTIONS_H
#define LP_PROFILE_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No file has more; those behind them belong to the last. */
#define LP_MOST_FUNCTIONS (1u << 21)
#define LP_BUILD_ID_MOST 20

struct lp_function_place {
	uint64_t start, end; /* virtual addresses of the file; end: behind it */
	uint32_t name;       /* where it begins in `names`; 0: none */
	bool guessed;
};

/* Which bytes of the file are at which virtual address. */
struct lp_load_segment {
	uint64_t offset, address, size;
};

#define LP_MOST_SEGMENTS 16

/* Zero-initialise. */
struct lp_functions {
	struct lp_function_place *places; /* by start, none inside another */
	size_t n, capacity;
	char *names;
	size_t names_size, names_capacity;
	struct lp_load_segment segments[LP_MOST_SEGMENTS]; /* executable */
	size_t n_segments;
	uint8_t build_id[LP_BUILD_ID_MOST];
	size_t build_id_size; /* 0: it has none */
	bool failed;          /* for want of memory */
};

/* A mapped or read file; *functions is filled. False: no ELF file, or one for
 * another kind of machine. */
bool lp_functions_read(struct lp_functions *functions, const uint8_t *bytes,
		       size_t n);
/* Names and places of a debug file for the same build. */
void lp_functions_add_debug(struct lp_functions *functions,
			    const uint8_t *bytes, size_t n);
/* Offer names for those without: strings of their own (__func__). */
void lp_functions_guess(struct lp_functions *functions, const uint8_t *bytes,
			size_t n);
/* Sort, and settle which name is used. Before any find. */
void lp_functions_settle(struct lp_functions *functions);
/* The function at an offset of the file; NULL: none there. */
const struct lp_function_place *lp_functions_find(
	const struct lp_functions *functions, uint64_t file_offset);
/* The virtual address of an offset of the file; false: it holds no code. */
bool lp_functions_address(const struct lp_functions *functions,
			  uint64_t file_offset, uint64_t *address);
void lp_functions_done(struct lp_functions *functions);

/* For its parts: end 0, the next one's begin ends it. */
void lp_functions_add(struct lp_functions *functions, uint64_t start,
		      uint64_t end, const char *name, size_t n_name);
/* Every function that .eh_frame, at this address, tells of. */
void lp_functions_add_fdes(struct lp_functions *functions,
			   const uint8_t *section, size_t n, uint64_t address,
			   unsigned pointer_bytes);

#endif
