/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/tasks.h"

#include "base/memory.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

/* A program that maps code again and again loses the oldest half. */
#define MOST_MAPPINGS 4096

struct lp_code_map *lp_code_map_new(void)
{
	struct lp_code_map *m = calloc(1, sizeof(*m));

	if (m)
		m->users = 1;
	return m;
}

struct lp_code_map *lp_code_map_share(struct lp_code_map *m)
{
	if (m)
		m->users++;
	return m;
}

void lp_code_map_drop(struct lp_code_map *m)
{
	if (!m || --m->users > 0)
		return;
	for (size_t i = 0; i < m->n; i++)
		free(m->items[i].path);
	free(m->items);
	free(m);
}

/* A map of one's own. */
static struct lp_code_map *copy(struct lp_code_map *from)
{
	struct lp_code_map *m = lp_code_map_new();

	if (!m || lp_grow(&m->items, &m->capacity, from->n + 1,
			  sizeof(*m->items)) < 0) {
		free(m);
		return NULL;
	}
	for (size_t i = 0; i < from->n; i++) {
		m->items[m->n] = from->items[i];
		m->items[m->n].path = strdup(from->items[i].path);
		m->n += m->items[m->n].path != NULL;
	}
	lp_code_map_drop(from);
	return m;
}

static void forget_oldest(struct lp_code_map *m)
{
	size_t n = m->n / 2;

	for (size_t i = 0; i < n; i++)
		free(m->items[i].path);
	memmove(m->items, m->items + n, (m->n - n) * sizeof(*m->items));
	m->n -= n;
}

void lp_code_map_add(struct lp_code_map **map,
		     const struct lp_code_mapping *mapping)
{
	struct lp_code_map *m = *map ? *map : lp_code_map_new();
	char *path;

	if (m && m->users > 1) {
		struct lp_code_map *own = copy(m);

		if (!own)
			return;
		m = own;
	}
	*map = m;
	if (!m)
		return;
	if (m->n >= MOST_MAPPINGS)
		forget_oldest(m);
	path = strdup(mapping->path);
	if (!path ||
	    lp_grow(&m->items, &m->capacity, m->n + 1, sizeof(*m->items)) < 0) {
		free(path);
		return;
	}
	m->items[m->n] = *mapping;
	m->items[m->n++].path = path;
}

/*
 * 7f1c2a000000-7f1c2a028000 r-xp 00026000 fe:01 1234    /usr/lib/libc.so.6
 */
static void take_line(char *line, struct lp_code_map **map)
{
	struct lp_code_mapping m = { 0 };
	unsigned major, minor;
	char rights[5];
	int path_at = 0;

	if (sscanf(line,
		   "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64
		   " %n",
		   &m.start, &m.end, rights, &m.offset, &major, &minor,
		   &m.inode, &path_at) < 7 ||
	    rights[2] != 'x')
		return;
	m.device = makedev(major, minor);
	line[strcspn(line, "\n")] = '\0';
	m.path = line + path_at;
	lp_code_map_add(map, &m);
}

int lp_code_map_read(uint32_t pid, struct lp_code_map **map)
{
	lp_auto_fclose FILE *in = NULL;
	lp_auto_free char *line = NULL;
	size_t room = 0;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/maps", pid);
	in = fopen(path, "re");
	if (!in)
		return -errno;
	while (getline(&line, &room, in) > 0)
		take_line(line, map);
	return 0;
}
