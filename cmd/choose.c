/* SPDX-License-Identifier: Apache-2.0 */
#include "choose.h"

#include <stdio.h>
#include <string.h>

static void print_words(const struct lp_word *const *words, FILE *out)
{
	for (size_t i = 0; words[i]; i++)
		fprintf(out, "%s%s",
			i == 0         ? ""
			: words[i + 1] ? ", "
				       : " or ",
			words[i]->name);
	fputc('\n', out);
}

static void print_all_help(const struct lp_word *const *words, FILE *out)
{
	for (size_t i = 0; words[i]; i++) {
		if (i > 0)
			fputc('\n', out);
		lp_options_help(words[i]->usage, out);
	}
}

static const struct lp_word *word_named(const struct lp_word *const *words,
					const char *name)
{
	for (size_t i = 0; words[i]; i++)
		if (strcmp(words[i]->name, name) == 0)
			return words[i];
	return NULL;
}

int lp_choose_word(const char *command, const struct lp_word *const *words,
		   int argc, char **argv)
{
	const char *name = argc < 2 ? NULL : argv[1];
	const struct lp_word *word = name ? word_named(words, name) : NULL;

	if (word)
		return word->run(argc - 1, argv + 1);
	if (name && (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)) {
		print_all_help(words, stdout);
		return lp_command_finish(words[0]->usage);
	}
	if (name)
		fprintf(stderr, "%s: unknown word '%s'; say ", command, name);
	else
		fprintf(stderr, "%s: say ", command);
	print_words(words, stderr);
	return LP_EXIT_USAGE;
}
