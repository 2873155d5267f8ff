/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct sink {
	char *text;
	size_t n;
	FILE *out;
	struct lp_json json;
};

static void begin(struct sink *s)
{
	*s = (struct sink){ 0 };
	s->out = open_memstream(&s->text, &s->n);
	assert_non_null(s->out);
	lp_json_init(&s->json, s->out);
}

static void expect(struct sink *s, const char *text)
{
	fclose(s->out);
	assert_string_equal(s->text, text);
	free(s->text);
}

static void commas_stand_between_values_only(void **state)
{
	struct sink s;

	(void)state;
	begin(&s);
	lp_json_object(&s.json);
	lp_json_key(&s.json, "a");
	lp_json_array(&s.json);
	lp_json_u64(&s.json, UINT64_MAX);
	lp_json_i64(&s.json, -1);
	lp_json_object(&s.json);
	lp_json_end(&s.json);
	lp_json_end(&s.json);
	lp_json_key(&s.json, "b");
	lp_json_bool(&s.json, true);
	lp_json_end(&s.json);
	expect(&s, "{\"a\":[18446744073709551615,-1,{}],\"b\":true}");
}

static void quotes_and_control_characters_are_escaped(void **state)
{
	struct sink s;

	(void)state;
	begin(&s);
	lp_json_string(&s.json, "a\"b\\c\n\t\x01\x7f\xc3\xa4");
	expect(&s, "\"a\\\"b\\\\c\\n\\t\\u0001\\u007f\xc3\xa4\"");
}

static void bytes_that_are_not_utf8_are_replaced(void **state)
{
	struct sink s;

	(void)state;
	begin(&s);
	/* overlong, surrogate, cut off at the end */
	lp_json_string(&s.json, "\xc0\xaf|\xed\xa0\x80|\xf0\x9f");
	expect(&s, "\"\xef\xbf\xbd\xef\xbf\xbd|\xef\xbf\xbd\xef\xbf\xbd"
		   "\xef\xbf\xbd|\xef\xbf\xbd\xef\xbf\xbd\"");
}

static void what_is_no_number_is_null(void **state)
{
	struct sink s;

	(void)state;
	begin(&s);
	lp_json_array(&s.json);
	lp_json_double(&s.json, NAN);
	lp_json_double(&s.json, -INFINITY);
	lp_json_double(&s.json, 0.1);
	lp_json_string(&s.json, NULL);
	lp_json_end(&s.json);
	expect(&s, "[null,null,0.1,null]");
}

static void times_are_iso_8601(void **state)
{
	struct sink s;

	(void)state;
	begin(&s);
	lp_json_time(&s.json, 1500000000);
	expect(&s, "\"1970-01-01T00:00:01.500Z\"");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commas_stand_between_values_only),
		cmocka_unit_test(quotes_and_control_characters_are_escaped),
		cmocka_unit_test(bytes_that_are_not_utf8_are_replaced),
		cmocka_unit_test(what_is_no_number_is_null),
		cmocka_unit_test(times_are_iso_8601),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
