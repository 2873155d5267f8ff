/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --state: what a diagnosis leaves to the next one, limpid-state(5). The file
 * is an archive: the last samples are read like any other input, so that
 * windows across the end of a recording are judged as if nothing had ended.
 */
#ifndef LP_CMD_CASE_STATE_H
#define LP_CMD_CASE_STATE_H

#include "case_files.h"

#include "diagnose/diagnose_state.h"

/* Zero-initialise; lp_case_state_done frees. */
struct lp_case_state {
	const char *path;       /* NULL: no state is kept */
	struct lp_state before; /* not whole: there was no file */
	struct lp_state left;
	struct lp_reset *resets;
	const char **exclude;
};

/* Before anything is read: -EINVAL is a wrong command line. */
int lp_case_state_check(const char *path, const struct lp_option_list *include,
			struct lp_error *err);

/* Read what is there, and let the case read its samples. path may be NULL. */
int lp_case_state_open(struct lp_case_state *state, const char *path,
		       struct lp_case_files *c, struct lp_error *err);

/*
 * Let the options go on with it: exclusions and resets as well. include:
 * components that are to be accused again. After lp_case_load.
 */
int lp_case_state_apply(struct lp_case_state *state, struct lp_case_files *c,
			const struct lp_option_list *include,
			struct lp_diagnose_options *options,
			struct lp_error *err);

/* Write what the diagnosis left, whole or not at all. */
int lp_case_state_write(struct lp_case_state *state, struct lp_case_files *c,
			struct lp_error *err);
void lp_case_state_done(struct lp_case_state *state);

#endif
