/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The words of limpid profile, and the profiles that they read.
 *
 * To add one: a file profile_NAME.c with its struct lp_word, declared here;
 * one line in cmd_profile.c; its SYNOPSIS and its options in
 * man/limpid-profile.1.scd; a test.
 */
#ifndef LP_CMD_PROFILE_WORDS_H
#define LP_CMD_PROFILE_WORDS_H

#include "choose.h"
#include "inputs.h"
#include "period.h"

#include "behavior/collection.h"
#include "behavior/folded.h"

extern const struct lp_word lp_profile_word_diagnose, lp_profile_word_diff,
	lp_profile_word_show;

/* First in the options of every word that reads profiles. */
struct lp_profile_options {
	struct lp_input_options input;
	struct lp_period_options period;
};

#define LP_PROFILE_OPTIONS(fields)                                             \
	LP_INPUT_HOST(fields), LP_INPUT_STRICT(fields),                        \
		LP_PERIOD_OPTIONS(fields, period)

struct lp_profiles {
	struct lp_inputs inputs;
	struct lp_period period;
	struct lp_collection samples, waits;
	struct lp_stacks stacks;
	int64_t first_ns, last_ns; /* of the slots; first > last: none */
};

/* -EINVAL with *wrong: the command line. -ENODATA: there is no profile. */
int lp_profiles_load(struct lp_profiles *profiles,
		     const struct lp_profile_options *options, char **paths,
		     bool for_programs, bool *wrong, struct lp_error *err);
void lp_profiles_done(struct lp_profiles *profiles,
		      struct lp_profile_options *options);

#endif
