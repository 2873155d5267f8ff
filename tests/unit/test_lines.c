/* SPDX-License-Identifier: Apache-2.0 */
/* Lines that stay as they were are not read again: same samples all the same.
 */
#include "unit.h"

#include "random_chunk.h"
#include "source/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define DEVICES 12
#define ROOM 8192

static struct lp_lines *open_lines(void)
{
	const struct lp_reader_context context = { .root = "", .netns_fd = -1 };
	void *state = NULL;

	assert_int_equal(lp_lines_open(&lp_format_diskstats, &context, &state),
			 0);
	return state;
}

static void fetch(struct lp_lines *lines, const char *text)
{
	size_t n = strlen(text);

	assert_int_equal(
		lp_grow(&lines->file.text, &lines->file.capacity, n + 1, 1), 0);
	memcpy(lines->file.text, text, n);
	lines->file.size = n;
}

static int parse(struct lp_lines *lines, struct lp_builder *builder,
		 const char *text)
{
	struct lp_error err;

	fetch(lines, text);
	return lp_lines_parse(lines, builder, &err);
}

/* A device: its name, how many counters it shows, and how busy it is. */
struct device {
	unsigned name, fields, busy;
	uint64_t counter;
};

static void change(struct device *device, uint64_t *rng)
{
	static const unsigned fields[] = { 4, 11, 15, 17, 18, 3, 0 };

	device->name = (unsigned)random_below(rng, DEVICES + 2);
	device->fields = fields[random_below(rng, lp_array_size(fields))];
	device->busy = (unsigned)random_below(rng, 3);
}

static size_t print(const struct device *device, char *text, size_t size)
{
	int n = snprintf(text, size, "   8 %7u sd%u", device->name,
			 device->name);

	for (unsigned f = 0; f < device->fields; f++)
		n += snprintf(text + n, size - (size_t)n, " %llu",
			      (unsigned long long)device->counter + f % 5);
	n += snprintf(text + n, size - (size_t)n, "\n");
	return (size_t)n;
}

/* The next text of these devices: some work, few change altogether. */
static void next_text(struct device *devices, char *text, uint64_t *rng)
{
	size_t n = 0;

	text[0] = '\0';
	for (size_t i = 0; i < DEVICES; i++) {
		if (random_below(rng, 40) == 0)
			change(&devices[i], rng);
		if (devices[i].busy > 1 ||
		    (devices[i].busy == 1 && random_below(rng, 8) == 0))
			devices[i].counter += random_below(rng, 3);
		if (random_below(rng, 60) != 0)
			n += print(&devices[i], text + n, ROOM - n);
	}
	if (n > 0 && random_below(rng, 20) == 0)
		text[n - 1] = '\0';
}

/* What happens to a builder between two ticks, now and then. */
static void disturb(struct lp_builder *builder, uint64_t what)
{
	if (what == 0)
		lp_builder_clear(builder);
	if (what == 1)
		lp_builder_drop(builder, lp_builder_samples(builder) / 2);
	if (what == 2)
		lp_builder_chunk(builder);
}

static void compare_readings(uint64_t seed)
{
	struct lp_builder *kept = lp_builder_new("h"),
			  *anew = lp_builder_new("h");
	struct lp_lines *keeping = open_lines();
	struct device devices[DEVICES] = { { 0 } };
	char text[ROOM];

	for (size_t i = 0; i < DEVICES; i++)
		change(&devices[i], &seed);
	for (int64_t tick = 0; tick < 400; tick++) {
		struct lp_lines *reading = open_lines();
		uint64_t what = random_below(&seed, 40);

		disturb(kept, what);
		disturb(anew, what);
		lp_builder_tick(kept, tick);
		lp_builder_tick(anew, tick);
		/* A tick in which the file could not be read. */
		if (random_below(&seed, 30) != 0) {
			next_text(devices, text, &seed);
			assert_int_equal(parse(keeping, kept, text),
					 parse(reading, anew, text));
			assert_true(keeping->instances == reading->instances);
		}
		if (random_below(&seed, 10) == 0)
			assert_true(lp_chunk_equal(lp_builder_chunk(kept),
						   lp_builder_chunk(anew)));
		lp_lines_close(reading);
	}
	assert_true(
		lp_chunk_equal(lp_builder_chunk(kept), lp_builder_chunk(anew)));
	lp_lines_close(keeping);
	lp_builder_free(kept);
	lp_builder_free(anew);
}

