/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The model as JSON: a program makes it and others (R, Python) may want it,
 * and one that reads it by eye finds a line per number.
 */
#include "base/number.h"
#include "base/timestamp.h"
#include "io/model/model_file.h"
#include "io/model/trace.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

static const char *const uses[LP_IO_USES] = {
	[LP_IO_USED] = "fitted",
	[LP_IO_ODD] = "odd",
};

const char *lp_io_use_name(enum lp_io_use use)
{
	return uses[use];
}

/* Six digits are more than a clock gives; NaN is null. */
static json_t *number(double v)
{
	char text[LP_NUMBER_TEXT];

	if (!isfinite(v))
		return json_null();
	snprintf(text, sizeof(text), "%.6g", v);
	return json_real(strtod(text, NULL));
}

static json_t *segment_json(const struct lp_io_segment *s)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "intercept_ns",
			 number(s->line.intercept), "ns_per_byte",
			 number(s->line.slope), "error_ns", number(s->error_ns),
			 "error", number(s->error), "slow", number(s->slow),
			 "unexplained", number(s->unexplained));
}

static json_t *size_json(const struct lp_io_size *s)
{
	return json_pack("{s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:i, s:s}",
			 "bytes", (json_int_t)s->bytes, "count",
			 (json_int_t)s->count, "median_ns",
			 number(s->median_ns), "mean_ns", number(s->mean_ns),
			 "mean_without_slow_ns", number(s->kept_mean_ns),
			 "begin_ns", number(s->begin_ns), "limit_ns",
			 number(s->limit_ns), "slow", number(s->slow),
			 "clusters", (int)s->clusters, "use", uses[s->use]);
}

static json_t *factor_json(const struct lp_io_factor *f)
{
	json_t *sizes = json_array();

	for (size_t i = 0; i < f->n_sizes; i++)
		if (json_array_append_new(sizes, size_json(&f->size[i])) < 0) {
			json_decref(sizes);
			return NULL;
		}
	return json_pack("{s:s, s:s, s:o, s:o, s:I, s:o}", "operation",
			 lp_io_kind_name(f->kind), "factor", f->name, "small",
			 segment_json(&f->small), "large",
			 segment_json(&f->large), "sizes_left_out",
			 (json_int_t)f->n_few, "sizes", sizes);
}

static json_t *origin_json(const struct lp_io_origin *o)
{
	char made[LP_TIME_TEXT] = "";

	if (o->made_ns)
		lp_time_format(o->made_ns, made);
	return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "at", made, "by",
			 "limpid " LIMPID_VERSION, "host", o->host, "kernel",
			 o->kernel, "directory", o->directory, "file_system",
			 o->file_system);
}

static json_t *model_json(const struct lp_io_model *m)
{
	json_t *factors = json_array();

	for (size_t i = 0; i < m->n_factors; i++)
		if (json_array_append_new(factors, factor_json(&m->factor[i])) <
		    0) {
			json_decref(factors);
			return NULL;
		}
	return json_pack("{s:s, s:i, s:o, s:s, s:s, s:o*, s:o}", "format",
			 LP_IO_MODEL_FORMAT, "version", LP_IO_MODEL_VERSION,
			 "made", origin_json(&m->origin), "beyond", m->beyond,
			 "reference", m->reference, "resolution_ns",
			 m->resolution_ns > 1 ? json_integer(m->resolution_ns)
					      : NULL,
			 "models", factors);
}

const struct lp_outkind lp_outkind_io_model = {
	.name = "a model of limpid io",
	.beginnings = (const char *const[]){ "{", NULL },
	.holds = "\"" LP_IO_MODEL_FORMAT "\"",
};

int lp_io_model_write(FILE *out, const struct lp_io_model *model)
{
	json_t *json = model_json(model);
	int status;

	if (!json)
		return -ENOMEM;
	status = json_dumpf(json, out, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
	json_decref(json);
	if (status == 0)
		fputc('\n', out);
	/* What the stream could not take stays in it. */
	return status == 0 || ferror(out) ? 0 : -ENOMEM;
}
