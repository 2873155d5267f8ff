/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid-lab: a real parallel file system on this machine, faults on demand,
 * and the truth about them. The first word picks a row of the table.
 */
#include "word.h"

int main(int argc, char **argv)
{
	return lp_choose_word("limpid lab", lab_words, argc, argv);
}
