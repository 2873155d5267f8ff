/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/timestamp.h"
#include "diagnose/slots.h"
#include "report/markup.h"
#include "report/svg.h"
#include "report/ticks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define S LP_NS_PER_S

/* ---- text ---- */

struct page {
	char *text;
	size_t size;
	FILE *out;
};

static struct page page_new(void)
{
	struct page page = { 0 };

	return page;
}

static FILE *page_open(struct page *page)
{
	page->out = open_memstream(&page->text, &page->size);
	assert_non_null(page->out);
	return page->out;
}

static const char *page_read(struct page *page)
{
	fclose(page->out);
	return page->text;
}

static void check_text(const char *text, const char *expected)
{
	struct page page = page_new();

	lp_markup_text(page_open(&page), text);
	assert_string_equal(page_read(&page), expected);
	free(page.text);
}

static void names_cannot_become_markup(void **state)
{
	(void)state;
	check_text("oss1/sda", "oss1/sda");
	check_text("<script>\"a\" & 'b'</script>",
		   "&lt;script&gt;&quot;a&quot; &amp; &#39;b&#39;"
		   "&lt;/script&gt;");
	check_text("Gr\xc3\xb6\xc3\x9f"
		   "e",
		   "Gr\xc3\xb6\xc3\x9f"
		   "e");
}

static void bytes_that_are_no_text_are_replaced(void **state)
{
	(void)state;
	check_text("a\xff"
		   "b",
		   "a\xef\xbf\xbd"
		   "b");
	check_text("a\x1b[31m", "a\xef\xbf\xbd[31m");
	check_text("a\x7f", "a\xef\xbf\xbd");
	check_text("a\xc2\x9b"
		   "b",
		   "a\xef\xbf\xbd"
		   "b");
	/* U+202E would write the rest of the line backwards. */
	check_text("a\xe2\x80\xae"
		   "b",
		   "a\xef\xbf\xbd"
		   "b");
}

static void long_names_are_cut_by_characters(void **state)
{
	struct page page = page_new();

	(void)state;
	lp_markup_text_cut(page_open(&page), "\xc3\xa4\xc3\xb6<xyz", 4);
	assert_string_equal(page_read(&page), "\xc3\xa4\xc3\xb6&lt;…");
	free(page.text);
	lp_markup_text_cut(page_open(&page), "abcd", 4);
	assert_string_equal(page_read(&page), "abcd");
	free(page.text);
}

static void check_number(double v, const char *expected)
{
	char text[LP_PEOPLE_TEXT];

	assert_string_equal(lp_people_number(v, text), expected);
}

static void numbers_have_three_digits_and_a_letter(void **state)
{
	(void)state;
	check_number(0, "0");
	check_number(NAN, "–");
	check_number(41.234, "41.2");
	check_number(0.012345, "0.0123");
	check_number(1250, "1250");
	check_number(12345, "12.3k");
	check_number(-12345678, "−12.3M");
	check_number(999999, "1M");
	check_number(2e20, "2.00e+20");
	check_number(1e-9, "1.00e-09");
	check_number(INFINITY, "inf");
}

/* ---- ticks ---- */

static void check_ticks(double lo, double hi, double first, double step,
			size_t n)
{
	struct lp_ticks ticks = lp_value_ticks(lo, hi, 6);

	assert_true(fabs(ticks.first - first) < 1e-9 * step);
	assert_true(fabs(ticks.step - step) < 1e-9 * step);
	assert_int_equal(ticks.n, n);
}

static void marks_stand_at_round_numbers(void **state)
{
	(void)state;
	check_ticks(0, 10, 0, 2, 6);
	check_ticks(0.3, 0.7, 0.3, 0.1, 5);
	check_ticks(-7, 12, -5, 5, 4);
	check_ticks(0, 1.3e6, 0, 5e5, 3);
	/* No width, no numbers: one mark, and an end. */
	assert_int_equal(lp_value_ticks(3, 3, 6).n, 1);
	assert_int_equal(lp_value_ticks(NAN, 3, 6).n, 1);
	assert_int_equal(lp_value_ticks(-INFINITY, 3, 6).n, 1);
	assert_int_equal(lp_value_ticks(1e18, 1e18 + 1e3, 6).n, 1);
}

static void marks_stand_at_round_times(void **state)
{
	struct lp_time_ticks ticks = lp_time_ticks(1000003 * S, 1000603 * S, 9);
	char text[LP_TICK_TEXT];

	(void)state;
	assert_true(ticks.step_ns == 120 * S);
	assert_true(ticks.first_ns == 1000080 * S);
	assert_int_equal(ticks.n, 5);
	assert_string_equal(lp_tick_time(ticks.first_ns, ticks.step_ns, text),
			    "13:48");
	assert_string_equal(lp_tick_time(1000083 * S, S, text), "13:48:03");
	assert_string_equal(lp_tick_time(0, 86400 * S, text), "01-01");
	ticks = lp_time_ticks(0, 86400 * S, 9);
	assert_true(ticks.step_ns == 10800 * S);
	assert_int_equal(ticks.n, 9);
	ticks = lp_time_ticks(5, 5, 9);
	assert_int_equal(ticks.n, 0);
	ticks = lp_time_ticks(0, INT64_C(86400) * 3650 * S, 9);
	assert_in_range(ticks.n, 2, 9);
}

