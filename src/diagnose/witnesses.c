/* SPDX-License-Identifier: Apache-2.0 */
#include "diagnose/witness.h"

/* Metrics are the detectors'. */
const struct lp_witness *const lp_witnesses[] = {
	&lp_witness_logs_verdict,
	&lp_witness_logs,
	&lp_witness_software,
	NULL,
};
