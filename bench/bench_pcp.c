/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: bench_pcp ARCHIVE
 *
 * What reading a PCP archive costs: libpcp alone (every record fetched and
 * freed), and the whole way into a limpid archive. CPU times.
 */
#include "pcp_recording.h"

#include "base/timestamp.h"

#include <fcntl.h>
#include <pcp/pmapi.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define ROUNDS 5

static double cpu_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Values in the archive, or below 0. */
static long fetch_all(const char *archive)
{
	int context = pmNewContext(PM_CONTEXT_ARCHIVE, archive);
	pmHighResResult *record;
	long values = 0;

	if (context < 0)
		return -1;
	while (pmFetchHighResArchive(&record) >= 0) {
		for (int i = 0; i < record->numpmid; i++)
			if (record->vset[i]->numval > 0)
				values += record->vset[i]->numval;
		pmFreeHighResResult(record);
	}
	pmDestroyContext(context);
	return values;
}

/* Bytes of the archive made, or below 0. */
static long convert(const char *archive)
{
	struct lp_error err;
	char lost[LP_PCP_LOST];
	int fd = memfd_create("bench", 0), kept = fd < 0 ? -1 : dup(fd);
	struct lp_pcp_request request = {
		.archive = archive,
		.since_ns = LP_TIME_MIN,
		.until_ns = LP_TIME_MAX,
		.fd = fd,
	};
	struct stat status = { .st_size = -1 };

	if (kept < 0)
		return -1;
	if (lp_pcp_convert(&request, lost, &err) < 0)
		fprintf(stderr, "bench_pcp: %s\n", err.text);
	else
		fstat(kept, &status);
	close(kept);
	return status.st_size > 0 ? (long)status.st_size : -1;
}

/* The best of some rounds; *result is what the work returned. */
static double best(long (*work)(const char *), const char *archive,
		   long *result)
{
	double shortest = 1e9;

	for (int i = 0; i < ROUNDS; i++) {
		double begin = cpu_seconds(), took;

		*result = work(archive);
		took = cpu_seconds() - begin;
		shortest = took < shortest ? took : shortest;
	}
	return shortest;
}

int main(int argc, char **argv)
{
	long values, bytes;
	double bare, whole;

	if (argc != 2) {
		fprintf(stderr, "usage: bench_pcp ARCHIVE\n");
		return 2;
	}
	bare = best(fetch_all, argv[1], &values);
	whole = best(convert, argv[1], &bytes);
	if (values <= 0 || bytes <= 0)
		return 1;
	printf("values                 %ld\n", values);
	printf("libpcp alone           %.1f M values/s\n",
	       (double)values / bare * 1e-6);
	printf("into a limpid archive  %.1f M values/s, %.2f times the CPU\n",
	       (double)values / whole * 1e-6, whole / bare);
	printf("bytes a value          %.3f\n", (double)bytes / (double)values);
	return 0;
}
