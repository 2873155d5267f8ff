/* SPDX-License-Identifier: Apache-2.0 */
#include "source/lines.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lp_builder *builder = lp_builder_new("h");
	struct lp_lines lines = {
		.format = &lp_format_diskstats,
		.file = { .text = (char *)(uintptr_t)data, .size = size },
	};
	struct lp_error err;

	lp_builder_tick(builder, 1);
	lp_lines_parse(&lines, builder, &err);
	lp_builder_chunk(builder);
	lp_builder_free(builder);
	return 0;
}
