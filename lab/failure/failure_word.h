/* SPDX-License-Identifier: Apache-2.0 */
/* The words of `limpid failure`; to add one: as in lab/word.h. */
#ifndef LAB_FAILURE_WORD_H
#define LAB_FAILURE_WORD_H

#include "choose.h"

extern const struct lp_word lab_failure_word_report, lab_failure_word_run;

#endif
