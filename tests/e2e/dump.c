/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: dump FILE [FORMAT]
 *
 * All that a file says, in lines of fields separated by tabs, for scripts that
 * compare exactly: raw values, events and labels, which no command shows side
 * by side.
 *
 *     event  TIME HOST KIND TEXT
 *     label  HOST CLASS NAME KEY VALUE    (CLASS and NAME "-": of the host)
 *     value  TIME HOST CLASS NAME COLUMN WIDTH VALUE
 */
#include "base/number.h"
#include "table/input.h"

#include <inttypes.h>
#include <stdio.h>

static void dump_labels(const char *host, const char *class_name,
			const char *name, const struct lp_labels *labels)
{
	for (size_t i = 0; i < labels->count; i++)
		printf("label\t%s\t%s\t%s\t%s\t%s\n", host, class_name, name,
		       labels->items[i].key, labels->items[i].value);
}

static void dump_inventory(const struct lp_inventory *inventory)
{
	dump_labels(inventory->host, "-", "-", &inventory->labels);
	for (size_t i = 0; i < inventory->n_components; i++) {
		const struct lp_component *c = &inventory->components[i];

		dump_labels(inventory->host, c->class_name, c->name,
			    &c->labels);
	}
}

static void dump_value(const struct lp_chunk *chunk, const struct lp_column *c,
		       uint64_t bits)
{
	char text[LP_NUMBER_TEXT];

	if (c->type == LP_U64)
		printf("%" PRIu64 "\n", bits);
	else if (c->type == LP_F64)
		printf("%s\n", lp_format_double(lp_bits_double(bits), text));
	else
		printf("%s\n", chunk->texts[bits]);
}

static void dump_series(const struct lp_chunk *chunk,
			const struct lp_panel *panel,
			const struct lp_series *series)
{
	char time[LP_TIME_TEXT];

	for (size_t c = 0; c < panel->n_columns; c++)
		for (size_t i = 0; i < chunk->n_samples; i++) {
			if (!lp_values_has(&series->values[c], i))
				continue;
			printf("value\t%s\t%s\t%s\t%s\t%s\t%d\t",
			       lp_time_format(chunk->time_ns[i], time),
			       chunk->host, panel->class_name, series->name,
			       panel->columns[c].name, panel->columns[c].width);
			dump_value(chunk, &panel->columns[c],
				   series->values[c].bits[i]);
		}
}

static void dump_item(const struct lp_item *item)
{
	const struct lp_event *event = item->event;
	char time[LP_TIME_TEXT];

	if (item->kind == LP_ITEM_EVENT)
		printf("event\t%s\t%s\t%s\t%s\n",
		       lp_time_format(event->time_ns, time), event->host,
		       lp_event_kind_name(event->kind), lp_event_text(event));
	if (item->kind == LP_ITEM_INVENTORY)
		dump_inventory(item->inventory);
	if (item->kind != LP_ITEM_CHUNK)
		return;
	for (size_t p = 0; p < item->chunk->n_panels; p++) {
		const struct lp_panel *panel = &item->chunk->panels[p];

		for (size_t s = 0; s < panel->n_series; s++)
			dump_series(item->chunk, panel, &panel->series[s]);
	}
}

int main(int argc, char **argv)
{
	struct lp_source_options options = { 0 };
	struct lp_query query;
	struct lp_stream *stream;
	struct lp_error err;
	struct lp_item item;
	int r;

	lp_query_init(&query);
	if (argc < 2)
		return 2;
	r = lp_input_open(argv[1], argv[2], &options, &query, &stream, &err);
	if (r == 0) {
		while ((r = lp_stream_next(stream, &item, &err)) > 0)
			dump_item(&item);
		lp_stream_close(stream);
	}
	if (r < 0)
		fprintf(stderr, "dump: %s\n", err.text);
	return r < 0 ? 1 : 0;
}
