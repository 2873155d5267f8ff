/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Small files below a root: the machine's own, or a recorded tree. What cannot
 * be read is simply not there.
 */
#ifndef LP_SOURCE_SYSFS_H
#define LP_SOURCE_SYSFS_H

#include "base/memory.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * The whole file as bytes, at most `size`; how many, or -1. Never waits for a
 * pipe that somebody left in a tree.
 */
ptrdiff_t lp_sysfs_bytes(void *bytes, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * The first line of a file, without blanks at its ends, runs of blanks as one,
 * and anything but printable ASCII as '?'. False, text "": there is none.
 */
bool lp_sysfs_line(char *text, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The last part of a symbolic link's target. False, text "": none. */
bool lp_sysfs_link(char *text, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

bool lp_sysfs_exists(const char *format, ...)
	__attribute__((format(printf, 1, 2)));

/* The names in a directory, "sda9" before "sda10"; none if there is none. */
struct lp_sysfs_list {
	char **names;
	size_t count, capacity;
};

/* 0 or -ENOMEM. A list is always freed by lp_sysfs_list_done. */
int lp_sysfs_list(struct lp_sysfs_list *list, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void lp_sysfs_list_done(struct lp_sysfs_list *list);

/* For qsort: names in that order. */
int lp_sysfs_compare(const void *a, const void *b);

/* Whether the text begins with the head. */
bool lp_sysfs_begins(const char *text, const char *head);
/* Append a word, with a blank between; one that does not fit is left out. */
void lp_sysfs_word(char *text, size_t size, const char *word);

/* Bytes from outside as a line: see lp_sysfs_line. */
void lp_sysfs_clean(char *text, size_t size, const char *bytes, size_t n);

#endif
