/* SPDX-License-Identifier: Apache-2.0 */
/* Files of limpid failure: the file, and the plan that follows from it. */
#include "failure/failure_campaign.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool is_small(const struct lab_matrix *m)
{
	size_t runs = 0;

	for (size_t i = 0; i < m->n_cases; i++)
		runs += (m->cases[i].repeats + m->repeats) *
			m->cases[i].n_failures * (m->cases[i].n_sets + 1);
	return runs < 2000;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = strndup((const char *)data, size);
	struct lab_matrix matrix = { 0 };
	struct lab_matrix_plan plan;
	struct lp_error err;

	if (text && lab_matrix_parse("fuzz", text, &matrix, &err) == 0 &&
	    is_small(&matrix) && lab_matrix_plan(&matrix, &plan, &err) == 0)
		lab_matrix_plan_done(&plan);
	lab_matrix_done(&matrix);
	free(text);
	return 0;
}
