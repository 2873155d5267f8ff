/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/stored.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS                                                                \
	"id, identity, kind, component, host, cause, title, resource, "        \
	"peer_group, state, since_ns, until_ns, found_ns, resolved_ns, "       \
	"episodes, score, worst, maintenance, alerting, acknowledged_by, "     \
	"acknowledged_why"

const char *lp_finding_identity(const struct lp_finding *finding)
{
	return finding->id && finding->id[0] ? finding->id : finding->component;
}

/*
 * The cause may become clearer while a finding lasts, from "unknown" to "disk
 * hog"; what is missing is something else.
 */
const char *lp_finding_kind(const struct lp_finding *finding)
{
	return finding->cause == LP_CAUSE_ABSENT
		       ? "absence"
		       : lp_resource_name(finding->resource);
}

/* ---- reading ---- */

static void read_row(sqlite3_stmt *s, struct lp_stored *f)
{
	*f = (struct lp_stored){
		.id = sqlite3_column_int64(s, 0),
		.identity = lp_store_text(s, 1),
		.kind = lp_store_text(s, 2),
		.component = lp_store_text(s, 3),
		.host = lp_store_text(s, 4),
		.cause = lp_store_text(s, 5),
		.title = lp_store_text(s, 6),
		.resource = lp_store_text(s, 7),
		.group = lp_store_text(s, 8),
		.state = lp_store_text(s, 9),
		.since_ns = sqlite3_column_int64(s, 10),
		.until_ns = sqlite3_column_int64(s, 11),
		.found_ns = sqlite3_column_int64(s, 12),
		.resolved_ns = sqlite3_column_int64(s, 13),
		.episodes = sqlite3_column_int64(s, 14),
		.score = sqlite3_column_double(s, 15),
		.worst = sqlite3_column_double(s, 16),
		.maintenance = sqlite3_column_int(s, 17) != 0,
		.alerting = sqlite3_column_int(s, 18) != 0,
		.acknowledged_by = lp_store_text(s, 19),
		.acknowledged_why = lp_store_text(s, 20),
	};
}

static int keep_texts(struct lp_stored *f, struct lp_arena *arena)
{
	const char **texts[] = {
		&f->identity,
		&f->kind,
		&f->component,
		&f->host,
		&f->cause,
		&f->title,
		&f->resource,
		&f->group,
		&f->state,
		&f->acknowledged_by,
		&f->acknowledged_why,
	};

	for (size_t i = 0; i < lp_array_size(texts); i++) {
		*texts[i] = lp_arena_string(arena, *texts[i]);
		if (!*texts[i])
			return -ENOMEM;
	}
	return 0;
}

/* Takes the statement. */
static int read_one(struct lp_store *store, sqlite3_stmt *s,
		    struct lp_arena *arena, struct lp_stored *stored,
		    struct lp_error *err)
{
	int status = lp_store_step(store, s, err);

	if (status > 0) {
		read_row(s, stored);
		if (keep_texts(stored, arena) < 0)
			status = lp_fail_memory(err);
	}
	sqlite3_finalize(s);
	return status;
}

int lp_stored_get(struct lp_store *store, int64_t id, struct lp_arena *arena,
		  struct lp_stored *stored, struct lp_error *err)
{
	sqlite3_stmt *s;
	int status = lp_store_prepare(
		store, &s, err, "SELECT " COLUMNS " FROM finding WHERE id = ?",
		"i", id);

	return status ? status : read_one(store, s, arena, stored, err);
}

int lp_stored_latest(struct lp_store *store, const char *identity,
		     const char *kind, struct lp_arena *arena,
		     struct lp_stored *stored, struct lp_error *err)
{
	sqlite3_stmt *s;
	int status = lp_store_prepare(store, &s, err,
				      "SELECT " COLUMNS
				      " FROM finding WHERE identity = ? AND "
				      "kind = ? ORDER BY id DESC LIMIT 1",
				      "ss", identity, kind);

	return status ? status : read_one(store, s, arena, stored, err);
}

static const char *given(const char *text)
{
	return text && text[0] ? text : NULL;
}

int lp_stored_list(struct lp_store *store, const struct lp_stored_filter *f,
		   lp_stored_fn *one, void *user, struct lp_error *err)
{
	static const char sql[] =
		"SELECT " COLUMNS " FROM finding WHERE "
		"(?1 IS NULL OR state = ?1 OR "
		" (?1 = 'unresolved' AND state <> 'resolved')) AND "
		"(?2 IS NULL OR component = ?2 OR identity = ?2) AND "
		"(?3 IS NULL OR host = ?3) AND (?4 IS NULL OR cause = ?4) AND "
		"until_ns >= ?5 AND since_ns <= ?6 AND id < ?7 "
		"ORDER BY id DESC LIMIT ?8";
	sqlite3_stmt *s;
	struct lp_stored stored;
	int status = lp_store_prepare(
		store, &s, err, sql, "ssssiiii", given(f->state),
		given(f->component), given(f->host), given(f->cause),
		f->since_ns, f->until_ns ? f->until_ns : INT64_MAX,
		f->before ? f->before : INT64_MAX,
		f->most ? (int64_t)f->most : INT64_C(-1));

	if (status < 0)
		return status;
	while ((status = lp_store_step(store, s, err)) > 0) {
		read_row(s, &stored);
		status = one(user, &stored);
		if (status != 0)
			break;
	}
	sqlite3_finalize(s);
	return status;
}

int lp_stored_count(struct lp_store *store, const char *state, int64_t *n,
		    struct lp_error *err)
{
	sqlite3_stmt *s;
	int status = lp_store_prepare(
		store, &s, err, "SELECT count(*) FROM finding WHERE state = ?",
		"s", state);

