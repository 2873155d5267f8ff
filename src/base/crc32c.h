/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CRC-32C (Castagnoli), the checksum of iSCSI and ext4.
 */
#ifndef LP_BASE_CRC32C_H
#define LP_BASE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* Begin with crc 0; feed the result back in to go on. */
uint32_t lp_crc32c(uint32_t crc, const void *bytes, size_t n);

/* What lp_crc32c does on CPUs without the instruction, and the definition,
 * bit by bit: both for tests. */
uint32_t lp_crc32c_table(uint32_t crc, const void *bytes, size_t n);
uint32_t lp_crc32c_plain(uint32_t crc, const void *bytes, size_t n);

#endif
