/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Archives written once, by the first limpid of each format version, must read
 * the same for ever: tests/archives/NAME.limpid against NAME.txt.
 *
 * `LIMPID_UPDATE=1 test_archive_golden` writes the texts anew; a difference in
 * one that was committed is a mistake in the reader.
 */
#include "archive_file.h"

#include "archive/maintain.h"

static const char *const golden[] = { "v1-kinds", "v1-live", "v1-hosts",
				      "v1-events", "v2-small" };

static void dump_values(FILE *out, const struct lp_chunk *chunk,
			const struct lp_column *column,
			const struct lp_values *v)
{
	for (size_t i = 0; i < chunk->n_samples; i++) {
		if (!lp_values_has(v, i))
			fputs(" -", out);
		else if (column->type == LP_TEXT)
			fprintf(out, " '%s'", chunk->texts[v->bits[i]]);
		else
			fprintf(out, " %llx", (unsigned long long)v->bits[i]);
	}
	fputc('\n', out);
}

static void dump_panel(FILE *out, const struct lp_chunk *chunk,
		       const struct lp_panel *panel)
{
	fprintf(out, " class %s\n", panel->class_name);
	for (size_t c = 0; c < panel->n_columns; c++) {
		const struct lp_column *col = &panel->columns[c];

		fprintf(out, "  column %s [%s] %d %d %d %d %s %g\n", col->name,
			col->unit, (int)col->kind, (int)col->type, col->width,
			col->optional, col->partner ? col->partner : "-",
			col->bound);
		for (size_t s = 0; s < panel->n_series; s++) {
			fprintf(out, "   %s:", panel->series[s].name);
			dump_values(out, chunk, col,
				    &panel->series[s].values[c]);
		}
	}
}

static void dump_chunk(FILE *out, const struct lp_chunk *chunk)
{
	fprintf(out, "samples of %s:", chunk->host);
	for (size_t i = 0; i < chunk->n_samples; i++)
		fprintf(out, " %lld", (long long)chunk->time_ns[i]);
	fputc('\n', out);
	for (size_t p = 0; p < chunk->n_panels; p++)
		dump_panel(out, chunk, &chunk->panels[p]);
}

static void dump_labels(FILE *out, const struct lp_labels *labels)
{
	for (size_t i = 0; i < labels->count; i++)
		fprintf(out, " %s=%s", labels->items[i].key,
			labels->items[i].value);
	fputc('\n', out);
}

static void dump_inventory(FILE *out, const struct lp_inventory *inventory)
{
	fprintf(out, "inventory of %s at %lld:", inventory->host,
		(long long)inventory->time_ns);
	dump_labels(out, &inventory->labels);
	for (size_t i = 0; i < inventory->n_components; i++) {
		const struct lp_component *c = &inventory->components[i];

		fprintf(out, " %s %s:", c->class_name, c->name);
		dump_labels(out, &c->labels);
	}
}

/* What events have since version 2; the texts of version 1 stay as they are. */
static void dump_pairs(FILE *out, const struct lp_event *event)
{
	fprintf(out, " %s, %s, %s %s\n", lp_severity_name(event->severity),
		event->source ? event->source : "-",
		event->class_name ? event->class_name : "-",
		event->component ? event->component : "-");
	for (size_t i = 0; i < event->n_pairs; i++)
		fprintf(out, " %s=%s\n", event->pairs[i].key,
			event->pairs[i].value);
}

static void dump_counts(FILE *out, const struct lp_counts *c)
{
	fprintf(out, "%s of %s, %s %s, from %lld to %lld\n", c->kind, c->host,
		c->class_name ? c->class_name : "-",
		c->component ? c->component : "-", (long long)c->from_ns,
		(long long)c->to_ns);
	for (size_t i = 0; i < c->n_texts; i++)
		fprintf(out, " text %s\n", c->texts[i]);
	for (size_t i = 0; i < c->n_counts; i++)
		fprintf(out, " %u: %llu\n", c->ids[i],
			(unsigned long long)c->counts[i]);
}

static void dump_item(FILE *out, const struct lp_item *item, bool pairs)
{
	switch (item->kind) {
	case LP_ITEM_CHUNK:
		dump_chunk(out, item->chunk);
		break;
	case LP_ITEM_INVENTORY:
		dump_inventory(out, item->inventory);
		break;
	case LP_ITEM_EVENT:
		fprintf(out, "event of %s at %lld: %s: %s\n", item->event->host,
			(long long)item->event->time_ns,
			lp_event_kind_name(item->event->kind),
			lp_event_text(item->event));
		if (pairs)
			dump_pairs(out, item->event);
		break;
	case LP_ITEM_COUNTS:
		dump_counts(out, item->counts);
	}
}

static char *dump_file(const char *path, bool pairs)
{
	struct lp_stream *stream = open_archive(path);
	struct lp_item item;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int code;

	while ((code = next_item(stream, &item)) > 0)
		dump_item(out, &item, pairs);
	assert_int_equal(code, 0);
	lp_stream_close(stream);
	fclose(out);
	return text;
}

static void check_golden(const char *source, const char *name)
{
	char path[512], text_path[512];
	char *got;
	uint8_t *want;
	size_t n;

	snprintf(path, sizeof(path), "%s/tests/archives/%s.limpid", source,
		 name);
	snprintf(text_path, sizeof(text_path), "%s/tests/archives/%s.txt",
		 source, name);
	got = dump_file(path, name[1] > '1');
	if (getenv("LIMPID_UPDATE"))
		write_file(text_path, (const uint8_t *)got, strlen(got));
	want = read_file(text_path, &n);
	want[n] = '\0';
	assert_string_equal(got, (const char *)want);
	free(got);
	free(want);
}

static void golden_archives_read_the_same_for_ever(void **state)
{
	const char *source = getenv("LIMPID_SOURCE");

	(void)state;
	for (size_t i = 0; i < lp_array_size(golden); i++)
		check_golden(source ? source : ".", golden[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(golden_archives_read_the_same_for_ever),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
