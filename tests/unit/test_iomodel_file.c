/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/memory.h"
#include "io/model/iomodel.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEGMENT "{\"intercept_ns\": 900.5, \"ns_per_byte\": 0.25}"
#define SIZE                                                                   \
	"{\"bytes\": 4096, \"count\": 100, \"median_ns\": 800, \"mean_ns\": "  \
	"900, \"mean_without_slow_ns\": 850, \"limit_ns\": 1000, \"slow\": "   \
	"0.01, \"clusters\": 1, \"use\": \"fitted\"}"
#define FACTOR                                                                 \
	"{\"operation\": \"read\", \"factor\": \"cached\", "                   \
	"\"small\": " SEGMENT ", \"large\": " SEGMENT ", \"sizes\": [" SIZE    \
	"]}"
#define HEAD                                                                   \
	"{\"format\": \"limpid-io-model\", \"version\": 1, \"made\": {"        \
	"\"at\": \"2026-11-15T20:45:14Z\", \"host\": \"node1\"}, "             \
	"\"beyond\": \"uncached\", \"reference\": \"cached\", "
#define WHOLE HEAD "\"models\": [" FACTOR "]}"

static int parse(const char *text, struct lp_io_model *m, struct lp_error *err)
{
	return lp_io_model_parse("m.json", text, strlen(text), m, err);
}

static void a_model_is_read(void **state)
{
	struct lp_io_model m;
	struct lp_error err;

	(void)state;
	assert_int_equal(parse(WHOLE, &m, &err), 0);
	assert_int_equal(m.n_factors, 1);
	assert_string_equal(m.origin.host, "node1");
	assert_string_equal(m.origin.kernel, "");
	assert_true(m.origin.made_ns == INT64_C(1794775514000000000));
	assert_true(m.factor->small.line.slope == 0.25);
	assert_true(isnan(m.factor->small.error));
	assert_true(lp_io_limit(m.factor, 4096) == 900.5 + 1024);
	lp_io_model_done(&m);
}

static void what_is_written_reads_back(void **state)
{
	struct lp_io_model m, again;
	char *text = NULL, *second = NULL;
	size_t n, n_second;
	struct lp_error err;
	FILE *out = open_memstream(&text, &n);

	(void)state;
	assert_int_equal(parse(WHOLE, &m, &err), 0);
	assert_int_equal(lp_io_model_write(out, &m), 0);
	fclose(out);
	assert_int_equal(parse(text, &again, &err), 0);
	assert_true(again.factor->size->limit_ns == 1000);
	out = open_memstream(&second, &n_second);
	assert_int_equal(lp_io_model_write(out, &again), 0);
	fclose(out);
	assert_string_equal(text, second);
	free(text);
	free(second);
	lp_io_model_done(&m);
	lp_io_model_done(&again);
}

static void what_is_wrong_is_said_with_its_place(void **state)
{
	static const struct {
		const char *text, *says;
	} cases[] = {
		{ "", "m.json: line 1: not a model" },
		{ "{\n\"a\": }", "m.json: line 2" },
		{ "[]", "expected \"format\"" },
		{ "{\"format\": \"limpid-io-model\", \"version\": 2}",
		  "not a model of version 1" },
		{ "{\"format\": \"limpid-io-model\", \"version\": 1}",
		  "made must be an object" },
		{ HEAD "\"models\": []}", "models must be a list" },
		{ HEAD "\"models\": [7]}", "models[0]. must be an object" },
		{ HEAD "\"models\": [" FACTOR ", " FACTOR "]}",
		  "models[1].factor appears twice" },
		{ HEAD "\"models\": [{\"operation\": \"open\"}]}",
		  "models[0].operation must be \"read\" or \"write\"" },
		{ HEAD "\"models\": [{\"operation\": \"read\", \"factor\": "
		       "\"a,b\"}]}",
		  "models[0].factor is not a valid name" },
		{ HEAD "\"models\": [{\"operation\": \"read\", \"factor\": "
		       "\"cached\", \"small\": {\"intercept_ns\": -1}}]}",
		  "models[0].intercept_ns must be a number, 0 or more" },
		{ HEAD "\"models\": [{\"operation\": \"read\", \"factor\": "
		       "\"cached\", \"small\": " SEGMENT ", \"large\": " SEGMENT
		       ", \"sizes\": [" SIZE ", " SIZE "]}]}",
		  "models[0].sizes[1].bytes must be above" },
		{ HEAD "\"models\": [{\"operation\": \"read\", \"factor\": "
		       "\"warm\", \"small\": " SEGMENT ", \"large\": " SEGMENT
		       ", \"sizes\": [" SIZE "]}]}",
		  "reference is not the name of a factor" },
		{ HEAD "\"models\": [{\"operation\": \"read\", \"factor\": "
		       "\"uncached\", \"small\": " SEGMENT
		       ", \"large\": " SEGMENT ", \"sizes\": [" SIZE
		       "]}, " FACTOR "]}",
		  "beyond is the name of a factor" },
	};

	(void)state;
	for (size_t i = 0; i < lp_array_size(cases); i++) {
		struct lp_io_model m;
		struct lp_error err;

		assert_int_equal(parse(cases[i].text, &m, &err), -EINVAL);
		if (!strstr(err.text, cases[i].says))
			fail_msg("'%s' does not say '%s'", err.text,
				 cases[i].says);
	}
}

static void a_model_of_another_host_is_doubted(void **state)
{
	struct lp_io_trace trace = { .host = "node2" };
	struct lp_io_model m;
	struct lp_error err;
	char text[256];

	(void)state;
	assert_int_equal(parse(WHOLE, &m, &err), 0);
	assert_non_null(strstr(lp_io_model_doubt(&m, &trace, text, 256),
			       "made on node1 and the trace on node2"));
	trace.host = "node1";
	assert_string_equal(lp_io_model_doubt(&m, &trace, text, 256), "");
	lp_io_model_done(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_model_is_read),
		cmocka_unit_test(what_is_written_reads_back),
		cmocka_unit_test(what_is_wrong_is_said_with_its_place),
		cmocka_unit_test(a_model_of_another_host_is_doubted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
