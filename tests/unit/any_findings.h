/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Findings made of anything that a struct lp_findings may hold.
 */
#ifndef LP_TESTS_ANY_FINDINGS_H
#define LP_TESTS_ANY_FINDINGS_H

#include "unit.h"

#include "base/timestamp.h"
#include "model/findings.h"
#include "stats/random.h"

#include <math.h>
#include <string.h>

struct maker {
	struct lp_random random;
	struct lp_findings *f;
};

static size_t below(struct maker *m, size_t n)
{
	return (size_t)(lp_random_u64(&m->random) % n);
}

static bool flag(struct maker *m)
{
	return below(m, 2);
}

static const char *text(struct maker *m)
{
	static const char *const pieces[] = {
		"oss", "sd", "/",  "\"", "\\", "\n", "\x1b[31m", "<b>",  "&",
		"'",   "é",  "中", " ",  "7",  "",   "%s",       "\x7f", "ddn",
	};
	char made[128] = "";
	size_t n = 0;

	for (size_t i = below(m, 8); i > 0; i--)
		n += (size_t)snprintf(made + n, sizeof(made) - n, "%s",
				      pieces[below(m, lp_array_size(pieces))]);
	return lp_findings_text(m->f, made);
}

static const char *text_or_null(struct maker *m)
{
	return flag(m) ? text(m) : NULL;
}

static double number(struct maker *m)
{
	static const double special[] = { 0,         -0.0,      NAN,  INFINITY,
					  -INFINITY, 1,         0.1,  1e300,
					  5e-324,    1.0 / 3.0, 1e15, -17 };

	return flag(m) ? special[below(m, lp_array_size(special))]
		       : 100 * lp_random_normal(&m->random);
}

static double present(struct maker *m)
{
	return below(m, 5) ? lp_random_normal(&m->random) : NAN;
}

static int64_t time_of(struct maker *m)
{
	int64_t ns = (int64_t)(lp_random_u64(&m->random) >> 4);

	return flag(m) ? ns : ns / LP_NS_PER_S * LP_NS_PER_S;
}

static void *room(struct maker *m, size_t n, size_t size)
{
	void *p = lp_arena_alloc(&m->f->arena, n * size);

	assert_non_null(p);
	return p;
}

static const char *const *texts(struct maker *m, size_t *n)
{
	const char **list = room(m, 5, sizeof(*list));

	*n = below(m, 5);
	for (size_t i = 0; i < *n; i++)
		list[i] = text(m);
	return list;
}

static const double *doubles(struct maker *m, size_t n)
{
	double *v = room(m, n, sizeof(*v));

	for (size_t i = 0; i < n; i++)
		v[i] = present(m);
	return v;
}

static void line(struct maker *m, const struct lp_picture *p, bool with_curve,
		 struct lp_picture_line *to)
{
	size_t n = lp_picture_values(p);
	float *y = room(m, n, sizeof(*y));

	for (size_t i = 0; i < n; i++)
		y[i] = (float)present(m);
	to->name = text(m);
	to->y = y;
	to->curve = with_curve ? doubles(m, LP_PICTURE_CURVE + 1) : NULL;
}

static const struct lp_picture_line *lines(struct maker *m,
					   const struct lp_picture *p,
					   bool curves, size_t *n)
{
	struct lp_picture_line *list = room(m, LP_PICTURE_LINES, sizeof(*list));

	*n = below(m, LP_PICTURE_LINES);
	for (size_t i = 0; i < *n; i++)
		line(m, p, curves, &list[i]);
	return list;
}

static const struct lp_picture *picture(struct maker *m)
{
	struct lp_picture *p = room(m, 1, sizeof(*p));
	bool shortened = flag(m);

	*p = (struct lp_picture){
		.begin_ns = time_of(m),
		.step_ns = 1 + (int64_t)below(m, 100) * LP_NS_PER_S,
		.slots = 1 + below(m, LP_PICTURE_POINTS / 2),
		.whole = flag(m),
		.stride = 1 + below(m, 3),
		.n_samples = below(m, 3),
		.n_peers = below(m, 30),
		.n_others = below(m, 30),
		.own_high = present(m),
		.curve_high = present(m),
	};
	p->points = shortened ? p->slots + 1 + below(m, 10000) : p->slots;
	p->since = below(m, p->points);
	p->until = p->since + below(m, p->points - p->since + 1);
	line(m, p, flag(m), &p->own);
	p->own_mean = shortened ? doubles(m, p->slots) : NULL;
	p->peers = lines(m, p, true, &p->n_drawn);
	p->others = lines(m, p, false, &p->n_others_drawn);
	p->low = doubles(m, p->slots);
	p->median = doubles(m, p->slots);
	p->high = doubles(m, p->slots);
	p->curve = doubles(m, LP_PICTURE_CURVE + 1);
	return p;
}

