/* SPDX-License-Identifier: Apache-2.0 */
/* The ledger of what a file system acknowledged. */
#include "verify/ledger.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lab_ledger ledger;
	struct lp_error err = { "" };

	if (lab_ledger_parse((const char *)data, size, &ledger, &err) < 0 &&
	    !err.text[0])
		abort();
	lab_ledger_done(&ledger);
	return 0;
}
