/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a fuzz target over the files of its corpus, once each: what libFuzzer's
 * own main does, for builds without it.
 */
#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A heap block of exactly the file's size, so that ASan sees its ends. */
static uint8_t *read_all(const char *path, size_t *size)
{
	lp_auto_fclose FILE *file = fopen(path, "rb");
	uint8_t *data = NULL;
	long n;

	if (!file || fseek(file, 0, SEEK_END) < 0 || (n = ftell(file)) < 0)
		return NULL;
	rewind(file);
	*size = (size_t)n;
	data = malloc(*size ? *size : 1);
	if (data && fread(data, 1, *size, file) != *size) {
		free(data);
		data = NULL;
	}
	return data;
}

static bool run_file(const char *path)
{
	lp_auto_free uint8_t *data = NULL;
	size_t size = 0;

	data = read_all(path, &size);
	if (!data) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		return false;
	}
	LLVMFuzzerTestOneInput(data, size);
	return true;
}

static int run_directory(const char *path)
{
	struct dirent **entries;
	int n = scandir(path, &entries, NULL, alphasort), ran = 0;
	char file[4096];

	for (int i = 0; i < n; i++) {
		snprintf(file, sizeof(file), "%s/%s", path, entries[i]->d_name);
		if (entries[i]->d_name[0] != '.' && run_file(file))
			ran++;
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
	return ran;
}

int main(int argc, char **argv)
{
	int ran = 0;

	LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
	for (int i = 1; i < argc; i++)
		ran += run_directory(argv[i]);
	printf("%d files\n", ran);
	/* A corpus that is not found must not look like one that is sound. */
	return ran > 0 ? 0 : 1;
}