static void lines_that_stay_give_the_samples_that_reading_them_gives(
	void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 40; seed++)
		compare_readings(seed);
}

static uint64_t value(struct lp_builder *builder, size_t series, size_t sample)
{
	const struct lp_chunk *chunk = lp_builder_chunk(builder);

	return chunk->panels[0].series[series].values[0].bits[sample];
}

#define LINE(name, ios) "8 0 " name " " ios " 0 0 0 0 0 0 0 0 0 0\n"

/* Holds what can be held; as the recorder does, nothing is held when samples
 * are looked at or dropped. */
static void hold_or_parse(struct lp_lines *lines, struct lp_builder *builder,
			  const char *text)
{
	struct lp_error err;

	fetch(lines, text);
	if (!lp_lines_hold(lines, lp_builder_samples(builder)))
		lp_lines_parse(lines, builder, &err);
}

static void compare_held(uint64_t seed)
{
	struct lp_builder *late = lp_builder_new("h"),
			  *soon = lp_builder_new("h");
	struct lp_lines *holding = open_lines(), *reading = open_lines();
	struct device devices[DEVICES] = { { 0 } };
	char text[ROOM];

	for (size_t i = 0; i < DEVICES; i++)
		change(&devices[i], &seed);
	for (int64_t tick = 0; tick < 400; tick++) {
		uint64_t what = random_below(&seed, 40);
		struct lp_error err;

		if (what < 3 || random_below(&seed, 15) == 0) {
			lp_lines_catch_up(holding, late, &err);
			assert_true(holding->instances == reading->instances);
			disturb(late, what);
			disturb(soon, what);
		}
		lp_builder_tick(late, tick);
		lp_builder_tick(soon, tick);
		if (random_below(&seed, 30) == 0)
			continue;
		next_text(devices, text, &seed);
		hold_or_parse(holding, late, text);
		parse(reading, soon, text);
	}
	lp_lines_catch_up(holding, late, &(struct lp_error){ "" });
	assert_true(
		lp_chunk_equal(lp_builder_chunk(late), lp_builder_chunk(soon)));
	lp_lines_close(holding);
	lp_lines_close(reading);
	lp_builder_free(late);
	lp_builder_free(soon);
}

static void texts_that_are_held_give_the_samples_that_parsing_at_once_gives(
	void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 40; seed++)
		compare_held(seed);
}

static void a_bad_line_of_a_held_text_is_named(void **state)
{
	struct lp_builder *b = lp_builder_new("h");
	struct lp_lines *lines = open_lines();
	struct lp_error err;

	(void)state;
	for (int64_t tick = 0; tick < 3; tick++) {
		lp_builder_tick(b, tick);
		hold_or_parse(lines, b,
			      tick == 1 ? LINE("sda", "6") "8 0 sdb x\n"
					: LINE("sda", "5"));
	}
	assert_int_equal(lp_lines_catch_up(lines, b, &err), -EINVAL);
	assert_non_null(strstr(err.text, "line 2 not understood: '8 0 sdb x'"));
	assert_true(value(b, 0, 1) == 6);
	assert_true(value(b, 0, 2) == 5);
	lp_lines_close(lines);
	lp_builder_free(b);
}

static void a_text_that_is_too_long_is_not_held(void **state)
{
	struct lp_lines *lines = open_lines();
	static char text[LP_HELD_BYTES + 2];

	(void)state;
	memset(text, '\n', LP_HELD_BYTES + 1);
	fetch(lines, text);
	assert_false(lp_lines_hold(lines, 1));
	text[LP_HELD_BYTES] = '\0';
	for (size_t i = 1; i <= LP_HELD_TEXTS; i++) {
		fetch(lines, text);
		assert_true(lp_lines_hold(lines, i));
	}
	fetch(lines, text);
	assert_false(lp_lines_hold(lines, LP_HELD_TEXTS + 1));
	lp_lines_close(lines);
}

