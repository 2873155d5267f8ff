/* SPDX-License-Identifier: Apache-2.0 */
#include "io/model/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* "rchar: 3207" */
static bool take(const char *line, const char *key, uint64_t *value)
{
	size_t n = strlen(key);

	return strncmp(line, key, n) == 0 && line[n] == ':' &&
	       sscanf(line + n + 1, "%" SCNu64, value) == 1;
}

FILE *lp_io_account_open(const char *root, int64_t process)
{
	char path[256];

	snprintf(path, sizeof(path), "%.200s/%" PRId64 "/io", root, process);
	return fopen(path, "re");
}

void lp_io_account_read(FILE *in, struct lp_io_account *account)
{
	struct lp_io_account a = { .known = false };
	char line[128];
	int found = 0;

	while (in && fgets(line, sizeof(line), in))
		found += take(line, "rchar", &a.rchar) +
			 take(line, "wchar", &a.wchar) +
			 take(line, "read_bytes", &a.read_bytes) +
			 take(line, "write_bytes", &a.write_bytes);
	if (in)
		fclose(in);
	a.known = found == 4;
	*account = a.known ? a : (struct lp_io_account){ .known = false };
}
