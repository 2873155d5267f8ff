/* SPDX-License-Identifier: Apache-2.0 */
#include "site/nodekill.h"

#include "base/number.h"
#include "site/machine.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define END_S 5.0

struct those {
	const struct lab_node *node;
	const char *program;
};

static bool same_namespace(pid_t pid, const struct stat *wanted)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%d/ns/pid", (int)pid);
	return stat(path, &st) == 0 && st.st_ino == wanted->st_ino;
}

/* The name of its program; the kernel's has 15 bytes at most. */
static bool is_program(pid_t pid, const char *program)
{
	char path[64], comm[32];

	snprintf(path, sizeof(path), "/proc/%d/comm", (int)pid);
	return !program || (lab_read_line(path, comm, sizeof(comm)) == 0 &&
			    strncmp(comm, program, 15) == 0 &&
			    strlen(comm) == strnlen(program, 15));
}

/* Send the signal to each; 0: none is sent. How many there are. */
static size_t each(const struct those *those, int signal)
{
	DIR *proc = opendir("/proc");
	const struct dirent *entry;
	struct stat wanted;
	char path[64];
	size_t n = 0;

	snprintf(path, sizeof(path), "/proc/%d/ns/pid",
		 (int)those->node->holder);
	if (stat(path, &wanted) < 0) {
		if (proc)
			closedir(proc);
		return 0;
	}
	while (proc && (entry = readdir(proc))) {
		uint64_t start, number;
		pid_t pid;

		if (lp_parse_u64(entry->d_name, strlen(entry->d_name),
				 &number) < 0)
			continue;
		pid = (pid_t)number;
		if (pid == those->node->holder ||
		    !same_namespace(pid, &wanted) ||
		    !is_program(pid, those->program) ||
		    lab_process_start(pid, &start) < 0)
			continue;
		n++;
		if (signal)
			kill(pid, signal);
	}
	if (proc)
		closedir(proc);
	return n;
}

static bool none_left(const void *context)
{
	return each(context, SIGKILL) == 0;
}

size_t lab_node_count(const struct lab_node *node, const char *program)
{
	const struct those those = { node, program };

	return each(&those, 0);
}

size_t lab_node_kill(const struct lab_node *node, const char *program)
{
	const struct those those = { node, program };
	size_t n = each(&those, SIGKILL);

	lab_wait_until(none_left, &those, END_S, NULL);
	return n;
}
