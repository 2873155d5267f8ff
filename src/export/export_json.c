/* SPDX-License-Identifier: Apache-2.0 */
/*
 * {"time":"2026-11-15T20:45:14Z","host":"oss1","class":"disk","device":"sda",
 *  "rd_ios":36371,"rd_ms":null}
 *
 * A value that is missing is null; a column without any value of the component
 * in the chunk is left out.
 */
#include "base/json.h"
#include "base/timestamp.h"
#include "export/export.h"

#include <string.h>

static void put_instance(struct lp_json *json, const struct lp_class *class,
			 const char *instance)
{
	size_t local = lp_export_local(class, instance);
	char text[256];

	if (lp_class_is_host(class))
		return;
	if (local) {
		snprintf(text, sizeof(text), "%.*s", (int)local, instance);
		lp_json_key(json, "local");
		lp_json_string(json, text);
		instance += local + 1;
	}
	lp_json_key(json, class ? class->noun : "component");
	lp_json_string(json, instance);
}

static void put_value(struct lp_json *json, const struct lp_chunk *chunk,
		      enum lp_type type, uint64_t bits)
{
	if (type == LP_TEXT)
		lp_json_string(json, chunk->texts[bits]);
	else if (type == LP_F64)
		lp_json_double(json, lp_bits_double(bits));
	else
		lp_json_u64(json, bits);
}

static bool has_any(const struct lp_values *values, size_t n_samples)
{
	for (size_t i = 0; i < n_samples; i++)
		if (lp_values_has(values, i))
			return true;
	return false;
}

static void put_object(FILE *out, const struct lp_chunk *chunk,
		       const struct lp_panel *panel,
		       const struct lp_series *series, size_t sample)
{
	char name[LP_EXPORT_NAME];
	struct lp_json json;

	lp_json_init(&json, out);
	lp_json_object(&json);
	lp_json_key(&json, "time");
	lp_json_time(&json, chunk->time_ns[sample]);
	lp_json_key(&json, "host");
	lp_json_string(&json, chunk->host);
	lp_json_key(&json, "class");
	lp_json_string(&json, panel->class_name);
	put_instance(&json, panel->class, series->name);
	for (size_t c = 0; c < panel->n_columns; c++) {
		const struct lp_values *v = &series->values[c];

		if (!lp_values_has(v, sample) && !has_any(v, chunk->n_samples))
			continue;
		lp_json_key(&json, lp_export_name(panel->class,
						  &panel->columns[c], name));
		if (lp_values_has(v, sample))
			put_value(&json, chunk, panel->columns[c].type,
				  v->bits[sample]);
		else
			lp_json_null(&json);
	}
	lp_json_end(&json);
	fputc('\n', out);
}

static void put_panel(FILE *out, const struct lp_selection *selection,
		      const struct lp_chunk *chunk,
		      const struct lp_panel *panel, size_t sample)
{
	for (size_t s = 0; s < panel->n_series; s++)
		if (lp_selection_device(selection, panel->series[s].name) &&
		    lp_series_has(panel, &panel->series[s], sample))
			put_object(out, chunk, panel, &panel->series[s],
				   sample);
}

void lp_export_json(FILE *out, const struct lp_selection *selection,
		    const struct lp_chunk *chunk)
{
	if (!lp_selection_host(selection, chunk->host))
		return;
	for (size_t i = 0; i < chunk->n_samples; i++) {
		if (!lp_selection_time(selection, chunk->time_ns[i]))
			continue;
		for (size_t p = 0; p < chunk->n_panels; p++)
			if (lp_selection_class(selection,
					       chunk->panels[p].class_name))
				put_panel(out, selection, chunk,
					  &chunk->panels[p], i);
	}
}
