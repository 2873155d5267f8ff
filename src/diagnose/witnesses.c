/* SPDX-License-Identifier: Apache-2.0 */
#include "diagnose/witness.h"

const struct lp_witness *const lp_witnesses[] = {
	&lp_witness_software,
	NULL,
};
