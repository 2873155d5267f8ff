/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pictures as JSON: lines are arrays of numbers, with null for gaps; a row of
 * the map is a text with a digit for each column.
 */
#include "report/findings_format.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* Columns of a map, at most: a newer limpid may draw finer ones. */
#define COLUMNS_MOST 4096

/* ---- writing ---- */

static void put_doubles(struct lp_json *j, const char *key, const double *v,
			size_t n)
{
	lp_json_key(j, key);
	if (!v) {
		lp_json_null(j);
		return;
	}
	lp_json_array(j);
	for (size_t i = 0; i < n; i++)
		lp_json_exact(j, v[i]);
	lp_json_end(j);
}

static void put_line(struct lp_json *j, const struct lp_picture *p,
		     const struct lp_picture_line *line)
{
	lp_json_object(j);
	lp_json_put_string(j, "name", line->name);
	lp_json_key(j, "y");
	lp_json_array(j);
	for (size_t i = 0; i < lp_picture_values(p); i++)
		lp_json_float(j, line->y[i]);
	lp_json_end(j);
	put_doubles(j, "curve", line->curve, LP_PICTURE_CURVE + 1);
	lp_json_end(j);
}

static void put_lines(struct lp_json *j, const char *key,
		      const struct lp_picture *p,
		      const struct lp_picture_line *lines, size_t n)
{
	lp_json_key(j, key);
	lp_json_array(j);
	for (size_t i = 0; i < n; i++)
		put_line(j, p, &lines[i]);
	lp_json_end(j);
}

void lp_picture_write(struct lp_json *j, const struct lp_picture *p)
{
	if (!p) {
		lp_json_null(j);
		return;
	}
	lp_json_object(j);
	lp_table_write(j, &lp_members_picture, p);
	lp_json_key(j, "own");
	put_line(j, p, &p->own);
	put_doubles(j, "own_mean", p->own_mean, p->slots);
	put_lines(j, "peer_lines", p, p->peers, p->n_drawn);
	put_lines(j, "other_lines", p, p->others, p->n_others_drawn);
	put_doubles(j, "low", p->low, p->slots);
	put_doubles(j, "median", p->median, p->slots);
	put_doubles(j, "high", p->high, p->slots);
	put_doubles(j, "curve", p->curve, LP_PICTURE_CURVE + 1);
	lp_json_end(j);
}

static void put_states(struct lp_json *j, const uint8_t *states, size_t n)
{
	char text[COLUMNS_MOST + 1];

	for (size_t i = 0; i < n; i++)
		text[i] = (char)('0' + states[i]);
	text[n] = '\0';
	lp_json_string(j, text);
}

void lp_map_write(struct lp_json *j, const struct lp_map *map)
{
	if (!map) {
		lp_json_null(j);
		return;
	}
	lp_json_object(j);
	lp_table_write(j, &lp_members_map, map);
	lp_json_key(j, "rows");
	lp_json_array(j);
	for (size_t i = 0; i < map->n_rows; i++) {
		lp_json_object(j);
		lp_json_put_string(j, "name", map->rows[i].name);
		lp_json_put_u64(j, "finding", map->rows[i].finding);
		lp_json_key(j, "states");
		put_states(j, map->rows[i].states, map->columns);
		lp_json_end(j);
	}
	lp_json_end(j);
	lp_json_end(j);
}

/* ---- reading ---- */

/* What a picture can show fits into a float; NaN for null. */
static bool is_drawable(const json_t *value, double *v)
{
	*v = json_is_number(value) ? json_number_value(value) : NAN;
	return json_is_null(value) ||
	       (json_is_number(value) && isfinite((float)*v));
}

/* The member must be so many numbers. */
static const json_t *numbers(struct lp_member_reader *r, const json_t *object,
			     const char *key, size_t n)
{
	const json_t *array = lp_member_array(r, object, key);
	double v;

	if (array && json_array_size(array) != n) {
		lp_member_bad(r, key, "has the wrong number of values");
		return NULL;
	}
	for (size_t i = 0; array && i < n; i++)
		if (!is_drawable(json_array_get(array, i), &v)) {
			lp_member_bad(r, key, "must hold numbers and nulls");
			return NULL;
		}
	return array;
}

