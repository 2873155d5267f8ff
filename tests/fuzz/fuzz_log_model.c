/* SPDX-License-Identifier: Apache-2.0 */
/* Models of logs: what is read is written and read again. */
#include "logs/template/log_model.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lp_log_model model, again;
	struct lp_error err;
	char *text = NULL;
	size_t n;
	FILE *out;

	if (lp_log_model_parse(&model, "input", (const char *)data, size,
			       &err) < 0)
		return 0;
	out = open_memstream(&text, &n);
	lp_log_model_write(&model, out);
	fclose(out);
	if (lp_log_model_parse(&again, "again", text, n, &err) < 0)
		abort();
	lp_log_model_done(&again);
	lp_log_model_done(&model);
	free(text);
	return 0;
}
