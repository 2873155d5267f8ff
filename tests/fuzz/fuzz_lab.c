/* SPDX-License-Identifier: Apache-2.0 */
/* The first byte: a lab's journal or its state. */
#include "site/journal.h"
#include "site/state.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lab_entry *entries;
	struct lp_error err;
	struct lab *lab;
	char boot[64];
	size_t n;

	if (size == 0)
		return 0;
	const char *text = (const char *)data + 1;

	if (data[0] == 'j') {
		if (lab_journal_parse("fuzz", text, size - 1, &entries, &n,
				      boot, &err) == 0)
			lab_entries_free(entries, n);
	} else if (lab_state_parse("/tmp/fuzz", text, size - 1, &lab, &err) ==
		   0) {
		lab_close(lab);
	}
	return 0;
}
