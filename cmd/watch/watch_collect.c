/* SPDX-License-Identifier: Apache-2.0 */
#include "watch_collect.h"

#include "report/evidence_kind.h"
#include "stats/middle.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Shown values are means of so much time. */
#define MEAN_NS (10 * LP_NS_PER_S)
/* Pools, as connections, count if they worked so lately. */
#define ACTIVE_POINTS 60

struct collector {
	struct lp_board *board;
	const struct lp_watch_sources *from;
	const struct lp_matrix *matrix;
	const struct lp_plan *plan;
	bool *grouped;           /* [components] */
	size_t points, first, n; /* of the matrix; the last n from first on */
	double *values;          /* room for a group */
	size_t columns[LP_BOARD_TABLES][LP_BOARD_COLUMNS]; /* metrics */
	const struct lp_class *classes[LP_BOARD_TABLES];
};

/*
 * A copy for the board, which may outlive the plan while it is paused. On one
 * machine its name says nothing. NULL: out of memory.
 */
static const char *shown(const struct collector *c, const char *label)
{
	if (lp_matrix_hosts(c->matrix) == 1 &&
	    lp_matrix_components(c->matrix) > 0) {
		const char *host = lp_matrix_component(c->matrix, 0)->host;
		size_t n = strlen(host);

		if (strncmp(label, host, n) == 0 && label[n] == '/')
			label += n + 1;
	}
	return lp_arena_string(&c->board->arena, label);
}

/* The same of any text; of NULL "". */
static const char *kept(const struct collector *c, const char *text)
{
	return lp_arena_string(&c->board->arena, text ? text : "");
}

/* ---- tables and columns ---- */

static bool is_column(const struct lp_class *class,
		      const struct lp_metric *metric)
{
	return (size_t)(metric - class->metrics) < class->n_usual &&
	       !metric->minor && !metric->total;
}

/* The index of a metric in the matrix; false: it does not have it. */
static bool find_metric(const struct collector *c,
			const struct lp_metric *metric, size_t *index)
{
	const struct lp_matrix_metric *m = lp_matrix_metrics(c->matrix);

	for (*index = 0; m[*index].class; ++*index)
		if (m[*index].metric == metric)
			return true;
	return false;
}

/* In the order of the catalogue, as 'limpid show' has them. */
static void add_columns(struct collector *c, size_t t)
{
	const struct lp_class *class = c->classes[t];
	struct lp_board_table *table = &c->board->tables[t];

	table->busy = LP_BOARD_COLUMNS;
	for (size_t i = 0; i < class->n_metrics; i++) {
		const struct lp_metric *metric = &class->metrics[i];
		size_t n = table->n_columns;
		double factor;

		if (n == LP_BOARD_COLUMNS || !is_column(class, metric) ||
		    !find_metric(c, metric, &c->columns[t][n]))
			continue;
		table->columns[n].name = lp_metric_shown(
			metric, true, &table->columns[n].unit, &factor);
		if (metric->input == LP_INPUT_BUSY ||
		    (n == 0 && metric->role == LP_LOAD))
			table->busy = n;
		table->n_columns++;
	}
}

static double factor_of(const struct collector *c, size_t t, size_t column)
{
	const struct lp_matrix_metric *m = lp_matrix_metrics(c->matrix);
	const char *unit;
	double factor;

	lp_metric_shown(m[c->columns[t][column]].metric, true, &unit, &factor);
	return factor;
}

/* "disks" */
static const char *plural_of(struct lp_board *board,
			     const struct lp_class *class)
{
	const char *noun = class->peer_noun ? class->peer_noun : "peer";
	size_t room = strlen(noun) + 2;
	char *text = lp_arena_alloc(&board->arena, room);

	if (text)
		snprintf(text, room, "%ss", noun);
	return text;
}

