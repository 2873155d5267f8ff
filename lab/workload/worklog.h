/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the processes of a workload moved, as they wrote it down:
 *
 *     time,bytes,operations
 *     2026-11-15T20:45:14.003Z,0,0
 *     2026-11-15T20:45:15.010Z,5242880,5
 *
 * A row is what was moved since the row before; the first one says when the
 * process began. A process that is held up writes its row late: it covers more
 * than a second.
 */
#ifndef LAB_WORKLOAD_WORKLOG_H
#define LAB_WORKLOAD_WORKLOG_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

#define LAB_WORKLOG_HEADER "time,bytes,operations\n"

struct lab_moved {
	double bytes, operations;
	int64_t covered_ns; /* how much of the span has rows */
};

/*
 * Add to *moved what the log in text moved between two times; a row that lies
 * partly in the span counts with that part. An unfinished last line is left
 * out. -EINVAL with the number of the bad line in *line.
 */
int lab_worklog_sum(const char *text, size_t n, int64_t since_ns,
		    int64_t until_ns, struct lab_moved *moved, size_t *line);

/*
 * The logs of a directory, all or those of one client ("c1"; NULL: all);
 * covered_ns is that of the longest. -ENOENT if there is none.
 */
int lab_worklog_read(const char *dir, const char *client, int64_t since_ns,
		     int64_t until_ns, struct lab_moved *moved,
		     struct lp_error *err);
/*
 * Add to each[i] the same of the second that begins i seconds after since_ns;
 * here covered_ns is that of all logs together. Each log is read once.
 */
int lab_worklog_seconds(const char *dir, const char *client, int64_t since_ns,
			struct lab_moved *each, size_t n, struct lp_error *err);

#endif
