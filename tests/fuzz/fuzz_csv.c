/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A CSV file of any bytes is read to its end or refused with a line. What was
 * read is touched, so that a sanitizer sees values that are not there.
 */
#include "source/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t touch(const struct lp_panel *panel, size_t n_samples)
{
	uint64_t sum = 0;

	for (size_t s = 0; s < panel->n_series; s++)
		for (size_t c = 0; c < panel->n_columns; c++)
			for (size_t i = 0; i < n_samples; i++) {
				const struct lp_values *v =
					&panel->series[s].values[c];

				sum += lp_values_has(v, i) ? v->bits[i] : 0;
			}
	return sum;
}

static void read_stream(struct lp_stream *stream)
{
	struct lp_error err = { "" };
	struct lp_item item;
	volatile uint64_t sum = 0;
	int r;

	while ((r = lp_stream_next(stream, &item, &err)) > 0)
		for (size_t p = 0; p < item.chunk->n_panels; p++)
			sum += touch(&item.chunk->panels[p],
				     item.chunk->n_samples);
	(void)sum;
	if (r < 0 && !err.text[0])
		abort();
	lp_stream_close(stream);
}

static void run(const char *path, const char *map)
{
	struct lp_source_options options = { .host = "h", .map = map };
	struct lp_error err = { "" };
	struct lp_stream *stream;
	struct lp_query query;

	lp_query_init(&query);
	if (lp_source_csv.open(path, &options, &query, &stream, &err) == 0)
		read_stream(stream);
	else if (!err.text[0])
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("csv", MFD_CLOEXEC);
	char path[64];

	if (fd < 0)
		return 0;
	if (write(fd, data, size) == (ssize_t)size) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		lp_source_csv.recognise("x", data, size);
		run(path, NULL);
		run(path, "time=ts,device=disk_id,await=latency");
	}
	close(fd);
	return 0;
}
