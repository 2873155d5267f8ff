/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/rules.h"

#include "base/timestamp.h"

#include <errno.h>
#include <stdlib.h>

/* ---- reading ---- */

static const char *keep(struct lp_rules *rules, sqlite3_stmt *s, int column)
{
	return lp_arena_string(&rules->arena, lp_store_text(s, column));
}

static int add_maintenance(struct lp_rules *r, sqlite3_stmt *s)
{
	struct lp_maintenance m = {
		.id = sqlite3_column_int64(s, 0),
		.target = keep(r, s, 1),
		.from_ns = sqlite3_column_int64(s, 2),
		.to_ns = sqlite3_column_int64(s, 3),
		.every_ns = sqlite3_column_int64(s, 4),
		.until_ns = sqlite3_column_int64(s, 5),
		.who = keep(r, s, 6),
		.why = keep(r, s, 7),
		.made_ns = sqlite3_column_int64(s, 8),
		.ended_ns = sqlite3_column_int64(s, 9),
	};

	if (!m.target || !m.who || !m.why ||
	    lp_grow(&r->maintenance, &r->maintenance_capacity,
		    r->n_maintenance + 1, sizeof(m)) < 0)
		return -ENOMEM;
	r->maintenance[r->n_maintenance++] = m;
	return 0;
}

static int add_exclusion(struct lp_rules *r, sqlite3_stmt *s)
{
	struct lp_exclusion e = {
		.id = sqlite3_column_int64(s, 0),
		.component = keep(r, s, 1),
		.who = keep(r, s, 2),
		.why = keep(r, s, 3),
		.made_ns = sqlite3_column_int64(s, 4),
		.ended_ns = sqlite3_column_int64(s, 5),
	};

	if (!e.component || !e.who || !e.why ||
	    lp_grow(&r->exclusions, &r->exclusions_capacity,
		    r->n_exclusions + 1, sizeof(e)) < 0)
		return -ENOMEM;
	r->exclusions[r->n_exclusions++] = e;
	return 0;
}

static int add_repair(struct lp_rules *r, sqlite3_stmt *s)
{
	struct lp_repair one = {
		.id = sqlite3_column_int64(s, 0),
		.component = keep(r, s, 1),
		.who = keep(r, s, 2),
		.why = keep(r, s, 3),
		.time_ns = sqlite3_column_int64(s, 4),
		.made_ns = sqlite3_column_int64(s, 5),
	};

	if (!one.component || !one.who || !one.why ||
	    lp_grow(&r->repairs, &r->repairs_capacity, r->n_repairs + 1,
		    sizeof(one)) < 0)
		return -ENOMEM;
	r->repairs[r->n_repairs++] = one;
	return 0;
}

static const struct {
	const char *sql;
	int (*add)(struct lp_rules *rules, sqlite3_stmt *s);
} lists[] = {
	{ "SELECT id, target, from_ns, to_ns, every_ns, until_ns, who, why, "
	  "made_ns, ended_ns FROM maintenance ORDER BY id",
	  add_maintenance },
	{ "SELECT id, component, who, why, made_ns, ended_ns FROM exclusion "
	  "ORDER BY id",
	  add_exclusion },
	{ "SELECT id, component, who, why, time_ns, made_ns FROM reset "
	  "ORDER BY id",
	  add_repair },
};

static int read_list(struct lp_store *store, struct lp_rules *rules, size_t i,
		     struct lp_error *err)
{
	sqlite3_stmt *s;
	int status = lp_store_prepare(store, &s, err, lists[i].sql, "");

	if (status < 0)
		return status;
	while ((status = lp_store_step(store, s, err)) > 0)
		if (lists[i].add(rules, s) < 0) {
			status = lp_fail_memory(err);
			break;
		}
	sqlite3_finalize(s);
	return status;
}

int lp_rules_read(struct lp_store *store, struct lp_rules *rules,
		  struct lp_error *err)
{
	struct lp_rules read = { 0 };
	int status = 0;

	for (size_t i = 0; i < lp_array_size(lists) && status == 0; i++)
		status = read_list(store, &read, i, err);
	if (status < 0) {
		lp_rules_done(&read);
		return status;
	}
	lp_rules_done(rules);
	*rules = read;
	return 0;
}

void lp_rules_done(struct lp_rules *rules)
{
	free(rules->maintenance);
	free(rules->exclusions);
	free(rules->repairs);
	lp_arena_done(&rules->arena);
	*rules = (struct lp_rules){ 0 };
}

/* ---- planned work ---- */

