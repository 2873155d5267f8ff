/* SPDX-License-Identifier: Apache-2.0 */
/* Commands that have words of their own: limpid io, limpid lab ... */
#ifndef LP_CMD_CHOOSE_H
#define LP_CMD_CHOOSE_H

#include "command.h"

struct lp_word {
	const char *name;
	const struct lp_usage *usage;
	/* argv[0] is the word itself; parses its options by the usage. */
	int (*run)(int argc, char **argv);
};

/*
 * Run the word that argv[1] names; with --help print the help of all; else say
 * which there are. `command` is what comes before the word; words end by NULL.
 */
int lp_choose_word(const char *command, const struct lp_word *const *words,
		   int argc, char **argv);

#endif
