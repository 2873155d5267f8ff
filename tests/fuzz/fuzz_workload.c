/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"
#include "base/timestamp.h"
#include "fault/aim.h"
#include "fault/pktloss.h"
#include "workload/postmark.h"
#include "workload/worklog.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What the lab reads of its own logs, of postmark, iptables and the kernel. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	lp_auto_free char *line = malloc(size + 1);
	struct lab_moved moved = { 0 };
	struct lab_diskstat stat;
	uint64_t a, b;
	size_t number;

	if (!line)
		return 0;
	memcpy(line, data, size);
	line[size] = '\0';
	lab_worklog_sum((const char *)data, size, 0, LP_TIME_MAX, &moved,
			&number);
	lab_postmark_report(line, &a, &b);
	lab_pktloss_count(line, "--physdev-in s3", &a);
	lab_diskstat_parse((const char *)data, size, &stat);
	return 0;
}
