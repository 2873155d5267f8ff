/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid profile: what do the servers' CPUs do? The second word picks a row.
 */
#include "profile_record.h"
#include "profile_words.h"

static int record(int argc, char **argv)
{
	static const struct lp_command helper = { .name = "profile" };

	return lp_command_exec(&helper, argc, argv);
}

static const struct lp_word word_record = {
	.name = "record",
	.usage = &lp_profile_record_usage,
	.run = record,
};

/* In the order of the help; ended by NULL. */
static const struct lp_word *const words[] = {
	&word_record,
	&lp_profile_word_show,
	&lp_profile_word_diff,
	&lp_profile_word_diagnose,
	NULL,
};

static int run(int argc, char **argv)
{
	return lp_choose_word("limpid profile", words, argc, argv);
}

const struct lp_command lp_command_profile = {
	.name = "profile",
	.summary = "find the server whose software acts unlike its peers",
	.run = run,
};
