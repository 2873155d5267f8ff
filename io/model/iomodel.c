/* SPDX-License-Identifier: Apache-2.0 */
#include "io/model/iomodel.h"

#include <string.h>

void lp_io_model_done(struct lp_io_model *model)
{
	lp_arena_done(&model->arena);
	*model = (struct lp_io_model){ .n_factors = 0 };
}

double lp_io_limit(const struct lp_io_factor *factor, int64_t bytes)
{
	const struct lp_io_segment *segment =
		bytes <= LP_IO_PAGE ? &factor->small : &factor->large;

	return lp_line_at(&segment->line, (double)bytes);
}

/* Between a and b, in proportion. */
static double between(const struct lp_io_size *a, const struct lp_io_size *b,
		      int64_t bytes)
{
	double part =
		(double)(bytes - a->bytes) / (double)(b->bytes - a->bytes);

	return a->kept_mean_ns + part * (b->kept_mean_ns - a->kept_mean_ns);
}

double lp_io_usual(const struct lp_io_factor *factor, int64_t bytes)
{
	const struct lp_io_size *s = factor->size;
	size_t n = factor->n_sizes;

	if (bytes <= s[0].bytes)
		return s[0].kept_mean_ns;
	for (size_t i = 1; i < n; i++)
		if (bytes <= s[i].bytes)
			return between(&s[i - 1], &s[i], bytes);
	return s[n - 1].kept_mean_ns * (double)bytes / (double)s[n - 1].bytes;
}

const struct lp_io_factor *lp_io_factor_named(const struct lp_io_model *model,
					      unsigned kind, const char *name)
{
	for (size_t i = 0; i < model->n_factors; i++)
		if (model->factor[i].kind == kind &&
		    strcmp(model->factor[i].name, name) == 0)
			return &model->factor[i];
	return NULL;
}

bool lp_io_has_factor(const struct lp_io_model *model, const char *name)
{
	return lp_io_factor_named(model, LP_IO_READ, name) ||
	       lp_io_factor_named(model, LP_IO_WRITE, name);
}

const char *lp_io_model_doubt(const struct lp_io_model *model,
			      const struct lp_io_trace *trace, char *text,
			      size_t size)
{
	const char *host = model->origin.host;
	int n = 0;

	text[0] = '\0';
	if (*host && trace->host && *trace->host &&
	    strcmp(host, trace->host) != 0)
		n = snprintf(text, size,
			     "the model was made on %s and the trace on %s: "
			     "another machine may be faster or slower",
			     host, trace->host);
	if (model->resolution_ns > 1 &&
	    model->resolution_ns > trace->resolution_ns && n >= 0 &&
	    (size_t)n < size)
		snprintf(text + n, size - (size_t)n,
			 "%sthe model was made from traces whose clock has a "
			 "resolution of %g ms: it says nothing about shorter "
			 "durations",
			 n ? "; " : "", (double)model->resolution_ns / 1e6);
	return text;
}
