/* SPDX-License-Identifier: Apache-2.0 */
#include "word.h"

#include <stddef.h>

const struct lp_word *const lab_words[] = {
	&lab_word_up,       &lab_word_status,
	&lab_word_shell,    &lab_word_run,
	&lab_word_fault,    &lab_word_heal,
	&lab_word_campaign, &lab_word_overhead,
	&lab_word_down,     NULL,
};
