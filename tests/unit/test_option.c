/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/memory.h"
#include "base/option.h"
#include "base/timestamp.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct fields {
	bool csv;
	const char *output;
	struct lp_option_list metrics;
	unsigned long count;
	int64_t interval_ns, since_ns;
};

#define AT(field) offsetof(struct fields, field)

static const char *help_of_kind(char *text, size_t size)
{
	snprintf(text, size, "one of %d", 7);
	return text;
}

static const struct lp_option table[] = {
	{ .long_name = "csv",
	  .type = LP_OPTION_FLAG,
	  .offset = AT(csv),
	  .help = "write CSV" },
	{ .short_name = 'o',
	  .long_name = "output",
	  .type = LP_OPTION_STRING,
	  .value = "FILE",
	  .offset = AT(output),
	  .help = "write there" },
	{ .short_name = 'm',
	  .long_name = "metric",
	  .type = LP_OPTION_LIST,
	  .value = "NAME",
	  .offset = AT(metrics),
	  .help = "show this metric, of which there may be a great many, so "
		  "that the "
		  "help of it does not fit into one line" },
	{ .short_name = 'n',
	  .long_name = "count",
	  .type = LP_OPTION_UINT,
	  .value = "N",
	  .offset = AT(count),
	  .help = "stop after N" },
	{ .short_name = 'i',
	  .long_name = "interval",
	  .type = LP_OPTION_DURATION,
	  .value = "STEP",
	  .offset = AT(interval_ns),
	  .help = "step" },
	{ .long_name = "since",
	  .type = LP_OPTION_TIME,
	  .value = "TIME",
	  .offset = AT(since_ns),
	  .help = "from then on" },
	{ .long_name = "rounds",
	  .type = LP_OPTION_UINT,
	  .value = "N",
	  .offset = AT(count),
	  .help = "so often",
	  .low = 1,
	  .high = 9 },
	{ .long_name = "pause",
	  .type = LP_OPTION_DURATION,
	  .value = "TIME",
	  .offset = AT(interval_ns),
	  .help = "so long",
	  .low = LP_NS_PER_S / 10,
	  .high = 3600 * LP_NS_PER_S },
	{ .long_name = "wait",
	  .type = LP_OPTION_DURATION,
	  .value = "TIME",
	  .offset = AT(interval_ns),
	  .help = "so long",
	  .low = 1 },
	{ .long_name = "seed",
	  .type = LP_OPTION_UINT,
	  .value = "N",
	  .offset = AT(count),
	  .help = "of chance",
	  .low = 1 },
	{ .long_name = "a-very-long-name-indeed",
	  .type = LP_OPTION_FLAG,
	  .offset = AT(csv),
	  .help = "below its name" },
	{ .long_name = "kind",
	  .type = LP_OPTION_FLAG,
	  .offset = AT(csv),
	  .help_of = help_of_kind },
};

static const struct lp_usage usage = {
	.command = "limpid test",
	.summary = "Tests.",
	.operands = "FILE...",
	.min_operands = 1,
	.max_operands = 3,
	.options = table,
	.n_options = lp_array_size(table),
	.notes = "And a note.\n",
};

/* Parses a line of words separated by single blanks; "test" stands first. */
static int parse(const char *line, struct fields *fields, char **operands,
		 struct lp_error *err)
{
	static char words[256];
	static char *argv[32];
	int argc = 0, first = 0, r;

	assert_true(strlen(line) < sizeof(words));
	memcpy(words, line, strlen(line) + 1);
	argv[argc++] = (char[]){ "test" };
	for (char *word = words; word; argc++) {
		argv[argc] = word;
		word = strchr(word, ' ');
		if (word)
			*word++ = '\0';
	}
	argv[argc] = NULL;
	r = lp_options_parse(&usage, argc, argv, fields, &first, err);
	if (operands)
		*operands = argv[first];
	return r;
}

static void assert_refused(const char *line, const char *why)
{
	struct fields fields = { 0 };
	struct lp_error err = { "" };

	assert_int_equal(parse(line, &fields, NULL, &err), -EINVAL);
	if (!strstr(err.text, why))
		fail_msg("'%s' said '%s', not '%s'", line, err.text, why);
	lp_option_list_done(&fields.metrics);
}

