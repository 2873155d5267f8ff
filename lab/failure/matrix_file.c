/* SPDX-License-Identifier: Apache-2.0 */
/*
 *     title = "smoke"; seed = 1; repeats = 3;
 *     limits = { up = 240; tool = 70; work = 60; };
 *     cluster = { servers = 3; };
 *     cases = ( { failures = ["cut-off", "power-cut"]; sets = ["server"]; } );
 *
 * To add a key: one line in a table below, and one in the page.
 */
#include "failure/failure_campaign.h"

#include "base/conf.h"
#include "base/textfile.h"
#include "campaign/campaign.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_S 86400.0
#define MOST_REPEATS 1000

/* ---- names ---- */

static int find_failure(struct lp_conf *conf, const config_setting_t *s,
			const struct lab_failure **failure)
{
	const char *text = config_setting_get_string(s);
	const char *names[LAB_MATRIX_NAMES + 2] = { "none" };

	if (!text)
		return lp_conf_bad(conf, s, "%s needs names in quotes",
				   lp_conf_label(s));
	for (size_t i = 0; lab_failures[i] && i < LAB_MATRIX_NAMES; i++)
		names[i + 1] = lab_failures[i]->name;
	*failure = lab_failure_find(text);
	if (!*failure && strcmp(text, "none") != 0)
		return lp_conf_unknown(conf, s, "no failure", text, names);
	return 0;
}

static int too_many(struct lp_conf *conf, const config_setting_t *s)
{
	return lp_conf_bad(conf, s, "%s has more than %d names",
			   lp_conf_label(s), LAB_MATRIX_NAMES);
}

static int take_failure(struct lp_conf *conf, const struct lp_conf_key *key,
			const config_setting_t *s, void *field)
{
	struct lab_matrix_case *c = field;

	(void)key;
	if (c->n_failures == LAB_MATRIX_NAMES)
		return too_many(conf, s);
	return find_failure(conf, s, &c->failure[c->n_failures++]);
}

static int take_set(struct lp_conf *conf, const struct lp_conf_key *key,
		    const config_setting_t *s, void *field)
{
	struct lab_matrix_case *c = field;

	if (c->n_sets == LAB_MATRIX_NAMES)
		return too_many(conf, s);
	return lp_conf_text(conf, key, s, &c->set[c->n_sets++]);
}

static int read_failures(struct lp_conf *conf, const struct lp_conf_key *key,
			 const config_setting_t *s, void *field)
{
	return lp_conf_each(conf, key, s, field, take_failure);
}

static int read_sets(struct lp_conf *conf, const struct lp_conf_key *key,
		     const config_setting_t *s, void *field)
{
	return lp_conf_each(conf, key, s, field, take_set);
}

static int read_then(struct lp_conf *conf, const struct lp_conf_key *key,
		     const config_setting_t *s, void *field)
{
	(void)key;
	return find_failure(conf, s, field);
}

static int read_limping(struct lp_conf *conf, const struct lp_conf_key *key,
			const config_setting_t *s, void *field)
{
	const char *text = config_setting_get_string(s);
	const char *names[LAB_MATRIX_NAMES + 1] = { NULL };
	const struct lab_fault **fault = field;

	if (!text)
		return lp_conf_bad(conf, s, "%s needs a name in quotes",
				   key->name);
	for (size_t i = 0; lab_faults[i] && i < LAB_MATRIX_NAMES; i++)
		names[i] = lab_faults[i]->name;
	*fault = lab_fault_find(text);
	return *fault ? 0 : lp_conf_unknown(conf, s, "no fault", text, names);
}

static int read_when(struct lp_conf *conf, const struct lp_conf_key *key,
		     const config_setting_t *s, void *field)
{
	static const char *const names[] = { "writing", "idle", NULL };
	const char *text = config_setting_get_string(s);
	bool *idle = field;

	(void)key;
	if (!text)
		return lp_conf_bad(conf, s, "when needs a name in quotes");
	*idle = strcmp(text, "idle") == 0;
	return *idle || strcmp(text, "writing") == 0
		       ? 0
		       : lp_conf_unknown(conf, s, "nothing", text, names);
}

