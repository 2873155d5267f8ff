/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of others that limpid does not read, but knows: what to do with them.
 */
#ifndef LP_TABLE_FOREIGN_H
#define LP_TABLE_FOREIGN_H

#include <stddef.h>
#include <stdint.h>

/*
 * What a file that begins with these bytes is, and what to do instead, to stand
 * behind its name: "is XML of sadf; ...". NULL: not known.
 */
const char *lp_foreign_advice(const uint8_t *head, size_t n);

#endif
