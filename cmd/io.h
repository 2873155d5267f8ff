/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The words of limpid io.
 *
 * To add one: a file io_NAME.c with its struct lp_io_word, declared below; one
 * line in the table of cmd_io.c; its SYNOPSIS and its options in
 * man/limpid-io.1.scd; a test in tests/cli/. The first one also puts
 * lp_command_io into commands.c.
 */
#ifndef LP_CMD_IO_H
#define LP_CMD_IO_H

#include "command.h"

struct lp_io_word {
	const char *name;
	const struct lp_usage *usage;
	/* argv[0] is the word itself; parses its options by the usage. */
	int (*run)(int argc, char **argv);
};

extern const struct lp_io_word lp_io_word_bench, lp_io_word_calibrate,
	lp_io_word_classify, lp_io_word_fit, lp_io_word_model,
	lp_io_word_report, lp_io_word_run, lp_io_word_trace;

#endif