/* ---- slots ---- */

/* As it is drawn. */
static size_t line_of_slots(const struct lp_slots *slots, size_t series,
			    double *x, double *y)
{
	struct lp_picture picture = { .points = slots->points,
				      .slots = slots->n };
	float values[LP_PICTURE_POINTS];
	struct lp_picture_line line = { .y = values };

	lp_slots_values(slots, series, values);
	return lp_picture_draw(&picture, &line, x, y);
}

static void short_series_are_drawn_as_they_are(void **state)
{
	double x[LP_PICTURE_POINTS], y[LP_PICTURE_POINTS];
	struct lp_slots slots;

	(void)state;
	assert_int_equal(lp_slots_init(&slots, 2, 3), 0);
	lp_slots_put(&slots, 0, (double[]){ 1, 10 });
	lp_slots_put(&slots, 1, (double[]){ NAN, 20 });
	lp_slots_put(&slots, 2, (double[]){ 3, 30 });
	assert_false(lp_slots_shortened(&slots));
	assert_int_equal(line_of_slots(&slots, 0, x, y), 3);
	assert_true(x[0] == 0 && x[1] == 1 && x[2] == 2);
	assert_true(y[0] == 1 && isnan(y[1]) && y[2] == 3);
	assert_true(lp_slots_mean(&slots, 1, 1) == 20);
	assert_true(isnan(lp_slots_mean(&slots, 0, 1)));
	lp_slots_done(&slots);
}

static void long_series_keep_their_peaks(void **state)
{
	double x[LP_PICTURE_POINTS], y[LP_PICTURE_POINTS];
	double least = 1, most = 1;
	struct lp_slots slots;
	size_t n;

	(void)state;
	assert_int_equal(lp_slots_init(&slots, 1, 86400), 0);
	for (size_t k = 0; k < 86400; k++) {
		double v = k == 5000 ? 900 : k == 70000 ? -50 : 1;

		lp_slots_put(&slots, k, &v);
	}
	assert_true(lp_slots_shortened(&slots));
	n = line_of_slots(&slots, 0, x, y);
	assert_int_equal(n, LP_PICTURE_POINTS);
	for (size_t i = 0; i < n; i++) {
		least = fmin(least, y[i]);
		most = fmax(most, y[i]);
		assert_true(i == 0 || x[i] > x[i - 1]);
	}
	assert_true(least == -50 && most == 900);
	assert_true(x[0] >= 0 && x[n - 1] <= 86399);
	lp_slots_done(&slots);
}

static void the_pair_of_a_slot_is_in_the_order_of_time(void **state)
{
	double x[LP_PICTURE_POINTS], y[LP_PICTURE_POINTS];
	struct lp_slots slots;

	(void)state;
	assert_int_equal(lp_slots_init(&slots, 2, 1200), 0);
	for (size_t k = 0; k < 1200; k++)
		lp_slots_put(&slots, k, (double[]){ (double)k, -(double)k });
	line_of_slots(&slots, 0, x, y);
	assert_true(y[0] == 0 && y[1] == 3 && y[2] == 4);
	line_of_slots(&slots, 1, x, y);
	assert_true(y[0] == 0 && y[1] == -3 && y[2] == -4);
	lp_slots_done(&slots);
}

/* ---- charts ---- */

static struct lp_svg_chart chart_of(double x_hi, double y_hi)
{
	return (struct lp_svg_chart){
		.id = 7,
		.title = "await of <a>",
		.description = "b & c",
		.kind = "series",
		.height = 200,
		.x = { 0, x_hi },
		.y = { 0, y_hi },
		.time = true,
		.step_ns = S,
		.x_label = "UTC",
		.y_label = "await, ms",
	};
}

static const char *line_of(struct page *page, const double *y, size_t n)
{
	struct lp_svg_chart chart = chart_of(10, 10);
	double x[] = { 0, 1, 2, 3, 4, 5 };

	lp_svg_line(page_open(page), &chart, "peer", NULL, x, y, n);
	return page_read(page);
}

static void a_line_has_gaps_where_values_are_missing(void **state)
{
	struct page page = page_new();

	(void)state;
	assert_string_equal(line_of(&page, (double[]){ 0, 5, 5, NAN, 10 }, 5),
			    "<path class=\"peer\" d=\"M0 600l0 0l120-300h120"
			    "M480 0l0 0\"></path>\n");
	free(page.text);
}

