/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid-lab: a real parallel file system on this machine, faults on demand,
 * and the truth about them. The first word picks a row of the table.
 */
#include "word.h"

#include <stdio.h>
#include <string.h>

static const struct lp_usage usage = { .command = "limpid lab" };

static void print_words(FILE *out)
{
	for (size_t i = 0; lab_words[i]; i++)
		fprintf(out, "%s%s",
			i == 0             ? ""
			: lab_words[i + 1] ? ", "
					   : " or ",
			lab_words[i]->name);
	fputc('\n', out);
}

static void print_all_help(FILE *out)
{
	for (size_t i = 0; lab_words[i]; i++) {
		if (i > 0)
			fputc('\n', out);
		lp_options_help(lab_words[i]->usage, out);
	}
}

static const struct lab_word *word_named(const char *name)
{
	for (size_t i = 0; lab_words[i]; i++)
		if (strcmp(lab_words[i]->name, name) == 0)
			return lab_words[i];
	return NULL;
}

int main(int argc, char **argv)
{
	const struct lab_word *word = argc < 2 ? NULL : word_named(argv[1]);

	if (word)
		return word->run(argc - 1, argv + 1);
	if (argc >= 2 &&
	    (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
		print_all_help(stdout);
		return lp_command_finish(&usage);
	}
	if (argc >= 2)
		fprintf(stderr, "limpid lab: unknown word '%s'; say ", argv[1]);
	else
		fputs("limpid lab: say ", stderr);
	print_words(stderr);
	return LP_EXIT_USAGE;
}
