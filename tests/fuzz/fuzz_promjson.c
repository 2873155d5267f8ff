/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Answers of a Prometheus, of any bytes and in any pieces, are read or refused
 * with a line; in pieces they say the same as at once.
 */
#include "source/promjson.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct seen {
	size_t series, values, bytes;
};

static int take_series(void *context, const struct lp_metric_series *series,
		       struct lp_error *err)
{
	struct seen *seen = context;

	(void)err;
	seen->series++;
	seen->bytes += strlen(series->metric);
	for (size_t i = 0; i < series->n_labels; i++)
		seen->bytes += strlen(series->labels[i].key) +
			       strlen(series->labels[i].value);
	return 0;
}

/* Samples are of a series. */
static int take_value(void *context, int64_t time_ns, double value,
		      struct lp_error *err)
{
	struct seen *seen = context;

	(void)time_ns;
	(void)value;
	(void)err;
	if (seen->series == 0)
		abort();
	seen->values++;
	return 0;
}

static int take_text(void *context, const char *text, struct lp_error *err)
{
	(void)err;
	((struct seen *)context)->bytes += strlen(text);
	return 0;
}

static int read_answer(const uint8_t *data, size_t size, size_t piece,
		       struct seen *seen)
{
	const struct lp_prom_taker taker = { take_series, take_value, take_text,
					     seen };
	struct lp_prom_json *json = lp_prom_json_new(&taker);
	struct lp_error err = { "" };
	int status = 0;

	if (!json)
		return 0;
	for (size_t at = 0; at < size && status == 0; at += piece)
		status = lp_prom_json_feed(
			json, (const char *)data + at,
			size - at < piece ? size - at : piece, &err);
	if (status == 0)
		status = lp_prom_json_finish(json, &err);
	if (status < 0 && !err.text[0])
		abort();
	lp_prom_json_free(json);
	return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct seen whole = { 0 }, pieces = { 0 };
	int a = read_answer(data, size, size + 1, &whole);
	int b = read_answer(data, size, 3, &pieces);

	if (a != b || memcmp(&whole, &pieces, sizeof(whole)) != 0)
		abort();
	return 0;
}
