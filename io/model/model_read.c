/* SPDX-License-Identifier: Apache-2.0 */
#include "base/textfile.h"
#include "base/timestamp.h"
#include "io/model/model_file.h"
#include "io/model/trainer.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#define SIZES_MAX 100000
/* ns, and ns a byte: thirty years, so that no prediction is infinite. */
#define LONGEST 1e18

struct reader {
	const char *name;
	char where[96]; /* "models[3].sizes[2]." */
	struct lp_io_model *into;
	struct lp_error *err;
};

static int bad(const struct reader *r, const char *key, const char *what)
{
	return lp_fail(r->err, EINVAL, "%s: %s%s %s", r->name, r->where, key,
		       what);
}

/* ---- values ---- */

/* A text of the object, or "" if it need not be there. */
static int take_text(struct reader *r, const json_t *object, const char *key,
		     bool needed, const char **text)
{
	const json_t *v = json_object_get(object, key);

	if (!v && !needed) {
		*text = "";
		return 0;
	}
	if (!json_is_string(v))
		return bad(r, key, "must be a text");
	*text = lp_arena_string(&r->into->arena, json_string_value(v));
	return *text ? 0 : lp_fail_memory(r->err);
}

/* 0 or more; NaN for null where it may be. */
static int take_number(struct reader *r, const json_t *object, const char *key,
		       bool may_lack, double *v)
{
	const json_t *value = json_object_get(object, key);

	if (may_lack && (!value || json_is_null(value))) {
		*v = NAN;
		return 0;
	}
	if (!json_is_number(value) || !isfinite(json_number_value(value)) ||
	    json_number_value(value) < 0)
		return bad(r, key, "must be a number, 0 or more");
	*v = json_number_value(value);
	return 0;
}

static int take_count(struct reader *r, const json_t *object, const char *key,
		      int64_t least, int64_t *v)
{
	const json_t *value = json_object_get(object, key);

	if (!json_is_integer(value) || json_integer_value(value) < least)
		return bad(r, key,
			   least ? "must be a whole number above 0"
				 : "must be a whole number, 0 or more");
	*v = json_integer_value(value);
	return 0;
}

static int take_name(struct reader *r, const json_t *object, const char *key,
		     const char **name)
{
	int status = take_text(r, object, key, true, name);

	if (status == 0 && !lp_io_is_name(*name))
		return bad(r, key, "is not a valid name of a factor");
	return status;
}

/* ---- parts ---- */

static int take_segment(struct reader *r, const json_t *model, const char *key,
			struct lp_io_segment *s)
{
	const json_t *object = json_object_get(model, key);

	if (!json_is_object(object))
		return bad(r, key, "must be an object");
	if (take_number(r, object, "intercept_ns", false, &s->line.intercept) <
		    0 ||
	    take_number(r, object, "ns_per_byte", false, &s->line.slope) < 0 ||
	    take_number(r, object, "error_ns", true, &s->error_ns) < 0 ||
	    take_number(r, object, "error", true, &s->error) < 0 ||
	    take_number(r, object, "slow", true, &s->slow) < 0 ||
	    take_number(r, object, "unexplained", true, &s->unexplained) < 0)
		return -EINVAL;
	if (s->line.intercept > LONGEST || s->line.slope > LONGEST)
		return bad(r, key, "predicts more than thirty years");
	return 0;
}

static int take_use(struct reader *r, const json_t *object, enum lp_io_use *use)
{
	const char *text = json_string_value(json_object_get(object, "use"));

	for (unsigned i = 0; text && i < LP_IO_USES; i++)
		if (strcmp(text, lp_io_use_name(i)) == 0) {
			*use = i;
			return 0;
		}
	return bad(r, "use", "must be \"fitted\" or \"odd\"");
}

static int take_size(struct reader *r, const json_t *object,
		     struct lp_io_size *s)
{
	int64_t count = 0, clusters = 0;

	if (take_count(r, object, "bytes", 1, &s->bytes) < 0 ||
	    take_count(r, object, "count", 1, &count) < 0 ||
	    take_number(r, object, "median_ns", false, &s->median_ns) < 0 ||
	    take_number(r, object, "mean_ns", false, &s->mean_ns) < 0 ||
	    take_number(r, object, "mean_without_slow_ns", false,
			&s->kept_mean_ns) < 0 ||
	    take_number(r, object, "begin_ns", true, &s->begin_ns) < 0 ||
	    take_number(r, object, "limit_ns", false, &s->limit_ns) < 0 ||
	    take_number(r, object, "slow", false, &s->slow) < 0 ||
	    take_count(r, object, "clusters", 0, &clusters) < 0 ||
	    take_use(r, object, &s->use) < 0)
		return -EINVAL;
	s->count = (uint64_t)count;
	s->clusters = clusters > 1000000 ? 1000000 : (unsigned)clusters;
	return 0;
}

static int take_sizes(struct reader *r, const json_t *model, size_t number,
		      struct lp_io_factor *f)
{
	const json_t *sizes = json_object_get(model, "sizes");

	f->n_sizes = json_array_size(sizes);
	if (f->n_sizes == 0 || f->n_sizes > SIZES_MAX)
		return bad(r, "sizes", "must be a list of sizes");
	f->size =
		lp_arena_alloc(&r->into->arena, f->n_sizes * sizeof(*f->size));
	if (!f->size)
		return lp_fail_memory(r->err);
	for (size_t i = 0; i < f->n_sizes; i++) {
		snprintf(r->where, sizeof(r->where), "models[%zu].sizes[%zu].",
			 number, i);
		if (take_size(r, json_array_get(sizes, i), &f->size[i]) < 0)
			return -EINVAL;
		if (i > 0 && f->size[i].bytes <= f->size[i - 1].bytes)
			return bad(r, "bytes", "must be above the one before");
	}
	return 0;
}

