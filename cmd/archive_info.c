/* SPDX-License-Identifier: Apache-2.0 */
#include "archive_info.h"

#include "base/json.h"
#include "base/number.h"
#include "base/visible.h"

#include <inttypes.h>
#include <string.h>

static double per_value(const struct lp_info *info)
{
	return info->values ? (double)info->bytes / (double)info->values : 0;
}

#define INDENT 14
#define FOLD 78

/* The names, folded, behind what stands in the line already. */
static void print_names(FILE *out, const struct lp_names *names)
{
	size_t at = INDENT;

	for (uint32_t i = 0; i < names->count; i++) {
		size_t n = strlen(names->text[i]);

		if (i > 0 && at + 1 + n > FOLD) {
			fprintf(out, "\n%*s", INDENT, "");
			at = INDENT;
		} else if (i > 0) {
			fputc(' ', out);
			at++;
		}
		lp_visible_put(out, names->text[i]);
		at += n;
	}
	fputc('\n', out);
}

static void print_span(FILE *out, const struct lp_info *info)
{
	char first[LP_TIME_TEXT], last[LP_TIME_TEXT], step[LP_TIME_TEXT];

	if (info->first_ns > info->last_ns) {
		fputs("  span        no samples\n", out);
		return;
	}
	fprintf(out, "  span        %s to %s\n",
		lp_time_format(info->first_ns, first),
		lp_time_format(info->last_ns, last));
	if (info->interval_ns > 0)
		fprintf(out, "  interval    %s\n",
			lp_duration_format(info->interval_ns, step));
}

void lp_info_text(FILE *out, const char *path, const struct lp_info *info)
{
	fprintf(out, "%s\n  hosts       ", lp_shown(path));
	print_names(out, &info->hosts);
	print_span(out, info);
	fprintf(out,
		"  samples     %" PRIu64 "\n  values      %" PRIu64
		"\n  bytes       %" PRIu64
		" (%.3f per value)\n  blocks      %" PRIu64
		", %s\n  events      %" PRIu64 "\n  inventories %" PRIu64 "\n",
		info->samples, info->values, info->bytes, per_value(info),
		info->blocks, info->closed ? "closed properly" : "not closed",
		info->events, info->inventories);
	if (info->counts) {
		fprintf(out, "  counts      %" PRIu64 " %s of ", info->counts,
			lp_plural(info->counts, "block", "blocks"));
		print_names(out, &info->counted);
	}
	if (info->skipped)
		fprintf(out,
			"  skipped     %" PRIu64
			" %s, written by a newer limpid\n",
			info->skipped,
			lp_plural(info->skipped, "block", "blocks"));
	if (info->damaged_bytes)
		fprintf(out,
			"  damaged     %" PRIu64 " %s from offset %" PRIu64
			" on; see 'limpid archive verify'\n",
			info->damaged_bytes,
			lp_plural(info->damaged_bytes, "byte", "bytes"),
			info->damaged_at);
	for (size_t i = 0; i < info->n_classes; i++) {
		const struct lp_info_class *c = &info->classes[i];

		fprintf(out,
			"  %-11s %" PRIu32 " %s, %" PRIu32 " %s, %" PRIu64
			" %s\n%*s",
			c->name, c->instances.count,
			lp_plural(c->instances.count, "instance", "instances"),
			c->columns.count,
			lp_plural(c->columns.count, "column", "columns"),
			c->values, lp_plural(c->values, "value", "values"),
			INDENT, "");
		print_names(out, &c->columns);
	}
}

static void put_names(struct lp_json *json, const char *key,
		      const struct lp_names *names)
{
	lp_json_key(json, key);
	lp_json_array(json);
	for (uint32_t i = 0; i < names->count; i++)
		lp_json_string(json, names->text[i]);
	lp_json_end(json);
}

static void put_span(struct lp_json *json, const struct lp_info *info)
{
	bool any = info->first_ns <= info->last_ns;

	lp_json_key(json, "first");
	any ? lp_json_time(json, info->first_ns) : lp_json_null(json);
	lp_json_key(json, "last");
	any ? lp_json_time(json, info->last_ns) : lp_json_null(json);
	lp_json_key(json, "interval_s");
	info->interval_ns > 0
		? lp_json_double(json, (double)info->interval_ns / 1e9)
		: lp_json_null(json);
}

static void put_damage(struct lp_json *json, const struct lp_info *info)
{
	lp_json_key(json, "damaged");
	if (!info->damaged_bytes) {
		lp_json_null(json);
		return;
	}
	lp_json_object(json);
	lp_json_put_u64(json, "offset", info->damaged_at);
	lp_json_put_u64(json, "bytes", info->damaged_bytes);
	lp_json_end(json);
}

static void put_classes(struct lp_json *json, const struct lp_info *info)
{
	lp_json_key(json, "classes");
	lp_json_array(json);
	for (size_t i = 0; i < info->n_classes; i++) {
		const struct lp_info_class *c = &info->classes[i];

		lp_json_object(json);
		lp_json_key(json, "name");
		lp_json_string(json, c->name);
		lp_json_put_u64(json, "values", c->values);
		put_names(json, "instances", &c->instances);
		put_names(json, "columns", &c->columns);
		lp_json_end(json);
	}
	lp_json_end(json);
}

void lp_info_json(FILE *out, const char *path, const struct lp_info *info)
{
	struct lp_json json;

	lp_json_init(&json, out);
	lp_json_object(&json);
	lp_json_key(&json, "file");
	lp_json_string(&json, path);
	put_names(&json, "hosts", &info->hosts);
	put_span(&json, info);
	lp_json_put_u64(&json, "samples", info->samples);
	lp_json_put_u64(&json, "values", info->values);
	lp_json_put_u64(&json, "bytes", info->bytes);
	lp_json_key(&json, "bytes_per_value");
	lp_json_double(&json, per_value(info));
	lp_json_put_u64(&json, "blocks", info->blocks);
	lp_json_put_u64(&json, "events", info->events);
	lp_json_put_u64(&json, "inventories", info->inventories);
	lp_json_put_u64(&json, "counts", info->counts);
	put_names(&json, "counted", &info->counted);
	lp_json_put_u64(&json, "skipped", info->skipped);
	lp_json_key(&json, "closed");
	lp_json_bool(&json, info->closed);
	put_damage(&json, info);
	put_classes(&json, info);
	lp_json_end(&json);
	fputc('\n', out);
}
