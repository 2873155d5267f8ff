/* SPDX-License-Identifier: Apache-2.0 */
#include "fault/aim.h"

#include "base/number.h"

#include <errno.h>
#include <math.h>

/* Of a second's factor in the smoothed one. */
#define FRESH 0.3
/* The power of wanted / seen, a second. */
#define GAIN 0.1
/* A second's correction is at most this factor either way. */
#define LEAP 1.25
#define LOAD_MIN 0.005
#define LOAD_MAX 50

void lab_aim_init(struct lab_aim *aim, double factor)
{
	/* Half of what an idle disk would want: the rest is queueing. */
	*aim = (struct lab_aim){ .factor = factor, .load = (factor - 1) / 2 };
}

void lab_aim_update(struct lab_aim *aim, double await, double peers_await)
{
	double step;

	if (await < 0 || !(peers_await > 0))
		return;
	/* In logarithms: one long second must not outweigh many short ones. */
	if (aim->seen > 0)
		aim->seen *=
			pow(fmax(await, 0.01) / peers_await / aim->seen, FRESH);
	else
		aim->seen = fmax(await, 0.01) / peers_await;
	step = pow(aim->factor / aim->seen, GAIN);
	aim->load *= fmin(fmax(step, 1 / LEAP), LEAP);
	aim->load = fmin(fmax(aim->load, LOAD_MIN), LOAD_MAX);
}

double lab_aim_share(const struct lab_aim *aim)
{
	return aim->load / (1 + aim->load);
}

int lab_diskstat_parse(const char *text, size_t n, struct lab_diskstat *stat)
{
	enum { READS = 0, READ_MS = 3, WRITES = 4, WRITE_MS = 7, FIELDS };
	const char *at = text, *end = text + n;
	uint64_t v[FIELDS];

	for (size_t i = 0; i < FIELDS; i++)
		if (!lp_scan_u64(&at, end, &v[i]))
			return -EINVAL;
	stat->ios = v[READS] + v[WRITES];
	stat->ticks_ms = v[READ_MS] + v[WRITE_MS];
	return 0;
}
