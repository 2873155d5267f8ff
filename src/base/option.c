/* SPDX-License-Identifier: Apache-2.0 */
#include "base/option.h"

#include "base/memory.h"
#include "base/nearest.h"
#include "base/number.h"
#include "base/timestamp.h"
#include "base/when.h"

#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MAX_OPTIONS 64
#define HELP_INDEX 1000
#define LONG_BASE 2000
#define COLUMNS 80
#define HELP_COLUMN 26

struct getopt_tables {
	struct option longs[MAX_OPTIONS + 2];
	char shorts[2 * MAX_OPTIONS + 4];
};

/* getopt_long wants its own shapes of the same table. */
static void make_tables(const struct lp_usage *usage, struct getopt_tables *t)
{
	size_t n = usage->n_options, used = 0;

	assert(n <= MAX_OPTIONS);
	t->shorts[used++] = ':'; /* tell a missing value from a bad option */
	t->shorts[used++] = 'h';
	for (size_t i = 0; i < n; i++) {
		const struct lp_option *o = &usage->options[i];

		t->longs[i] = (struct option){
			o->long_name,
			o->value ? required_argument : no_argument,
			NULL,
			LONG_BASE + (int)i,
		};
		if (!o->short_name)
			continue;
		t->shorts[used++] = o->short_name;
		if (o->value)
			t->shorts[used++] = ':';
	}
	t->longs[n] = (struct option){ "help", no_argument, NULL, HELP_INDEX };
	t->longs[n + 1] = (struct option){ 0 };
	t->shorts[used] = '\0';
}

static const struct lp_option *option_by_code(const struct lp_usage *usage,
					      int code)
{
	if (code >= LONG_BASE && (size_t)(code - LONG_BASE) < usage->n_options)
		return &usage->options[code - LONG_BASE];
	for (size_t i = 0; i < usage->n_options; i++)
		if (usage->options[i].short_name == code)
			return &usage->options[i];
	return NULL;
}

static int parse_uint(const char *text, unsigned long *v)
{
	uint64_t parsed;

	if (lp_parse_u64(text, strlen(text), &parsed) < 0 || parsed > ULONG_MAX)
		return -EINVAL;
	*v = (unsigned long)parsed;
	return 0;
}

static int store(const struct lp_option *o, const char *text, void *fields)
{
	void *field = (char *)fields + o->offset;
	struct lp_option_list *list;

	switch (o->type) {
	case LP_OPTION_FLAG:
		*(bool *)field = true;
		return 0;
	case LP_OPTION_STRING:
	case LP_OPTION_REQUIRED:
		*(const char **)field = text;
		return 0;
	case LP_OPTION_LIST:
		list = field;
		if (lp_grow(&list->text, &list->capacity, list->count + 1,
			    sizeof(*list->text)) < 0)
			return -ENOMEM;
		list->text[list->count++] = text;
		return 0;
	case LP_OPTION_UINT:
		return parse_uint(text, field);
	case LP_OPTION_DURATION:
		return lp_duration_parse(text, field);
	case LP_OPTION_TIME:
		return lp_time_parse(text, strlen(text), field);
	case LP_OPTION_WHEN:
		return lp_when_parse(text, field);
	}
	return -EINVAL;
}

static const char *expected(enum lp_option_type type)
{
	switch (type) {
	case LP_OPTION_UINT:
		return "a whole number";
	case LP_OPTION_DURATION:
		return "a duration such as 0.5, 10s, 5m or 1h";
	case LP_OPTION_TIME:
		return "a time such as 2026-11-15T20:45:00Z or epoch seconds";
	case LP_OPTION_WHEN:
		return LP_WHEN_EXPECTED;
	default:
		return "a value";
	}
}

/* A value of a number or a duration, as it is to be written. */
static const char *limit_text(const struct lp_option *o, int64_t v,
			      char text[LP_TIME_TEXT])
{
	if (o->type == LP_OPTION_DURATION)
		return lp_duration_format(v, text);
	snprintf(text, LP_TIME_TEXT, "%lld", (long long)v);
	return text;
}

static bool is_in_range(const struct lp_option *o, const void *fields)
{
	const void *field = (const char *)fields + o->offset;
	int64_t v;

	if (!o->low)
		return true;
	if (o->type == LP_OPTION_UINT) {
		unsigned long u = *(const unsigned long *)field;

		v = u > INT64_MAX ? INT64_MAX : (int64_t)u;
	} else {
		v = *(const int64_t *)field;
	}
	return v >= o->low && (!o->high || v <= o->high);
}