static void every_type_finds_its_field(void **state)
{
	struct fields f = { 0 };
	struct lp_error err;

	(void)state;
	assert_int_equal(parse("--csv --output x --count 12 --interval 0.5 "
			       "--since 1794775514 file",
			       &f, NULL, &err),
			 LP_OPTIONS_RUN);
	assert_true(f.csv);
	assert_string_equal(f.output, "x");
	assert_int_equal(f.count, 12);
	assert_int_equal(f.interval_ns, LP_NS_PER_S / 2);
	assert_true(f.since_ns == 1794775514 * LP_NS_PER_S);
}

static void a_list_keeps_all_its_values_in_order(void **state)
{
	struct fields f = { 0 };
	struct lp_error err;

	(void)state;
	assert_int_equal(parse("-m a --metric=b -mc file", &f, NULL, &err),
			 LP_OPTIONS_RUN);
	assert_int_equal(f.metrics.count, 3);
	assert_string_equal(f.metrics.text[0], "a");
	assert_string_equal(f.metrics.text[1], "b");
	assert_string_equal(f.metrics.text[2], "c");
	lp_option_list_done(&f.metrics);
	assert_int_equal(f.metrics.count, 0);
}

static void a_later_value_replaces_an_earlier_one(void **state)
{
	struct fields f = { 0 };
	struct lp_error err;

	(void)state;
	assert_int_equal(parse("-n 1 file -n 2", &f, NULL, &err),
			 LP_OPTIONS_RUN);
	assert_int_equal(f.count, 2);
}

static void options_may_stand_between_operands(void **state)
{
	struct fields f = { 0 };
	struct lp_error err;
	char *operand;

	(void)state;
	assert_int_equal(parse("one --csv two", &f, &operand, &err),
			 LP_OPTIONS_RUN);
	assert_true(f.csv);
	assert_string_equal(operand, "one");
}

static void two_dashes_end_the_options(void **state)
{
	struct fields f = { 0 };
	struct lp_error err;
	char *operand;

	(void)state;
	assert_int_equal(parse("-- --csv", &f, &operand, &err), LP_OPTIONS_RUN);
	assert_false(f.csv);
	assert_string_equal(operand, "--csv");
}

static void a_unique_beginning_is_enough(void **state)
{
	struct fields f = { 0 };
	struct lp_error err;

	(void)state;
	assert_int_equal(parse("--out x --cou 3 f", &f, NULL, &err),
			 LP_OPTIONS_RUN);
	assert_string_equal(f.output, "x");
	assert_int_equal(f.count, 3);
	assert_refused("--c f",
		       "ambiguous option '--c': it could be --csv, --count");
	assert_refused("--c=1 f", "it could be --csv, --count");
}

static void help_wins_over_what_follows(void **state)
{
	struct fields f = { 0 };
	struct lp_error err;

	(void)state;
	assert_int_equal(parse("--help", &f, NULL, &err), LP_OPTIONS_HELP);
	assert_int_equal(parse("-h --nonsense", &f, NULL, &err),
			 LP_OPTIONS_HELP);
}

static void mistakes_are_named(void **state)
{
	(void)state;
	assert_refused("--nonsense f", "unknown option '--nonsense'; see");
	assert_refused("--ouput x f", "(did you mean --output?)");
	assert_refused("--intreval=1 f", "(did you mean --interval?)");
	assert_refused("-x f", "unknown option '-x'");
	assert_refused("f -o", "option --output needs a value");
	assert_refused("f --count", "option --count needs a whole number");
	assert_refused("--csv=yes f", "option --csv takes no value");
	assert_refused("--help=yes f", "option --help takes no value");
	assert_refused("--csv", "needs FILE...");
	assert_refused("a b c d", "too many operands");
}

static void values_of_the_wrong_type_are_named(void **state)
{
	(void)state;
	assert_refused("-n -1 f", "--count '-1' is not a whole number");
	assert_refused("-n 1x f", "--count '1x' is not a whole number");
	assert_refused("-n +1 f", "--count '+1' is not a whole number");
	assert_refused("-n 99999999999999999999 f", "not a whole number");
	assert_refused("-i soon f", "--interval 'soon' is not a duration");
	assert_refused("--since noon f", "--since 'noon' is not a time");
}

static void values_out_of_their_range_are_refused_with_it(void **state)
{
	struct fields f = { 0 };
	struct lp_error err;

	(void)state;
	assert_refused("--rounds 0 f", "--rounds 0: expected 1 to 9");
	assert_refused("--rounds=10 f", "--rounds 10: expected 1 to 9");
	assert_refused("--pause 50ms f", "--pause 50ms: expected 0.1 s to 1 h");
	assert_refused("--pause 2h f", "--pause 2h: expected 0.1 s to 1 h");
	assert_refused("--wait 0 f", "--wait 0: expected more than 0");
	assert_refused("--seed 0 f", "--seed 0: expected 1 or more");
	assert_int_equal(parse("--rounds 9 --pause 1h --wait 1ms "
			       "--seed 18446744073709551615 f",
			       &f, NULL, &err),
			 LP_OPTIONS_RUN);
	assert_int_equal(f.count, UINT64_MAX);
}

