/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate/scenario.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = strndup((const char *)data, size);
	struct lp_scenario scenario;
	struct lp_error err;

	if (text && lp_scenario_parse(text, "fuzz", &scenario, &err) == 0)
		lp_scenario_done(&scenario);
	free(text);
	return 0;
}