static int check_maintenance(struct lp_maintenance *m, struct lp_error *err)
{
	int64_t span;

	if (!m->target || !m->target[0])
		return lp_fail(err, EINVAL,
			       "maintenance needs a target: a component, a "
			       "host, or a label such as rack=7");
	if (__builtin_sub_overflow(m->to_ns, m->from_ns, &span) || span <= 0 ||
	    span > LP_MAINTENANCE_LONGEST_NS)
		return lp_fail(err, EINVAL,
			       "maintenance must end after it begins, within "
			       "a year");
	if (m->every_ns < 0 || (m->every_ns > 0 && m->every_ns < span))
		return lp_fail(err, EINVAL,
			       "maintenance cannot recur before it ends");
	if (m->every_ns == 0)
		m->until_ns = m->to_ns;
	if (m->every_ns > 0 &&
	    (m->until_ns <= m->from_ns ||
	     m->until_ns - m->from_ns > 5 * LP_MAINTENANCE_LONGEST_NS))
		return lp_fail(err, EINVAL,
			       "maintenance that recurs needs an end, within "
			       "five years");
	return 0;
}

int lp_maintenance_add(struct lp_store *store, struct lp_maintenance *m,
		       struct lp_error *err)
{
	int status = check_maintenance(m, err);

	if (status == 0)
		status = lp_store_run(
			store, err,
			"INSERT INTO maintenance (target, from_ns, to_ns, "
			"every_ns, until_ns, who, why, made_ns) VALUES "
			"(?, ?, ?, ?, ?, ?, ?, ?)",
			"siiiissi", m->target, m->from_ns, m->to_ns,
			m->every_ns, m->until_ns, m->who, m->why, m->made_ns);
	if (status == 0)
		m->id = sqlite3_last_insert_rowid(store->db);
	return status;
}

bool lp_maintenance_covers(const struct lp_maintenance *m, int64_t time_ns)
{
	int64_t into;

	if (time_ns < m->from_ns || (m->ended_ns && time_ns >= m->ended_ns))
		return false;
	if (m->every_ns == 0)
		return time_ns < m->to_ns;
	into = (time_ns - m->from_ns) % m->every_ns;
	return time_ns - into < m->until_ns && into < m->to_ns - m->from_ns;
}

/* Of a table whose rows end. */
static int end_row(struct lp_store *store, const char *sql, const char *what,
		   int64_t id, int64_t now_ns, struct lp_error *err)
{
	int status = lp_store_run(store, err, sql, "ii", now_ns, id);

	if (status == 0 && sqlite3_changes(store->db) == 0)
		return lp_fail(err, ENOENT, "there is no %s %lld that goes on",
			       what, (long long)id);
	return status;
}

int lp_maintenance_end(struct lp_store *store, int64_t id, int64_t now_ns,
		       struct lp_error *err)
{
	return end_row(store,
		       "UPDATE maintenance SET ended_ns = ? WHERE id = ? AND "
		       "ended_ns IS NULL",
		       "maintenance", id, now_ns, err);
}

/* ---- who is not accused, what was repaired ---- */

static int check_component(const char *component, struct lp_error *err)
{
	return component && component[0]
		       ? 0
		       : lp_fail(err, EINVAL, "a component is missing");
}

int lp_exclusion_add(struct lp_store *store, struct lp_exclusion *e,
		     struct lp_error *err)
{
	int status = check_component(e->component, err);

	if (status == 0)
		status = lp_store_run(
			store, err,
			"INSERT INTO exclusion (component, who, why, made_ns) "
			"SELECT ?1, ?2, ?3, ?4 WHERE NOT EXISTS (SELECT 1 "
			"FROM exclusion WHERE component = ?1 AND ended_ns IS "
			"NULL)",
			"sssi", e->component, e->who, e->why, e->made_ns);
	if (status == 0 && sqlite3_changes(store->db) == 0)
		return lp_fail(err, EEXIST, "%s is excluded already",
			       e->component);
	if (status == 0)
		e->id = sqlite3_last_insert_rowid(store->db);
	return status;
}

int lp_exclusion_end(struct lp_store *store, int64_t id, int64_t now_ns,
		     struct lp_error *err)
{
	return end_row(store,
		       "UPDATE exclusion SET ended_ns = ? WHERE id = ? AND "
		       "ended_ns IS NULL",
		       "exclusion", id, now_ns, err);
}

int lp_repair_add(struct lp_store *store, struct lp_repair *r,
		  struct lp_error *err)
{
	int status = check_component(r->component, err);

	if (status == 0)
		status = lp_store_run(
			store, err,
			"INSERT INTO reset (component, time_ns, who, why, "
			"made_ns) VALUES (?, ?, ?, ?, ?)",
			"sissi", r->component, r->time_ns, r->who, r->why,
			r->made_ns);
	if (status == 0)
		r->id = sqlite3_last_insert_rowid(store->db);
	return status;
}
