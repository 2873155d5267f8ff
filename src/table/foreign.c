/* SPDX-License-Identifier: Apache-2.0 */
#include "table/foreign.h"

#include "base/memory.h"

#include <stdbool.h>
#include <string.h>

/* A file is known by what stands at an offset, or anywhere in its head. */
#define ANYWHERE ((size_t)-1)

static const struct known {
	const char *bytes;
	size_t n;
	size_t offset;
	const char *also; /* and this anywhere; NULL: nothing more */
	const char *advice;
} table[] = {
	{ "<?xml", 5, 0, "<sysstat",
	  "is XML that sadf wrote; give limpid the file saDD that it was made "
	  "of" },
	{ "{\"sysstat\"", 10, 0, NULL,
	  "is JSON that sadf wrote; give limpid the file saDD that it was made "
	  "of" },
	{ "Linux ", 6, 0, "Device",
	  "is the text output of iostat; record with 'limpid record' or sadc, "
	  "or "
	  "convert it to CSV, limpid-csv(5)" },
	{ "Linux ", 6, 0, " CPU)",
	  "is the text output of sar; give limpid the file saDD beside it" },
	{ "\x37\x35\x64\0\0\0\0\0", 8, 8, NULL,
	  "is a log of Darshan; 'darshan-dxt-parser FILE > TEXT', then 'limpid "
	  "io report TEXT'" },
	{ "# darshan log version", 21, ANYWHERE, NULL,
	  "is the text output of a Darshan tool; 'limpid io report' reads what "
	  "darshan-dxt-parser prints" },
	{ "# DXT, file_id", 14, ANYWHERE, NULL,
	  "is the text output of a Darshan tool; 'limpid io report' reads it" },
	{ "LIMPIDIO", 8, 0, NULL,
	  "is a trace of I/O operations; 'limpid io report' reads it" },
	{ "# Collectl", 10, ANYWHERE, NULL,
	  "is a file of collectl, which limpid does not read; convert it to "
	  "CSV, limpid-csv(5)" },
	{ "\x89HDF\r\n\x1a\n", 8, 0, NULL,
	  "is an HDF5 file, as those of LMT (h5lmt); convert it to CSV, "
	  "limpid-csv(5)" },
	{ "SQLite format 3", 15, 0, NULL,
	  "is an SQLite database; export its tables as CSV, limpid-csv(5)" },
	{ "-- MySQL dump", 13, 0, NULL,
	  "is a dump of a database, as those of LMT; export its tables as CSV, "
	  "limpid-csv(5)" },
	{ "# HELP ", 7, 0, NULL,
	  "is in the text format of Prometheus; convert it to CSV, "
	  "limpid-csv(5)" },
	{ "ustar", 5, 257, NULL,
	  "is a tar archive; unpack it, then give limpid the directory" },
	{ "PK\3\4", 4, 0, NULL,
	  "is a zip archive; unpack it, then give limpid the directory" },
	{ "\x04\x22\x4d\x18", 4, 0, NULL,
	  "is compressed with lz4; unpack it first" },
	{ "\x1f\x9d", 2, 0, NULL,
	  "is compressed with compress; unpack it first" },
	{ "LZIP", 4, 0, NULL, "is compressed with lzip; unpack it first" },
	{ "\x5d\0\0", 3, 0, NULL, "is compressed with lzma; unpack it first" },
	{ "7z\xbc\xaf\x27\x1c", 6, 0, NULL,
	  "is a 7-Zip archive; unpack it, then give limpid the directory" },
};

static bool is_it(const struct known *k, const uint8_t *head, size_t n)
{
	if (k->offset == ANYWHERE) {
		if (!memmem(head, n, k->bytes, k->n))
			return false;
	} else if (n < k->offset + k->n ||
		   memcmp(head + k->offset, k->bytes, k->n) != 0) {
		return false;
	}
	return !k->also || memmem(head, n, k->also, strlen(k->also));
}

const char *lp_foreign_advice(const uint8_t *head, size_t n)
{
	for (size_t i = 0; i < lp_array_size(table); i++)
		if (is_it(&table[i], head, n))
			return table[i].advice;
	return NULL;
}
