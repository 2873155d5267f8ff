/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json.h"

#include "base/number.h"
#include "base/timestamp.h"
#include "base/utf8.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void lp_json_init(struct lp_json *json, FILE *out)
{
	*json = (struct lp_json){ .out = out };
}

/* The comma before every value of an array, or key of an object, but one. */
static void separate(struct lp_json *json)
{
	if (!json->after_key && json->depth > 0) {
		if (json->level[json->depth - 1].begun)
			fputc(',', json->out);
		json->level[json->depth - 1].begun = true;
	}
	json->after_key = false;
}

static void open_level(struct lp_json *json, bool array)
{
	separate(json);
	assert(json->depth < LP_JSON_DEPTH);
	json->level[json->depth].array = array;
	json->level[json->depth].begun = false;
	json->depth++;
	fputc(array ? '[' : '{', json->out);
}

void lp_json_object(struct lp_json *json)
{
	open_level(json, false);
}

void lp_json_array(struct lp_json *json)
{
	open_level(json, true);
}

void lp_json_end(struct lp_json *json)
{
	assert(json->depth > 0);
	json->depth--;
	fputc(json->level[json->depth].array ? ']' : '}', json->out);
}

static void put_character(FILE *out, const unsigned char *text, size_t n)
{
	if (n == 0)
		fputs(LP_UTF8_REPLACEMENT, out);
	else if (*text == '"' || *text == '\\')
		fprintf(out, "\\%c", *text);
	else if (*text == '\n')
		fputs("\\n", out);
	else if (*text == '\t')
		fputs("\\t", out);
	else if (*text < 0x20 || *text == 0x7f)
		fprintf(out, "\\u%04x", *text);
	else
		fwrite(text, 1, n, out);
}

static void put_quoted(FILE *out, const char *text)
{
	const unsigned char *p = (const unsigned char *)text;
	size_t n;

	fputc('"', out);
	for (; *p; p += n ? n : 1) {
		n = lp_utf8_length((const char *)p);
		put_character(out, p, n);
	}
	fputc('"', out);
}

void lp_json_key(struct lp_json *json, const char *key)
{
	separate(json);
	put_quoted(json->out, key);
	fputc(':', json->out);
	json->after_key = true;
}

void lp_json_string(struct lp_json *json, const char *text)
{
	if (!text) {
		lp_json_null(json);
		return;
	}
	separate(json);
	put_quoted(json->out, text);
}

void lp_json_u64(struct lp_json *json, uint64_t v)
{
	separate(json);
	fprintf(json->out, "%" PRIu64, v);
}

void lp_json_i64(struct lp_json *json, int64_t v)
{
	separate(json);
	fprintf(json->out, "%" PRId64, v);
}

void lp_json_double(struct lp_json *json, double v)
{
	char text[LP_NUMBER_TEXT];

	if (!isfinite(v)) {
		lp_json_null(json);
		return;
	}
	separate(json);
	fputs(lp_format_double(v, text), json->out);
}

void lp_json_exact(struct lp_json *json, double v)
{
	if (isinf(v))
		lp_json_string(json, v > 0 ? "inf" : "-inf");
	else if (v == 0 && signbit(v))
		lp_json_raw(json, "-0.0");
	else
		lp_json_double(json, v);
}

void lp_json_float(struct lp_json *json, float v)
{
	char text[LP_NUMBER_TEXT];

	if (!isfinite(v)) {
		lp_json_null(json);
		return;
	}
	for (int digits = 6; digits <= 9; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, (double)v);
		if (strtof(text, NULL) == v)
			break;
	}
	lp_json_raw(json, v == 0 && signbit(v) ? "-0.0" : text);
}

void lp_json_raw(struct lp_json *json, const char *text)
{
	separate(json);
	fputs(text, json->out);
}

void lp_json_bool(struct lp_json *json, bool v)
{
	separate(json);
	fputs(v ? "true" : "false", json->out);
}

void lp_json_null(struct lp_json *json)
{
	separate(json);
	fputs("null", json->out);
}

void lp_json_time(struct lp_json *json, int64_t time_ns)
{
	char text[LP_TIME_TEXT];

	lp_json_string(json, lp_time_format(time_ns, text));
}

void lp_json_put_string(struct lp_json *json, const char *key, const char *text)
{
	lp_json_key(json, key);
	lp_json_string(json, text);
}

void lp_json_put_u64(struct lp_json *json, const char *key, uint64_t v)
{
	lp_json_key(json, key);
	lp_json_u64(json, v);
}

void lp_json_put_double(struct lp_json *json, const char *key, double v)
{
	lp_json_key(json, key);
	lp_json_double(json, v);
}