static void an_unchanged_line_repeats_its_row(void **state)
{
	struct lp_builder *b = lp_builder_new("h");
	struct lp_lines *lines = open_lines();

	(void)state;
	for (int64_t tick = 0; tick < 3; tick++) {
		lp_builder_tick(b, tick);
		parse(lines, b,
		      tick < 2 ? LINE("sda", "5") LINE("sdb", "6")
			       : LINE("sda", "5") LINE("sdb", "7"));
	}
	assert_true(value(b, 0, 2) == 5);
	assert_true(value(b, 1, 1) == 6);
	assert_true(value(b, 1, 2) == 7);
	lp_lines_close(lines);
	lp_builder_free(b);
}

static void a_name_that_stands_twice_is_read_anew(void **state)
{
	struct lp_builder *b = lp_builder_new("h");
	struct lp_lines *lines = open_lines();

	(void)state;
	lp_builder_tick(b, 1);
	parse(lines, b, LINE("sda", "5") LINE("sda", "6"));
	lp_builder_tick(b, 2);
	parse(lines, b, LINE("sda", "5"));
	assert_true(value(b, 0, 0) == 6);
	assert_true(value(b, 0, 1) == 5);
	lp_lines_close(lines);
	lp_builder_free(b);
}

static void a_line_without_its_end_is_read_anew(void **state)
{
	struct lp_builder *b = lp_builder_new("h");
	struct lp_lines *lines = open_lines();
	const struct lp_values *v;

	(void)state;
	lp_builder_tick(b, 1);
	parse(lines, b, "8 0 sda 5 0 0 0 0 0 0 0 0 0 1");
	lp_builder_tick(b, 2);
	parse(lines, b, "8 0 sda 5 0 0 0 0 0 0 0 0 0 12\n");
	v = &lp_builder_chunk(b)->panels[0].series[0].values[10];
	assert_true(v->bits[1] == 12);
	lp_lines_close(lines);
	lp_builder_free(b);
}

static void another_builder_gets_the_whole_row(void **state)
{
	struct lp_builder *a = lp_builder_new("h"), *b = lp_builder_new("h");
	struct lp_lines *lines = open_lines();

	(void)state;
	lp_builder_tick(b, 0);
	parse(lines, b, LINE("sda", "4"));
	lp_builder_tick(a, 1);
	parse(lines, a, LINE("sda", "5"));
	lp_builder_tick(b, 2);
	parse(lines, b, LINE("sda", "5"));
	assert_true(value(b, 0, 0) == 4);
	assert_true(value(b, 0, 1) == 5);
	lp_lines_close(lines);
	lp_builder_free(a);
	lp_builder_free(b);
}

static void a_builder_that_was_cleared_gets_the_whole_row(void **state)
{
	struct lp_builder *b = lp_builder_new("h");
	struct lp_lines *lines = open_lines();

	(void)state;
	lp_builder_tick(b, 1);
	parse(lines, b, LINE("sda", "3") LINE("sdb", "4"));
	lp_builder_tick(b, 2);
	parse(lines, b, LINE("sdb", "4"));
	/* The next text is of sample 3 again, and sda is forgotten. */
	lp_builder_clear(b);
	for (int64_t tick = 3; tick < 6; tick++)
		lp_builder_tick(b, tick);
	parse(lines, b, LINE("sdb", "4"));
	assert_true(value(b, 0, 2) == 4);
	lp_lines_close(lines);
	lp_builder_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			lines_that_stay_give_the_samples_that_reading_them_gives),
		cmocka_unit_test(
			texts_that_are_held_give_the_samples_that_parsing_at_once_gives),
		cmocka_unit_test(a_bad_line_of_a_held_text_is_named),
		cmocka_unit_test(a_text_that_is_too_long_is_not_held),
		cmocka_unit_test(an_unchanged_line_repeats_its_row),
		cmocka_unit_test(a_name_that_stands_twice_is_read_anew),
		cmocka_unit_test(a_line_without_its_end_is_read_anew),
		cmocka_unit_test(another_builder_gets_the_whole_row),
		cmocka_unit_test(a_builder_that_was_cleared_gets_the_whole_row),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