static int read_doubles(struct lp_member_reader *r, const json_t *object,
			const char *key, size_t n, const double **doubles)
{
	const json_t *array = numbers(r, object, key, n);
	double *v = array ? lp_member_room(r, n, sizeof(*v)) : NULL;

	if (!v)
		return -EINVAL;
	for (size_t i = 0; i < n; i++)
		is_drawable(json_array_get(array, i), &v[i]);
	*doubles = v;
	return 0;
}

static bool is_there(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return value && !json_is_null(value);
}

struct lines {
	const struct lp_picture *picture;
	struct lp_picture_line *lines;
	bool curves; /* each must have one */
};

static int read_line(struct lp_member_reader *r, const json_t *object, size_t i,
		     void *user)
{
	const struct lines *to = user;
	struct lp_picture_line *line = &to->lines[i];
	size_t n = lp_picture_values(to->picture);
	const json_t *y = numbers(r, object, "y", n);
	float *values = y ? lp_member_room(r, n, sizeof(*values)) : NULL;

	line->name = values ? lp_member_text(r, object, "name") : NULL;
	if (!line->name)
		return -EINVAL;
	for (size_t k = 0; k < n; k++) {
		double v;

		is_drawable(json_array_get(y, k), &v);
		values[k] = (float)v;
	}
	line->y = values;
	if (!to->curves && !is_there(object, "curve"))
		return 0;
	return read_doubles(r, object, "curve", LP_PICTURE_CURVE + 1,
			    &line->curve);
}

static int read_lines(struct lp_member_reader *r, const json_t *object,
		      const char *key, const struct lp_picture *p, bool curves,
		      const struct lp_picture_line **lines, size_t *n)
{
	const json_t *array = lp_member_array(r, object, key);
	struct lines to = { .picture = p, .curves = curves };
	int status;

	if (!array)
		return -EINVAL;
	to.lines = lp_member_room(r, json_array_size(array), sizeof(*to.lines));
	if (!to.lines)
		return -ENOMEM;
	status = lp_members_each(r, object, key, read_line, &to);
	*lines = to.lines;
	*n = json_array_size(array);
	return status;
}

static int read_own(struct lp_member_reader *r, const json_t *object,
		    struct lp_picture *p)
{
	struct lines to = { .picture = p, .lines = &p->own };
	size_t before = lp_member_enter(r, "own");
	int status = read_line(r, json_object_get(object, "own"), 0, &to);

	lp_member_leave(r, before);
	if (status == 0 && lp_picture_shortened(p))
		status = read_doubles(r, object, "own_mean", p->slots,
				      &p->own_mean);
	return status;
}

/* What the drawing relies on. */
static int check_picture(struct lp_member_reader *r, const struct lp_picture *p)
{
	int64_t span;

	if (p->slots == 0 || p->slots > p->points ||
	    lp_picture_values(p) > LP_PICTURE_POINTS)
		return lp_member_bad(r, "slots",
				     "is not a number of slots of so many "
				     "points");
	if (p->since > p->until || p->until > p->points)
		return lp_member_bad(r, "until", "is outside of the picture");
	if (p->step_ns == 0 ||
	    __builtin_mul_overflow((int64_t)p->points, p->step_ns, &span) ||
	    span > LP_READ_TIME_MOST)
		return lp_member_bad(r, "step_ns", "is too short or too long");
	if (isinf(p->own_high) || isinf(p->curve_high))
		return lp_member_bad(r, "own_high", "must be finite");
	return 0;
}

static int read_picture(struct lp_member_reader *r, const json_t *object,
			struct lp_picture *p)
{
	int status = lp_table_read(r, object, &lp_members_picture, p);

