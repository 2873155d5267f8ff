/* SPDX-License-Identifier: Apache-2.0 */
#include "failure/cells.h"

#include "base/number.h"
#include "base/textfile.h"
#include "driver/driver.h"
#include "site/machine.h"

#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Where a column is in outcome.json. */
static const struct column {
	const char *name;
	const char *group, *key;
} columns[] = {
	[LAB_COLUMN_TOOL] = { "tool", "tools", "failed" },
	[LAB_COLUMN_WARM] = { "warm read", "work", "warm" },
	[LAB_COLUMN_COLD] = { "cold read", "work", "cold" },
	[LAB_COLUMN_ASYNC] = { "async", "work", "async" },
	[LAB_COLUMN_SYNC] = { "sync", "work", "sync" },
	[LAB_COLUMN_UNDONE_TOOL] = { "tool, undone", "tools", "undone" },
	[LAB_COLUMN_UNDONE] = { "read, undone", "work", "undone" },
};

static bool is_tool(enum lab_column column)
{
	return columns[column].group[0] == 't';
}

const char *lab_column_name(enum lab_column column)
{
	return columns[column].name;
}

const char *lab_column_word(enum lab_column column, size_t index)
{
	return is_tool(column) ? lab_tool_word((enum lab_tool_end)index)
			       : lab_verdict_word((enum lab_verdict)index);
}

/* LAB_VERDICTS: there is no such word. */
static size_t index_of(enum lab_column column, const char *word)
{
	size_t i = 0;

	if (!is_tool(column))
		return lab_verdict_find(word);
	while (i < LAB_TOOL_ENDS &&
	       strcmp(lab_tool_word((enum lab_tool_end)i), word) != 0)
		i++;
	return i < LAB_TOOL_ENDS ? i : LAB_VERDICTS;
}

size_t lab_cell_worst(const struct lab_cell *cell, enum lab_column column)
{
	for (size_t i = LAB_VERDICTS; i-- > 0;)
		if (cell->value[column].count[i])
			return i;
	return 0;
}

void lab_cell_text(const struct lab_cell *cell, enum lab_column column,
		   char text[LAB_CELL_WORD])
{
	const struct lab_cell_value *v = &cell->value[column];
	size_t kinds = 0;
	int used = 0;

	for (size_t i = 0; i < LAB_VERDICTS; i++)
		kinds += v->count[i] > 0;
	snprintf(text, LAB_CELL_WORD, "-");
	for (size_t i = 0; i < LAB_VERDICTS && used < LAB_CELL_WORD; i++) {
		if (!v->count[i])
			continue;
		used += snprintf(text + used, LAB_CELL_WORD - (size_t)used,
				 "%s%s", used ? ", " : "",
				 lab_column_word(column, i));
		if (kinds > 1 && used < LAB_CELL_WORD)
			used += snprintf(text + used,
					 LAB_CELL_WORD - (size_t)used, " %u",
					 v->count[i]);
	}
}

double lab_cell_median(const double *values, size_t n)
{
	double sorted[LAB_CELL_RUNS];

	if (n == 0)
		return NAN;
	memcpy(sorted, values, n * sizeof(*values));
	qsort(sorted, n, sizeof(*sorted), lp_compare_double);
	return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
}

/* ---- one outcome ---- */

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

static void put_seconds(struct lab_cell_value *v, double seconds)
{
	if (v->n < LAB_CELL_RUNS)
		v->seconds[v->n++] = seconds;
}

/* Of several tools the worst; their time together. */
static int take_tools(struct lab_cells *cells, struct lab_cell *cell,
		      enum lab_column column, const json_t *list)
{
	size_t worst = 0, i;
	double seconds = 0;
	const json_t *tool;

	json_array_foreach(list, i, tool)
	{
		size_t index = index_of(column, text_of(tool, "word"));

		if (index == LAB_VERDICTS)
			return -EINVAL;
		if (index > worst)
			worst = index;
		seconds += json_number_value(json_object_get(tool, "seconds"));
		if (*text_of(tool, "why") && column == LAB_COLUMN_TOOL)
			cell->tool_why = lp_arena_string(&cells->arena,
							 text_of(tool, "why"));
	}
	cell->value[column].count[worst]++;
	put_seconds(&cell->value[column], seconds);
	return 0;
}

static int take_work(struct lab_cells *cells, struct lab_cell *cell,
		     enum lab_column column, const json_t *work)
{
	struct lab_cell_value *v = &cell->value[column];
	size_t index = index_of(column, text_of(work, "word"));
	json_t *files = json_object_get(work, "files"), *n;
	const char *word;

