/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Put a shared library into a running process, without a debugger: one of its
 * threads, which waits in the kernel and holds no lock of the loader, calls
 * dlopen, and then waits as before. The library stays; no thread is left but
 * those that the library starts.
 *
 * x86-64 and aarch64 (the latter was never run). Needs ptrace on the process.
 */
#ifndef LAB_INJECT_INJECT_H
#define LAB_INJECT_INJECT_H

#include "base/error.h"

#include <sys/types.h>

/*
 * The path is the process's own, in its mount namespace. -EBUSY: it has no
 * thread that waits; -ENOTSUP: no dlopen in it; -EIO: its dlopen refused, or
 * did not come back.
 */
int lab_inject(pid_t pid, const char *library, struct lp_error *err);

#endif