static int begin_tables(struct collector *c)
{
	size_t n = lp_matrix_components(c->matrix);
	struct lp_board *b = c->board;

	for (size_t i = 0; lp_classes[i]; i++) {
		const struct lp_class *class = lp_classes[i];
		struct lp_board_table *table = &b->tables[b->n_tables];
		size_t rows = 0;

		for (size_t k = 0; k < n; k++)
			rows += lp_matrix_component(c->matrix, k)->class ==
				class;
		/* Pools, and peers that nobody saw, are no components. */
		for (size_t g = 0; rows && g < c->plan->n_groups; g++)
			if (c->plan->groups[g].class == class)
				rows += c->plan->groups[g].n;
		if (!rows || !lp_class_is_compared(class) ||
		    b->n_tables == LP_BOARD_TABLES)
			continue;
		*table = (struct lp_board_table){
			.name = class->name,
			.plural = plural_of(b, class),
			.rows = lp_arena_alloc(&b->arena,
					       rows * sizeof(*table->rows)),
		};
		if (!table->rows || !table->plural)
			return -ENOMEM;
		c->classes[b->n_tables] = class;
		add_columns(c, b->n_tables++);
	}
	return 0;
}

/* ---- values ---- */

static double mean(const double *values, size_t n, size_t stride)
{
	double sum = 0;
	size_t known = 0;

	for (size_t i = 0; i < n; i++)
		if (!isnan(values[i * stride])) {
			sum += values[i * stride];
			known++;
		}
	return known ? sum / (double)known : NAN;
}

/* The median of all but each, of a column of rows. */
static void fill_medians(struct collector *c, struct lp_board_row *rows,
			 size_t n, size_t column)
{
	struct lp_middle middle;
	size_t known = 0;

	for (size_t i = 0; i < n; i++)
		if (!isnan(rows[i].values[column]) && !rows[i].idle)
			c->values[known++] = rows[i].values[column];
	lp_middle_of(c->values, known, &middle);
	for (size_t i = 0; i < n; i++)
		rows[i].medians[column] =
			isnan(rows[i].values[column]) || rows[i].idle
				? NAN
				: lp_median_without(&middle,
						    rows[i].values[column]);
}

static int fill_group(struct collector *c, size_t t,
		      const struct lp_peer_group *group,
		      struct lp_board_row *rows)
{
	const struct lp_board_table *table = &c->board->tables[t];
	double *all;

	c->values =
		lp_arena_alloc(&c->board->arena, group->n * sizeof(*c->values));
	all = lp_arena_alloc(&c->board->arena,
			     group->n * (c->n + 1) * sizeof(*all));
	if (!all || !c->values)
		return -ENOMEM;
	for (size_t k = 0; k < table->n_columns; k++) {
		double factor = factor_of(c, t, k);

		lp_peer_rows(group, c->matrix, c->columns[t][k], ACTIVE_POINTS,
			     c->first, c->n, all);
		for (size_t i = 0; i < group->n; i++)
			rows[i].values[k] =
				factor * mean(all + i, c->n, group->n);
		fill_medians(c, rows, group->n, k);
	}
	return 0;
}

/* ---- rows ---- */

static void recall(const struct collector *c, const char *label,
		   struct lp_board_row *row)
{
	const struct lp_recall_entry *e =
		lp_recall_find(c->from->recall, label);

	row->nearness = e ? e->nearness : NAN;
	lp_recall_trail(c->from->recall, e, c->from->horizon_ns, row->trail);
	if (!e)
		return;
	memcpy(row->scores, e->scores, sizeof(row->scores));
	row->n_scores = e->n_scores;
}

static bool is_suspect(const struct collector *c, const char *label)
{
	const struct lp_findings *f = c->from->findings;

	for (size_t i = 0; f && i < f->n; i++)
		if (f->items[i].lasting &&
		    lp_finding_is_of(&f->items[i], label))
			return true;
	return false;
}

