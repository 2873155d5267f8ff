/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a function of a shared library is in a running process.
 */
#ifndef LAB_INJECT_SYMBOL_ADDRESS_H
#define LAB_INJECT_SYMBOL_ADDRESS_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * In the image whose file has that name, or with a version ("libc.so").
 * -ENOENT: there is no such image, or it does not export that function.
 */
int lab_symbol_address(pid_t pid, const char *image, const char *function,
		       uint64_t *address, struct lp_error *err);

/*
 * The value of an exported function in the bytes of a file of 64 bits; -ENOENT,
 * or -EINVAL if they are no such file.
 */
int lab_symbol_value(const void *bytes, size_t size, const char *function,
		     uint64_t *value);

#endif
