/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A setting of the victim's virtual disk, changed as long as the fault lasts.
 */
#ifndef LAB_FAULT_DISKCHANGE_H
#define LAB_FAULT_DISKCHANGE_H

#include "fault/fault.h"

#include <stdint.h>

/*
 * `command` as limpid-disk(1) has it; at the end the disk goes back to the
 * settings it was started with.
 */
int lab_disk_change(struct lab_fault_run *run, const char *command,
		    struct lp_error *err);

/* A figure of the victim's disk. */
int lab_disk_ask(const struct lab_fault_run *run, const char *key,
		 uint64_t *figure, struct lp_error *err);

#endif
