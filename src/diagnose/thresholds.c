/* SPDX-License-Identifier: Apache-2.0 */
#include "diagnose/thresholds.h"

#include "base/memory.h"
#include "base/names.h"
#include "base/number.h"
#include "base/textfile.h"
#include "base/timestamp.h"
#include "detect/detector.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC "# limpid thresholds 1"
#define ORIGIN "# trained on: "
#define STEP "# step: "
#define COLUMNS "method,class,metric,component,threshold"
#define KEY_MAX 1024

struct lp_thresholds {
	struct lp_names keys; /* method, class, metric and component in lines */
	double *values;       /* by number of the key */
	size_t capacity;
	struct lp_arena arena;
	const char *name;   /* of the file, or "" */
	const char *origin; /* what the file says it was trained on, or "" */
	int64_t step_ns;    /* 0: not known */
};

struct lp_thresholds *lp_thresholds_new(void)
{
	struct lp_thresholds *t = calloc(1, sizeof(*t));

	if (t)
		t->name = t->origin = "";
	return t;
}

void lp_thresholds_free(struct lp_thresholds *t)
{
	if (!t)
		return;
	lp_names_done(&t->keys);
	lp_arena_done(&t->arena);
	free(t->values);
	free(t);
}

static bool make_key(char key[KEY_MAX], const char *method, const char *class,
		     const char *metric, const char *component)
{
	int n = snprintf(key, KEY_MAX, "%s\n%s\n%s\n%s", method, class, metric,
			 component);

	return n >= 0 && n < KEY_MAX;
}

static int set_key(struct lp_thresholds *t, const char *key, double threshold)
{
	uint32_t id = lp_names_add(&t->keys, key);

	if (id == LP_NAME_NONE ||
	    lp_grow(&t->values, &t->capacity, id + 1, sizeof(*t->values)) < 0)
		return -ENOMEM;
	t->values[id] = threshold;
	return 0;
}

int lp_thresholds_set(struct lp_thresholds *t, const char *method,
		      const char *class_name, const char *metric,
		      const char *component, double threshold)
{
	char key[KEY_MAX];

	if (!make_key(key, method, class_name, metric, component))
		return -ENOMEM;
	return set_key(t, key, threshold);
}

double lp_thresholds_get(const struct lp_thresholds *t, const char *method,
			 const char *class_name, const char *metric,
			 const char *component)
{
	char key[KEY_MAX];
	uint32_t id;

	if (!make_key(key, method, class_name, metric, component))
		return NAN;
	id = lp_names_find(&t->keys, key);
	return id == LP_NAME_NONE ? NAN : t->values[id];
}

static bool lower_is_worse(const char *key)
{
	char method[32];
	const struct lp_detector *detector;

	snprintf(method, sizeof(method), "%.*s", (int)strcspn(key, "\n"), key);
	detector = lp_detector_find(method);
	return detector && detector->lower_is_worse;
}

int lp_thresholds_merge(struct lp_thresholds *into,
			const struct lp_thresholds *from)
{
	if (into->step_ns && from->step_ns && into->step_ns != from->step_ns)
		return -EINVAL;
	for (uint32_t i = 0; i < from->keys.count; i++) {
		const char *key = from->keys.text[i];
		uint32_t known = lp_names_find(&into->keys, key);
		double old = known == LP_NAME_NONE ? NAN : into->values[known];
		double new = from->values[i];

		new = lower_is_worse(key) ? fmin(old, new) : fmax(old, new);
		if (set_key(into, key, new) < 0)
			return -ENOMEM;
	}
	into->step_ns = into->step_ns ? into->step_ns : from->step_ns;
	return 0;
}

int64_t lp_thresholds_step(const struct lp_thresholds *t)
{
	return t->step_ns;
}

void lp_thresholds_set_step(struct lp_thresholds *t, int64_t step_ns)
{
	t->step_ns = step_ns;
}

int lp_thresholds_check_step(const struct lp_thresholds *t, int64_t step_ns,
			     struct lp_error *err)
{
	char theirs[LP_TIME_TEXT], ours[LP_TIME_TEXT];

	if (!t->step_ns || t->step_ns == step_ns)
		return 0;
	return lp_fail(err, EINVAL,
		       "%s%sthe thresholds were trained at a step of %s, and "
		       "these samples are compared at %s: choose that step "
		       "with -i, or train again",
		       t->name, *t->name ? ": " : "",
		       lp_duration_format(t->step_ns, theirs),
		       lp_duration_format(step_ns, ours));
}

const char *lp_thresholds_origin(const struct lp_thresholds *t)
{
	return t->origin;
}

