/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes as an ELF file, as a debug file, as .eh_frame, and as names. */
#include "profile/functions.h"
#include "profile/kernel.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void parse_file(const uint8_t *data, size_t size)
{
	struct lp_functions f = { 0 };

	lp_functions_read(&f, data, size);
	lp_functions_add_debug(&f, data, size);
	lp_functions_guess(&f, data, size);
	lp_functions_settle(&f);
	lp_functions_find(&f, size / 2);
	lp_functions_done(&f);
}

static void parse_frames(const uint8_t *data, size_t size)
{
	struct lp_functions f = { 0 };

	lp_functions_add_fdes(&f, data, size, 0x1000, size % 2 ? 8 : 4);
	lp_functions_settle(&f);
	lp_functions_done(&f);
}

static void parse_names(const uint8_t *data, size_t size)
{
	struct lp_addresses a = { 0 };

	lp_addresses_add_kallsyms(&a, (const char *)data, size);
	lp_addresses_add_perf_map(&a, (const char *)data, size);
	lp_addresses_settle(&a);
	lp_addresses_find(&a, size, NULL);
	lp_addresses_done(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	parse_file(data, size);
	parse_frames(data, size);
	parse_names(data, size);
	return 0;
}
