/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ledger: what the file system has acknowledged, written outside of it, a
 * line at a time, before the next file is begun:
 *
 *     acked 17 1 96       file 17, generation 1, 96 blocks: all written
 *     synced 17 1 96      and synced
 */
#ifndef LAB_VERIFY_LEDGER_H
#define LAB_VERIFY_LEDGER_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lab_entry_of_ledger {
	uint32_t file, generation, blocks;
	bool synced;
};

struct lab_ledger {
	struct lab_entry_of_ledger *file; /* by their first line's order */
	size_t n, capacity;
};

/* Note in the open file. 0 or -errno. */
int lab_ledger_note(int fd, const struct lab_entry_of_ledger *entry);

/*
 * What the text says; a last line without a newline is left out. -EINVAL names
 * the line. lab_ledger_done in any case.
 */
int lab_ledger_parse(const char *text, size_t n, struct lab_ledger *ledger,
		     struct lp_error *err);
/* The same of a file; one that is not there is empty. */
int lab_ledger_read(const char *path, struct lab_ledger *ledger,
		    struct lp_error *err);
void lab_ledger_done(struct lab_ledger *ledger);

#endif
