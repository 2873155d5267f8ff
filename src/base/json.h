/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON as it is written: escaping and commas, no tree in memory.
 *
 *     lp_json_init(&json, stdout);
 *     lp_json_object(&json);
 *     lp_json_key(&json, "host");
 *     lp_json_string(&json, "oss1");
 *     lp_json_end(&json);
 *     fputc('\n', stdout);
 *
 * All on one line. Errors are the stream's: check ferror() at the end.
 */
#ifndef LP_BASE_JSON_H
#define LP_BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define LP_JSON_DEPTH 16

struct lp_json {
	FILE *out;
	unsigned depth;
	bool after_key;
	struct {
		bool array, begun;
	} level[LP_JSON_DEPTH];
};

void lp_json_init(struct lp_json *json, FILE *out);

/* Open an object or an array, as a value; nest at most LP_JSON_DEPTH. */
void lp_json_object(struct lp_json *json);
void lp_json_array(struct lp_json *json);
/* Close the innermost. */
void lp_json_end(struct lp_json *json);

void lp_json_key(struct lp_json *json, const char *key);

/* Values. Bytes that are not UTF-8 become U+FFFD; a NULL text is null. */
void lp_json_string(struct lp_json *json, const char *text);
void lp_json_u64(struct lp_json *json, uint64_t v);
void lp_json_i64(struct lp_json *json, int64_t v);
/* The shortest text that reads back the same; NaN and infinities: null. */
void lp_json_double(struct lp_json *json, double v);
void lp_json_bool(struct lp_json *json, bool v);
void lp_json_null(struct lp_json *json);
/*
 * The same for what is read back: every double but NaN, which is null. Minus
 * zero is -0.0, infinities are "inf" and "-inf".
 */
void lp_json_exact(struct lp_json *json, double v);
/* The shortest text that reads back as the same float; not finite: null. */
void lp_json_float(struct lp_json *json, float v);
/* A value that is JSON already, on one line. */
void lp_json_raw(struct lp_json *json, const char *text);
/* A time as ISO 8601, UTC. */
void lp_json_time(struct lp_json *json, int64_t time_ns);

/* A key and its value. */
void lp_json_put_string(struct lp_json *json, const char *key,
			const char *text);
void lp_json_put_u64(struct lp_json *json, const char *key, uint64_t v);
void lp_json_put_double(struct lp_json *json, const char *key, double v);

#endif
