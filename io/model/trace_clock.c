/* SPDX-License-Identifier: Apache-2.0 */
#include "io/model/trace_clock.h"

#include "base/memory.h"
#include "base/timestamp.h"

#include <stdbool.h>
#include <stdio.h>

/* What the counter is measured over: two readings that are each right within
 * 50 ns then give its rate to 2e-6. */
#define CALIBRATION_NS (50 * LP_NS_PER_MS)
#define SHIFT 32
#define COST_ROUNDS 1000

/*
 * The kernel uses the counter only if it runs at one rate, in all states of
 * the processor, alike on all cores, and does not trap.
 */
static bool kernel_trusts_tsc(void)
{
#if defined(__x86_64__)
	lp_auto_fclose FILE *file =
		fopen("/sys/devices/system/clocksource/clocksource0/"
		      "current_clocksource",
		      "r");
	char name[16] = "";

	return file && fgets(name, sizeof(name), file) &&
	       strcmp(name, "tsc\n") == 0;
#else
	return false;
#endif
}

/* Both clocks at one moment: the pair of several with the least between. */
static void read_pair(uint64_t *tsc, uint64_t *system_ns)
{
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < 10; i++) {
		uint64_t before = lp_io_clock_tsc();
		uint64_t ns = lp_io_clock_system();
		uint64_t after = lp_io_clock_tsc();

		if (after - before < least) {
			least = after - before;
			*tsc = before + least / 2;
			*system_ns = ns;
		}
	}
}

static void measure_tsc(struct lp_io_header *header)
{
	struct timespec pause = { .tv_nsec = CALIBRATION_NS };
	uint64_t tsc0 = 0, ns0 = 0, tsc1 = 0, ns1 = 0;
	unsigned __int128 wide;

	read_pair(&tsc0, &ns0);
	nanosleep(&pause, NULL);
	read_pair(&tsc1, &ns1);
	wide = (unsigned __int128)(ns1 - ns0) << SHIFT;
	header->tick_shift = SHIFT;
	header->tick_factor = (uint64_t)(wide / (tsc1 - tsc0));
}

/* Two readings, one behind the other: the least is what they cost. */
static int64_t cost_ns(const struct lp_io_header *header, uint32_t kind)
{
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < COST_ROUNDS; i++) {
		uint64_t first = lp_io_clock_read(kind);
		uint64_t between = lp_io_clock_read(kind) - first;

		if (between < least)
			least = between;
	}
	if (kind == LP_IO_CLOCK_SYSTEM)
		return (int64_t)least;
	return (int64_t)((unsigned __int128)least * header->tick_factor >>
			 header->tick_shift);
}

void lp_io_clock_choose(struct lp_io_header *header)
{
	int64_t system_ns = cost_ns(header, LP_IO_CLOCK_SYSTEM);
	bool tsc = kernel_trusts_tsc();

	if (tsc) {
		measure_tsc(header);
		header->clock_ns = cost_ns(header, LP_IO_CLOCK_TSC);
		tsc = header->clock_ns <= system_ns;
	}
	header->clock = tsc ? LP_IO_CLOCK_TSC : LP_IO_CLOCK_SYSTEM;
	if (!tsc) {
		header->clock_ns = system_ns;
		header->tick_factor = 1;
		header->tick_shift = 0;
	}
	header->tick_zero = lp_io_clock_read(header->clock);
	header->start_ns = lp_time_now();
}
