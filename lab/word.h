/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The words of `limpid lab`.
 *
 * To add one: a file cmd_NAME.c with its struct lp_word, declared below; one
 * line in words.c and one in meson.build; its SYNOPSIS and its options in
 * man/limpid-lab.1.scd; a test.
 */
#ifndef LAB_WORD_H
#define LAB_WORD_H

#include "choose.h"

extern const struct lp_word lab_word_campaign, lab_word_down, lab_word_fault,
	lab_word_heal, lab_word_overhead, lab_word_run, lab_word_shell,
	lab_word_status, lab_word_up;

/* In the order of the help; ended by NULL. */
extern const struct lp_word *const lab_words[];

/* Every word's option --dir, over a field `const char *dir`. */
#define LAB_OPTION_DIR(fields)                                                 \
	{                                                                      \
		.long_name = "dir", .type = LP_OPTION_STRING, .value = "DIR",  \
		.offset = offsetof(fields, dir),                               \
		.help = "where the lab is (default /var/lib/limpid-lab)"       \
	}

#endif
