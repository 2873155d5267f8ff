/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid-findings: what limpid serve found, and what people say of it.
 */
#include "command.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/timestamp.h"
#include "base/visible.h"
#include "serve/rules.h"
#include "serve/stored_json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct options {
	const char *state, *who, *why;
	int64_t for_ns, every_ns, at_ns, until_ns;
	bool all, json;
};

static const struct lp_option table[] = {
	{ .long_name = "state",
	  .type = LP_OPTION_STRING,
	  .value = "DIR",
	  .offset = offsetof(struct options, state),
	  .help = "the directory of limpid serve (default /var/lib/limpid)" },
	{ .long_name = "all",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, all),
	  .help = "list: resolved findings, too" },
	{ .long_name = "json",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, json),
	  .help = "list, show: one JSON object a line" },
	{ .long_name = "who",
	  .type = LP_OPTION_STRING,
	  .value = "NAME",
	  .offset = offsetof(struct options, who),
	  .help = "who says so (default: your login name)" },
	{ .long_name = "why",
	  .type = LP_OPTION_STRING,
	  .value = "TEXT",
	  .offset = offsetof(struct options, why),
	  .help = "the reason; whatever changes something needs one" },
	{ .long_name = "at",
	  .type = LP_OPTION_TIME,
	  .value = "TIME",
	  .offset = offsetof(struct options, at_ns),
	  .help = "when it was repaired, or planned work begins (default: "
		  "now)" },
	{ .long_name = "for",
	  .type = LP_OPTION_DURATION,
	  .value = "TIME",
	  .offset = offsetof(struct options, for_ns),
	  .help = "maintenance: how long it takes",
	  .low = 1 },
	{ .long_name = "every",
	  .type = LP_OPTION_DURATION,
	  .value = "TIME",
	  .offset = offsetof(struct options, every_ns),
	  .help = "maintenance: it recurs after so long",
	  .low = 1 },
	{ .long_name = "until",
	  .type = LP_OPTION_TIME,
	  .value = "TIME",
	  .offset = offsetof(struct options, until_ns),
	  .help = "maintenance: the end of what recurs" },
};

static const struct lp_usage usage = {
	.command = "limpid findings",
	.summary = "Lists what limpid serve found, and tells it what people "
		   "decided.",
	.operands = "[WORD [WHAT]]",
	.max_operands = 2,
	.options = table,
	.n_options = lp_array_size(table),
	.notes = "  list                   findings that are not resolved\n"
		 "  show ID                one finding, and what became of it\n"
		 "  ack ID                 somebody knows about it\n"
		 "  exclude COMPONENT      never accuse it\n"
		 "  include COMPONENT      accuse it again\n"
		 "  reset COMPONENT        it was repaired\n"
		 "  maintenance TARGET     planned work on a component, a host "
		 "or a label\n"
		 "  rules                  what people decided\n"
		 "  end ID                 this maintenance is over\n",
};

/* What a word needs. */
struct asked_for {
	const struct options *o;
	struct lp_store store;
	const char *what;
	const char *who;
	int64_t id, now_ns;
	size_t n;
};

/* ---- lists ---- */

static int print_line(void *user, const struct lp_stored *f)
{
	struct asked_for *a = user;
	char since[LP_TIME_TEXT];

	if (a->n++ == 0)
		printf("%6s  %-12s  %-20s  %5s  %s\n", "id", "state", "since",
		       "times", "component");
	printf("%6lld  %-12s  %-20s  %5lld  %s  %s%s\n", (long long)f->id,
	       f->state,
	       lp_time_format(f->since_ns / LP_NS_PER_S * LP_NS_PER_S, since),
	       (long long)f->episodes, lp_shown(f->component), f->title,
	       f->maintenance ? "  (maintenance)" : "");
	return 0;
}

static int print_json(void *user, const struct lp_stored *f)
{
	struct lp_json json;

	(void)user;
	lp_json_init(&json, stdout);
	lp_json_object(&json);
	lp_put_stored(&json, f);
	lp_json_end(&json);
	putchar('\n');
	return 0;
}

