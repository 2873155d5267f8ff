/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/findings_store.h"

#include "base/memory.h"
#include "base/timestamp.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Another writer is done long before. */
#define BUSY_MS 5000

static int fail_db(const struct lp_store *store, struct lp_error *err)
{
	int code = store->db ? sqlite3_errcode(store->db) : SQLITE_NOMEM;
	const char *text = store->db ? sqlite3_errmsg(store->db) : "no memory";

	switch (code & 0xff) {
	case SQLITE_NOMEM:
		return lp_fail_memory(err);
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
		return lp_fail(err, EBADMSG, "the store is damaged: %s", text);
	case SQLITE_FULL:
		return lp_fail(err, ENOSPC, "the store's disk is full");
	case SQLITE_CANTOPEN:
		return lp_fail(err, ENOENT, "cannot open the store: %s", text);
	case SQLITE_READONLY:
		return lp_fail(err, EROFS, "cannot write the store: %s", text);
	default:
		return lp_fail(err, EIO, "the store: %s", text);
	}
}

/* ---- statements ---- */

static int bind_one(sqlite3_stmt *s, int at, char type, va_list *args)
{
	if (type == 'i')
		return sqlite3_bind_int64(s, at, va_arg(*args, int64_t));
	if (type == 'd')
		return sqlite3_bind_double(s, at, va_arg(*args, double));
	return sqlite3_bind_text(s, at, va_arg(*args, const char *), -1,
				 SQLITE_TRANSIENT);
}

static int prepare(struct lp_store *store, sqlite3_stmt **statement,
		   struct lp_error *err, const char *sql, const char *types,
		   va_list *args)
{
	sqlite3_stmt *s = NULL;
	int status = sqlite3_prepare_v2(store->db, sql, -1, &s, NULL);

	for (int i = 0; status == SQLITE_OK && types[i]; i++)
		status = bind_one(s, i + 1, types[i], args);
	if (status != SQLITE_OK) {
		status = fail_db(store, err);
		sqlite3_finalize(s);
		return status;
	}
	*statement = s;
	return 0;
}

int lp_store_prepare(struct lp_store *store, sqlite3_stmt **statement,
		     struct lp_error *err, const char *sql, const char *types,
		     ...)
{
	va_list args;
	int status;

	va_start(args, types);
	status = prepare(store, statement, err, sql, types, &args);
	va_end(args);
	return status;
}

int lp_store_step(struct lp_store *store, sqlite3_stmt *statement,
		  struct lp_error *err)
{
	int status = sqlite3_step(statement);

	return status == SQLITE_ROW    ? 1
	       : status == SQLITE_DONE ? 0
				       : fail_db(store, err);
}

int lp_store_run(struct lp_store *store, struct lp_error *err, const char *sql,
		 const char *types, ...)
{
	sqlite3_stmt *s;
	va_list args;
	int status;

	va_start(args, types);
	status = prepare(store, &s, err, sql, types, &args);
	va_end(args);
	if (status < 0)
		return status;
	while ((status = lp_store_step(store, s, err)) > 0)
		;
	sqlite3_finalize(s);
	return status;
}

int lp_store_number(struct lp_store *store, int64_t otherwise, int64_t *number,
		    struct lp_error *err, const char *sql)
{
	sqlite3_stmt *s;
	int status = lp_store_prepare(store, &s, err, sql, "");

	if (status < 0)
		return status;
	status = lp_store_step(store, s, err);
	*number = status > 0 ? sqlite3_column_int64(s, 0) : otherwise;
	sqlite3_finalize(s);
	return status < 0 ? status : 0;
}

const char *lp_store_text(sqlite3_stmt *statement, int column)
{
	const unsigned char *text = sqlite3_column_text(statement, column);

	return text ? (const char *)text : "";
}

int lp_store_begin(struct lp_store *store, struct lp_error *err)
{
	return lp_store_run(store, err, "BEGIN IMMEDIATE", "");
}

int lp_store_end(struct lp_store *store, int status, struct lp_error *err)
{
	if (status == 0)
		status = lp_store_run(store, err, "COMMIT", "");
	if (status < 0)
		lp_store_run(store, NULL, "ROLLBACK", "");
	return status;
}

/* ---- opening ---- */

static int hold(struct lp_store *store, const char *dir, struct lp_error *err)
{
	char path[PATH_MAX];

	if (mkdir(dir, 0750) < 0 && errno != EEXIST)
		return lp_fail_errno(err, errno, "cannot make %s", dir);
	snprintf(path, sizeof(path), "%s/lock", dir);
	store->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0640);
	if (store->lock < 0)
		return lp_fail_errno(err, errno, "cannot open %s", path);
	if (flock(store->lock, LOCK_EX | LOCK_NB) == 0)
		return 0;
	if (errno == EWOULDBLOCK)
		return lp_fail(err, EBUSY,
			       "another limpid serve has the store in %s; give "
			       "this one a --state of its own",
			       dir);
	return lp_fail_errno(err, errno, "cannot lock %s", path);
}

