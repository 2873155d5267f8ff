/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid-logs: what the logs of a file system say of a failure. A helper,
 * because it alone is linked with PCRE2.
 */
#include "logs.h"

static const struct lp_word *const words[] = {
	&lp_logs_word_learn,
	&lp_logs_word_classify,
	NULL,
};

int main(int argc, char **argv)
{
	return lp_choose_word("limpid logs", words, argc, argv);
}