static int list(struct asked_for *a, struct lp_error *err)
{
	struct lp_stored_filter filter = {
		.state = a->o->all ? NULL : "unresolved",
		.since_ns = LP_TIME_MIN,
	};
	int status =
		lp_stored_list(&a->store, &filter,
			       a->o->json ? print_json : print_line, a, err);

	if (status == 0 && a->n == 0 && !a->o->json)
		puts("There are no findings.");
	return status;
}

static int print_change(void *user, const struct lp_stored_change *c)
{
	char when[LP_TIME_TEXT];

	(void)user;
	printf("  %s  %s by %s: ",
	       lp_time_format(c->time_ns / LP_NS_PER_S * LP_NS_PER_S, when),
	       c->what, lp_shown(c->who));
	printf("%s\n", lp_shown(c->why));
	return 0;
}

static int show(struct asked_for *a, struct lp_error *err)
{
	struct lp_arena arena = { 0 };
	struct lp_stored f;
	int status = lp_stored_get(&a->store, a->id, &arena, &f, err);

	if (status == 0)
		status = lp_fail(err, ENOENT, "there is no finding %lld",
				 (long long)a->id);
	else if (status > 0)
		status = a->o->json ? print_json(a, &f) : print_line(a, &f);
	if (status == 0 && !a->o->json)
		status = lp_stored_changes(&a->store, a->id, print_change, a,
					   err);
	lp_arena_done(&arena);
	return status;
}

static void print_rules(const struct lp_rules *r, int64_t now_ns)
{
	char from[LP_TIME_TEXT], to[LP_TIME_TEXT];

	for (size_t i = 0; i < r->n_maintenance; i++)
		if (!r->maintenance[i].ended_ns &&
		    r->maintenance[i].until_ns > now_ns)
			printf("maintenance %lld  %s  %s to %s%s\n",
			       (long long)r->maintenance[i].id,
			       lp_shown(r->maintenance[i].target),
			       lp_time_format(r->maintenance[i].from_ns, from),
			       lp_time_format(r->maintenance[i].to_ns, to),
			       r->maintenance[i].every_ns ? ", recurring" : "");
	for (size_t i = 0; i < r->n_exclusions; i++)
		if (!r->exclusions[i].ended_ns)
			printf("excluded  %s\n",
			       lp_shown(r->exclusions[i].component));
	for (size_t i = 0; i < r->n_repairs; i++)
		printf("reset  %s  %s\n", lp_shown(r->repairs[i].component),
		       lp_time_format(r->repairs[i].time_ns, from));
}

static int list_rules(struct asked_for *a, struct lp_error *err)
{
	struct lp_rules rules = { 0 };
	int status = lp_rules_read(&a->store, &rules, err);

	if (status == 0)
		print_rules(&rules, a->now_ns);
	lp_rules_done(&rules);
	return status;
}

/* ---- changes ---- */

static int acknowledge(struct asked_for *a, struct lp_error *err)
{
	return lp_stored_acknowledge(&a->store, a->id, a->now_ns, a->who,
				     a->o->why, err);
}

static int exclude(struct asked_for *a, struct lp_error *err)
{
	struct lp_exclusion e = { .component = a->what,
				  .who = a->who,
				  .why = a->o->why,
				  .made_ns = a->now_ns };

	return lp_exclusion_add(&a->store, &e, err);
}

static int include(struct asked_for *a, struct lp_error *err)
{
	struct lp_rules rules = { 0 };
	int64_t id = 0;
	int status = lp_rules_read(&a->store, &rules, err);

	for (size_t i = 0; status == 0 && i < rules.n_exclusions; i++)
		if (!rules.exclusions[i].ended_ns &&
		    strcmp(rules.exclusions[i].component, a->what) == 0)
			id = rules.exclusions[i].id;
	lp_rules_done(&rules);
	if (status == 0 && id == 0)
		return lp_fail(err, ENOENT, "%s is not excluded", a->what);
	return status ? status
		      : lp_exclusion_end(&a->store, id, a->now_ns, err);
}