	if (index == LAB_VERDICTS)
		return -EINVAL;
	v->count[index]++;
	json_object_foreach(files, word, n)
	{
		unsigned files_of = (unsigned)json_integer_value(n);

		v->files += files_of;
		v->bad += strcmp(word, "ok") != 0 ? files_of : 0;
	}
	put_seconds(v, json_number_value(json_object_get(work, "seconds")));
	if (*text_of(work, "first"))
		cell->first_bad =
			lp_arena_string(&cells->arena, text_of(work, "first"));
	return 0;
}

static int take_columns(struct lab_cells *cells, struct lab_cell *cell,
			const json_t *root)
{
	int status = 0;

	for (int c = 0; status == 0 && c < LAB_COLUMNS; c++) {
		const json_t *group = json_object_get(root, columns[c].group);
		const json_t *value = json_object_get(group, columns[c].key);

		if (!value)
			continue;
		status = is_tool((enum lab_column)c)
				 ? take_tools(cells, cell, (enum lab_column)c,
					      value)
				 : take_work(cells, cell, (enum lab_column)c,
					     value);
	}
	return status;
}

/* The tool is content, and a reader gets wrong data, or none for ever. */
static bool is_latent(const json_t *root)
{
	const json_t *tool = json_array_get(
		json_object_get(json_object_get(root, "tools"), "failed"), 0);
	const json_t *work = json_object_get(root, "work");
	const char *cold = text_of(json_object_get(work, "cold"), "word");

	return strcmp(text_of(tool, "word"), "normal") == 0 && *cold &&
	       strcmp(cold, "ok") != 0;
}

static void take_rest(struct lab_cells *cells, struct lab_cell *cell,
		      const json_t *root)
{
	const json_t *writers =
		json_object_get(json_object_get(root, "work"), "writers");

	cell->no_effect += json_is_false(json_object_get(root, "bites")) &&
			   strcmp(text_of(root, "failure"), "none") != 0;
	cell->not_undone += json_is_false(json_object_get(root, "undone"));
	cell->latent += is_latent(root);
	if (*text_of(root, "died"))
		cell->died =
			lp_arena_string(&cells->arena, text_of(root, "died"));
	if (writers && cell->n_stalled < LAB_CELL_RUNS)
		cell->stalled[cell->n_stalled++] =
			json_number_value(json_object_get(writers, "slowest"));
}

/* "cut-off then power-cut", "cut-off beside disk-busy", "cut-off (idle)" */
static const char *name_of(struct lab_cells *cells, const json_t *root)
{
	char name[160];

	snprintf(name, sizeof(name), "%.40s%s%.40s%s%.40s%s",
		 text_of(root, "failure"),
		 *text_of(root, "then") ? " then " : "", text_of(root, "then"),
		 *text_of(root, "limping") ? " beside " : "",
		 text_of(root, "limping"),
		 json_is_true(json_object_get(root, "idle")) ? " (idle)" : "");
	return lp_arena_string(&cells->arena, name);
}

static struct lab_cell *cell_of(struct lab_cells *cells, const char *set,
				const char *failure)
{
	struct lab_cell *cell =
		(struct lab_cell *)lab_cells_find(cells, set, failure);

	if (cell)
		return cell;
	if (lp_grow(&cells->cell, &cells->capacity, cells->n + 1,
		    sizeof(*cells->cell)) < 0)
		return NULL;
	cell = &cells->cell[cells->n++];
	*cell = (struct lab_cell){ .set = lp_arena_string(&cells->arena, set),
				   .failure = failure };
	return cell->set ? cell : NULL;
}

static int take(struct lab_cells *cells, const json_t *root)
{
	const char *failure = name_of(cells, root);
	struct lab_cell *cell;
	int status = 0;

	if (!*text_of(root, "failure") || !*text_of(root, "set"))
		return -EINVAL;
	cell = failure ? cell_of(cells, text_of(root, "set"), failure) : NULL;
	if (!cell)
		return -ENOMEM;
	cells->runs++;
	cell->runs++;
	if (json_object_get(root, "no_lab")) {
		cell->no_lab++;
		return 0;
	}
	status = take_columns(cells, cell, root);
	if (status == 0)
		take_rest(cells, cell, root);
	return status;
}

