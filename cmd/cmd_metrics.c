/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid metrics: the catalogue, for people and for programs.
 */
#include "command.h"
#include "screen.h"

#include "base/json.h"
#include "base/memory.h"
#include "model/catalogue.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

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
	  .help = "print metrics and columns as JSON" },
};

static const struct lp_usage usage = {
	.command = "limpid metrics",
	.summary = "Lists the metrics and columns of limpid, with unit and "
		   "meaning.",
	.operands = "[CLASS...]",
	.max_operands = LP_OPERANDS_ANY,
	.options = option_table,
	.n_options = lp_array_size(option_table),
	.notes = "Classes are disk, net, tcp, ib and host. A metric marked "
		 "with ! can accuse\na component; the others are evidence.\n",
};

#define TEXT_COLUMN 34

/* "rkB/s in tables, in kB/s: this / 2" */
static void print_sar(const struct lp_metric *m)
{
	if (!m->sar_name || strcmp(m->sar_name, m->name) == 0)
		return;
	printf("%*s%s in tables", TEXT_COLUMN, "", m->sar_name);
	if (m->sar_factor != 1)
		printf(", in %s: this / %g", m->sar_unit, 1 / m->sar_factor);
	putchar('\n');
}

static void print_metrics(const struct lp_class *class)
{
	char formula[LP_FORMULA_TEXT];

	for (size_t i = 0; i < class->n_metrics; i++) {
		const struct lp_metric *m = &class->metrics[i];

		printf("  %-15s %c %-12s ", m->name, m->indicts ? '!' : ' ',
		       m->unit);
		lp_screen_fold(m->help, TEXT_COLUMN);
		printf("%*s= ", TEXT_COLUMN, "");
		lp_screen_fold(lp_metric_formula(class, m, formula),
			       TEXT_COLUMN + 2);
		print_sar(m);
	}
}

#define HELP_COLUMN 53

static void print_columns(const struct lp_class *class)
{
	for (size_t i = 0; i < class->n_columns; i++) {
		const struct lp_column *c = &class->columns[i];

		printf("  %-26s %-12s %-10s ", c->name, c->unit,
		       lp_kind_name(c->kind));
		lp_screen_fold(c->help, HELP_COLUMN);
	}
}

static void put_flag(struct lp_json *json, const char *key, bool flag)
{
	lp_json_key(json, key);
	lp_json_bool(json, flag);
}

static void put_metric(struct lp_json *json, const struct lp_class *class,
		       const struct lp_metric *m)
{
	char formula[LP_FORMULA_TEXT];

	lp_json_object(json);
	lp_json_put_string(json, "name", m->name);
	lp_json_put_string(json, "unit", m->unit);
	lp_json_put_string(json, "resource", lp_resource_name(m->resource));
	put_flag(json, "indicts", m->indicts);
	lp_json_put_string(json, "formula",
			   lp_metric_formula(class, m, formula));
	lp_json_put_string(json, "help", m->help);
	lp_json_key(json, "sar");
	if (m->sar_name) {
		lp_json_object(json);
		lp_json_put_string(json, "name", m->sar_name);
		lp_json_put_string(json, "unit", m->sar_unit);
		lp_json_key(json, "factor");
		lp_json_double(json, m->sar_factor);
		lp_json_end(json);
	} else {
		lp_json_string(json, NULL);
	}
	lp_json_end(json);
}

static void put_column(struct lp_json *json, const struct lp_column *c)
{
	lp_json_object(json);
	lp_json_put_string(json, "name", c->name);
	lp_json_put_string(json, "unit", c->unit);
	lp_json_put_string(json, "kind", lp_kind_name(c->kind));
	lp_json_key(json, "bits");
	lp_json_u64(json, c->width);
	put_flag(json, "optional", c->optional);
	lp_json_put_string(json, "weight",
			   c->kind == LP_WEIGHTED ? c->partner : NULL);
	lp_json_put_string(json, "origin", c->origin);
	lp_json_put_string(json, "help", c->help);
	lp_json_end(json);
}

static void put_class(struct lp_json *json, const struct lp_class *class)
{
	lp_json_object(json);
	lp_json_put_string(json, "class", class->name);
	lp_json_put_string(json, "noun", class->noun);
	lp_json_key(json, "metrics");
	lp_json_array(json);
	for (size_t i = 0; i < class->n_metrics; i++)
		put_metric(json, class, &class->metrics[i]);
	lp_json_end(json);
	lp_json_key(json, "columns");
	lp_json_array(json);
	for (size_t i = 0; i < class->n_columns; i++)
		put_column(json, &class->columns[i]);
	lp_json_end(json);
	lp_json_end(json);
}

static void print_json(const struct lp_class *const *classes)
{
	struct lp_json json;

	lp_json_init(&json, stdout);
	lp_json_array(&json);
	for (; *classes; classes++)
		put_class(&json, *classes);
	lp_json_end(&json);
	putchar('\n');
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
				       "unknown class '%s'; expected disk, "
				       "net, tcp, ib or host",
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
			return lp_command_misuse(&usage, &err);
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