/* What a function prints; the caller frees. */
static char *printed(void (*print)(const struct lp_usage *, FILE *))
{
	char *text = NULL;
	size_t n;
	FILE *out = open_memstream(&text, &n);

	print(&usage, out);
	fclose(out);
	return text;
}

static void assert_narrow(const char *text)
{
	for (const char *line = text; *line; line += *line == '\n') {
		size_t n = strcspn(line, "\n");

		assert_true(n <= 80);
		line += n;
	}
}

static void the_synopsis_is_folded_at_80_columns(void **state)
{
	lp_auto_free char *text = printed(lp_options_synopsis);

	(void)state;
	assert_string_equal(
		text,
		"limpid test [--csv] [-o FILE] [-m NAME]... [-n N] [-i STEP] "
		"[--since TIME]\n"
		"            [--rounds N] [--pause TIME] [--wait TIME] [--seed "
		"N]\n"
		"            [--a-very-long-name-indeed] [--kind] FILE...\n");
	assert_narrow(text);
}

static void help_shows_every_option_folded(void **state)
{
	lp_auto_free char *text = printed(lp_options_help);

	(void)state;
	assert_narrow(text);
	assert_non_null(
		strstr(text, "\n      --csv               write CSV\n"));
	assert_non_null(
		strstr(text, "\n  -o, --output FILE       write there"));
	assert_non_null(strstr(text,
			       "\n      --a-very-long-name-indeed\n"
			       "                          below its name\n"));
	assert_non_null(strstr(text, "\n      --kind              one of 7\n"));
	assert_non_null(strstr(text, "\n  -h, --help              show this"));
	assert_non_null(strstr(text, "\n\nAnd a note.\n"));
}

static void what_is_required_is_asked_for_and_stands_without_brackets(
	void **state)
{
	static const struct lp_option needed[] = {
		{ .long_name = "csv",
		  .type = LP_OPTION_FLAG,
		  .offset = AT(csv),
		  .help = "write CSV" },
		{ .short_name = 'o',
		  .long_name = "output",
		  .type = LP_OPTION_REQUIRED,
		  .value = "FILE",
		  .offset = AT(output),
		  .help = "" },
	};
	static const struct lp_usage needy = {
		.command = "limpid test",
		.operands = "",
		.options = needed,
		.n_options = lp_array_size(needed),
	};
	char *none[] = { (char[]){ "test" }, NULL };
	char *given[] = { (char[]){ "test" }, (char[]){ "-ox" }, NULL };
	struct fields f = { 0 };
	struct lp_error err;
	char text[80] = "";
	FILE *out = fmemopen(text, sizeof(text), "w");
	int first;

	(void)state;
	lp_options_synopsis(&needy, out);
	fclose(out);
	assert_string_equal(text, "limpid test [--csv] -o FILE\n");
	assert_int_equal(lp_options_parse(&needy, 1, none, &f, &first, &err),
			 -EINVAL);
	assert_string_equal(
		err.text,
		"limpid test: needs -o FILE; see 'limpid test --help'");
	assert_int_equal(lp_options_parse(&needy, 2, given, &f, &first, &err),
			 LP_OPTIONS_RUN);
	assert_string_equal(f.output, "x");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_type_finds_its_field),
		cmocka_unit_test(a_list_keeps_all_its_values_in_order),
		cmocka_unit_test(a_later_value_replaces_an_earlier_one),
		cmocka_unit_test(options_may_stand_between_operands),
		cmocka_unit_test(two_dashes_end_the_options),
		cmocka_unit_test(a_unique_beginning_is_enough),
		cmocka_unit_test(help_wins_over_what_follows),
		cmocka_unit_test(mistakes_are_named),
		cmocka_unit_test(values_out_of_their_range_are_refused_with_it),
		cmocka_unit_test(values_of_the_wrong_type_are_named),
		cmocka_unit_test(the_synopsis_is_folded_at_80_columns),
		cmocka_unit_test(help_shows_every_option_folded),
		cmocka_unit_test(
			what_is_required_is_asked_for_and_stands_without_brackets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
