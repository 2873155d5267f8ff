/* SPDX-License-Identifier: Apache-2.0 */
/* The texts of a state: a line with their kind, then one in each line. */
#include "diagnose/diagnose_state.h"

#include <stdlib.h>
#include <string.h>

#define TEXTS 64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = strndup((const char *)data, size), *rest = text;
	const char *texts[TEXTS];
	uint32_t ids[TEXTS];
	uint64_t counts[TEXTS];
	struct lp_counts item = {
		.host = "", .texts = texts, .ids = ids, .counts = counts
	};
	struct lp_state state = { 0 };
	struct lp_error err;

	item.kind = text ? strsep(&rest, "\n") : "";
	while (rest && item.n_texts < TEXTS) {
		ids[item.n_texts] = (uint32_t)item.n_texts;
		counts[item.n_texts] = strlen(rest);
		texts[item.n_texts++] = strsep(&rest, "\n");
	}
	item.n_counts = item.n_texts;
	lp_state_take(&state, &item, "input", &err);
	lp_state_done(&state);
	free(text);
	return 0;
}
