/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ledger: what was counted in the current block, of every host and kind,
 * and the archive that it goes to.
 */
#ifndef LP_PROFILE_DAYBOOK_H
#define LP_PROFILE_DAYBOOK_H

#include "archive/archive.h"
#include "behavior/profile.h"
#include "record/notice.h"

/* A block is this long while it is recorded; hours are made of them later. */
#define LP_LEDGER_SLOTS 6
/* Distinct functions in a block; the rest goes to "+other" of its image. */
#define LP_LEDGER_MOST_TEXTS 20000

struct lp_ledger_page {
	char *host;
	struct lp_profile_sheet samples, waits, stacks;
};

struct lp_ledger {
	const char *dir, *machine; /* of files and their name */
	struct lp_archive_writer *writer;
	char *path;
	int64_t day, from_ns;   /* of the block */
	int64_t stacks_from_ns; /* they go out less often */
	struct lp_ledger_page *pages;
	size_t n_pages, capacity;
	bool failing, failed; /* the disk; memory */
	void (*closed)(void *user, const char *path);
	void *user;
};

/* The page of a host; NULL: out of memory. */
struct lp_ledger_page *lp_ledger_page(struct lp_ledger *ledger,
				      const char *host);
/* Whether this time is behind the block, which is then to be written. */
bool lp_ledger_is_over(const struct lp_ledger *ledger, int64_t now_ns);
/* Which slot of the block this time is in. */
size_t lp_ledger_slot(const struct lp_ledger *ledger, int64_t time_ns);
/* One more of a text, bounded. */
void lp_ledger_count(struct lp_profile_sheet *sheet, const char *text,
		     size_t slot, uint64_t n);
/* Write the block; the next begins at that time. Says what went wrong. */
void lp_ledger_write(struct lp_ledger *ledger, int64_t next_ns, bool last,
		     struct lp_notices *says);
/* Close the file in order. */
void lp_ledger_rotate(struct lp_ledger *ledger, struct lp_notices *says);
void lp_ledger_done(struct lp_ledger *ledger);

/* "DIR/HOST-YYYYMMDDTHHMMSSZ.profile.limpid"; yours; NULL: no memory. */
char *lp_profile_path(const char *dir, const char *host, int64_t time_ns);
/* Whether the name of a file is that of a profile of this host. */
bool lp_profile_is_of(const char *name, const char *host);

/* Blocks of minutes become blocks of hours, in place. */
int lp_profile_condense(const char *path, struct lp_error *err);
/* Remove this host's profiles whose last byte is older. */
int lp_profile_remove_old(const char *dir, const char *host, int64_t before_ns,
			  struct lp_error *err);

#endif