/* "limpid diagnose: --window 0: expected 1 to 100000" */
static int out_of_range(const struct lp_usage *usage, const struct lp_option *o,
			const char *value, struct lp_error *err)
{
	char low[LP_TIME_TEXT], high[LP_TIME_TEXT];

	limit_text(o, o->low, low);
	if (o->high)
		return lp_fail(err, EINVAL, "%s: --%s %s: expected %s to %s",
			       usage->command, o->long_name, value, low,
			       limit_text(o, o->high, high));
	if (o->type == LP_OPTION_DURATION && o->low == 1)
		return lp_fail(err, EINVAL, "%s: --%s %s: expected more than 0",
			       usage->command, o->long_name, value);
	return lp_fail(err, EINVAL, "%s: --%s %s: expected %s or more",
		       usage->command, o->long_name, value, low);
}

static bool begins_with(const char *name, const char *begin, size_t n)
{
	return strncmp(name, begin, n) == 0;
}

/* "--host, --hourly", of those that begin so; the number of them. */
static size_t list_candidates(const struct lp_usage *usage, const char *begin,
			      size_t n, char *text, size_t size)
{
	size_t found = 0, used = 0;

	text[0] = '\0';
	for (size_t i = 0; i <= usage->n_options; i++) {
		const char *name = i < usage->n_options
					   ? usage->options[i].long_name
					   : "help";

		if (!begins_with(name, begin, n))
			continue;
		if (used < size)
			used += (size_t)snprintf(text + used, size - used,
						 "%s--%s", found ? ", " : "",
						 name);
		found++;
	}
	return found;
}

/* getopt does not say which of the two it was. */
static int bad_name(const struct lp_usage *usage, const char *word,
		    struct lp_error *err)
{
	const char *name = word + strspn(word, "-");
	size_t n = strcspn(name, "=");
	char list[256], wrong[LP_NEAREST_LONGEST + 1];
	struct lp_nearest nearest;

	if (list_candidates(usage, name, n, list, sizeof(list)) > 1)
		return lp_fail(err, EINVAL,
			       "%s: ambiguous option '%s': it could be %s",
			       usage->command, word, list);
	snprintf(wrong, sizeof(wrong), "%.*s", (int)n, name);
	nearest = lp_nearest_begin(wrong);
	for (size_t i = 0; i < usage->n_options; i++)
		lp_nearest_offer(&nearest, usage->options[i].long_name);
	return lp_fail(
		err, EINVAL, "%s: unknown option '%s'%s%s%s; see '%s --help'",
		usage->command, word, nearest.best ? " (did you mean --" : "",
		nearest.best ? nearest.best : "", nearest.best ? "?)" : "",
		usage->command);
}

static int bad_option(const struct lp_usage *usage, int code, char **argv,
		      struct lp_error *err)
{
	const struct lp_option *o = option_by_code(usage, optopt);

	if (code == ':' && o)
		return lp_fail(err, EINVAL,
			       "%s: option --%s needs %s; see '%s --help'",
			       usage->command, o->long_name, expected(o->type),
			       usage->command);
	if (optopt >= LONG_BASE || optopt == HELP_INDEX)
		return lp_fail(
			err, EINVAL,
			"%s: option --%s takes no value; see '%s --help'",
			usage->command, o ? o->long_name : "help",
			usage->command);
	if (optopt)
		return lp_fail(err, EINVAL,
			       "%s: unknown option '-%c'; see '%s --help'",
			       usage->command, optopt, usage->command);
	return bad_name(usage, argv[optind - 1], err);
}

static void option_word(const struct lp_option *o, char *word, size_t size)
{
	bool required = o->type == LP_OPTION_REQUIRED;
	char name[64], value[64] = "";

	if (o->short_name)
		snprintf(name, sizeof(name), "-%c", o->short_name);
	else
		snprintf(name, sizeof(name), "--%s", o->long_name);
	if (o->value)
		snprintf(value, sizeof(value), " %s", o->value);
	snprintf(word, size, "%s%s%s%s%s", required ? "" : "[", name, value,
		 required ? "" : "]", o->type == LP_OPTION_LIST ? "..." : "");
}

static int check_required(const struct lp_usage *usage, const void *fields,
			  struct lp_error *err)
{
	for (size_t i = 0; i < usage->n_options; i++) {
		const struct lp_option *o = &usage->options[i];
		const void *field = (const char *)fields + o->offset;
		char word[128];

		if (o->type != LP_OPTION_REQUIRED ||
		    *(const char *const *)field)
			continue;
		option_word(o, word, sizeof(word));
		return lp_fail(err, EINVAL, "%s: needs %s; see '%s --help'",
			       usage->command, word, usage->command);
	}
	return 0;
}

