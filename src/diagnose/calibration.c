/* SPDX-License-Identifier: Apache-2.0 */
#include "diagnose/calibration.h"

#include "base/memory.h"
#include "base/names.h"
#include "base/number.h"
#include "base/textfile.h"
#include "base/timestamp.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC "# limpid calibration 1"
#define MAGIC_ANY "# limpid calibration "
#define BLOCK "# block: "
#define COLUMNS "kind,class,from,scale,rate,excesses,hours,group"
#define KEY_MAX 1024
#define FIELDS 7

struct lp_calibration {
	struct lp_names keys;  /* class and group in lines */
	struct lp_tail *tails; /* by number of the key */
	size_t capacity;
	struct lp_arena arena;
	const char *name; /* of the file, or "" */
	int64_t block_ns; /* 0: not known */
};

struct lp_calibration *lp_calibration_new(void)
{
	struct lp_calibration *c = calloc(1, sizeof(*c));

	if (c)
		c->name = "";
	return c;
}

void lp_calibration_free(struct lp_calibration *c)
{
	if (!c)
		return;
	lp_names_done(&c->keys);
	lp_arena_done(&c->arena);
	free(c->tails);
	free(c);
}

static bool make_key(char key[KEY_MAX], const char *class, const char *group)
{
	int n = snprintf(key, KEY_MAX, "%s\n%s", class, group);

	return n >= 0 && n < KEY_MAX;
}

int lp_calibration_set(struct lp_calibration *c, const char *class_name,
		       const char *group, const struct lp_tail *tail)
{
	char key[KEY_MAX];
	uint32_t id;

	if (!make_key(key, class_name, group))
		return -ENOMEM;
	id = lp_names_add(&c->keys, key);
	if (id == LP_NAME_NONE ||
	    lp_grow(&c->tails, &c->capacity, id + 1, sizeof(*c->tails)) < 0)
		return -ENOMEM;
	c->tails[id] = *tail;
	return 0;
}

static const struct lp_tail *find(const struct lp_calibration *c,
				  const char *class_name, const char *group)
{
	char key[KEY_MAX];
	uint32_t id = make_key(key, class_name, group)
			      ? lp_names_find(&c->keys, key)
			      : LP_NAME_NONE;

	return id == LP_NAME_NONE ? NULL : &c->tails[id];
}

const struct lp_tail *lp_calibration_tail(const struct lp_calibration *c,
					  const char *class_name,
					  const char *group)
{
	const struct lp_tail *own = find(c, class_name, group);

	return own ? own : find(c, class_name, "");
}

size_t lp_calibration_count(const struct lp_calibration *c)
{
	return c->keys.count;
}

int64_t lp_calibration_block(const struct lp_calibration *c)
{
	return c->block_ns;
}

void lp_calibration_set_block(struct lp_calibration *c, int64_t block_ns)
{
	c->block_ns = block_ns;
}

int lp_calibration_check(const struct lp_calibration *c, int64_t block_ns,
			 struct lp_error *err)
{
	char theirs[LP_TIME_TEXT], ours[LP_TIME_TEXT];

	if (!c->block_ns || c->block_ns == block_ns)
		return 0;
	return lp_fail(err, EINVAL,
		       "%s%sit was measured in blocks of %s, and these samples "
		       "are compared in blocks of %s: choose another step with "
		       "-i, or calibrate again",
		       c->name, *c->name ? ": " : "",
		       lp_duration_format(c->block_ns, theirs),
		       lp_duration_format(block_ns, ours));
}

/* ---- writing ---- */

static void put_number(FILE *out, double v)
{
	char text[LP_NUMBER_TEXT];

	fprintf(out, "%s,", lp_format_double(v, text));
}

void lp_calibration_write(const struct lp_calibration *c, const char *origin,
			  FILE *out)
{
	char seconds[LP_NUMBER_TEXT];

	fprintf(out, MAGIC "\n# measured on: %s\n" BLOCK "%ss\n" COLUMNS "\n",
		origin, lp_format_double((double)c->block_ns / 1e9, seconds));
	for (uint32_t i = 0; i < c->keys.count; i++) {
		const char *key = c->keys.text[i];
		const struct lp_tail *t = &c->tails[i];
		size_t n = strcspn(key, "\n");

		fprintf(out, "tail,%.*s,", (int)n, key);
		put_number(out, t->from);
		put_number(out, t->scale);
		put_number(out, t->rate);
		put_number(out, (double)t->excesses);
		put_number(out, t->hours);
		fprintf(out, "%s\n", key + n + 1);
	}
}