static int take_kind(struct reader *r, const json_t *object, uint8_t *kind)
{
	const char *text =
		json_string_value(json_object_get(object, "operation"));

	if (text && strcmp(text, "read") == 0)
		*kind = LP_IO_READ;
	else if (text && strcmp(text, "write") == 0)
		*kind = LP_IO_WRITE;
	else
		return bad(r, "operation", "must be \"read\" or \"write\"");
	return 0;
}

static int take_factor(struct reader *r, const json_t *object, size_t number)
{
	struct lp_io_model *m = r->into;
	struct lp_io_factor f = { .n_sizes = 0 };
	int64_t few = 0;

	snprintf(r->where, sizeof(r->where), "models[%zu].", number);
	if (!json_is_object(object))
		return bad(r, "", "must be an object");
	if (take_kind(r, object, &f.kind) < 0 ||
	    take_name(r, object, "factor", &f.name) < 0 ||
	    take_segment(r, object, "small", &f.small) < 0 ||
	    take_segment(r, object, "large", &f.large) < 0)
		return -EINVAL;
	if (json_object_get(object, "sizes_left_out") &&
	    take_count(r, object, "sizes_left_out", 0, &few) < 0)
		return -EINVAL;
	f.n_few = (size_t)few;
	if (lp_io_factor_named(m, f.kind, f.name))
		return bad(r, "factor", "appears twice for this operation");
	if (take_sizes(r, object, number, &f) < 0)
		return -EINVAL;
	m->factor[m->n_factors++] = f;
	return 0;
}

static int take_factors(struct reader *r, const json_t *root)
{
	const json_t *models = json_object_get(root, "models");
	size_t n = json_array_size(models);

	if (n == 0 || n > LP_IO_FACTORS_MAX)
		return bad(r, "models", "must be a list of 1 to 64 models");
	r->into->factor =
		lp_arena_alloc(&r->into->arena, n * sizeof(*r->into->factor));
	if (!r->into->factor)
		return lp_fail_memory(r->err);
	for (size_t i = 0; i < n; i++)
		if (take_factor(r, json_array_get(models, i), i) < 0)
			return -EINVAL;
	r->where[0] = '\0';
	return 0;
}

static int take_origin(struct reader *r, const json_t *root)
{
	const json_t *made = json_object_get(root, "made");
	struct lp_io_origin *o = &r->into->origin;
	const char *at;

	if (!json_is_object(made))
		return bad(r, "made", "must be an object");
	snprintf(r->where, sizeof(r->where), "made.");
	if (take_text(r, made, "at", false, &at) < 0 ||
	    take_text(r, made, "host", false, &o->host) < 0 ||
	    take_text(r, made, "kernel", false, &o->kernel) < 0 ||
	    take_text(r, made, "directory", false, &o->directory) < 0 ||
	    take_text(r, made, "file_system", false, &o->file_system) < 0)
		return -EINVAL;
	if (*at && lp_time_parse(at, strlen(at), &o->made_ns) < 0)
		return bad(r, "at", "is not a time");
	r->where[0] = '\0';
	return 0;
}

static int take_version(struct reader *r, const json_t *root)
{
	const char *format = json_string_value(json_object_get(root, "format"));
	const json_t *version = json_object_get(root, "version");

	if (!format || strcmp(format, LP_IO_MODEL_FORMAT) != 0)
		return lp_fail(r->err, EINVAL,
			       "%s: not a model of 'limpid io fit': expected "
			       "\"format\": \"" LP_IO_MODEL_FORMAT "\"",
			       r->name);
	if (!json_is_integer(version) ||
	    json_integer_value(version) != LP_IO_MODEL_VERSION)
		return lp_fail(r->err, EINVAL,
			       "%s: not a model of version %d, the only "
			       "version that this limpid reads; make it again",
			       r->name, LP_IO_MODEL_VERSION);
	return 0;
}

static int take_root(struct reader *r, const json_t *root)
{
	struct lp_io_model *m = r->into;

	if (json_object_get(root, "resolution_ns") &&
	    take_count(r, root, "resolution_ns", 0, &m->resolution_ns) < 0)
		return -EINVAL;
	if (take_version(r, root) < 0 || take_origin(r, root) < 0 ||
	    take_name(r, root, "beyond", &m->beyond) < 0 ||
	    take_text(r, root, "reference", false, &m->reference) < 0 ||
	    take_factors(r, root) < 0)
		return -EINVAL;
	if (*m->reference && !lp_io_has_factor(m, m->reference))
		return bad(r, "reference", "is not the name of a factor");
	if (lp_io_has_factor(m, m->beyond))
		return bad(r, "beyond", "is the name of a factor, too");
	return 0;
}

int lp_io_model_parse(const char *name, const char *text, size_t size,
		      struct lp_io_model *model, struct lp_error *err)
{
	struct lp_io_model m = { .n_factors = 0 };
	struct reader r = { .name = name, .into = &m, .err = err };
	json_error_t where;
	json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &where);
	int status;

	if (!root)
		return lp_fail(err, EINVAL,
			       "%s: line %d: not a model of 'limpid io fit': "
			       "%.120s",
			       name, where.line, where.text);
	status = take_root(&r, root);
	json_decref(root);
	if (status < 0)
		lp_io_model_done(&m);
	else
		*model = m;
	return status;
}

int lp_io_model_read(const char *path, struct lp_io_model *model,
		     struct lp_error *err)
{
	struct lp_text_file file = { 0 };
	int status = lp_text_file_open(&file, path, err);

	if (status < 0)
		return status;
	status = lp_io_model_parse(path, file.text, file.n, model, err);
	lp_text_file_close(&file);
	return status;
}
