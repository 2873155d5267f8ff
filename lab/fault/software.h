/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Faults of a daemon's own code: a library is put into the daemon that serves
 * the server's disk, and does something there until the fault ends.
 */
#ifndef LAB_FAULT_SOFTWARE_H
#define LAB_FAULT_SOFTWARE_H

#include "fault/fault.h"
#include "inject/payload_page.h"

int lab_software_start(struct lab_fault_run *run, enum payload_deed deed,
		       uint32_t amount, struct lp_error *err);
int lab_software_stop(struct lab_fault_run *run, struct lp_error *err);

/* What it did so far, and through how many calls of the daemon. */
uint64_t lab_software_done(const struct lab_fault_run *run);
/*
 * A fault that bites when it has done anything: "used 1.2 s of CPU time", of a
 * format with one %g, and what it did times the unit.
 */
int lab_software_bites(struct lab_fault_run *run, const char *format,
		       double unit, struct lp_error *err);

#endif
