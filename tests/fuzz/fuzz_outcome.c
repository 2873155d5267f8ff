/* SPDX-License-Identifier: Apache-2.0 */
/* outcome.json of limpid failure, and its tables. */
#include "failure/cells.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lab_cells cells = { .title = "fuzz" };
	FILE *out = fopen("/dev/null", "w");
	struct lp_error err = { "" };

	if (lab_cells_take(&cells, "fuzz", (const char *)data, size, &err) <
		    0 &&
	    !err.text[0])
		abort();
	if (out) {
		lab_cells_print_text(&cells, out);
		lab_cells_print_json(&cells, out);
		lab_cells_print_html(&cells, &cells, out);
		fclose(out);
	}
	lab_cells_done(&cells);
	return 0;
}
