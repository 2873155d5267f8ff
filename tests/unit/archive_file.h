/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Small archives for tests, in a directory of their own.
 */
#ifndef LP_TESTS_ARCHIVE_FILE_H
#define LP_TESTS_ARCHIVE_FILE_H

#include "unit.h"

#include "archive/archive.h"
#include "random_chunk.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char directory[64];

/* In memory where there is such a place: finishing an archive syncs it. */
static inline int make_directory(void **state)
{
	bool memory = access("/dev/shm", W_OK) == 0;

	(void)state;
	snprintf(directory, sizeof(directory), "%s/limpid-test-XXXXXX",
		 memory ? "/dev/shm" : "/tmp");
	return mkdtemp(directory) ? 0 : -1;
}

static inline int empty_directory(void **state)
{
	DIR *dir = opendir(directory);
	struct dirent *entry;

	(void)state;
	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			unlinkat(dirfd(dir), entry->d_name, 0);
	return dir ? closedir(dir) : -1;
}

static inline int remove_directory(void **state)
{
	empty_directory(state);
	return rmdir(directory);
}

/* One of a few names at a time. */
static inline const char *in_directory(const char *name)
{
	static char paths[4][128];
	static unsigned next;
	char *path = paths[next++ % 4];

	snprintf(path, sizeof(paths[0]), "%s/%s", directory, name);
	return path;
}

static inline void ok(int code, const struct lp_error *err)
{
	if (code < 0)
		fail_msg("%s", err->text);
}

static inline struct lp_archive_writer *new_archive(const char *path,
						    enum lp_archive_mode mode)
{
	struct lp_archive_writer *w = NULL;
	struct lp_error err;

	ok(lp_archive_create(path, mode, &w, &err), &err);
	return w;
}

static inline struct lp_stream *open_archive(const char *path)
{
	struct lp_stream *stream = NULL;
	struct lp_query query;
	struct lp_error err;

	lp_query_init(&query);
	ok(lp_archive_open(path, &query, &stream, &err), &err);
	return stream;
}

static inline int next_item(struct lp_stream *stream, struct lp_item *item)
{
	struct lp_error err;
	int code = lp_stream_next(stream, item, &err);

	if (code < 0)
		print_message("# %s\n", err.text);
	return code;
}

static inline struct lp_inventory *some_inventory(const char *host)
{
	struct lp_inventory *inventory = lp_inventory_new(host, 7);
	struct lp_component *disk;

	lp_inventory_label(inventory, &inventory->labels, "kernel", "6.1");
	disk = lp_inventory_add(inventory, "disk", "sda");
	lp_inventory_label(inventory, &disk->labels, "id", "wwid:naa.5000c5");
	lp_inventory_label(inventory, &disk->labels, "layer", "disk");
	lp_inventory_add(inventory, "net", "eth0");
	return inventory;
}

/* All bytes of a file; free them. */
static inline uint8_t *read_file(const char *path, size_t *n)
{
	FILE *file = fopen(path, "rb");
	uint8_t *bytes;

	assert_non_null(file);
	fseek(file, 0, SEEK_END);
	*n = (size_t)ftell(file);
	rewind(file);
	bytes = malloc(*n + 1);
	assert_int_equal(fread(bytes, 1, *n, file), *n);
	fclose(file);
	return bytes;
}

static inline void write_file(const char *path, const uint8_t *bytes, size_t n)
{
	FILE *file = fopen(path, "wb");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, n, file), n);
	assert_int_equal(fclose(file), 0);
}

#endif