/* ---- cases ---- */

#define FIELD(field) offsetof(struct lab_matrix_case, field)

static const struct lp_conf_key case_keys[] = {
	{ "failures", read_failures, .offset = 0 },
	{ "sets", read_sets, .offset = 0 },
	{ "strength", lp_conf_number, FIELD(strength), 0, 100 },
	{ "when", read_when, .offset = FIELD(idle) },
	{ "then", read_then, .offset = FIELD(then) },
	{ "limping", read_limping, .offset = FIELD(limping) },
	{ "repeats", lp_conf_count, FIELD(repeats), 1, MOST_REPEATS },
	{ .name = NULL },
};

#undef FIELD

/* Found out now, and not in the middle of the night. */
static int check_case(struct lp_conf *conf, const config_setting_t *s,
		      const struct lab_matrix_case *c)
{
	const struct lab_matrix *m = conf->whole;
	const struct lab_driver *driver = lab_driver_find(m->cluster.driver);
	struct lab_members members;
	struct lp_error why;

	if (c->n_failures == 0)
		return lp_conf_bad(conf, s, "a case needs failures");
	if (!driver->members)
		return lp_conf_bad(conf, s, "%s has no sets of nodes",
				   driver->name);
	for (size_t i = 0; i < c->n_failures; i++) {
		if (!c->failure[i])
			continue;
		if (c->n_sets == 0)
			return lp_conf_bad(conf, s, "a failure needs sets");
		if (lab_failure_check(c->failure[i], 0, &m->cluster, &why) < 0)
			return lp_conf_bad(conf, s, "%s", why.text);
		if (c->failure[i]->strength_unit == NULL && c->strength > 0)
			return lp_conf_bad(conf, s, "%s has no strength",
					   c->failure[i]->name);
	}
	for (size_t i = 0; i < c->n_sets; i++)
		if (driver->members(&m->cluster, c->set[i], 1, &members, &why) <
		    0)
			return lp_conf_bad(conf, s, "%s", why.text);
	return 0;
}

static int take_case(struct lp_conf *conf, const struct lp_conf_key *key,
		     const config_setting_t *s, void *field)
{
	struct lab_matrix *m = field;
	struct lab_matrix_case *c;
	int status;

	(void)key;
	if (!config_setting_is_group(s))
		return lp_conf_bad(
			conf, s, "cases needs entries in braces: ( { ... } )");
	if (lp_grow(&m->cases, &m->capacity, m->n_cases + 1,
		    sizeof(m->cases[0])) < 0)
		return lp_fail_memory(conf->err);
	c = &m->cases[m->n_cases++];
	*c = (struct lab_matrix_case){ .n_failures = 0 };
	status = lp_conf_read_group(conf, case_keys, s, c);
	return status < 0 ? status : check_case(conf, s, c);
}

static int read_cases(struct lp_conf *conf, const struct lp_conf_key *key,
		      const config_setting_t *s, void *field)
{
	if (!config_setting_is_list(s))
		return lp_conf_bad(
			conf, s,
			"cases needs a list of entries: ( { ... }, ... )");
	return lp_conf_each(conf, key, s, field, take_case);
}

/* ---- the file ---- */

#define FIELD(field) offsetof(struct lab_matrix_limits, field)

static const struct lp_conf_key limit_keys[] = {
	{ "up", lp_conf_number, FIELD(up_s), 1, LONGEST_S },
	{ "tool", lp_conf_number, FIELD(tool_s), 1, LONGEST_S },
	{ "work", lp_conf_number, FIELD(work_s), 1, LONGEST_S },
	{ .name = NULL },
};

#undef FIELD

static int read_limits(struct lp_conf *conf, const struct lp_conf_key *key,
		       const config_setting_t *s, void *field)
{
	(void)key;
	return config_setting_is_group(s)
		       ? lp_conf_read_group(conf, limit_keys, s, field)
		       : lp_conf_bad(conf, s, "limits needs seconds in braces");
}