static const struct lp_map *map(struct maker *m)
{
	struct lp_map *made = room(m, 1, sizeof(*made));
	struct lp_map_row *rows = room(m, 10, sizeof(*rows));

	*made = (struct lp_map){ .begin_ns = time_of(m),
				 .columns = 1 + below(m, LP_MAP_COLUMNS),
				 .rows = rows,
				 .n_rows = 1 + below(m, 9) };
	made->end_ns = made->begin_ns + 1 + (int64_t)below(m, 1 << 30);
	made->of_rows = made->n_rows + below(m, 3);
	for (size_t i = 0; i < made->n_rows; i++) {
		uint8_t *states = room(m, made->columns, 1);

		for (size_t c = 0; c < made->columns; c++)
			states[c] = (uint8_t)below(m, LP_STATES);
		rows[i] = (struct lp_map_row){ text(m), below(m, 3), states };
	}
	return made;
}

static void fill_metric(struct maker *m, struct lp_evidence *e)
{
	struct lp_metric *own = room(m, 1, sizeof(*own));

	e->class = &lp_class_disk;
	e->metric = lp_class_metric(&lp_class_disk, "await");
	if (flag(m)) {
		/* Of a newer limpid. */
		*own = (struct lp_metric){ .name = text(m),
					   .unit = text(m),
					   .help = text(m) };
		e->metric = own;
	}
	e->group = text(m);
	e->group_number = below(m, 9);
	e->method = text_or_null(m);
	e->n_peers = below(m, 100);
	e->anomalous = flag(m);
	e->trained = flag(m);
	e->value = number(m);
	e->peers_median = number(m);
	e->peers_iqr = number(m);
	e->own_mean = number(m);
	e->peers_mean = number(m);
	e->means = flag(m);
	e->distance = number(m);
	e->share_over = number(m);
	e->threshold = number(m);
	e->windows = below(m, 100);
	e->flagged = below(m, 100);
	e->peers_low = number(m);
	e->peers_high = number(m);
	e->effect = number(m);
	e->gate = number(m);
	e->before = number(m);
	e->reference = text_or_null(m);
	e->window_ns = (int64_t)below(m, 1000) * 1000000000;
	e->picture = flag(m) ? picture(m) : NULL;
}

static void fill_evidence(struct maker *m, struct lp_evidence *e)
{
	static const char *const kinds[] = { LP_EVIDENCE_METRIC,
					     LP_EVIDENCE_ABSENCE,
					     LP_EVIDENCE_IDLENESS,
					     LP_EVIDENCE_MOVED };
	bool known = below(m, 4);

	*e = (struct lp_evidence){
		.kind = known ? kinds[below(m, lp_array_size(kinds))]
			      : "from the future",
		.component = text(m),
		.since_ns = time_of(m),
		.until_ns = time_of(m),
		.strength = number(m),
		.accuses = flag(m),
		.sentence = known ? NULL : text(m),
		.data = flag(m) ? NULL
				: "{\"a\":[1,2.5,null,\"\\n\"],\"b\":{}}",
	};
	if (known || flag(m))
		fill_metric(m, e);
}

