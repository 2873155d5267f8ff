/* SPDX-License-Identifier: Apache-2.0 */
#include "failure/cells.h"

#include "base/json.h"

static void put_value(struct lp_json *json, const struct lab_cell *cell,
		      enum lab_column column)
{
	const struct lab_cell_value *v = &cell->value[column];

	lp_json_key(json, lab_column_name(column));
	lp_json_object(json);
	lp_json_key(json, "words");
	lp_json_object(json);
	for (size_t i = 0; i < LAB_VERDICTS; i++)
		if (v->count[i])
			lp_json_put_u64(json, lab_column_word(column, i),
					v->count[i]);
	lp_json_end(json);
	lp_json_put_double(json, "seconds", lab_cell_median(v->seconds, v->n));
	lp_json_put_u64(json, "bad_files", v->bad);
	lp_json_put_u64(json, "files", v->files);
	lp_json_end(json);
}

static void put_cell(struct lp_json *json, const struct lab_cell *cell)
{
	lp_json_object(json);
	lp_json_put_string(json, "set", cell->set);
	lp_json_put_string(json, "failure", cell->failure);
	lp_json_put_u64(json, "runs", cell->runs);
	lp_json_put_u64(json, "no_lab", cell->no_lab);
	lp_json_put_u64(json, "no_effect", cell->no_effect);
	lp_json_put_u64(json, "not_undone", cell->not_undone);
	lp_json_put_u64(json, "latent", cell->latent);
	lp_json_put_double(json, "writers_waited",
			   lab_cell_median(cell->stalled, cell->n_stalled));
	lp_json_put_string(json, "tool_said", cell->tool_why);
	lp_json_put_string(json, "first_bad", cell->first_bad);
	lp_json_put_string(json, "died", cell->died);
	for (int c = 0; c < LAB_COLUMNS; c++)
		put_value(json, cell, (enum lab_column)c);
	lp_json_end(json);
}

void lab_cells_print_json(const struct lab_cells *cells, FILE *out)
{
	struct lp_json json;

	lp_json_init(&json, out);
	lp_json_object(&json);
	lp_json_put_string(&json, "dir", cells->title);
	lp_json_put_u64(&json, "runs", cells->runs);
	lp_json_key(&json, "cells");
	lp_json_array(&json);
	for (size_t i = 0; i < cells->n; i++)
		put_cell(&json, &cells->cell[i]);
	lp_json_end(&json);
	lp_json_end(&json);
	fputc('\n', out);
}