int lab_cells_take(struct lab_cells *cells, const char *name, const char *text,
		   size_t n, struct lp_error *err)
{
	json_error_t why;
	json_t *root = json_loadb(text, n, JSON_REJECT_DUPLICATES, &why);
	int status = root && json_is_object(root) ? take(cells, root) : -EINVAL;

	if (!root)
		lp_fail(err, EINVAL, "%s:%d: %.200s", name, why.line, why.text);
	else if (status == -ENOMEM)
		lp_fail_memory(err);
	else if (status < 0)
		lp_fail(err, EINVAL,
			"%s is not the outcome of a run of limpid failure",
			name);
	json_decref(root);
	return status;
}

/* ---- a directory ---- */

const struct lab_cell *lab_cells_find(const struct lab_cells *cells,
				      const char *set, const char *failure)
{
	for (size_t i = 0; i < cells->n; i++)
		if (strcmp(cells->cell[i].set, set) == 0 &&
		    strcmp(cells->cell[i].failure, failure) == 0)
			return &cells->cell[i];
	return NULL;
}

/* Control first; then sets as they come to mind, failures by name. */
static int rank_of(const char *set)
{
	static const char *const order[] = { "-",          "monitor", "manager",
					     "metadata",   "osd",     "server",
					     "redundancy", "beyond",  "all" };

	for (size_t i = 0; i < lp_array_size(order); i++)
		if (strcmp(order[i], set) == 0)
			return (int)i;
	return (int)lp_array_size(order);
}

static int by_set(const void *a, const void *b)
{
	const struct lab_cell *x = a, *y = b;
	int order = rank_of(x->set) - rank_of(y->set);

	if (order == 0)
		order = strcmp(x->set, y->set);
	return order ? order : strcmp(x->failure, y->failure);
}

static int read_run(struct lab_cells *cells, const char *dir, const char *name,
		    struct lp_error *err)
{
	struct lp_text_file file = { 0 };
	char path[PATH_MAX];
	int status = lab_path(path, err, "%s/%s/outcome.json", dir, name);

	if (status < 0 || access(path, F_OK) < 0)
		return status;
	status = lp_text_file_open(&file, path, err);
	if (status < 0)
		return status;
	status = lab_cells_take(cells, path, file.text, file.n, err);
	lp_text_file_close(&file);
	return status;
}

int lab_cells_read(const char *dir, struct lab_cells *cells,
		   struct lp_error *err)
{
	struct dirent **list = NULL;
	int n, status = 0;

	*cells = (struct lab_cells){ 0 };
	n = scandir(dir, &list, NULL, alphasort);
	if (n < 0)
		return lp_fail_errno(err, errno, "cannot read %s", dir);
	for (int i = 0; i < n; i++) {
		if (status == 0 && list[i]->d_name[0] != '.')
			status = read_run(cells, dir, list[i]->d_name, err);
		free(list[i]);
	}
	free(list);
	if (status == 0 && cells->runs == 0)
		status =
			lp_fail(err, ENODATA,
				"%s: there are no runs of limpid failure", dir);
	cells->title = lp_arena_string(&cells->arena, dir);
	if (cells->n > 0)
		qsort(cells->cell, cells->n, sizeof(*cells->cell), by_set);
	return status;
}

void lab_cells_done(struct lab_cells *cells)
{
	free(cells->cell);
	lp_arena_done(&cells->arena);
	*cells = (struct lab_cells){ 0 };
}

/* ---- two directories ---- */

size_t lab_cells_compare(const struct lab_cells *now,
			 const struct lab_cells *before, FILE *out)
{
	size_t worse = 0;

	for (size_t i = 0; i < now->n; i++) {
		const struct lab_cell *a = &now->cell[i];
		const struct lab_cell *b =
			lab_cells_find(before, a->set, a->failure);

		for (int c = 0; b && c < LAB_COLUMNS; c++) {
			char is[LAB_CELL_WORD], was[LAB_CELL_WORD];
			bool is_worse = lab_cell_worst(a, (enum lab_column)c) >
					lab_cell_worst(b, (enum lab_column)c);

			lab_cell_text(a, (enum lab_column)c, is);
			lab_cell_text(b, (enum lab_column)c, was);
			worse += is_worse;
			if (strcmp(is, was) != 0 && out)
				fprintf(out, "%s, %s: %s: %s; before: %s%s\n",
					a->set, a->failure, columns[c].name, is,
					was, is_worse ? "  WORSE" : "");
		}
	}
	return worse;
}
