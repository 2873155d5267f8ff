/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LAB_CLUSTER_LOOP_H
#define LAB_CLUSTER_LOOP_H

#include "base/error.h"

/*
 * Put a free loop device with direct I/O on the file; its name, "loop9". The
 * journal's undo finds it by the file.
 */
int lab_loop_attach(const char *file, char name[32], struct lp_error *err);

#endif
