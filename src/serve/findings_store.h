/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The store of a live service: findings and what became of them, in
 * STATE/findings.db, limpid-serve-store(5). SQLite in WAL mode: one writes,
 * others read meanwhile.
 */
#ifndef LP_SERVE_FINDINGS_STORE_H
#define LP_SERVE_FINDINGS_STORE_H

#include "base/error.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#define LP_STORE_VERSION 1
#define LP_STORE_FILE "findings.db"

struct lp_store {
	sqlite3 *db;
	int lock;   /* of the directory's one service; -1: of another reader */
	bool moved; /* a damaged store was moved aside, and this one is new */
};

enum lp_store_use {
	LP_STORE_SERVE, /* the one service of this directory */
	LP_STORE_SHARE, /* beside it: reads, and writes what people ask for */
};

/*
 * Open the store of a directory; a service makes both, if they are missing, and
 * moves a damaged one aside. -EBUSY: another service has it. -ENOENT: nobody
 * made one. -ENOTSUP: a newer limpid wrote it.
 */
int lp_store_open(struct lp_store *store, const char *dir,
		  enum lp_store_use use, struct lp_error *err);
/* Accepts what was zero-initialised. */
void lp_store_close(struct lp_store *store);

/*
 * Prepare a statement, whose parameters are bound in their order: types has a
 * letter for each, s: const char * (NULL is NULL), i: int64_t, d: double.
 * sqlite3_finalize it. 0 or -errno.
 */
int lp_store_prepare(struct lp_store *store, sqlite3_stmt **statement,
		     struct lp_error *err, const char *sql, const char *types,
		     ...);
/* The same, run to its end. */
int lp_store_run(struct lp_store *store, struct lp_error *err, const char *sql,
		 const char *types, ...);
/* 1: a row; 0: there is none left; -errno. */
int lp_store_step(struct lp_store *store, sqlite3_stmt *statement,
		  struct lp_error *err);
/* The number of the first column of the first row; `otherwise` without one. */
int lp_store_number(struct lp_store *store, int64_t otherwise, int64_t *number,
		    struct lp_error *err, const char *sql);

/* All or nothing. */
int lp_store_begin(struct lp_store *store, struct lp_error *err);
/* Commit if status is 0, else undo. Returns status, or why it failed. */
int lp_store_end(struct lp_store *store, int status, struct lp_error *err);

/* Column text, "" of NULL; valid until the next step. */
const char *lp_store_text(sqlite3_stmt *statement, int column);

/* store_schema.c */
extern const char lp_store_schema[];

#endif
