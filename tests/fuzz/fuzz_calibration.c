/* SPDX-License-Identifier: Apache-2.0 */
/* Calibrations that a user may have edited. */
#include "diagnose/calibration.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lp_calibration *calibration = NULL;
	const struct lp_tail *tail;
	struct lp_error err;

	if (lp_calibration_parse("input", (const char *)data, size,
				 &calibration, &err) == 0) {
		tail = lp_calibration_tail(calibration, "disk", "12 disks");
		if (tail)
			lp_tail_limit(tail, 0.01);
	}
	lp_calibration_free(calibration);
	return 0;
}