static int check_operands(const struct lp_usage *usage, int argc,
			  struct lp_error *err)
{
	size_t n = (size_t)(argc - optind);

	if (n < usage->min_operands)
		return lp_fail(err, EINVAL, "%s: needs %s; see '%s --help'",
			       usage->command, usage->operands, usage->command);
	if (n > usage->max_operands)
		return lp_fail(err, EINVAL,
			       "%s: too many operands; see '%s --help'",
			       usage->command, usage->command);
	return LP_OPTIONS_RUN;
}

int lp_options_parse(const struct lp_usage *usage, int argc, char **argv,
		     void *fields, int *first_operand, struct lp_error *err)
{
	struct getopt_tables tables;
	const struct lp_option *o;
	int code, status;

	make_tables(usage, &tables);
	optind = 0; /* glibc: start anew */
	opterr = 0;
	while ((code = getopt_long(argc, argv, tables.shorts, tables.longs,
				   NULL)) != -1) {
		if (code == HELP_INDEX || code == 'h')
			return LP_OPTIONS_HELP;
		o = code == '?' || code == ':' ? NULL
					       : option_by_code(usage, code);
		if (!o)
			return bad_option(usage, code, argv, err);
		status = store(o, optarg, fields);
		if (status == -ENOMEM)
			return lp_fail_memory(err);
		if (status < 0)
			return lp_fail(err, EINVAL, "%s: --%s '%s' is not %s",
				       usage->command, o->long_name, optarg,
				       expected(o->type));
		if (!is_in_range(o, fields))
			return out_of_range(usage, o, optarg, err);
	}
	*first_operand = optind;
	status = check_operands(usage, argc, err);
	return status < 0 ? status : check_required(usage, fields, err);
}

static void put_folded(FILE *out, const char *word, size_t *column,
		       size_t indent)
{
	size_t n = strlen(word);

	if (*column + 1 + n > COLUMNS) {
		fprintf(out, "\n%*s", (int)indent, "");
		*column = indent;
	}
	fprintf(out, " %s", word);
	*column += 1 + n;
}

static void put_synopsis(const struct lp_usage *usage, const char *before,
			 FILE *out)
{
	size_t indent = strlen(before) + strlen(usage->command);
	size_t column = indent;
	char word[128];

	fprintf(out, "%s%s", before, usage->command);
	for (size_t i = 0; i < usage->n_options; i++) {
		option_word(&usage->options[i], word, sizeof(word));
		put_folded(out, word, &column, indent);
	}
	if (usage->operands[0])
		put_folded(out, usage->operands, &column, indent);
	fputc('\n', out);
}

void lp_options_synopsis(const struct lp_usage *usage, FILE *out)
{
	put_synopsis(usage, "", out);
}

/* The help text, folded into the column at the right. */
static void put_help(FILE *out, const char *help)
{
	size_t room = COLUMNS - HELP_COLUMN - 1;

	while (strlen(help) > room) {
		size_t cut = room;

		while (cut && help[cut] != ' ')
			cut--;
		if (!cut)
			break;
		fprintf(out, "%.*s\n%*s", (int)cut, help, HELP_COLUMN, "");
		help += cut + 1;
	}
	fprintf(out, "%s\n", help);
}

static void put_option(FILE *out, const struct lp_option *o)
{
	char name[96], text[LP_OPTION_HELP_TEXT];
	int n;

	n = snprintf(name, sizeof(name), "  %c%c%s --%s%s%s",
		     o->short_name ? '-' : ' ',
		     o->short_name ? o->short_name : ' ',
		     o->short_name ? "," : " ", o->long_name,
		     o->value ? " " : "", o->value ? o->value : "");
	if (n >= HELP_COLUMN - 1)
		fprintf(out, "%s\n%*s", name, HELP_COLUMN, "");
	else
		fprintf(out, "%-*s", HELP_COLUMN, name);
	put_help(out, o->help_of ? o->help_of(text, sizeof(text)) : o->help);
}

void lp_options_help(const struct lp_usage *usage, FILE *out)
{
	static const struct lp_option help = {
		.short_name = 'h',
		.long_name = "help",
		.help = "show this help",
	};

	put_synopsis(usage, "Usage: ", out);
	fprintf(out, "\n%s\n\nOptions:\n", usage->summary);
	for (size_t i = 0; i < usage->n_options; i++)
		put_option(out, &usage->options[i]);
	put_option(out, &help);
	if (usage->notes)
		fprintf(out, "\n%s", usage->notes);
}

void lp_option_list_done(struct lp_option_list *list)
{
	free(list->text);
	*list = (struct lp_option_list){ 0 };
}
