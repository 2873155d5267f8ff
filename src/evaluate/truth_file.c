/* SPDX-License-Identifier: Apache-2.0 */
/*
 * truth.json of a run, limpid-evaluate(1):
 *
 *     {"workload": "ddw", "fault": "disk-hog", "server": "s3",
 *      "start": "2026-06-01T00:02:00Z", "end": 1780272420,
 *      "strength": 1.5, "strength_unit": "x"}
 *
 * server is null, a name or a list of names; times are ISO 8601 or seconds
 * since the epoch; other keys are ignored.
 */
#include "base/textfile.h"
#include "base/timestamp.h"
#include "evaluate/count.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct reading {
	const char *path;
	const json_t *root;
	struct lp_truth *truth;
	struct lp_error *err;
};

static int bad(const struct reading *r, const char *key, const char *wanted)
{
	return lp_fail(r->err, EINVAL, "%s: \"%s\" %s", r->path, key, wanted);
}

static int read_text(const struct reading *r, const char *key,
		     const char *otherwise, const char **text)
{
	const json_t *value = json_object_get(r->root, key);
	const char *found = value && !json_is_null(value)
				    ? json_string_value(value)
				    : otherwise;

	if (!found)
		return bad(r, key, "must be a text");
	*text = lp_arena_string(&r->truth->arena, found);
	return *text ? 0 : lp_fail_memory(r->err);
}

static int read_number(const struct reading *r, const char *key, double s,
		       int64_t *time_ns)
{
	if (!(fabs(s) < 9e9))
		return bad(r, key, "is not in seconds since the epoch");
	*time_ns = llround(s * 1e9);
	return 0;
}

static int read_time(const struct reading *r, const char *key, int64_t *time_ns)
{
	const json_t *value = json_object_get(r->root, key);
	const char *text = json_string_value(value);

	if (json_is_number(value))
		return read_number(r, key, json_number_value(value), time_ns);
	if (!text || lp_time_parse(text, strlen(text), time_ns) < 0)
		return bad(r, key, "must be a time: ISO 8601 or seconds");
	return 0;
}

static int add_server(const struct reading *r, const json_t *value)
{
	struct lp_truth *t = r->truth;
	const char *name = json_string_value(value);

	if (!name || !*name)
		return bad(r, "server", "must be a name or a list of names");
	t->servers[t->n_servers] = lp_arena_string(&t->arena, name);
	return t->servers[t->n_servers++] ? 0 : lp_fail_memory(r->err);
}

static int read_servers(const struct reading *r)
{
	const json_t *value = json_object_get(r->root, "server");
	size_t n = json_is_array(value) ? json_array_size(value) : 1;
	int status = 0;

	r->truth->servers = lp_arena_alloc(&r->truth->arena,
					   n * sizeof(r->truth->servers[0]));
	if (!r->truth->servers)
		return lp_fail_memory(r->err);
	if (!json_is_array(value))
		return add_server(r, value);
	for (size_t i = 0; status == 0 && i < n; i++)
		status = add_server(r, json_array_get(value, i));
	if (status == 0 && n == 0)
		return bad(r, "server",
			   "names no server; a control has the fault \"none\"");
	return status;
}

static int read_cause(const struct reading *r)
{
	const json_t *value = json_object_get(r->root, "cause");
	const char *text = json_string_value(value);

	r->truth->cause = lp_fault_cause(r->truth->fault);
	if (!value || json_is_null(value))
		return 0;
	if (text)
		r->truth->cause = lp_cause_find(text);
	if (!text || r->truth->cause == LP_CAUSES)
		return bad(r, "cause", "is not a cause that limpid reports");
	return 0;
}

static int read_strength(const struct reading *r)
{
	const json_t *value = json_object_get(r->root, "strength");

	if (value && !json_is_null(value) && !json_is_number(value))
		return bad(r, "strength", "must be a number");
	if (json_is_number(value))
		r->truth->strength = json_number_value(value);
	return read_text(r, "strength_unit", "", &r->truth->strength_unit);
}

static int read_all(const struct reading *r)
{
	int status;

	if (!json_is_object(r->root))
		return lp_fail(r->err, EINVAL, "%s: not a JSON object",
			       r->path);
	status = read_text(r, "workload", "", &r->truth->workload);
	if (status == 0)
		status = read_text(r, "fault", NULL, &r->truth->fault);
	if (status < 0 || lp_truth_is_control(r->truth))
		return status;
	status = read_servers(r);
	if (status == 0)
		status = read_time(r, "start", &r->truth->start_ns);
	if (status == 0)
		status = read_time(r, "end", &r->truth->end_ns);
	if (status == 0 && r->truth->end_ns < r->truth->start_ns)
		status = bad(r, "end", "is before the start");
	if (status == 0)
		status = read_strength(r);
	return status == 0 ? read_cause(r) : status;
}

int lp_truth_parse(const char *name, const char *text, size_t size,
		   struct lp_truth *truth, struct lp_error *err)
{
	struct lp_truth made = { .cause = LP_CAUSES,
				 .strength = NAN,
				 .strength_unit = "" };
	json_error_t why;
	json_t *root = json_loadb(text, size, 0, &why);
	struct reading r = { name, root, &made, err };
	int status;

	if (!root)
		return lp_fail(err, EINVAL, "%s:%d: %s", name, why.line,
			       why.text);
	status = read_all(&r);
	json_decref(root);
	if (status < 0)
		lp_truth_done(&made);
	else
		*truth = made;
	return status;
}

int lp_truth_read(const char *path, struct lp_truth *truth,
		  struct lp_error *err)
{
	struct lp_text_file file = { 0 };
	int status = lp_text_file_open(&file, path, err);

	if (status < 0)
		return status;
	status = lp_truth_parse(path, file.text ? file.text : "", file.size,
				truth, err);
	lp_text_file_close(&file);
	return status;
}

void lp_truth_done(struct lp_truth *truth)
{
	lp_arena_done(&truth->arena);
	*truth = (struct lp_truth){ 0 };
}
