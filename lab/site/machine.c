/* SPDX-License-Identifier: Apache-2.0 */
#include "site/machine.h"

#include "base/memory.h"
#include "base/number.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

int lab_path(char path[PATH_MAX], struct lp_error *err, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(path, PATH_MAX, format, args);
	va_end(args);
	if (n >= PATH_MAX)
		return lp_fail(err, ENAMETOOLONG,
			       "this path is too long: %.80s...", path);
	return 0;
}

int lab_read_line(const char *path, char *line, size_t room)
{
	lp_auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -errno;
	n = read(fd, line, room - 1);
	if (n < 0)
		return -errno;
	line[n] = '\0';
	line[strcspn(line, "\n")] = '\0';
	return 0;
}

int lab_write_line(const char *path, const char *text)
{
	lp_auto_close int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	if (write(fd, text, strlen(text)) < 0)
		return -errno;
	return 0;
}

void lab_boot(char boot[64])
{
	if (lab_read_line("/proc/sys/kernel/random/boot_id", boot, 64) < 0)
		strncpy(boot, "unknown", 64);
}

int lab_process_start(pid_t pid, uint64_t *start)
{
	char path[64], line[1024];
	const char *at, *end;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	if (lab_read_line(path, line, sizeof(line)) < 0)
		return -ESRCH;
	/* "1 (name) S ...": the name may hold anything; field 22 */
	at = strrchr(line, ')');
	if (!at || strlen(at) < 4 || at[2] == 'Z' || at[2] == 'X')
		return -ESRCH;
	end = at + strlen(at);
	for (int field = 2; field < 22 && at; field++)
		at = strchr(at + 1, ' ');
	return at && lp_scan_u64(&at, end, start) ? 0 : -ESRCH;
}

/* ---- mounts ---- */

/* mountinfo writes a blank as \040, a newline as \012, ... */
static void unescape(char *text)
{
	char *to = text;

	for (; *text; text++) {
		if (text[0] == '\\' && text[1] && text[2] && text[3]) {
			*to++ = (char)((text[1] - '0') * 64 +
				       (text[2] - '0') * 8 + (text[3] - '0'));
			text += 3;
		} else {
			*to++ = *text;
		}
	}
	*to = '\0';
}

/* The next mount point; false at the end. */
static bool next_mount(FILE *mounts, char path[PATH_MAX])
{
	lp_auto_free char *line = NULL;
	size_t room = 0;

	/* 36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw */
	if (getline(&line, &room, mounts) < 0)
		return false;
	path[0] = '\0';
	if (sscanf(line, "%*d %*d %*s %*s %4095s", path) != 1)
		path[0] = '\0';
	unescape(path);
	return true;
}

bool lab_is_mounted(const char *path)
{
	lp_auto_fclose FILE *mounts = fopen("/proc/self/mountinfo", "re");
	char at[PATH_MAX];

	while (mounts && next_mount(mounts, at))
		if (strcmp(at, path) == 0)
			return true;
	return false;
}

/* The last of those at the path or below: what hides or lies on others. */
static bool last_below(const char *path, char found[PATH_MAX])
{
	lp_auto_fclose FILE *mounts = fopen("/proc/self/mountinfo", "re");
	size_t n = strlen(path);
	char at[PATH_MAX];
	bool any = false;

	while (mounts && next_mount(mounts, at))
		if (strncmp(at, path, n) == 0 &&
		    (at[n] == '\0' || at[n] == '/')) {
			memcpy(found, at, sizeof(at));
			any = true;
		}
	return any;
}

void lab_detach_below(const char *path)
{
	char at[PATH_MAX];

	while (last_below(path, at))
		if (umount2(at, MNT_DETACH | UMOUNT_NOFOLLOW) < 0)
			return;
}

/* ---- who uses a device ---- */

static bool is_on(const char *path, dev_t device)
{
	struct stat st;

	return stat(path, &st) == 0 && st.st_dev == device;
}

static bool has_open(pid_t pid, dev_t device)
{
	char dir[64], path[PATH_MAX];
	const struct dirent *entry;
	bool found = false;
	DIR *open;

	snprintf(dir, sizeof(dir), "/proc/%d/fd", (int)pid);
	open = opendir(dir);
	while (open && !found && (entry = readdir(open))) {
		snprintf(path, sizeof(path), "%s/%s", dir, entry->d_name);
		found = entry->d_name[0] != '.' && is_on(path, device);
	}
	if (open)
		closedir(open);
	return found;
}

/* In a mount namespace of its own, perhaps: a container's. */
static bool has_mounted(pid_t pid, dev_t device)
{
	lp_auto_fclose FILE *mounts = NULL;
	lp_auto_free char *line = NULL;
	unsigned first, second;
	size_t room = 0;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/mountinfo", (int)pid);
	mounts = fopen(path, "re");
	/* 36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw */
	while (mounts && getline(&line, &room, mounts) >= 0)
		if (sscanf(line, "%*d %*d %u:%u", &first, &second) == 2 &&
		    makedev(first, second) == device)
			return true;
	return false;
}

static bool uses(pid_t pid, dev_t device)
{
	static const char *const links[] = { "cwd", "root", "exe" };
	char path[64];

	for (size_t i = 0; i < lp_array_size(links); i++) {
		snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, links[i]);
		if (is_on(path, device))
			return true;
	}
	return has_open(pid, device) || has_mounted(pid, device);
}

bool lab_user_of(dev_t device, char who[64])
{
	DIR *proc = opendir("/proc");
	const struct dirent *entry;
	char path[64], name[32];
	bool found = false;
	uint64_t pid;

	while (proc && !found && (entry = readdir(proc)))
		if (lp_parse_u64(entry->d_name, strlen(entry->d_name), &pid) ==
			    0 &&
		    pid <= INT_MAX && uses((pid_t)pid, device)) {
			snprintf(path, sizeof(path), "/proc/%d/comm", (int)pid);
			if (lab_read_line(path, name, sizeof(name)) < 0)
				continue; /* it has ended */
			snprintf(who, 64, "process %d (%s)", (int)pid, name);
			found = true;
		}
	if (proc)
		closedir(proc);
	return found;
}

int lab_wait_until(bool (*done)(const void *context), const void *context,
		   double limit_s, const volatile int *stop)
{
	static const struct timespec pause = { .tv_nsec = 20 * 1000 * 1000 };

	for (double waited = 0; !done(context); waited += 0.02) {
		if (stop && *stop)
			return -EINTR;
		if (waited >= limit_s)
			return -ETIME;
		nanosleep(&pause, NULL);
	}
	return 0;
}