static int read_cluster(struct lp_conf *conf, const struct lp_conf_key *key,
			const config_setting_t *s, void *field)
{
	struct lab_spec *spec = field;
	struct lp_error why;

	(void)key;
	if (!config_setting_is_group(s))
		return lp_conf_bad(conf, s, "cluster needs settings in braces");
	if (lab_spec_take(conf, s, spec) < 0)
		return -EINVAL;
	return lab_spec_check(spec, &why) < 0
		       ? lp_conf_bad(conf, s, "%s", why.text)
		       : 0;
}

#define FIELD(field) offsetof(struct lab_matrix, field)

static const struct lp_conf_key file_keys[] = {
	{ "title", lp_conf_text, .offset = FIELD(title) },
	{ "seed", lab_conf_seed, FIELD(seed), 0, UINT32_MAX },
	{ "repeats", lp_conf_count, FIELD(repeats), 1, MOST_REPEATS },
	{ "fresh", lp_conf_bool, .offset = FIELD(fresh) },
	{ "files", lp_conf_count, FIELD(files), 1, 10000 },
	{ "megabytes", lp_conf_number, FIELD(megabytes), 0.1, 10000 },
	{ "passes", lp_conf_count, FIELD(passes), 1, 3 },
	{ "delay", lp_conf_number, FIELD(delay_s), 0, LONGEST_S },
	{ "limits", read_limits, .offset = FIELD(limits) },
	{ "cluster", read_cluster, .offset = FIELD(cluster) },
	{ "cases", read_cases, .offset = 0 },
	{ .name = NULL },
};

/* cases last: they must fit the cluster. */
static int read_file(struct lp_conf *conf, struct lab_matrix *matrix)
{
	const config_setting_t *root = config_root_setting(&conf->config);
	const config_setting_t *cases =
		config_setting_get_member(root, "cases");
	int n = config_setting_length(root), status = 0;

	conf->whole = matrix;
	conf->arena = &matrix->arena;
	for (unsigned i = 0; i < (unsigned)n && status == 0; i++) {
		const config_setting_t *s = config_setting_get_elem(root, i);

		if (s != cases)
			status = lp_conf_read(conf, file_keys, s, matrix);
	}
	if (status == 0 && !cases)
		return lp_fail(conf->err, EINVAL,
			       "%s: the list cases is missing", conf->name);
	return status < 0 ? status
			  : lp_conf_read(conf, file_keys, cases, matrix);
}

static int begin(struct lab_matrix *m, const char *name, const char *text,
		 struct lp_error *err)
{
	*m = (struct lab_matrix){
		.title = "",
		.repeats = 3,
		.fresh = true,
		.files = 72,
		.megabytes = 76,
		.passes = 3,
		.delay_s = 10,
		.limits = { 300, 70, 60 },
	};
	lab_spec_default(&m->cluster);
	m->cluster.clients = 1;
	memcpy(m->cluster.cache, "volatile", sizeof("volatile"));
	m->path = lp_arena_string(&m->arena, name);
	m->text = lp_arena_string(&m->arena, text);
	return m->path && m->text ? 0 : lp_fail_memory(err);
}

int lab_matrix_parse(const char *name, const char *text,
		     struct lab_matrix *matrix, struct lp_error *err)
{
	struct lp_conf conf;
	int status = begin(matrix, name, text, err);

	if (status == 0)
		status = lp_conf_parse(&conf, name, text, err);
	if (status < 0)
		return status;
	status = read_file(&conf, matrix);
	lp_conf_close(&conf);
	return status;
}

int lab_matrix_read(const char *path, struct lab_matrix *matrix,
		    struct lp_error *err)
{
	lp_auto_free char *text = NULL;
	int status;

	*matrix = (struct lab_matrix){ 0 };
	status = lp_text_file_copy(path, &text, err);
	return status < 0 ? status : lab_matrix_parse(path, text, matrix, err);
}

void lab_matrix_done(struct lab_matrix *matrix)
{
	free(matrix->cases);
	lp_arena_done(&matrix->arena);
	*matrix = (struct lab_matrix){ 0 };
}
