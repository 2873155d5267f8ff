/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a process is called and to which control group it belongs.
 */
#include "profile/tasks.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A file of /proc as text. Its bytes, or -1. */
static ssize_t read_file(uint32_t pid, const char *name, char *text,
			 size_t size)
{
	char path[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/%s", pid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	n = read(fd, text, size - 1);
	close(fd);
	if (n >= 0)
		text[n] = '\0';
	return n;
}

/* Programs that are named by the script they run, too. */
static const char *const interpreters[] = {
	"python*", "perl*", "ruby*", "bash", "sh",   "dash",
	"ksh*",    "zsh",   "node",  "php*", "java", NULL,
};

static bool is_interpreter(const char *program)
{
	for (size_t i = 0; interpreters[i]; i++)
		if (fnmatch(interpreters[i], program, 0) == 0)
			return true;
	return false;
}

/* The first argument that is no option. */
static void add_script(struct lp_task *t)
{
	char text[1024];
	ssize_t n = read_file(t->pid, "cmdline", text, sizeof(text));
	size_t at = n > 0 ? strlen(text) + 1 : 0, used = strlen(t->program);

	while (n > 0 && at < (size_t)n && text[at] == '-') {
		if (strcmp(text + at, "-c") == 0)
			return;
		at += strlen(text + at) + 1;
	}
	if (n > 0 && at < (size_t)n && text[at])
		snprintf(t->program + used, sizeof(t->program) - used, " %s",
			 basename(text + at));
}

/* Threads of the kernel have their number behind a slash: "kworker/0:1". */
static void tidy_name(char *name)
{
	name[strcspn(name, "/\n")] = '\0';
	for (char *c = name; *c; c++)
		if ((unsigned char)*c < ' ')
			*c = '_';
}

void lp_task_find_program(struct lp_task *t)
{
	if (t->pid == 0) {
		snprintf(t->program, sizeof(t->program), "[idle]");
		return;
	}
	if (!t->program[0] &&
	    read_file(t->pid, "comm", t->program, sizeof(t->program)) <= 0)
		snprintf(t->program, sizeof(t->program), "[ended]");
	tidy_name(t->program);
	/* A child has the name of its parent, with the script. */
	if (!strchr(t->program, ' ') && is_interpreter(t->program)) {
		add_script(t);
		for (char *c = t->program; *c; c++)
			if ((unsigned char)*c < ' ')
				*c = '_';
	}
}

static bool match_path(char *path, const char *pattern, char *name, size_t size)
{
	size_t literal = strcspn(pattern, "*?[");
	char *rest = NULL;

	if (!pattern[literal])
		literal = 0;
	for (char *part = strtok_r(path, "/\n", &rest); part;
	     part = strtok_r(NULL, "/\n", &rest))
		if (fnmatch(pattern, part, 0) == 0) {
			const char *shown =
				part[literal] ? part + literal : part;

			snprintf(name, size, "%s", shown);
			return true;
		}
	return false;
}

/*
 * 4:cpuacct:/limpid-s3
 * 0::/system.slice/gluster.service
 */
bool lp_find_cgroup(uint32_t pid, const char *pattern, char *name, size_t size,
		    bool *gone)
{
	char text[4096], *rest = NULL;

	*gone = read_file(pid, "cgroup", text, sizeof(text)) <= 0;
	if (*gone)
		return false;
	for (char *line = strtok_r(text, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		char *path = strchr(line, '/');

		if (path && match_path(path, pattern, name, size))
			return true;
	}
	return false;
}
