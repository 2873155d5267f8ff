/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid io: what made this operation take so long? The second word picks a
 * row.
 */
#include "io.h"

#include <stdio.h>
#include <string.h>

/* In the order of the help; ended by NULL. */
static const struct lp_io_word *const words[] = {
	&lp_io_word_calibrate, &lp_io_word_run,      &lp_io_word_bench,
	&lp_io_word_report,    &lp_io_word_classify, &lp_io_word_fit,
	&lp_io_word_model,     &lp_io_word_trace,    NULL,
};

static const struct lp_usage usage = { .command = "limpid io" };

static void print_words(FILE *out)
{
	for (size_t i = 0; words[i]; i++)
		fprintf(out, "%s%s",
			i == 0         ? ""
			: words[i + 1] ? ", "
				       : " or ",
			words[i]->name);
	fputc('\n', out);
}

static void print_all_help(FILE *out)
{
	for (size_t i = 0; words[i]; i++) {
		if (i > 0)
			fputc('\n', out);
		lp_options_help(words[i]->usage, out);
	}
}

static const struct lp_io_word *word_named(const char *name)
{
	for (size_t i = 0; words[i]; i++)
		if (strcmp(words[i]->name, name) == 0)
			return words[i];
	return NULL;
}

static int run(int argc, char **argv)
{
	const struct lp_io_word *word = argc < 2 ? NULL : word_named(argv[1]);

	if (word)
		return word->run(argc - 1, argv + 1);
	if (argc >= 2 &&
	    (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
		print_all_help(stdout);
		return lp_command_finish(&usage);
	}
	if (argc >= 2)
		fprintf(stderr, "limpid io: unknown word '%s'; say ", argv[1]);
	else
		fputs("limpid io: say ", stderr);
	print_words(stderr);
	return LP_EXIT_USAGE;
}

const struct lp_command lp_command_io = {
	.name = "io",
	.summary = "what made an operation of a program take so long",
	.run = run,
};
