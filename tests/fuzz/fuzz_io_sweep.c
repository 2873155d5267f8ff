/* SPDX-License-Identifier: Apache-2.0 */
#include "io/bench/bench_sweep.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__lsan_default_suppressions(void);

/* libconfig 1.5 forgets the string that it was reading when it met an error. */
const char *__lsan_default_suppressions(void)
{
	return "leak:libconfig";
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lp_sweep *sweep = malloc(sizeof(*sweep));
	char *text = strndup((const char *)data, size);
	char label[LP_BENCH_LABEL];
	struct lp_bench_run run;
	struct lp_error err;

	if (!sweep || !text)
		return 0;
	lp_sweep_init(sweep);
	if (lp_sweep_parse(sweep, "fuzz", text, &err) == 0 &&
	    lp_sweep_count(sweep) > 0) {
		lp_sweep_get(sweep, lp_sweep_count(sweep) - 1, &run);
		if (lp_bench_run_check(&run, &err) == 0)
			lp_bench_run_label(&run, label);
	}
	free(text);
	free(sweep);
	return 0;
}
