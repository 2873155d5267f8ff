/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What of a file system's logs is kept with a run, and whether they say that a
 * server missed data. Pure text: known of a file system are its driver's marks
 * and the two shapes of lines that log.c names.
 */
#ifndef LAB_CAMPAIGN_LOG_H
#define LAB_CAMPAIGN_LOG_H

#include "driver/driver.h"

#include <stdio.h>

/* Bytes that are kept of one file and of all; a line more says what is not. */
#define LAB_LOG_FILE_MOST ((size_t)8 << 10)
#define LAB_LOG_MOST ((size_t)64 << 10)

struct lab_log {
	int64_t since_ns; /* older lines are not of this run */
	int64_t until_ns; /* until then no server may miss data */
	const struct lab_log_mark *missed; /* the driver's, or NULL */
	size_t kept;                       /* bytes so far; 0 at first */
	/* The first line that says so, with its file; "" while there is none */
	char complaint[384];
};

/* Keep warnings and errors of one file, each behind the file's name. */
void lab_log_filter(struct lab_log *log, const char *name, FILE *in, FILE *out);

#endif
