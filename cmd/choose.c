/* SPDX-License-Identifier: Apache-2.0 */
#include "choose.h"

#include "base/nearest.h"
#include "base/visible.h"

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

static bool is_help(const char *word)
{
	return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

/* The line goes on with the words that there are. */
static void unknown_word(const char *command,
			 const struct lp_word *const *words, const char *name)
{
	struct lp_nearest nearest = lp_nearest_begin(name);
	char hint[LP_NEAREST_HINT];

	for (size_t i = 0; words[i]; i++)
		lp_nearest_offer(&nearest, words[i]->name);
	fprintf(stderr, "%s: unknown word '%s'%s; expected ", command,
		lp_shown(name), lp_nearest_hint(&nearest, hint));
}

int lp_choose_word(const char *command, const struct lp_word *const *words,
		   int argc, char **argv)
{
	const char *name = argc < 2 ? NULL : argv[1];
	const struct lp_word *word = name ? word_named(words, name) : NULL;

	if (word)
		return word->run(argc - 1, argv + 1);
	if (name && is_help(name)) {
		print_all_help(words, stdout);
		return lp_command_finish(words[0]->usage);
	}
	if (name)
		unknown_word(command, words, name);
	else
		fprintf(stderr, "%s: say ", command);
	print_words(words, stderr);
	if (argc > 2 && is_help(argv[2])) {
		fputc('\n', stderr);
		print_all_help(words, stderr);
	}
	return LP_EXIT_USAGE;
}