size_t lp_thresholds_count(const struct lp_thresholds *t)
{
	return t->keys.count;
}

struct parse {
	const char *name;
	size_t line; /* from 1 */
	struct lp_thresholds *into;
	struct lp_error *err;
};

static int bad(const struct parse *p, const char *what)
{
	return lp_fail(p->err, EINVAL, "%s: line %zu: %s", p->name, p->line,
		       what);
}

/* What follows the words, if the line begins with them; NULL: it does not. */
static const char *after(struct parse *p, const char *line, size_t n,
			 const char *words, int *status)
{
	size_t skip = strlen(words);
	const char *rest;

	if (n < skip || memcmp(line, words, skip) != 0)
		return NULL;
	rest = lp_arena_string_n(&p->into->arena, line + skip, n - skip);
	if (!rest)
		*status = lp_fail_memory(p->err);
	return rest;
}

/* "# trained on: oss1 oss2, ...", "# step: 15s" */
static int take_comment(struct parse *p, const char *line, size_t n)
{
	int status = 0;
	const char *origin = after(p, line, n, ORIGIN, &status);
	const char *step = after(p, line, n, STEP, &status);
	int64_t step_ns;

	if (origin)
		p->into->origin = origin;
	if (!step)
		return status;
	if (lp_duration_parse(step, &step_ns) < 0 || step_ns <= 0)
		return bad(p, "expected a step above 0, as '" STEP "15s'");
	p->into->step_ns = step_ns;
	return 0;
}

/* "cdf,disk,await,oss1/sdb,4.6"; a component may hold commas. */
static int take_row(struct parse *p, const char *line, size_t n)
{
	lp_auto_free char *text = strndup(line, n);
	char *rest = text, *field[3], *last;
	double v;

	if (!text)
		return lp_fail_memory(p->err);
	for (size_t i = 0; i < lp_array_size(field); i++) {
		field[i] = strsep(&rest, ",");
		if (!rest)
			return bad(p, "expected " COLUMNS);
	}
	last = strrchr(rest, ',');
	if (!last)
		return bad(p, "expected " COLUMNS);
	*last++ = '\0';
	if (lp_parse_double(last, strlen(last), &v) < 0 || !(v > 0) || isinf(v))
		return bad(p, "the threshold is not a number above 0");
	if (lp_thresholds_set(p->into, field[0], field[1], field[2], rest, v))
		return lp_fail_memory(p->err);
	return 0;
}

static int take_line(struct parse *p, const char *line, size_t n)
{
	size_t magic = sizeof(MAGIC) - 1, columns = sizeof(COLUMNS) - 1;

	if (n && line[n - 1] == '\r')
		n--;
	if (p->line == 1 && (n != magic || memcmp(line, MAGIC, magic) != 0))
		return bad(p, "not a thresholds file of 'limpid train': "
			      "expected '" MAGIC "'");
	if (n == 0)
		return 0;
	if (line[0] == '#')
		return take_comment(p, line, n);
	if (n == columns && memcmp(line, COLUMNS, columns) == 0)
		return 0;
	return take_row(p, line, n);
}

static int take_all(struct parse *p, const char *text, size_t size)
{
	const char *end = text + size;
	int status = 0;

	if (size == 0)
		return lp_fail(p->err, EINVAL,
			       "%s: an empty file, not one of "
			       "'limpid train'",
			       p->name);
	while (text < end && status == 0) {
		const char *stop = memchr(text, '\n', (size_t)(end - text));

		if (!stop)
			stop = end;
		p->line++;
		status = take_line(p, text, (size_t)(stop - text));
		text = stop + (stop < end);
	}
	return status;
}

int lp_thresholds_parse(const char *name, const char *text, size_t size,
			struct lp_thresholds **thresholds, struct lp_error *err)
{
	struct parse p = { .name = name,
			   .into = lp_thresholds_new(),
			   .err = err };
	int status;

	if (!p.into)
		return lp_fail_memory(err);
	p.into->name = lp_arena_string(&p.into->arena, name);
	status = p.into->name ? take_all(&p, text, size) : lp_fail_memory(err);
	if (status < 0)
		lp_thresholds_free(p.into);
	else
		*thresholds = p.into;
	return status;
}

int lp_thresholds_read(const char *path, struct lp_thresholds **thresholds,
		       struct lp_error *err)
{
	struct lp_text_file file = { 0 };
	int status = lp_text_file_open(&file, path, err);

	if (status < 0)
		return status;
	status = lp_thresholds_parse(path, file.text, file.size, thresholds,
				     err);
	lp_text_file_close(&file);
	return status;
}
