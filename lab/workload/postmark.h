/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Postmark's own report.
 */
#ifndef LAB_WORKLOAD_POSTMARK_H
#define LAB_WORKLOAD_POSTMARK_H

#include <stdbool.h>
#include <stdint.h>

/* Its terse report line; false, outputs untouched: it is no such line. */
bool lab_postmark_report(const char *line, uint64_t *bytes,
			 uint64_t *operations);

#endif