static int exec(struct lp_store *store, const char *sql, struct lp_error *err)
{
	return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK
		       ? 0
		       : fail_db(store, err);
}

static int check_sound(struct lp_store *store, struct lp_error *err)
{
	sqlite3_stmt *s;
	int status =
		lp_store_prepare(store, &s, err, "PRAGMA quick_check(1)", "");

	if (status < 0)
		return status;
	status = lp_store_step(store, s, err);
	if (status > 0 && strcmp(lp_store_text(s, 0), "ok") != 0)
		status = lp_fail(err, EBADMSG, "the store is damaged: %s",
				 lp_store_text(s, 0));
	sqlite3_finalize(s);
	return status < 0 ? status : 0;
}

static int make_tables(struct lp_store *store, struct lp_error *err)
{
	char version[64];
	int status = lp_store_begin(store, err);

	if (status < 0)
		return status;
	snprintf(version, sizeof(version), "PRAGMA user_version = %d",
		 LP_STORE_VERSION);
	status = exec(store, lp_store_schema, err);
	if (status == 0)
		status = exec(store, version, err);
	return lp_store_end(store, status, err);
}

static int check_version(struct lp_store *store, enum lp_store_use use,
			 struct lp_error *err)
{
	int64_t version;
	int status =
		lp_store_number(store, 0, &version, err, "PRAGMA user_version");

	if (status < 0)
		return status;
	if (version > LP_STORE_VERSION)
		return lp_fail(err, ENOTSUP,
			       "the store has version %d, written by a newer "
			       "limpid; this one knows versions up to %d",
			       (int)version, LP_STORE_VERSION);
	if (version == LP_STORE_VERSION)
		return 0;
	return use == LP_STORE_SERVE
		       ? make_tables(store, err)
		       : lp_fail(err, ENOENT,
				 "there are no findings yet: no limpid serve "
				 "was started with this --state");
}

static int open_db(struct lp_store *store, const char *path,
		   enum lp_store_use use, struct lp_error *err)
{
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX |
		    (use == LP_STORE_SERVE ? SQLITE_OPEN_CREATE : 0);
	int status;

	if (sqlite3_open_v2(path, &store->db, flags, NULL) != SQLITE_OK)
		return fail_db(store, err);
	sqlite3_busy_timeout(store->db, BUSY_MS);
	status = exec(store, "PRAGMA foreign_keys = ON", err);
	if (status == 0 && use == LP_STORE_SERVE)
		status = check_sound(store, err);
	if (status == 0 && use == LP_STORE_SERVE)
		status = exec(store,
			      "PRAGMA journal_mode = WAL;"
			      "PRAGMA synchronous = NORMAL",
			      err);
	return status ? status : check_version(store, use, err);
}

/* What belongs to a damaged database goes with it. */
static int move_aside(const char *path, struct lp_error *err)
{
	static const char *const parts[] = { "", "-wal", "-shm" };
	char from[PATH_MAX], to[PATH_MAX], stamp[LP_TIME_TEXT];

	lp_time_format_compact(lp_time_now(), stamp);
	for (size_t i = 0; i < lp_array_size(parts); i++) {
		snprintf(from, sizeof(from), "%s%s", path, parts[i]);
		snprintf(to, sizeof(to), "%s.damaged-%s%s", path, stamp,
			 parts[i]);
		if (rename(from, to) < 0 && errno != ENOENT)
			return lp_fail_errno(err, errno, "cannot move %s",
					     from);
	}
	return 0;
}

int lp_store_open(struct lp_store *store, const char *dir,
		  enum lp_store_use use, struct lp_error *err)
{
	char path[PATH_MAX - 64];
	int status = 0;

	*store = (struct lp_store){ .lock = -1 };
	if (snprintf(path, sizeof(path), "%s/%s", dir, LP_STORE_FILE) >=
	    (int)sizeof(path))
		return lp_fail(err, ENAMETOOLONG, "%.100s...: too long", dir);
	if (use == LP_STORE_SERVE)
		status = hold(store, dir, err);
	if (status == 0)
		status = open_db(store, path, use, err);
	if (status == -EBADMSG && use == LP_STORE_SERVE) {
		sqlite3_close_v2(store->db);
		store->db = NULL;
		store->moved = true;
		status = move_aside(path, err);
		if (status == 0)
			status = open_db(store, path, use, err);
	}
	if (status < 0)
		lp_store_close(store);
	return status;
}

void lp_store_close(struct lp_store *store)
{
	sqlite3_close_v2(store->db);
	if (store->lock > 0)
		close(store->lock);
	*store = (struct lp_store){ .lock = -1 };
}
