/* SPDX-License-Identifier: Apache-2.0 */
#include "campaign/strain.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/timestamp.h"

#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

/* The file's beginning; what is asked for stands there. */
static size_t slurp(const char *root, const char *name, char text[512])
{
	char path[PATH_MAX];
	lp_auto_close int fd = -1;
	ssize_t n;

	snprintf(path, sizeof(path), "%s/proc/%s", root, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? 0 : read(fd, text, 511);
	text[n > 0 ? n : 0] = '\0';
	return n > 0 ? (size_t)n : 0;
}

/* some avg10=0.00 avg60=1.12 avg300=2.01 total=4702474984 (microseconds) */
static double pressure(const char *root, const char *name)
{
	char text[512];
	size_t n = slurp(root, name, text);
	const char *at = strstr(text, "total=");
	uint64_t us;

	if (!at)
		return NAN;
	at += strlen("total=");
	return lp_scan_u64(&at, text + n, &us) ? (double)us / 1e6 : NAN;
}

/* cpu  user nice system idle iowait irq softirq steal guest guest_nice */
static void read_stat(const char *root, struct lab_strain *strain)
{
	enum { IDLE = 3, IOWAIT = 4, STEAL = 7, FIELDS = 8 };
	char text[512];
	size_t n = slurp(root, "stat", text);
	const char *at = text + strlen("cpu");
	double tick_s = 1.0 / (double)sysconf(_SC_CLK_TCK);
	uint64_t v[FIELDS] = { 0 };

	strain->total_s = strain->idle_s = strain->steal_s = NAN;
	if (n < strlen("cpu ") || strncmp(text, "cpu ", 4) != 0)
		return;
	strain->total_s = 0;
	for (int i = 0; i < FIELDS && lp_scan_u64(&at, text + n, &v[i]); i++)
		strain->total_s += (double)v[i] * tick_s;
	strain->idle_s = (double)(v[IDLE] + v[IOWAIT]) * tick_s;
	strain->steal_s = (double)v[STEAL] * tick_s;
}

void lab_strain_read(const char *root, struct lab_strain *strain)
{
	strain->at_ns = lp_monotonic_now();
	read_stat(root, strain);
	strain->cpu_s = pressure(root, "pressure/cpu");
	strain->io_s = pressure(root, "pressure/io");
	strain->memory_s = pressure(root, "pressure/memory");
}

/* To four digits: more is noise. */
static double share(double before, double after, double of)
{
	return of > 0 ? round(1e4 * (after - before) / of) / 1e4 : NAN;
}

static double elapsed_s(const struct lab_strain *before,
			const struct lab_strain *after)
{
	return (double)(after->at_ns - before->at_ns) / 1e9;
}

double lab_strain_cpu_pressure(const struct lab_strain *before,
			       const struct lab_strain *after)
{
	return share(before->cpu_s, after->cpu_s, elapsed_s(before, after));
}

void lab_strain_json(struct lp_json *json, const struct lab_strain *before,
		     const struct lab_strain *after)
{
	double cpu_s = after->total_s - before->total_s;
	double s = elapsed_s(before, after);

	lp_json_object(json);
	lp_json_key(json, "cpus");
	lp_json_i64(json, sysconf(_SC_NPROCESSORS_ONLN));
	lp_json_key(json, "idle");
	lp_json_double(json, share(before->idle_s, after->idle_s, cpu_s));
	lp_json_key(json, "steal");
	lp_json_double(json, share(before->steal_s, after->steal_s, cpu_s));
	lp_json_key(json, "cpu_pressure");
	lp_json_double(json, share(before->cpu_s, after->cpu_s, s));
	lp_json_key(json, "io_pressure");
	lp_json_double(json, share(before->io_s, after->io_s, s));
	lp_json_key(json, "memory_pressure");
	lp_json_double(json, share(before->memory_s, after->memory_s, s));
	lp_json_end(json);
}
