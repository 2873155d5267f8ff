/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid io: what made this operation take so long? The second word picks a
 * row.
 */
#include "io.h"

/* In the order of the help; ended by NULL. */
static const struct lp_word *const words[] = {
	&lp_io_word_calibrate, &lp_io_word_run,      &lp_io_word_bench,
	&lp_io_word_report,    &lp_io_word_classify, &lp_io_word_fit,
	&lp_io_word_model,     &lp_io_word_trace,    NULL,
};

static int run(int argc, char **argv)
{
	return lp_choose_word("limpid io", words, argc, argv);
}

const struct lp_command lp_command_io = {
	.name = "io",
	.summary = "find out why a program's I/O operations are slow",
	.run = run,
};
