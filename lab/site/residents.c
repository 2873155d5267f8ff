/* SPDX-License-Identifier: Apache-2.0 */
#include "site/residents.h"

#include "base/number.h"
#include "site/machine.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* "/proc/4711/ns/pid", as a number that tells namespaces apart. */
static bool pid_namespace(pid_t pid, ino_t *number)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%d/ns/pid", (int)pid);
	if (stat(path, &st) < 0)
		return false;
	*number = st.st_ino;
	return true;
}

static bool is_one(pid_t pid, const char *program, ino_t wanted)
{
	char path[64], name[32];
	ino_t number;
	uint64_t start;

	snprintf(path, sizeof(path), "/proc/%d/comm", (int)pid);
	return pid_namespace(pid, &number) && number == wanted &&
	       lab_read_line(path, name, sizeof(name)) == 0 &&
	       strcmp(name, program) == 0 &&
	       lab_process_start(pid, &start) == 0;
}

size_t lab_residents(pid_t holder, const char *program, int signal,
		     pid_t *first)
{
	const struct dirent *entry;
	ino_t wanted = 0;
	size_t n = 0;
	DIR *proc = pid_namespace(holder, &wanted) ? opendir("/proc") : NULL;

	while (proc && (entry = readdir(proc))) {
		uint64_t number;

		if (lp_parse_u64(entry->d_name, strlen(entry->d_name),
				 &number) < 0 ||
		    !is_one((pid_t)number, program, wanted))
			continue;
		if (n++ == 0 && first)
			*first = (pid_t)number;
		if (signal)
			kill((pid_t)number, signal);
	}
	if (proc)
		closedir(proc);
	return n;
}
