/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines to a virtual disk's control socket. Whatever comes, the reply is one
 * line that says "ok" or "error", a refused command changes nothing, and no
 * setting leaves its bounds. Paths of buses are only parsed: the fuzzer makes
 * no files.
 */
#include "disk/drive.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void check_reply(const char *reply)
{
	require(strncmp(reply, "ok ", 3) == 0 ||
		strncmp(reply, "error ", 6) == 0);
	require(strlen(reply) < LAB_DISK_LINE - 1);
	for (; *reply; reply++)
		require(!iscntrl((unsigned char)*reply) || *reply == '\t');
}

static void check_settings(const struct lab_disk_settings *s)
{
	const uint64_t hour_ns = UINT64_C(3600000000000);

	require(s->rate >= LAB_RATE_MIN && s->rate <= LAB_RATE_MAX);
	require(s->seek_ns <= hour_ns && s->latency_ns <= hour_ns &&
		s->jitter_ns <= hour_ns);
	require(s->errors <= LAB_ERRORS_BOTH);
	require(s->errors_from < s->errors_to);
	require(memchr(s->bus, '\0', sizeof(s->bus)) != NULL);
}

static void do_line(struct lab_drive *drive, const char *line, size_t n)
{
	struct lab_disk_settings settings = drive->settings;
	char reply[LAB_DISK_LINE];
	int verb = lab_disk_settings_take(&settings, line, n, NULL);

	check_settings(&settings);
	if (verb == LAB_DISK_BUS)
		return;
	lab_drive_command(drive, line, n, 0, reply);
	check_reply(reply);
	/* Without bytes there are no bits to flip. */
	require((verb < 0 || verb == LAB_DISK_FLIP) == (reply[0] == 'e'));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *at = (const char *)data, *end = at + size;
	struct lab_disk_settings settings;
	struct lab_drive drive;

	lab_disk_settings_default(&settings);
	require(lab_drive_init(&drive, 1 << 20, &settings, NULL) == 0);
	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		const char *stop = newline ? newline : end;

		if (stop - at < LAB_DISK_LINE)
			do_line(&drive, at, (size_t)(stop - at));
		at = stop + 1;
	}
	lab_drive_done(&drive);
	return 0;
}
