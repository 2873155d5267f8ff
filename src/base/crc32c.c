/* SPDX-License-Identifier: Apache-2.0 */
#include "base/crc32c.h"

#include "base/bytes.h"

#define POLYNOMIAL 0x82f63b78u /* reflected */

uint32_t lp_crc32c_plain(uint32_t crc, const void *bytes, size_t n)
{
	const uint8_t *p = bytes;

	crc = ~crc;
	for (size_t i = 0; i < n; i++) {
		crc ^= p[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (POLYNOMIAL & (0u - (crc & 1)));
	}
	return ~crc;
}

/* Half a byte at a time: small enough to need no start-up code. */
uint32_t lp_crc32c_table(uint32_t crc, const void *bytes, size_t n)
{
	static const uint32_t table[16] = {
		0x00000000, 0x105ec76f, 0x20bd8ede, 0x30e349b1,
		0x417b1dbc, 0x5125dad3, 0x61c69362, 0x7198540d,
		0x82f63b78, 0x92a8fc17, 0xa24bb5a6, 0xb21572c9,
		0xc38d26c4, 0xd3d3e1ab, 0xe330a81a, 0xf36e6f75,
	};
	const uint8_t *p = bytes;

	crc = ~crc;
	for (size_t i = 0; i < n; i++) {
		crc ^= p[i];
		crc = crc >> 4 ^ table[crc & 15];
		crc = crc >> 4 ^ table[crc & 15];
	}
	return ~crc;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) static uint32_t crc_hardware(uint32_t crc,
							       const uint8_t *p,
							       size_t n)
{
	uint64_t sum = (uint32_t)~crc;

	for (; n >= 8; n -= 8, p += 8)
		sum = __builtin_ia32_crc32di(sum, lp_load_u64(p));
	for (; n; n--, p++)
		sum = __builtin_ia32_crc32qi((uint32_t)sum, *p);
	return ~(uint32_t)sum;
}

uint32_t lp_crc32c(uint32_t crc, const void *bytes, size_t n)
{
	if (__builtin_cpu_supports("sse4.2"))
		return crc_hardware(crc, bytes, n);
	return lp_crc32c_table(crc, bytes, n);
}
#else
uint32_t lp_crc32c(uint32_t crc, const void *bytes, size_t n)
{
	return lp_crc32c_table(crc, bytes, n);
}
#endif
