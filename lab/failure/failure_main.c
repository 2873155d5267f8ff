/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid-failure: what breaks in a lab, what recovery repairs, and how it
 * looks as a table.
 */
#include "failure/failure_word.h"

#include <stddef.h>

static const struct lp_word *const words[] = {
	&lab_failure_word_run,
	&lab_failure_word_report,
	NULL,
};

int main(int argc, char **argv)
{
	return lp_choose_word("limpid failure", words, argc, argv);
}
