/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz_lines.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_lines(&lp_format_net_dev, data, size);
}