	if (status == 0)
		status = check_picture(r, p);
	if (status == 0)
		status = read_own(r, object, p);
	if (status == 0)
		status = read_lines(r, object, "peer_lines", p, true, &p->peers,
				    &p->n_drawn);
	if (status == 0)
		status = read_lines(r, object, "other_lines", p, false,
				    &p->others, &p->n_others_drawn);
	if (status == 0)
		status = read_doubles(r, object, "low", p->slots, &p->low);
	if (status == 0)
		status =
			read_doubles(r, object, "median", p->slots, &p->median);
	if (status == 0)
		status = read_doubles(r, object, "high", p->slots, &p->high);
	if (status == 0)
		status = read_doubles(r, object, "curve", LP_PICTURE_CURVE + 1,
				      &p->curve);
	return status;
}

int lp_picture_read(struct lp_member_reader *r, const json_t *object,
		    const struct lp_picture **picture)
{
	struct lp_picture *p;
	size_t before;
	int status;

	if (!is_there(object, "picture"))
		return 0;
	p = lp_member_room(r, 1, sizeof(*p));
	if (!p)
		return -ENOMEM;
	before = lp_member_enter(r, "picture");
	status = read_picture(r, json_object_get(object, "picture"), p);
	lp_member_leave(r, before);
	*picture = p;
	return status;
}

/* ---- the map ---- */

static int read_states(struct lp_member_reader *r, const char *text, size_t n,
		       const uint8_t **states)
{
	uint8_t *levels = lp_member_room(r, n, 1);

	if (!levels)
		return -ENOMEM;
	if (strlen(text) != n)
		return lp_member_bad(r, "states",
				     "must have a digit for each column");
	for (size_t i = 0; i < n; i++) {
		if (text[i] < '0' || text[i] >= '0' + LP_STATES)
			return lp_member_bad(r, "states",
					     "must have digits from 0 to 5");
		levels[i] = (uint8_t)(text[i] - '0');
	}
	*states = levels;
	return 0;
}

struct rows {
	const struct lp_map *map;
	struct lp_map_row *rows;
};

static int read_row(struct lp_member_reader *r, const json_t *object, size_t i,
		    void *user)
{
	static const struct lp_member members[] = {
		LP_MEMBER("name", TEXT, struct lp_map_row, name),
		LP_MEMBER("finding", COUNT, struct lp_map_row, finding),
	};
	struct rows *to = user;
	int status = lp_members_read(r, object, members, 2, &to->rows[i]);
	const char *text = json_string_value(json_object_get(object, "states"));

	if (status < 0)
		return status;
	if (!text)
		return lp_member_bad(r, "states", "must be a text");
	return read_states(r, text, to->map->columns, &to->rows[i].states);
}

static int read_map(struct lp_member_reader *r, const json_t *object,
		    struct lp_map *map)
{
	int status = lp_table_read(r, object, &lp_members_map, map);
	struct rows to = { .map = map };
	const json_t *rows;

	if (status < 0)
		return status;
	if (map->begin_ns >= map->end_ns)
		return lp_member_bad(r, "end", "must be after its begin");
	if (map->columns == 0 || map->columns > COLUMNS_MOST)
		return lp_member_bad(r, "columns", "must be 1 to 4096");
	rows = lp_member_array(r, object, "rows");
	map->n_rows = json_array_size(rows);
	if (!rows)
		return -EINVAL;
	if (map->n_rows == 0 || map->n_rows > map->of_rows)
		return lp_member_bad(r, "rows", "must be 1 to so many");
	to.rows = lp_member_room(r, map->n_rows, sizeof(*to.rows));
	if (!to.rows)
		return -ENOMEM;
	map->rows = to.rows;
	return lp_members_each(r, object, "rows", read_row, &to);
}

int lp_map_read(struct lp_member_reader *r, const json_t *object,
		const struct lp_map **map)
{
	struct lp_map *m;
	size_t before;
	int status;

	if (!is_there(object, "map"))
		return 0;
	m = lp_member_room(r, 1, sizeof(*m));
	if (!m)
		return -ENOMEM;
	before = lp_member_enter(r, "map");
	status = read_map(r, json_object_get(object, "map"), m);
	lp_member_leave(r, before);
	*map = m;
	return status;
}
