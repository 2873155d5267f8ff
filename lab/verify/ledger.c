/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/ledger.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/textfile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int lab_ledger_note(int fd, const struct lab_entry_of_ledger *entry)
{
	char line[64];
	int n = snprintf(line, sizeof(line), "%s %u %u %u\n",
			 entry->synced ? "synced" : "acked", entry->file,
			 entry->generation, entry->blocks);

	return write(fd, line, (size_t)n) == n ? 0 : -EIO;
}

static bool take(const char **at, const char *end, uint32_t *number)
{
	uint64_t v;

	if (*at == end || **at != ' ')
		return false;
	(*at)++;
	if (!lp_scan_u64(at, end, &v) || v > UINT32_MAX)
		return false;
	*number = (uint32_t)v;
	return true;
}

static bool take_line(const char *at, const char *end,
		      struct lab_entry_of_ledger *entry)
{
	const char *blank = memchr(at, ' ', (size_t)(end - at));
	size_t word = blank ? (size_t)(blank - at) : 0;

	entry->synced = word == 6 && memcmp(at, "synced", 6) == 0;
	if (!entry->synced && (word != 5 || memcmp(at, "acked", 5) != 0))
		return false;
	at = blank;
	return take(&at, end, &entry->file) &&
	       take(&at, end, &entry->generation) &&
	       take(&at, end, &entry->blocks) && at == end;
}

/* The same file again: what is newer, or now synced, replaces what was. */
static int put(struct lab_ledger *ledger,
	       const struct lab_entry_of_ledger *entry)
{
	for (size_t i = ledger->n; i-- > 0;)
		if (ledger->file[i].file == entry->file) {
			ledger->file[i] = *entry;
			return 0;
		}
	if (lp_grow(&ledger->file, &ledger->capacity, ledger->n + 1,
		    sizeof(*ledger->file)) < 0)
		return -ENOMEM;
	ledger->file[ledger->n++] = *entry;
	return 0;
}

int lab_ledger_parse(const char *text, size_t n, struct lab_ledger *ledger,
		     struct lp_error *err)
{
	const char *at = text, *end = text + n;
	const char *newline;
	size_t line = 0;

	*ledger = (struct lab_ledger){ 0 };
	while (at < end && (newline = memchr(at, '\n', (size_t)(end - at)))) {
		struct lab_entry_of_ledger entry;

		line++;
		if (!take_line(at, newline, &entry))
			return lp_fail(err, EINVAL,
				       "line %zu of the ledger is damaged",
				       line);
		if (put(ledger, &entry) < 0)
			return lp_fail_memory(err);
		at = newline + 1;
	}
	return 0;
}

int lab_ledger_read(const char *path, struct lab_ledger *ledger,
		    struct lp_error *err)
{
	struct lp_text_file file = { 0 };
	int status;

	*ledger = (struct lab_ledger){ 0 };
	if (access(path, F_OK) < 0)
		return 0;
	status = lp_text_file_open(&file, path, err);
	if (status < 0)
		return status;
	status = lab_ledger_parse(file.text, file.n, ledger, err);
	lp_text_file_close(&file);
	return status;
}

void lab_ledger_done(struct lab_ledger *ledger)
{
	free(ledger->file);
	*ledger = (struct lab_ledger){ 0 };
}
