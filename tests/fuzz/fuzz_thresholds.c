/* SPDX-License-Identifier: Apache-2.0 */
/* Thresholds files that a user may have edited. */
#include "diagnose/thresholds.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lp_thresholds *thresholds = NULL;
	struct lp_error err;

	if (lp_thresholds_parse("input", (const char *)data, size, &thresholds,
				&err) == 0)
		lp_thresholds_get(thresholds, "cdf", "disk", "await", "");
	lp_thresholds_free(thresholds);
	return 0;
}
