/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The words of limpid io.
 *
 * To add one: a file io_NAME.c with its struct lp_word, declared below; one
 * line in the table of cmd_io.c; its SYNOPSIS and its options in
 * man/limpid-io.1.scd; a test in tests/cli/. The first one also puts
 * lp_command_io into commands.c.
 */
#ifndef LP_CMD_IO_H
#define LP_CMD_IO_H

#include "choose.h"

extern const struct lp_word lp_io_word_bench, lp_io_word_calibrate,
	lp_io_word_classify, lp_io_word_fit, lp_io_word_model,
	lp_io_word_report, lp_io_word_run, lp_io_word_trace;

#endif
