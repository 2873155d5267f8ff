/* SPDX-License-Identifier: Apache-2.0 */
#include "evaluate/count.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lp_truth truth;
	struct lp_error err;

	if (lp_truth_parse("fuzz", (const char *)data, size, &truth, &err) == 0)
		lp_truth_done(&truth);
	return 0;
}