static int64_t at_or_now(const struct asked_for *a)
{
	return a->o->at_ns == LP_TIME_MIN ? a->now_ns : a->o->at_ns;
}

static int reset(struct asked_for *a, struct lp_error *err)
{
	struct lp_repair r = { .component = a->what,
			       .time_ns = at_or_now(a),
			       .who = a->who,
			       .why = a->o->why,
			       .made_ns = a->now_ns };

	return lp_repair_add(&a->store, &r, err);
}

static int maintain(struct asked_for *a, struct lp_error *err)
{
	struct lp_maintenance m = {
		.target = a->what,
		.from_ns = at_or_now(a),
		.to_ns = lp_time_add(at_or_now(a), a->o->for_ns),
		.every_ns = a->o->every_ns,
		.until_ns = a->o->until_ns,
		.who = a->who,
		.why = a->o->why,
		.made_ns = a->now_ns,
	};

	return lp_maintenance_add(&a->store, &m, err);
}

static int end(struct asked_for *a, struct lp_error *err)
{
	return lp_maintenance_end(&a->store, a->id, a->now_ns, err);
}

/* ---- words ---- */

static const struct word {
	const char *name;
	int (*run)(struct asked_for *a, struct lp_error *err);
	bool what, id, changes;
} words[] = {
	{ "list", list, false, false, false },
	{ "show", show, true, true, false },
	{ "rules", list_rules, false, false, false },
	{ "ack", acknowledge, true, true, true },
	{ "exclude", exclude, true, false, true },
	{ "include", include, true, false, true },
	{ "reset", reset, true, false, true },
	{ "maintenance", maintain, true, false, true },
	{ "end", end, true, true, true },
};

static int check(const struct word *w, struct asked_for *a,
		 struct lp_error *err)
{
	uint64_t id = 0;

	if (w->what != (a->what != NULL))
		return lp_fail(err, EINVAL, "%s: %s", w->name,
			       w->what ? "of what? See --help"
				       : "expected nothing behind it");
	if (w->id &&
	    (lp_parse_u64(a->what, strlen(a->what), &id) < 0 || id > INT64_MAX))
		return lp_fail(err, EINVAL, "%s: '%s' is not a number", w->name,
			       a->what);
	if (w->changes && (!a->o->why || !a->o->why[0]))
		return lp_fail(err, EINVAL,
			       "%s: say --why; others will read it", w->name);
	a->id = (int64_t)id;
	return 0;
}

static int run(const struct options *o, char **operands)
{
	struct asked_for a = { .o = o, .now_ns = lp_time_now() };
	const struct word *w = &words[0];
	const char *login = getenv("SUDO_USER");
	struct lp_error err;
	int status;

	if (operands[0]) {
		size_t i = 0;

		while (i < lp_array_size(words) &&
		       strcmp(words[i].name, operands[0]) != 0)
			i++;
		if (i == lp_array_size(words)) {
			lp_fail(&err, EINVAL, "no word '%s'; see --help",
				operands[0]);
			return lp_command_misuse(&usage, &err);
		}
		w = &words[i];
		a.what = operands[1];
	}
	if (!login)
		login = getenv("USER");
	a.who = o->who ? o->who : login ? login : "root";
	if (check(w, &a, &err) < 0)
		return lp_command_misuse(&usage, &err);
	status =
		lp_store_open(&a.store, o->state ? o->state : "/var/lib/limpid",
			      LP_STORE_SHARE, &err);
	if (status == 0) {
		status = w->run(&a, &err);
		lp_store_close(&a.store);
	}
	return status < 0 ? lp_command_fail(&usage, &err)
			  : lp_command_finish(&usage);
}

int main(int argc, char **argv)
{
	struct options options = { .at_ns = LP_TIME_MIN,
				   .until_ns = LP_TIME_MIN };
	int status, first;

	if (lp_command_begin(&usage, argc, argv, &options, &first, &status))
		status = run(&options, argv + first);
	return status;
}