static void fill_finding(struct maker *m, struct lp_finding *f)
{
	*f = (struct lp_finding){
		.component = text(m),
		.id = text_or_null(m),
		.host = text_or_null(m),
		.part = text_or_null(m),
		.words = { text(m), text(m), text(m) },
		.resource = flag(m) ? LP_STORAGE : LP_NETWORK,
		.since_ns = time_of(m),
		.until_ns = time_of(m),
		.lasting = flag(m),
		.dated = flag(m),
		.unjudged = flag(m),
		.n_unjudged = below(m, 9),
		.of_unjudged = below(m, 9),
		.score = number(m),
		.persistence = below(m, 100),
		.workload = flag(m),
		.group = text_or_null(m),
		.next = text_or_null(m),
		.known_by = text_or_null(m),
		.n_evidence = below(m, 4),
	};
	f->hosts = texts(m, &f->n_hosts);
	f->peers = texts(m, &f->n_peers);
	f->parts = texts(m, &f->n_parts);
	f->unjudged_since_ns = f->unjudged ? time_of(m) : 0;
	f->unjudged_until_ns = f->unjudged ? time_of(m) : 0;
	if (f->dated) {
		f->since_low_ns = time_of(m);
		f->since_high_ns = time_of(m);
		f->until_low_ns = time_of(m);
		f->until_high_ns = time_of(m);
	}
	f->evidence = room(m, f->n_evidence, sizeof(*f->evidence));
	for (size_t i = 0; i < f->n_evidence; i++)
		fill_evidence(m, &f->evidence[i]);
}

static void fill_comparisons(struct maker *m)
{
	struct lp_findings *f = m->f;

	f->n_comparisons = below(m, 4);
	f->comparisons = room(m, 4, sizeof(*f->comparisons));
	for (size_t i = 0; i < f->n_comparisons; i++)
		f->comparisons[i] = (struct lp_comparison){
			.group = text(m),
			.metric = text(m),
			.class = text(m),
			.method = text(m),
			.group_number = below(m, 3),
			.ground = text_or_null(m),
			.by = (enum lp_peers_by)below(m, LP_PEERS_BYS),
			.n = below(m, 100),
			.n_trained = below(m, 2),
			.threshold = number(m),
			.windows = below(m, 100),
			.n_compared = below(m, 100),
			.n_split = below(m, 100),
			.values = flag(m),
			.limit_by = text_or_null(m),
			.tail_hours = number(m),
			.least_level = number(m),
			.least_change = number(m),
		};
}

static void fill_lists(struct maker *m)
{
	struct lp_findings *f = m->f;

	fill_comparisons(m);
	f->n_methods = below(m, 3);
	f->methods = room(m, 3, sizeof(*f->methods));
	for (size_t i = 0; i < f->n_methods; i++)
		f->methods[i] = (struct lp_method){ text(m),
						    text(m),
						    below(m, 100),
						    below(m, 9),
						    below(m, 9),
						    below(m, 9),
						    (int64_t)below(m, 100) };
	f->n_hourly = below(m, 5);
	f->hourly = room(m, 5, sizeof(*f->hourly));
	for (size_t i = 0; i < f->n_hourly; i++)
		f->hourly[i] =
			(struct lp_persistent){ time_of(m), below(m, 100),
						text(m), text(m), below(m, 9) };
	f->n_left_out = below(m, 3);
	f->left_out = room(m, 3, sizeof(*f->left_out));
	for (size_t i = 0; i < f->n_left_out; i++)
		f->left_out[i] = (struct lp_not_compared){ text(m), text(m) };
	f->notes = (const char **)texts(m, &f->n_notes);
}

static inline void make(struct lp_findings *f, uint64_t seed)
{
	struct maker m = { .f = f };

	lp_random_init(&m.random, 15, seed);
	*f = (struct lp_findings){ 0 };
	f->n = below(&m, 3);
	f->outcome = f->n       ? LP_OUTCOME_FAULT
		     : flag(&m) ? LP_OUTCOME_NONE
				: LP_OUTCOME_UNDECIDED;
	f->reason = text(&m);
	f->items = room(&m, f->n, sizeof(*f->items));
	for (size_t i = 0; i < f->n; i++)
		fill_finding(&m, &f->items[i]);
	fill_lists(&m);
	f->n_hosts = below(&m, 100);
	f->n_groups = below(&m, 100);
	f->n_components = below(&m, 100);
	f->step_ns = (int64_t)below(&m, 100) * LP_NS_PER_S;
	f->first_ns = time_of(&m);
	f->last_ns = time_of(&m);
	f->window = below(&m, 100);
	f->shift = below(&m, 100);
	f->k = below(&m, 9);
	f->of = below(&m, 9);
	f->least_ns = time_of(&m);
	f->sure_ns = time_of(&m);
	f->needed_ns = time_of(&m);
	f->trained = flag(&m);
	f->trained_on = text(&m);
	f->budget = text_or_null(&m);
	f->inputs_left_out = below(&m, 3);
	f->inputs_read_in_part = below(&m, 3);
	f->map = flag(&m) ? map(&m) : NULL;
}

#endif
