/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The file of a state, limpid-state(5): an archive with the state as counts,
 * the last inventory and event of each host, and the last samples.
 */
#ifndef LP_CMD_STATE_FILE_H
#define LP_CMD_STATE_FILE_H

#include "inputs.h"

#include "diagnose/diagnose_state.h"

/* No file: the state stays as it is, and is not whole. */
int lp_state_read(const char *path, struct lp_state *state,
		  struct lp_error *err);

/*
 * Samples of the inputs from state->from_ns to last_ns go with it. A file at
 * path that is no archive is not replaced.
 */
int lp_state_write(const char *path, const struct lp_state *state,
		   struct lp_inputs *inputs, int64_t last_ns,
		   struct lp_error *err);

#endif