static int add_group(struct collector *c, size_t t, size_t g)
{
	const struct lp_peer_group *group = &c->plan->groups[g];
	struct lp_board_table *table = &c->board->tables[t];
	struct lp_board_row *rows = &table->rows[table->n_rows];
	const char *name = lp_arena_string(&c->board->arena, group->name);

	if (!name)
		return -ENOMEM;
	for (size_t i = 0; i < group->n; i++) {
		rows[i] = (struct lp_board_row){
			.label = shown(c, group->peers[i].label),
			.group = name,
			.group_number = lp_plan_group_number(c->plan, g),
			.n_peers = group->n - 1,
			.suspect = is_suspect(c, group->peers[i].label),
		};
		if (!rows[i].label)
			return -ENOMEM;
		recall(c, group->peers[i].label, &rows[i]);
		for (size_t p = 0; p < group->peers[i].n_parts; p++)
			c->grouped[group->peers[i].parts[p]] = true;
	}
	table->n_rows += group->n;
	return fill_group(c, t, group, rows);
}

static int compare_left_out(const void *a, const void *b)
{
	const struct lp_plan_left_out *const *x = a, *const *y = b;

	return strcmp((*x)->label, (*y)->label);
}

static const char *reason_of(const struct lp_plan_left_out **sorted, size_t n,
			     const char *label)
{
	const struct lp_plan_left_out key = { .label = label }, *at = &key;
	const struct lp_plan_left_out **found =
		bsearch(&at, sorted, n, sizeof(const void *), compare_left_out);

	return found ? (*found)->reason : NULL;
}

/* A component that is in no group: it is shown if it does anything. */
static int add_single(struct collector *c, size_t t, size_t k,
		      const struct lp_plan_left_out **sorted)
{
	const struct lp_matrix_component *m = lp_matrix_component(c->matrix, k);
	struct lp_board_table *table = &c->board->tables[t];
	struct lp_board_row *row = &table->rows[table->n_rows++];
	size_t room = strlen(m->host) + strlen(m->name) + 8, length;
	char *label = lp_arena_alloc(&c->board->arena, room);
	double *values =
		lp_arena_alloc(&c->board->arena, (c->n + 1) * sizeof(*values));
	const char *layer = lp_layer_guess(m->class, m->name, &length);

	if (!label || !values)
		return -ENOMEM;
	snprintf(label, room, "%s%s%s", m->host, m->class->separator, m->name);
	*row = (struct lp_board_row){ .label = shown(c, label),
				      .nearness = NAN,
				      .idle = true };
	row->left_out = kept(c, reason_of(sorted, c->plan->n_left_out, label));
	if (!row->label || !row->left_out)
		return -ENOMEM;
	for (size_t i = 0; i < table->n_columns; i++) {
		lp_matrix_series(c->matrix, c->columns[t][i], k, c->first, c->n,
				 values);
		row->values[i] = factor_of(c, t, i) * mean(values, c->n, 1);
		row->medians[i] = NAN;
		row->idle &= !(row->values[i] > 0);
	}
	row->idle |= layer && strcmp(layer, "partition") == 0;
	return 0;
}

static int add_singles(struct collector *c, size_t t)
{
	size_t n = lp_matrix_components(c->matrix);
	size_t n_out = c->plan->n_left_out;
	const struct lp_plan_left_out **sorted = lp_arena_alloc(
		&c->board->arena, (n_out + 1) * sizeof(const void *));
	int status = 0;

	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < n_out; i++)
		sorted[i] = &c->plan->left_out[i];
	qsort(sorted, n_out, sizeof(const void *), compare_left_out);
	for (size_t k = 0; k < n && status == 0; k++)
		if (!c->grouped[k] && !c->classes[t]->pooled &&
		    lp_matrix_component(c->matrix, k)->class == c->classes[t])
			status = add_single(c, t, k, sorted);
	return status;
}

/* Before there is a plan, all that do anything are each other's measure. */
static void compare_singles(struct collector *c, size_t t)
{
	struct lp_board_table *table = &c->board->tables[t];

	c->values = lp_arena_alloc(&c->board->arena,
				   (table->n_rows + 1) * sizeof(double));
	for (size_t k = 0; c->values && k < table->n_columns; k++)
		fill_medians(c, table->rows, table->n_rows, k);
}

