/* SPDX-License-Identifier: Apache-2.0 */
#include "source/sysfs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINE_BYTES 4096

static bool make_path(char path[PATH_MAX], const char *format, va_list args)
{
	int n = vsnprintf(path, PATH_MAX, format, args);

	return n > 0 && n < PATH_MAX;
}

static ptrdiff_t read_bytes(const char *path, char *bytes, size_t size)
{
	lp_auto_close int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	size_t have = 0;
	ssize_t n = 0;

	if (fd < 0)
		return -1;
	while (have < size) {
		n = read(fd, bytes + have, size - have);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		have += (size_t)n;
	}
	return n < 0 ? -1 : (ptrdiff_t)have;
}

ptrdiff_t lp_sysfs_bytes(void *bytes, size_t size, const char *format, ...)
{
	char path[PATH_MAX];
	va_list args;
	bool fits;

	va_start(args, format);
	fits = make_path(path, format, args);
	va_end(args);
	return fits ? read_bytes(path, bytes, size) : -1;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\0';
}

void lp_sysfs_clean(char *text, size_t size, const char *bytes, size_t n)
{
	const char *newline = memchr(bytes, '\n', n);
	size_t end = newline ? (size_t)(newline - bytes) : n, used = 0;

	for (size_t i = 0; i < end && used + 1 < size; i++) {
		char c = bytes[i];

		if (is_blank(c)) {
			if (used > 0 && text[used - 1] != ' ')
				text[used++] = ' ';
		} else {
			text[used++] = c > ' ' && c <= '~' ? c : '?';
		}
	}
	if (used > 0 && text[used - 1] == ' ')
		used--;
	text[used] = '\0';
}

void lp_sysfs_word(char *text, size_t size, const char *word)
{
	size_t used = strlen(text);

	if (used + strlen(word) + 2 <= size)
		snprintf(text + used, size - used, "%s%s", used ? " " : "",
			 word);
}

bool lp_sysfs_line(char *text, size_t size, const char *format, ...)
{
	char path[PATH_MAX], bytes[LINE_BYTES];
	ptrdiff_t n = -1;
	va_list args;

	text[0] = '\0';
	va_start(args, format);
	if (make_path(path, format, args))
		n = read_bytes(path, bytes, sizeof(bytes));
	va_end(args);
	if (n > 0)
		lp_sysfs_clean(text, size, bytes, (size_t)n);
	return text[0] != '\0';
}

bool lp_sysfs_link(char *text, size_t size, const char *format, ...)
{
	char path[PATH_MAX], target[PATH_MAX], *last;
	ssize_t n = -1;
	va_list args;

	text[0] = '\0';
	va_start(args, format);
	if (make_path(path, format, args))
		n = readlink(path, target, sizeof(target) - 1);
	va_end(args);
	while (n > 0 && target[n - 1] == '/')
		n--;
	if (n <= 0)
		return false;
	target[n] = '\0';
	last = strrchr(target, '/');
	last = last ? last + 1 : target;
	lp_sysfs_clean(text, size, last, strlen(last));
	return text[0] != '\0';
}

bool lp_sysfs_exists(const char *format, ...)
{
	char path[PATH_MAX];
	va_list args;
	bool fits;

	va_start(args, format);
	fits = make_path(path, format, args);
	va_end(args);
	return fits && access(path, F_OK) == 0;
}

bool lp_sysfs_begins(const char *text, const char *head)
{
	return strncmp(text, head, strlen(head)) == 0;
}

int lp_sysfs_compare(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

static int read_names(DIR *dir, struct lp_sysfs_list *list)
{
	struct dirent *entry;

	while ((entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		if (lp_grow(&list->names, &list->capacity, list->count + 1,
			    sizeof(*list->names)) < 0)
			return -ENOMEM;
		list->names[list->count] = strdup(entry->d_name);
		if (!list->names[list->count])
			return -ENOMEM;
		list->count++;
	}
	return 0;
}

int lp_sysfs_list(struct lp_sysfs_list *list, const char *format, ...)
{
	char path[PATH_MAX];
	DIR *dir = NULL;
	va_list args;
	int status;

	*list = (struct lp_sysfs_list){ 0 };
	va_start(args, format);
	if (make_path(path, format, args))
		dir = opendir(path);
	va_end(args);
	if (!dir)
		return 0;
	status = read_names(dir, list);
	closedir(dir);
	if (list->count > 1)
		qsort(list->names, list->count, sizeof(*list->names),
		      lp_sysfs_compare);
	return status;
}

void lp_sysfs_list_done(struct lp_sysfs_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->names[i]);
	free(list->names);
	*list = (struct lp_sysfs_list){ 0 };
}
