/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid metrics: the catalogue, for people and for programs.
 */
#include "command.h"

#include "base/memory.h"
#include "model/catalogue.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>

struct options {
	bool columns, json;
};

static const struct lp_option option_table[] = {
	{ .long_name = "columns",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, columns),
	  .help = "show the recorded columns instead of the metrics" },
	{ .long_name = "json",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, json),
	  .help = "all that is known of both, as JSON" },
};

static const struct lp_usage usage = {
	.command = "limpid metrics",
	.summary = "Lists what limpid records and what it shows, with unit "
		   "and meaning.",
	.operands = "[CLASS...]",
	.max_operands = LP_OPERANDS_ANY,
	.options = option_table,
	.n_options = lp_array_size(option_table),
	.notes = "Classes are disk, net, tcp, ib and host. A metric marked "
		 "with ! can accuse\na component; the others are evidence.\n",
};

static void print_metrics(const struct lp_class *class)
{
	char formula[LP_FORMULA_TEXT];

	for (size_t i = 0; i < class->n_metrics; i++) {
		const struct lp_metric *m = &class->metrics[i];

		printf("  %-15s %c %-12s %s\n%34s= %s\n", m->name,
		       m->indicts ? '!' : ' ', m->unit, m->help, "",
		       lp_metric_formula(class, m, formula));
	}
}

static void print_columns(const struct lp_class *class)
{
	for (size_t i = 0; i < class->n_columns; i++) {
		const struct lp_column *c = &class->columns[i];

		printf("  %-26s %-12s %-10s %s\n", c->name, c->unit,
		       lp_kind_name(c->kind), c->help);
	}
}

static json_t *metric_json(const struct lp_class *class,
			   const struct lp_metric *m)
{
	char formula[LP_FORMULA_TEXT];

	return json_pack("{s:s, s:s, s:s, s:s, s:s, s:b}", "name", m->name,
			 "unit", m->unit, "resource",
			 lp_resource_name(m->resource), "formula",
			 lp_metric_formula(class, m, formula), "help", m->help,
			 "indicts", m->indicts);
}

static json_t *column_json(const struct lp_column *c)
{
	return json_pack("{s:s, s:s, s:s, s:i, s:s*, s:s*, s:b, s:s}", "name",
			 c->name, "unit", c->unit, "kind",
			 lp_kind_name(c->kind), "bits", (int)c->width, "origin",
			 c->origin, "weight",
			 c->kind == LP_WEIGHTED ? c->partner : NULL, "optional",
			 c->optional, "help", c->help);
}

static json_t *class_json(const struct lp_class *class)
{
	json_t *metrics = json_array(), *columns = json_array();

	for (size_t i = 0; i < class->n_metrics; i++)
		json_array_append_new(metrics,
				      metric_json(class, &class->metrics[i]));
	for (size_t i = 0; i < class->n_columns; i++)
		json_array_append_new(columns, column_json(&class->columns[i]));
	return json_pack("{s:s, s:s, s:o, s:o}", "class", class->name, "noun",
			 class->noun, "metrics", metrics, "columns", columns);
}

static void print_json(const struct lp_class *const *classes)
{
	json_t *all = json_array();

	for (; *classes; classes++)
		json_array_append_new(all, class_json(*classes));
	json_dumpf(all, stdout, JSON_INDENT(2));
	putchar('\n');
	json_decref(all);
}

static void print_text(const struct lp_class *const *classes, bool columns)
{
	for (size_t i = 0; classes[i]; i++) {
		printf("%s%s (%s)\n", i ? "\n" : "", classes[i]->name,
		       classes[i]->noun);
		if (columns)
			print_columns(classes[i]);
		else
			print_metrics(classes[i]);
	}
}

/* The classes asked for, ended by NULL; each once, in the order given. */
static int pick(char **names, const struct lp_class *classes[],
		struct lp_error *err)
{
	size_t n = 0;

	for (; *names; names++) {
		const struct lp_class *class = lp_class_find(*names);
		bool have = false;

		if (!class)
			return lp_fail(err, ENOENT,
				       "no class '%s'; there are disk, net, "
				       "tcp, ib and host",
				       *names);
		for (size_t i = 0; i < n; i++)
			have = have || classes[i] == class;
		if (!have)
			classes[n++] = class;
	}
	classes[n] = NULL;
	return 0;
}

static int run(int argc, char **argv)
{
	const struct lp_class *some[16] = { NULL };
	const struct lp_class *const *classes = lp_classes;
	struct options options = { 0 };
	struct lp_error err;
	int first, status;

	if (!lp_command_begin(&usage, argc, argv, &options, &first, &status))
		return status;
	if (first < argc) {
		if (pick(argv + first, some, &err) < 0)
			return lp_command_fail(&usage, &err);
		classes = some;
	}
	if (options.json)
		print_json(classes);
	else
		print_text(classes, options.columns);
	return lp_command_finish(&usage);
}

const struct lp_command lp_command_metrics = {
	.name = "metrics",
	.summary = "list what is recorded and shown, with unit and meaning",
	.run = run,
	.usage = &usage,
};
