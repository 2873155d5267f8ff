/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What limpid-logs makes of logs, as counts of the kinds below. Each has one
 * text, JSON, and how many lines it stands for:
 *
 *     {"cause":"cut-off","sentence":"its own network does not work ...",
 *      "file":"oss3/messages","line":120,"text":"..."}
 *
 * A verdict may make a finding of its own. Lines never do.
 */
#include "diagnose/witness.h"

#include "base/memory.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What was put and not said yet. */
struct kept {
	const char *kind;
	char *host, *text;
	int64_t from_ns, to_ns;
	bool said;
};

struct kept_lines {
	struct kept *all;
	size_t n, capacity;
};

static bool is_of(const struct lp_item *item, const char *kind)
{
	return item->kind == LP_ITEM_COUNTS &&
	       strcmp(item->counts->kind, kind) == 0 &&
	       item->counts->n_counts > 0;
}

/* The constant of that name. */
static const char *kind_of(const struct lp_item *item)
{
	static const char *const kinds[] = { LP_EVIDENCE_LOGS,
					     LP_EVIDENCE_LOGS_VERDICT,
					     LP_EVIDENCE_LOGS_READ };
	size_t i = 0;

	while (!is_of(item, kinds[i]))
		i++;
	return kinds[i];
}

static void *open_lines(void)
{
	return calloc(1, sizeof(struct kept_lines));
}

static void close_lines(void *memory)
{
	struct kept_lines *lines = memory;

	for (size_t i = 0; i < lines->n; i++) {
		free(lines->all[i].host);
		free(lines->all[i].text);
	}
	free(lines->all);
	free(lines);
}

static int push(void *memory, const struct lp_item *item)
{
	const struct lp_counts *c = item->counts;
	struct kept_lines *lines = memory;
	struct kept *one;

	if (lp_grow(&lines->all, &lines->capacity, lines->n + 1, sizeof(*one)) <
	    0)
		return -ENOMEM;
	one = &lines->all[lines->n++];
	*one = (struct kept){ .kind = kind_of(item),
			      .host = strdup(c->host),
			      .text = strdup(c->texts[c->ids[0]]),
			      .from_ns = c->from_ns,
			      .to_ns = c->to_ns };
	return one->host && one->text ? 0 : -ENOMEM;
}

static enum lp_resource resource_of(enum lp_cause cause)
{
	return cause == LP_CAUSE_CUT_OFF ? LP_NETWORK : LP_STORAGE;
}

/* -ENOMEM; what is no JSON of ours says nothing. */
static int say_one(const struct kept *one, lp_testify *say, void *user)
{
	json_t *data = json_loads(one->text, 0, NULL);
	const char *cause = json_string_value(json_object_get(data, "cause"));
	const char *sentence =
		json_string_value(json_object_get(data, "sentence"));
	enum lp_cause meant = cause ? lp_cause_find(cause) : LP_CAUSE_UNKNOWN;
	struct lp_testimony testimony = {
		.kind = one->kind,
		.host = one->host,
		.cause = meant == LP_CAUSES ? LP_CAUSE_UNKNOWN : meant,
		.resource = resource_of(meant),
		.since_ns = one->from_ns,
		.until_ns = one->to_ns,
		.strength = NAN,
		.sentence = sentence,
		.data = one->text,
	};
	int status = sentence ? say(user, &testimony) : 0;

	json_decref(data);
	return status;
}

static int say_all(void *memory, int64_t until_ns, lp_testify *say, void *user)
{
	struct kept_lines *lines = memory;
	int status = 0;

	for (size_t i = 0; i < lines->n && status == 0; i++) {
		struct kept *one = &lines->all[i];

		if (one->said || one->to_ns > until_ns)
			continue;
		one->said = true;
		status = say_one(one, say, user);
	}
	return status;
}

static bool takes_lines(const struct lp_item *item)
{
	return is_of(item, LP_EVIDENCE_LOGS) ||
	       is_of(item, LP_EVIDENCE_LOGS_READ);
}

const struct lp_witness lp_witness_logs = {
	.name = LP_EVIDENCE_LOGS,
	.takes = takes_lines,
	.open = open_lines,
	.close = close_lines,
	.push = push,
	.advance = say_all,
};

static bool takes_verdict(const struct lp_item *item)
{
	return is_of(item, LP_EVIDENCE_LOGS_VERDICT);
}

const struct lp_witness lp_witness_logs_verdict = {
	.name = LP_EVIDENCE_LOGS_VERDICT,
	.accuses_alone = true,
	.takes = takes_verdict,
	.open = open_lines,
	.close = close_lines,
	.push = push,
	.advance = say_all,
};