/* ---- reading ---- */

struct parse {
	const char *name;
	size_t line; /* from 1 */
	struct lp_calibration *into;
	struct lp_error *err;
};

static int bad(const struct parse *p, const char *what)
{
	return lp_fail(p->err, EINVAL, "%s: line %zu: %s", p->name, p->line,
		       what);
}

/* A number of a tail: all are above 0 and finite. */
static bool is_number(const char *text, double *v)
{
	return lp_parse_double(text, strlen(text), v) == 0 && *v > 0 &&
	       isfinite(*v);
}

/* "tail,disk,2.61,0.74,0.11,412,8640,12 disks of 2 servers" */
static int take_row(struct parse *p, const char *line, size_t n)
{
	lp_auto_free char *text = strndup(line, n);
	char *rest = text, *field[FIELDS];
	struct lp_tail tail;
	double excesses;

	if (!text)
		return lp_fail_memory(p->err);
	for (size_t i = 0; i < FIELDS; i++) {
		field[i] = strsep(&rest, ",");
		if (!rest)
			return bad(p, "expected " COLUMNS);
	}
	/* A newer limpid may know other kinds. */
	if (strcmp(field[0], "tail") != 0)
		return 0;
	if (!is_number(field[2], &tail.from) ||
	    !is_number(field[3], &tail.scale) ||
	    !is_number(field[4], &tail.rate) ||
	    !is_number(field[5], &excesses) ||
	    !is_number(field[6], &tail.hours))
		return bad(p, "from, scale, rate, excesses and hours must be "
			      "numbers above 0");
	tail.excesses = excesses < 1e15 ? (size_t)excesses : 0;
	if (lp_calibration_set(p->into, field[1], rest, &tail) < 0)
		return lp_fail_memory(p->err);
	return 0;
}

static int take_block(struct parse *p, const char *line, size_t n)
{
	size_t skip = strlen(BLOCK);
	lp_auto_free char *text = NULL;

	if (n < skip || memcmp(line, BLOCK, skip) != 0)
		return 0;
	text = strndup(line + skip, n - skip);
	if (!text)
		return lp_fail_memory(p->err);
	if (lp_duration_parse(text, &p->into->block_ns) < 0 ||
	    p->into->block_ns <= 0)
		return bad(p, "expected a time above 0, as '" BLOCK "10s'");
	return 0;
}

static int take_first(struct parse *p, const char *line, size_t n)
{
	size_t any = strlen(MAGIC_ANY);

	if (n == strlen(MAGIC) && memcmp(line, MAGIC, n) == 0)
		return 0;
	if (n > any && memcmp(line, MAGIC_ANY, any) == 0)
		return bad(p, "a calibration of another version: expected "
			      "'" MAGIC "'; calibrate again");
	return bad(p, "not a file of 'limpid calibrate': expected '" MAGIC "'");
}

static int take_line(struct parse *p, const char *line, size_t n)
{
	if (n && line[n - 1] == '\r')
		n--;
	if (p->line == 1)
		return take_first(p, line, n);
	if (n == 0 || (n == strlen(COLUMNS) && memcmp(line, COLUMNS, n) == 0))
		return 0;
	return line[0] == '#' ? take_block(p, line, n) : take_row(p, line, n);
}

static int take_all(struct parse *p, const char *text, size_t size)
{
	const char *end = text + size;
	int status = 0;

	if (size == 0)
		return lp_fail(p->err, EINVAL,
			       "%s: an empty file, not one of 'limpid "
			       "calibrate'",
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

int lp_calibration_parse(const char *name, const char *text, size_t size,
			 struct lp_calibration **calibration,
			 struct lp_error *err)
{
	struct parse p = { .name = name,
			   .into = lp_calibration_new(),
			   .err = err };
	int status;

	if (!p.into)
		return lp_fail_memory(err);
	p.into->name = lp_arena_string(&p.into->arena, name);
	status = p.into->name ? take_all(&p, text, size) : lp_fail_memory(err);
	if (status < 0)
		lp_calibration_free(p.into);
	else
		*calibration = p.into;
	return status;
}

int lp_calibration_read(const char *path, struct lp_calibration **calibration,
			struct lp_error *err)
{
	struct lp_text_file file = { 0 };
	int status = lp_text_file_open(&file, path, err);

	if (status < 0)
		return status;
	status = lp_calibration_parse(path, file.text, file.size, calibration,
				      err);
	lp_text_file_close(&file);
	return status;
}
