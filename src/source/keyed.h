/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernel files that describe the host as a whole, key by key. Which keys are
 * wanted, and the columns they go to, is what the catalogue's origins say:
 * "meminfo:Dirty" is the key "Dirty" of the file "meminfo".
 */
#ifndef LP_SOURCE_KEYED_H
#define LP_SOURCE_KEYED_H

#include "base/names.h"
#include "source/procfile.h"

#define LP_KEYED_FILES 3

struct lp_keyed {
	const struct lp_keyed_format *format;
	struct lp_procfile files[LP_KEYED_FILES];
	size_t n_files;
	struct lp_names keys;
	uint8_t *columns; /* by the key's number */
	/* The line before, for files whose lines come in pairs. */
	const char *before, *before_end;
};

struct lp_keyed_format {
	const char *origin;
	const char *const *paths; /* ended by NULL, at most LP_KEYED_FILES */
	/*
	 * Put what is wanted of a line of the file paths[file] into the row.
	 * False: a wanted value is no number.
	 */
	bool (*understand)(const struct lp_keyed *keyed, size_t file,
			   const char *line, const char *end,
			   const struct lp_row *row);
};

/* What a reader's functions are made of; state is a struct lp_keyed. */
int lp_keyed_open(const struct lp_keyed_format *format,
		  const struct lp_reader_context *context, void **state);
/* Reads all the files; one that this kernel does not have is left empty. */
int lp_keyed_fetch(void *state, struct lp_error *err);
int lp_keyed_parse(void *state, struct lp_builder *builder,
		   struct lp_error *err);
void lp_keyed_close(void *state);

/* The column of a key, or -1: not wanted. */
int lp_keyed_column(const struct lp_keyed *keyed, const char *key, size_t n);
/* The number at `at` as the key's value; true too if the key is not wanted. */
bool lp_keyed_put(const struct lp_keyed *keyed, const char *key, size_t n,
		  const char *at, const char *end, const struct lp_row *row);

#endif