static void values_beyond_the_frame_stay_near_it(void **state)
{
	struct page page = page_new();

	(void)state;
	assert_string_equal(line_of(&page, (double[]){ 0, 1e300 }, 2),
			    "<path class=\"peer\" d=\"M0 600l0 0l120-1200\">"
			    "</path>\n");
	free(page.text);
}

static void a_band_goes_forth_and_back(void **state)
{
	struct lp_svg_chart chart = chart_of(10, 10);
	struct page page = page_new();
	double x[] = { 0, 1, 2, 3 };
	double lo[] = { 0, 0, NAN, 1 }, hi[] = { 5, 5, 5, 1 };

	(void)state;
	lp_svg_band(page_open(&page), &chart, "iqr", "peers", x, lo, hi, 4);
	assert_string_equal(page_read(&page),
			    "<path class=\"iqr\" d=\"M0 300l0 0h120v300h-120z"
			    "M360 540l0 0z\"><title>peers</title></path>\n");
	free(page.text);
}

static void a_chart_says_what_it_is(void **state)
{
	struct lp_svg_chart chart = chart_of(600, 10);
	struct page page = page_new();
	const char *text;

	(void)state;
	lp_svg_open(page_open(&page), &chart);
	lp_svg_span(page.out, &chart, -5, 300, "flagged");
	lp_svg_span(page.out, &chart, 700, 800, "outside");
	lp_svg_close(page.out, &chart);
	text = page_read(&page);
	assert_non_null(strstr(text, "<title id=\"t7\">await of &lt;a&gt;"));
	assert_non_null(strstr(text, "<desc id=\"d7\">b &amp; c</desc>"));
	assert_non_null(strstr(text, "aria-labelledby=\"t7 d7\""));
	assert_non_null(strstr(text, "x=\"0\" y=\"0\" width=\"600\""));
	assert_null(strstr(text, "outside"));
	assert_non_null(strstr(text, "x=\"20.00%\" y=\"216\">00:02</text>"));
	assert_non_null(strstr(text, ">await, ms</text>"));
	free(page.text);
}

static void ranges_begin_at_zero_unless_far_from_it(void **state)
{
	struct lp_svg_range range = lp_svg_range(3, 47);

	(void)state;
	assert_true(range.lo == 0 && range.hi == 50);
	range = lp_svg_range(96, 99.2);
	assert_true(range.lo == 96 && range.hi == 100);
	range = lp_svg_range(0, 0);
	assert_true(range.lo < 0 && range.hi > 0);
	range = lp_svg_range(INFINITY, -INFINITY);
	assert_true(range.lo == 0 && range.hi == 1);
}

static void a_map_draws_equal_neighbours_as_one(void **state)
{
	const char *rows[] = { "oss1/sda", "<b>" };
	const uint8_t levels[] = { 1, 1, 2, 0, 0, 1, 0, 1 };
	struct lp_svg_map map = {
		.title = "map",
		.description = "rows",
		.rows = rows,
		.n_rows = 2,
		.n_columns = 4,
		.levels = levels,
		.n_levels = 3,
		.end_ns = 4 * S,
		.row_height = 14,
	};
	struct page page = page_new();
	const char *text;

	(void)state;
	lp_svg_map(page_open(&page), &map);
	text = page_read(&page);
	assert_non_null(strstr(text, "<title>oss1/sda</title>"
				     "<path class=\"l1\" d=\"M0 0.08h2v.84h-2z"
				     "\"/><path class=\"l2\" d=\"M2 0.08h1"));
	assert_non_null(strstr(text, "d=\"M1 1.08h1v.84h-1zM3 1.08h1"));
	assert_null(strstr(text, "<b>"));
	free(page.text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_cannot_become_markup),
		cmocka_unit_test(bytes_that_are_no_text_are_replaced),
		cmocka_unit_test(long_names_are_cut_by_characters),
		cmocka_unit_test(numbers_have_three_digits_and_a_letter),
		cmocka_unit_test(marks_stand_at_round_numbers),
		cmocka_unit_test(marks_stand_at_round_times),
		cmocka_unit_test(short_series_are_drawn_as_they_are),
		cmocka_unit_test(long_series_keep_their_peaks),
		cmocka_unit_test(the_pair_of_a_slot_is_in_the_order_of_time),
		cmocka_unit_test(a_line_has_gaps_where_values_are_missing),
		cmocka_unit_test(values_beyond_the_frame_stay_near_it),
		cmocka_unit_test(a_band_goes_forth_and_back),
		cmocka_unit_test(a_chart_says_what_it_is),
		cmocka_unit_test(ranges_begin_at_zero_unless_far_from_it),
		cmocka_unit_test(a_map_draws_equal_neighbours_as_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
