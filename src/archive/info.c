/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/maintain.h"
#include "archive/scan.h"

#include <errno.h>
#include <stdlib.h>

/* Steps between samples, to find the usual one. */
struct steps {
	int64_t *ns;
	size_t count, capacity;
};

static struct lp_info_class *class_named(struct lp_info *info, const char *name)
{
	struct lp_info_class *class;

	for (size_t i = 0; i < info->n_classes; i++)
		if (strcmp(info->classes[i].name, name) == 0)
			return &info->classes[i];
	if (lp_grow(&info->classes, &info->classes_capacity,
		    info->n_classes + 1, sizeof(*info->classes)) < 0)
		return NULL;
	class = &info->classes[info->n_classes];
	*class = (struct lp_info_class){ .name = strdup(name) };
	if (!class->name)
		return NULL;
	info->n_classes++;
	return class;
}

static int add_instance(struct lp_info_class *class, const char *host,
			const char *name)
{
	lp_auto_free char *full = NULL;

	if (asprintf(&full, "%s/%s", host, name) < 0)
		return -ENOMEM;
	return lp_names_add(&class->instances, full) == LP_NAME_NONE ? -ENOMEM
								     : 0;
}

static uint64_t count_present(const struct lp_values *v, size_t n)
{
	uint64_t count = 0;

	if (!v->bits)
		return 0;
	if (!v->present)
		return n;
	for (size_t i = 0; i < n; i++)
		count += v->present[i];
	return count;
}

static int add_panel(struct lp_info *info, const struct lp_chunk *chunk,
		     const struct lp_panel *panel)
{
	struct lp_info_class *class = class_named(info, panel->class_name);

	if (!class)
		return -ENOMEM;
	for (size_t c = 0; c < panel->n_columns; c++)
		if (lp_names_add(&class->columns, panel->columns[c].name) ==
		    LP_NAME_NONE)
			return -ENOMEM;
	for (size_t s = 0; s < panel->n_series; s++) {
		const struct lp_series *series = &panel->series[s];

		if (add_instance(class, chunk->host, series->name) < 0)
			return -ENOMEM;
		for (size_t c = 0; c < panel->n_columns; c++)
			class->values += count_present(&series->values[c],
						       chunk->n_samples);
	}
	return 0;
}

static int add_chunk(struct lp_info *info, struct steps *steps,
		     const struct lp_chunk *chunk, const struct block_header *h)
{
	const int64_t *t = chunk->time_ns;

	info->samples += h->n_samples;
	info->values += h->n_values;
	info->first_ns =
		h->first_ns < info->first_ns ? h->first_ns : info->first_ns;
	info->last_ns = h->last_ns > info->last_ns ? h->last_ns : info->last_ns;
	if (lp_grow(&steps->ns, &steps->capacity,
		    steps->count + chunk->n_samples, sizeof(*steps->ns)) < 0)
		return -ENOMEM;
	for (size_t i = 1; i < chunk->n_samples; i++)
		steps->ns[steps->count++] =
			(int64_t)((uint64_t)t[i] - (uint64_t)t[i - 1]);
	for (size_t p = 0; p < chunk->n_panels; p++)
		if (add_panel(info, chunk, &chunk->panels[p]) < 0)
			return -ENOMEM;
	return 0;
}

static int add_item(struct lp_info *info, struct steps *steps,
		    const struct lp_item *item, const struct block_header *h)
{
	if (lp_names_add(&info->hosts, lp_item_host(item)) == LP_NAME_NONE)
		return -ENOMEM;
	info->blocks++;
	info->events += item->kind == LP_ITEM_EVENT;
	info->inventories += item->kind == LP_ITEM_INVENTORY;
	info->counts += item->kind == LP_ITEM_COUNTS;
	if (item->kind == LP_ITEM_COUNTS &&
	    lp_names_add(&info->counted, item->counts->kind) == LP_NAME_NONE)
		return -ENOMEM;
	return item->kind == LP_ITEM_CHUNK
		       ? add_chunk(info, steps, item->chunk, h)
		       : 0;
}

static int compare(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The median step, to the nearest millisecond: ticks jitter a little. */
static int64_t usual(struct steps *steps)
{
	int64_t step;

	if (steps->count == 0)
		return 0;
	qsort(steps->ns, steps->count, sizeof(*steps->ns), compare);
	step = steps->ns[steps->count / 2];
	if (step < LP_NS_PER_MS)
		return step > 0 ? step : 0;
	return step / LP_NS_PER_MS * LP_NS_PER_MS +
	       (step % LP_NS_PER_MS >= LP_NS_PER_MS / 2 ? LP_NS_PER_MS : 0);
}

static int read_blocks(struct scan *scan, struct decoder *decoder,
		       struct lp_info *info, struct steps *steps,
		       struct lp_error *err)
{
	struct lp_buffer payload = { 0 };
	struct lp_query all;
	struct block block;
	struct lp_item item;
	int code;

	lp_query_init(&all);
	while ((code = lp_scan_next(scan, &all, &block, &payload, err)) > 0) {
		uint64_t at = scan->at - lp_block_size(&block.header);

		code = lp_decode_whole(decoder, &block, &item);
		if (code < 0)
			code = lp_scan_refused(scan, at, code, decoder->why,
					       err);
		else if (add_item(info, steps, &item, &block.header) < 0)
			code = lp_fail_memory(err);
		if (code < 0)
			break;
	}
	lp_buffer_done(&payload);
	return code;
}

/*
 * Bytes behind the last block that are none, which is no error of a reader: a
 * crash leaves such. Behind a block that was growing, the recorder goes on.
 */
static void note_rest(struct lp_info *info, const struct scan *scan)
{
	info->bytes = scan->size;
	info->skipped = scan->n_skipped;
	if (scan->behind_open || scan->at >= scan->size)
		return;
	info->damaged_at = scan->at;
	info->damaged_bytes = scan->size - scan->at;
}

/* Whether the last block is the end mark. */
static bool is_closed(struct scan *scan, const struct lp_info *info)
{
	struct block_header header;
	uint64_t n = BLOCK_HEADER_SIZE, end = info->bytes - info->damaged_bytes;

	scan->at = end < n ? 0 : end - n;
	return lp_scan_header(scan, &header, NULL) == SCAN_BLOCK &&
	       header.type == BLOCK_END;
}

int lp_archive_info(const char *path, struct lp_info *info,
		    struct lp_error *err)
{
	struct steps steps = { 0 };
	struct decoder decoder;
	struct scan scan;
	int code = lp_scan_open(&scan, path, err);

	if (code < 0)
		return code;
	*info = (struct lp_info){
		.first_ns = LP_TIME_MAX,
		.last_ns = LP_TIME_MIN,
	};
	lp_decoder_init(&decoder);
	code = read_blocks(&scan, &decoder, info, &steps, err);
	info->interval_ns = usual(&steps);
	note_rest(info, &scan);
	info->closed = is_closed(&scan, info);
	free(steps.ns);
	lp_decoder_done(&decoder);
	lp_scan_close(&scan);
	if (code < 0)
		lp_archive_info_done(info);
	return code;
}

void lp_archive_info_done(struct lp_info *info)
{
	for (size_t i = 0; i < info->n_classes; i++) {
		free(info->classes[i].name);
		lp_names_done(&info->classes[i].instances);
		lp_names_done(&info->classes[i].columns);
	}
	free(info->classes);
	lp_names_done(&info->hosts);
	lp_names_done(&info->counted);
	*info = (struct lp_info){ 0 };
}