	if (status < 0)
		return status;
	status = lp_store_step(store, s, err);
	*n = status > 0 ? sqlite3_column_int64(s, 0) : 0;
	sqlite3_finalize(s);
	return status < 0 ? status : 0;
}

/* ---- writing ---- */

static int insert(struct lp_store *store, struct lp_stored *f,
		  struct lp_error *err)
{
	int status = lp_store_run(
		store, err,
		"INSERT INTO finding (identity, kind, component, host, cause, "
		"title, resource, peer_group, state, since_ns, until_ns, "
		"found_ns, episodes, score, worst, maintenance, alerting) "
		"VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		"sssssssssiiiiddii", f->identity, f->kind, f->component,
		f->host, f->cause, f->title, f->resource, f->group, f->state,
		f->since_ns, f->until_ns, f->found_ns, f->episodes, f->score,
		f->worst, (int64_t)f->maintenance, (int64_t)f->alerting);

	if (status == 0)
		f->id = sqlite3_last_insert_rowid(store->db);
	return status;
}

int lp_stored_put(struct lp_store *store, struct lp_stored *f,
		  struct lp_error *err)
{
	if (!f->id)
		return insert(store, f, err);
	return lp_store_run(
		store, err,
		"UPDATE finding SET component = ?, host = ?, cause = ?, "
		"title = ?, resource = ?, peer_group = ?, state = ?, "
		"since_ns = ?, until_ns = ?, resolved_ns = nullif(?, 0), "
		"episodes = ?, score = ?, worst = ?, maintenance = ?, "
		"alerting = ? WHERE id = ?",
		"sssssssiiiiddiii", f->component, f->host, f->cause, f->title,
		f->resource, f->group, f->state, f->since_ns, f->until_ns,
		f->resolved_ns, f->episodes, f->score, f->worst,
		(int64_t)f->maintenance, (int64_t)f->alerting, f->id);
}

int lp_stored_put_evidence(struct lp_store *store, int64_t id, const char *json,
			   struct lp_error *err)
{
	return lp_store_run(store, err,
			    "UPDATE finding SET evidence = ? WHERE id = ?",
			    "si", json, id);
}

int lp_stored_evidence(struct lp_store *store, int64_t id, char **json,
		       struct lp_error *err)
{
	sqlite3_stmt *s;
	int status = lp_store_prepare(
		store, &s, err, "SELECT evidence FROM finding WHERE id = ?",
		"i", id);

	*json = NULL;
	if (status < 0)
		return status;
	status = lp_store_step(store, s, err);
	if (status > 0 && sqlite3_column_type(s, 0) != SQLITE_NULL) {
		*json = strdup(lp_store_text(s, 0));
		if (!*json)
			status = lp_fail_memory(err);
	}
	sqlite3_finalize(s);
	return status < 0 ? status : 0;
}

int lp_stored_forget(struct lp_store *store, int64_t before_ns,
		     struct lp_error *err)
{
	return lp_store_run(store, err,
			    "DELETE FROM finding WHERE state = 'resolved' AND "
			    "resolved_ns < ?",
			    "i", before_ns);
}

/* ---- changes ---- */

int lp_stored_note(struct lp_store *store, int64_t id, int64_t time_ns,
		   const char *what, const char *who, const char *why,
		   struct lp_error *err)
{
	return lp_store_run(store, err,
			    "INSERT INTO change (finding, time_ns, what, who, "
			    "why) VALUES (?, ?, ?, ?, ?)",
			    "iisss", id, time_ns, what, who, why);
}

int lp_stored_changes(struct lp_store *store, int64_t id,
		      lp_stored_change_fn *one, void *user,
		      struct lp_error *err)
{
	sqlite3_stmt *s;
	int status = lp_store_prepare(
		store, &s, err,
		"SELECT time_ns, what, who, why FROM change WHERE finding = ? "
		"ORDER BY id",
		"i", id);

	if (status < 0)
		return status;
	while ((status = lp_store_step(store, s, err)) > 0) {
		struct lp_stored_change c = {
			.time_ns = sqlite3_column_int64(s, 0),
			.what = lp_store_text(s, 1),
			.who = lp_store_text(s, 2),
			.why = lp_store_text(s, 3),
		};

		status = one(user, &c);
		if (status != 0)
			break;
	}
	sqlite3_finalize(s);
	return status;
}

static int acknowledge(struct lp_store *store, int64_t id, int64_t now_ns,
		       const char *who, const char *why, struct lp_error *err)
{
	struct lp_arena arena = { 0 };
	struct lp_stored f;
	int status = lp_stored_get(store, id, &arena, &f, err);
	bool resolved = status > 0 && strcmp(f.state, "resolved") == 0;

	lp_arena_done(&arena);
	if (status == 0)
		return lp_fail(err, ENOENT, "there is no finding %lld",
			       (long long)id);
	if (resolved)
		return lp_fail(err, EINVAL,
			       "finding %lld is resolved: there is nothing to "
			       "acknowledge",
			       (long long)id);
	if (status > 0)
		status = lp_store_run(
			store, err,
			"UPDATE finding SET state = 'acknowledged', "
			"acknowledged_by = ?, acknowledged_why = ? WHERE "
			"id = ?",
			"ssi", who, why, id);
	return status ? status
		      : lp_stored_note(store, id, now_ns, "acknowledged", who,
				       why, err);
}

int lp_stored_acknowledge(struct lp_store *store, int64_t id, int64_t now_ns,
			  const char *who, const char *why,
			  struct lp_error *err)
{
	int status = lp_store_begin(store, err);

	if (status < 0)
		return status;
	status = acknowledge(store, id, now_ns, who, why, err);
	return lp_store_end(store, status, err);
}