static int fill_tables(struct collector *c)
{
	int status = 0;

	for (size_t t = 0; t < c->board->n_tables && status == 0; t++) {
		for (size_t g = 0; g < c->plan->n_groups && status == 0; g++)
			if (c->plan->groups[g].kind == LP_PEERS &&
			    c->plan->groups[g].class == c->classes[t])
				status = add_group(c, t, g);
		if (status == 0)
			status = add_singles(c, t);
		if (status == 0 && c->plan->n_groups == 0)
			compare_singles(c, t);
	}
	return status;
}

/* ---- the verdict ---- */

static const char *evidence_of(struct lp_board *board,
			       const struct lp_finding *f)
{
	const struct lp_evidence_view view = { .finding = f };
	char text[LP_SENTENCE_TEXT];

	for (size_t i = 0; i < f->n_evidence; i++) {
		const struct lp_evidence *e = &f->evidence[i];

		if (!e->accuses)
			continue;
		lp_evidence_sentence(lp_evidence_kind_of(NULL, e), e, &view,
				     text);
		if (*text)
			return lp_arena_string(&board->arena, text);
	}
	return "";
}

static int add_suspect(struct collector *c, const struct lp_finding *f)
{
	struct lp_board *b = c->board;
	struct lp_board_suspect *s = &b->suspects[b->n_suspects++];

	*s = (struct lp_board_suspect){
		.component = shown(c, f->component),
		.title = kept(c, f->words.title),
		.text = kept(c, lp_finding_text(f)),
		.evidence = evidence_of(b, f),
		.next = kept(c, f->next),
		.since_ns = f->since_ns,
		.until_ns = f->until_ns,
		.lasting = f->lasting,
	};
	return s->component && s->title && s->text && s->evidence && s->next
		       ? 0
		       : -ENOMEM;
}

static int add_suspects(struct collector *c)
{
	const struct lp_findings *f = c->from->findings;
	struct lp_board *b = c->board;

	b->suspects =
		lp_arena_alloc(&b->arena, (f->n + 1) * sizeof(*b->suspects));
	if (!b->suspects)
		return -ENOMEM;
	for (int lasting = 1; lasting >= 0; lasting--)
		for (size_t i = 0; i < f->n; i++) {
			const struct lp_finding *item = &f->items[i];

			if (item->lasting != lasting)
				continue;
			if (add_suspect(c, item) < 0)
				return -ENOMEM;
		}
	return 0;
}

static void forget(struct lp_board *b)
{
	lp_arena_reset(&b->arena);
	memset(b->tables, 0, sizeof(b->tables));
	b->n_tables = b->n_suspects = 0;
	b->suspects = NULL;
	b->judged = false;
	b->reason = NULL;
}

static int see_findings(struct collector *c)
{
	const struct lp_findings *f = c->from->findings;
	struct lp_board *b = c->board;

	if (!f)
		return 0;
	b->judged = true;
	b->outcome = f->outcome;
	b->reason = kept(c, f->reason);
	return b->reason ? add_suspects(c) : -ENOMEM;
}

int lp_board_collect(struct lp_board *board,
		     const struct lp_watch_sources *from)
{
	struct collector c = { .board = board, .from = from };
	const struct lp_diagnose_input *input;
	int64_t first;
	int status;

	forget(board);
	if (!from->open)
		return 0;
	input = lp_case_input(from->open);
	c.matrix = input->matrix;
	c.plan = input->plan;
	board->block_ns = from->recall->block_ns;
	c.points = lp_matrix_points(c.matrix, &first);
	c.n = (size_t)(MEAN_NS / input->step_ns);
	c.n = c.n ? c.n : 1;
	c.n = c.n < c.points ? c.n : c.points;
	c.first = c.points - c.n;
	c.grouped = lp_arena_alloc(&board->arena,
				   lp_matrix_components(c.matrix) + 1);
	if (!c.grouped)
		return -ENOMEM;
	status = begin_tables(&c);
	if (status == 0)
		status = fill_tables(&c);
	return status ? status : see_findings(&c);
}
