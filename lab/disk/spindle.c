/* SPDX-License-Identifier: Apache-2.0 */
#include "disk/spindle.h"

#include "base/timestamp.h"

#include <assert.h>

int64_t lab_transfer_ns(uint64_t bytes, uint64_t rate)
{
	const uint64_t ns_per_s = (uint64_t)LP_NS_PER_S;

	assert(rate >= LAB_RATE_MIN && rate <= LAB_RATE_MAX);
	return (int64_t)(bytes / rate * ns_per_s +
			 bytes % rate * ns_per_s / rate);
}

int64_t lab_spindle_book(struct lab_spindle *spindle, int64_t now_ns,
			 uint64_t offset, uint64_t bytes)
{
	int64_t begin = spindle->busy_until_ns, took;

	if (begin < now_ns)
		begin = now_ns;
	took = lab_transfer_ns(bytes, spindle->rate);
	if (offset != spindle->head) {
		took += (int64_t)spindle->seek_ns;
		spindle->seeks++;
	}
	spindle->head = offset + bytes;
	spindle->busy_ns += (uint64_t)took;
	spindle->busy_until_ns = begin + took;
	return spindle->busy_until_ns;
}

int64_t lab_clock_read(const struct lab_clock *clock, int64_t now_ns)
{
	return (clock->stands ? clock->since_ns : now_ns) - clock->lost_ns;
}

void lab_clock_stop(struct lab_clock *clock, int64_t now_ns)
{
	if (clock->stands)
		return;
	clock->stands = true;
	clock->since_ns = now_ns;
}

void lab_clock_go(struct lab_clock *clock, int64_t now_ns)
{
	if (!clock->stands)
		return;
	clock->stands = false;
	clock->lost_ns += now_ns - clock->since_ns;
}
