/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text of exporters, of any bytes, is read to its end or refused with a line.
 */
#include "source/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t touch_labels(const struct lp_inventory *inventory)
{
	uint64_t sum = strlen(inventory->host);

	for (size_t i = 0; i < inventory->n_components; i++)
		for (size_t l = 0; l < inventory->components[i].labels.count;
		     l++)
			sum += strlen(
				inventory->components[i].labels.items[l].value);
	return sum;
}

/* Times of a host ascend; whatever has a value has it in a column. */
static uint64_t touch_chunk(const struct lp_chunk *chunk)
{
	uint64_t sum = 0;

	for (size_t i = 1; i < chunk->n_samples; i++)
		if (chunk->time_ns[i] <= chunk->time_ns[i - 1])
			abort();
	for (size_t p = 0; p < chunk->n_panels; p++)
		for (size_t s = 0; s < chunk->panels[p].n_series; s++)
			for (size_t i = 0; i < chunk->n_samples; i++)
				sum += lp_series_has(
					&chunk->panels[p],
					&chunk->panels[p].series[s], i);
	return sum;
}

static void run(const char *path, bool tolerant)
{
	struct lp_source_options options = { .host = "h" };
	struct lp_error err = { "" };
	volatile uint64_t sum = 0;
	struct lp_stream *stream;
	struct lp_query query;
	struct lp_item item;
	int status;

	lp_query_init(&query);
	query.tolerant = tolerant;
	status = lp_source_openmetrics.open(path, &options, &query, &stream,
					    &err);
	if (status < 0 && !err.text[0])
		abort();
	if (status < 0)
		return;
	while ((status = lp_stream_next(stream, &item, &err)) > 0) {
		if (item.inventory)
			sum += touch_labels(item.inventory);
		if (item.chunk)
			sum += touch_chunk(item.chunk);
	}
	if (status < 0)
		abort();
	lp_stream_close(stream);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("openmetrics", MFD_CLOEXEC);
	char path[64];

	if (fd < 0)
		return 0;
	if (write(fd, data, size) == (ssize_t)size) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		lp_source_openmetrics.recognise("x", data, size);
		run(path, true);
		run(path, false);
	}
	close(fd);
	return 0;
}
