/* SPDX-License-Identifier: Apache-2.0 */
#include "api/api.h"

#include "table/input.h"

#include <stdlib.h>

struct limpid_stream {
	struct lp_stream *inner;
	struct limpid_item item;
};

int limpid_stream_open(const char *path, const char *format,
		       struct limpid_stream **stream, struct limpid_error *err)
{
	const struct lp_source_options options = { 0 };
	struct limpid_stream *s = calloc(1, sizeof(*s));
	struct lp_query query;
	int status;

	if (!s)
		return lp_fail_memory(lp_api_error(err));
	lp_query_init(&query);
	status = lp_input_open(path, format, &options, &query, &s->inner,
			       lp_api_error(err));
	if (status < 0)
		free(s);
	else
		*stream = s;
	return status;
}

int limpid_stream_next(struct limpid_stream *s, const struct limpid_item **item,
		       struct limpid_error *err)
{
	int status = lp_stream_next(s->inner, &s->item.is, lp_api_error(err));

	if (status > 0)
		*item = &s->item;
	return status;
}

const char *limpid_stream_lost(const struct limpid_stream *s)
{
	return lp_stream_lost(s->inner);
}

void limpid_stream_close(struct limpid_stream *s)
{
	if (s)
		lp_stream_close(s->inner);
	free(s);
}
