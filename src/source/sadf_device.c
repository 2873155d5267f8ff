/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names and identities of block devices in sysstat's files.
 *
 * A file holds the device's number (major, minor) and, where there is one, its
 * WWN and partition number; no name. sadf looks numbers up in /sys of the
 * machine where it runs, which is wrong on any other machine and perhaps after
 * a boot. So its names are taken only where they are identities.
 */
#include "source/sadf.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Majors whose minors mean the same everywhere: Linux's devices.txt. */
static const struct {
	unsigned major;
	const char *prefix;
} fixed_majors[] = {
	{ 1, "ram" }, { 7, "loop" }, { 9, "md" }, { 11, "sr" }, { 43, "nbd" },
};

#define SD_PART_BITS 4
#define SD_PART_MASK 15u

/* sd's sixteen majors: 8, 65 to 71, 128 to 135; -1: another. */
static int sd_block(unsigned major)
{
	if (major == 8)
		return 0;
	if (major >= 65 && major <= 71)
		return (int)(major - 64);
	if (major >= 128 && major <= 135)
		return (int)(major - 120);
	return -1;
}

/* 0 a, 25 z, 26 aa ...: as the kernel counts disks. */
static void sd_letters(unsigned index, char text[16])
{
	char reversed[16];
	size_t n = 0, i;

	index++;
	while (index > 0) {
		index--;
		reversed[n++] = (char)('a' + index % 26);
		index /= 26;
	}
	for (i = 0; i < n; i++)
		text[i] = reversed[n - 1 - i];
	text[n] = '\0';
}

/*
 * The inverse of the kernel's sd_major() and of its
 * minor = (index & 15) << 4 | (index & 0xfff00) | partition.
 */
static void sd_name(unsigned block, unsigned minor, char name[LP_SADF_NAME])
{
	unsigned index = (minor & 0xfff00) | block << SD_PART_BITS |
			 ((minor >> SD_PART_BITS) & SD_PART_MASK);
	unsigned partition = minor & SD_PART_MASK;
	char letters[16];

	sd_letters(index, letters);
	if (partition)
		snprintf(name, LP_SADF_NAME, "sd%s%u", letters, partition);
	else
		snprintf(name, LP_SADF_NAME, "sd%s", letters);
}

/* /sys/dev/block/254:0 -> ../../devices/pci.../block/vda */
static bool name_from_sysfs(const char *sysfs, unsigned major, unsigned minor,
			    char name[LP_SADF_NAME])
{
	char path[PATH_MAX], target[PATH_MAX], *base;
	ssize_t n;

	snprintf(path, sizeof(path), "%s/dev/block/%u:%u", sysfs, major, minor);
	n = readlink(path, target, sizeof(target) - 1);
	if (n <= 0)
		return false;
	target[n] = '\0';
	base = strrchr(target, '/');
	base = base ? base + 1 : target;
	if (!base[0] || strlen(base) >= LP_SADF_NAME)
		return false;
	snprintf(name, LP_SADF_NAME, "%s", base);
	/* sysfs writes cciss!c0d0 for what diskstats calls cciss/c0d0. */
	for (char *p = name; *p; p++)
		if (*p == '!')
			*p = '/';
	return true;
}

void lp_sadf_device_name(const char *sysfs, unsigned major, unsigned minor,
			 char name[LP_SADF_NAME])
{
	int block = sd_block(major);

	if (sysfs && name_from_sysfs(sysfs, major, minor, name))
		return;
	if (block >= 0) {
		sd_name((unsigned)block, minor, name);
		return;
	}
	for (size_t i = 0; i < lp_array_size(fixed_majors); i++) {
		if (fixed_majors[i].major == major) {
			snprintf(name, LP_SADF_NAME, "%s%u",
				 fixed_majors[i].prefix, minor);
			return;
		}
	}
	snprintf(name, LP_SADF_NAME, "dev%u-%u", major, minor);
}

#define WWN_SHORT 16
#define WWN_LONG 32

bool lp_sadf_device_id(const char *shown, size_t n, char id[LP_SADF_NAME],
		       unsigned *partition)
{
	size_t digits = 0;
	unsigned part = 0;

	if (n < 2 || shown[0] != '0' || shown[1] != 'x')
		return false;
	shown += 2;
	n -= 2;
	while (digits < n && isxdigit((unsigned char)shown[digits]))
		digits++;
	if (digits != WWN_SHORT && digits != WWN_LONG)
		return false;
	if (digits < n && shown[digits] != '-')
		return false;
	for (size_t i = digits + 1; i < n; i++) {
		if (!isdigit((unsigned char)shown[i]) || part > 9999)
			return false;
		part = part * 10 + (unsigned)(shown[i] - '0');
	}
	*partition = part;
	/* Links named wwn-0x..., where sysstat looks, are of NAA names. */
	if (part)
		snprintf(id, LP_SADF_NAME, "wwid:naa.%.*s-part%u", (int)digits,
			 shown, part);
	else
		snprintf(id, LP_SADF_NAME, "wwid:naa.%.*s", (int)digits, shown);
	return true;
}
