/* SPDX-License-Identifier: Apache-2.0 */
/*
 * outline FILE... : what an archive holds, for the scripts of this directory.
 *
 *   inventory 12
 *   event start interval 1 s, limpid 0.1.0
 *   sample 1794775514.000057000 disk:612 net:64     (values by class)
 *
 * outline --of CLASS INSTANCE COLUMN FILE... : "TIME VALUE" of one series.
 */
#include "archive/archive.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct wanted {
	const char *class_name, *instance, *column; /* NULL: everything */
};

static void print_time(int64_t time_ns)
{
	printf("%" PRId64 ".%09" PRId64, time_ns / LP_NS_PER_S,
	       time_ns % LP_NS_PER_S);
}

static size_t count_values(const struct lp_panel *panel, size_t sample)
{
	size_t n = 0;

	for (size_t s = 0; s < panel->n_series; s++)
		for (size_t c = 0; c < panel->n_columns; c++)
			n += lp_values_has(&panel->series[s].values[c], sample);
	return n;
}

static void print_samples(const struct lp_chunk *chunk)
{
	for (size_t i = 0; i < chunk->n_samples; i++) {
		printf("sample ");
		print_time(chunk->time_ns[i]);
		for (size_t p = 0; p < chunk->n_panels; p++) {
			size_t n = count_values(&chunk->panels[p], i);

			/* What a block has room for is not what was sampled. */
			if (n)
				printf(" %s:%zu", chunk->panels[p].class_name,
				       n);
		}
		putchar('\n');
	}
}

static void print_series(const struct lp_chunk *chunk,
			 const struct wanted *wanted)
{
	const struct lp_panel *panel =
		lp_chunk_panel(chunk, wanted->class_name);
	int c = panel ? lp_panel_column(panel, wanted->column) : -1;

	for (size_t s = 0; c >= 0 && s < panel->n_series; s++) {
		const struct lp_values *v = &panel->series[s].values[c];

		if (strcmp(panel->series[s].name, wanted->instance) != 0)
			continue;
		for (size_t i = 0; i < chunk->n_samples; i++) {
			if (!lp_values_has(v, i))
				continue;
			print_time(chunk->time_ns[i]);
			printf(" %" PRIu64 "\n", v->bits[i]);
		}
	}
}

static void print_item(const struct lp_item *item, const struct wanted *wanted)
{
	if (item->chunk && wanted->class_name)
		print_series(item->chunk, wanted);
	else if (item->chunk)
		print_samples(item->chunk);
	if (wanted->class_name)
		return;
	if (item->inventory)
		printf("inventory %zu\n", item->inventory->n_components);
	if (item->event)
		printf("event %s %s\n", lp_event_kind_name(item->event->kind),
		       lp_event_text(item->event));
}

static int outline(const char *path, const struct wanted *wanted)
{
	struct lp_stream *stream;
	struct lp_query query;
	struct lp_error err;
	struct lp_item item;
	int rc;

	lp_query_init(&query);
	rc = lp_archive_open(path, &query, &stream, &err);
	if (rc == 0) {
		while ((rc = lp_stream_next(stream, &item, &err)) > 0)
			print_item(&item, wanted);
		lp_stream_close(stream);
	}
	if (rc < 0)
		fprintf(stderr, "outline: %s\n", err.text);
	return rc < 0;
}

int main(int argc, char **argv)
{
	struct wanted wanted = { 0 };
	int failed = 0, first = 1;

	if (argc > 4 && strcmp(argv[1], "--of") == 0) {
		wanted = (struct wanted){ argv[2], argv[3], argv[4] };
		first = 5;
	}
	for (int i = first; i < argc; i++)
		failed |= outline(argv[i], &wanted);
	return failed;
}
