/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What limpid watch draws and what its keys do, on a grid without a terminal.
 * Screens are kept in tests/watch/; LIMPID_UPDATE=1 writes them anew.
 */
#include "unit.h"

#include "base/memory.h"
#include "watch_draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DISKS 30
#define NOON (INT64_C(1794916800) * LP_NS_PER_S)

struct stage {
	struct lp_board board;
	struct lp_watch_view view;
	struct lp_watch_grid grid;
	struct lp_board_row rows[DISKS];
	char labels[DISKS][16];
	struct lp_board_suspect suspect;
};

static void set_row(struct stage *s, size_t i)
{
	struct lp_board_row *row = &s->rows[i];
	bool slow = i == 20;

	snprintf(s->labels[i], sizeof(s->labels[i]), "sd%zu", i);
	*row = (struct lp_board_row){
		.label = s->labels[i],
		.group = "29 disks (12 TB, ST12000NM0127)",
		.group_number = 1,
		.n_peers = 28,
		.suspect = slow,
		.nearness = slow ? 1.7 : 0.1,
		.values = { 100 + (double)i, 12800, slow ? 190 : 9.25 },
		.medians = { 114, 12800, 9.25 },
		.n_scores = 1,
		.scores = { { .name = "latency",
			      .unit = "ms",
			      .value = slow ? 190.2 : 9.25,
			      .low = 8.1,
			      .median = 9.25,
			      .high = 11,
			      .effect = slow ? 1950 : 2,
			      .gate = 30,
			      .distance = slow ? 10.4 : 0.3,
			      .limit = 6.1,
			      .compared = true,
			      .accused = slow } },
	};
	memset(row->trail + LP_BOARD_TRAIL - 20, LP_MARK_LIKE, 20);
	if (slow)
		memset(row->trail + LP_BOARD_TRAIL - 6, LP_MARK_ACCUSED, 6);
}

static int set_up(void **state)
{
	struct stage *s = calloc(1, sizeof(*s));

	for (size_t i = 0; i < DISKS; i++)
		set_row(s, i);
	/* One that is not compared, and idle. */
	s->rows[DISKS - 1] = (struct lp_board_row){
		.label = s->labels[DISKS - 1],
		.left_out = "idle during the whole recording",
		.idle = true,
		.nearness = NAN,
	};
	s->board = (struct lp_board){
		.source = "oss3",
		.now_ns = NOON,
		.interval_ns = LP_NS_PER_S,
		.block_ns = 10 * LP_NS_PER_S,
		.n_tables = 1,
		.judged = true,
		.note = "",
	};
	s->board.tables[0] = (struct lp_board_table){
		.name = "disk",
		.plural = "disks",
		.columns = { { "tps", "req/s" },
			     { "rkB/s", "kB/s" },
			     { "await", "ms" } },
		.n_columns = 3,
		.busy = 0,
		.rows = s->rows,
		.n_rows = DISKS,
	};
	*state = s;
	return 0;
}

static int tear_down(void **state)
{
	struct stage *s = *state;

	lp_watch_grid_done(&s->grid);
	free(s);
	return 0;
}

static void accuse(struct stage *s)
{
	s->suspect = (struct lp_board_suspect){
		.component = "sd20",
		.title = "slow disk",
		.text = "Each request takes longer than on its peers",
		.evidence = "latency: 190 ms; its 28 peers: 8.1 to 11 ms",
		.next = "Read the disk's own log: smartctl -a.",
		.since_ns = NOON - 60 * LP_NS_PER_S,
		.lasting = true,
	};
	s->board.outcome = LP_OUTCOME_FAULT;
	s->board.suspects = &s->suspect;
	s->board.n_suspects = 1;
}

/* What the screen is at this size; free it. */
static char *drawn(struct stage *s, size_t width, size_t height)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_int_equal(lp_watch_grid_begin(&s->grid, width, height), 0);
	assert_int_equal(lp_watch_draw(&s->board, &s->view, &s->grid), 0);
	lp_watch_grid_print(&s->grid, out);
	fclose(out);
	return text;
}

static void expect_screen(struct stage *s, size_t width, size_t height,
			  const char *name)
{
	const char *source = getenv("LIMPID_SOURCE");
	char *text = drawn(s, width, height), path[512], wanted[8192];
	size_t n;
	FILE *file;

	snprintf(path, sizeof(path), "%s/tests/watch/%s.txt",
		 source ? source : ".", name);
	if (getenv("LIMPID_UPDATE")) {
		file = fopen(path, "w");
		assert_non_null(file);
		fputs(text, file);
		fclose(file);
	}
	file = fopen(path, "r");
	assert_non_null(file);
	n = fread(wanted, 1, sizeof(wanted) - 1, file);
	fclose(file);
	wanted[n] = '\0';
	assert_string_equal(text, wanted);
	free(text);
}

static void press(struct stage *s, int key)
{
	assert_int_equal(lp_watch_press(&s->board, &s->view, key), 0);
}

static void press_text(struct stage *s, const char *keys)
{
	for (; *keys; keys++)
		press(s, LP_KEY_CHARACTERS + *keys);
}

static void expect(struct stage *s, const char *wanted, bool there)
{
	char *text = drawn(s, 80, 24);

	if ((strstr(text, wanted) != NULL) != there)
		fail_msg("%s '%s' in:\n%s", there ? "no" : "there is", wanted,
			 text);
	free(text);
}

/* ---- screens ---- */

static void a_quiet_machine(void **state)
{
	expect_screen(*state, 80, 24, "quiet");
}

static void a_suspect_comes_first(void **state)
{
	accuse(*state);
	expect_screen(*state, 80, 24, "suspect");
}

static void a_wide_terminal_shows_more_of_the_map(void **state)
{
	accuse(*state);
	expect_screen(*state, 140, 16, "wide");
}

static void a_small_terminal_shows_the_verdict(void **state)
{
	struct stage *s = *state;

	accuse(s);
	expect_screen(s, 40, 8, "small");
	expect_screen(s, 20, 5, "tiny");
	for (size_t width = 1; width < 30; width++)
		for (size_t height = 1; height < 12; height++)
			for (int page = 0; page <= LP_WATCH_HELP; page++) {
				s->view.page = (enum lp_watch_page)page;
				free(drawn(s, width, height));
			}
}

static void before_the_first_verdict_it_is_said_when(void **state)
{
	struct stage *s = *state;

	s->board.first_in_ns = 50 * LP_NS_PER_S;
	expect(s, "First verdict in 50 s.", true);
	s->board.first_in_ns = 0;
	s->board.outcome = LP_OUTCOME_UNDECIDED;
	s->board.reason = "no load: all components were idle";
	expect(s, "Cannot tell: no load: all components were idle", true);
}

static void one_component_has_its_reasons(void **state)
{
	struct stage *s = *state;

	accuse(s);
	press(s, LP_KEY_ENTER);
	expect_screen(s, 80, 24, "one");
	press(s, LP_KEY_BACK);
	press(s, LP_KEY_DOWN);
	press_text(s, "w");
	expect(s, "like its peers", true);
	expect(s, "slow disk", false);
}

static void names_from_outside_do_no_harm(void **state)
{
	struct stage *s = *state;

	s->rows[0].label = "evil\033[2J\n\xc3\xa9";
	s->rows[0].values[0] = 1e9;
	expect(s, "evil?[2J??", true);
}

/* ---- keys ---- */

static void the_cursor_stays_on_its_component(void **state)
{
	struct stage *s = *state;

	press(s, LP_KEY_DOWN);
	press(s, LP_KEY_DOWN);
	assert_string_equal(s->view.chosen, "sd27");
	/* The rows change places. */
	s->rows[26].nearness = 0.9;
	free(drawn(s, 80, 24));
	press(s, LP_KEY_DOWN);
	assert_string_equal(s->view.chosen, "sd25");
	press(s, LP_KEY_UP);
	press(s, LP_KEY_END);
	assert_string_equal(s->view.chosen, "sd0");
	press(s, LP_KEY_DOWN);
	assert_string_equal(s->view.chosen, "sd0");
	expect(s, "sd0", true);
	press(s, LP_KEY_HOME);
	assert_string_equal(s->view.chosen, "sd20");
}

static void the_list_scrolls_with_the_cursor(void **state)
{
	struct stage *s = *state;

	expect(s, "sd5 ", false);
	press(s, LP_KEY_PAGE_DOWN);
	press(s, LP_KEY_PAGE_DOWN);
	expect(s, "sd5 ", true);
	assert_true(s->view.top > 0);
}

static void it_is_sorted_as_one_likes(void **state)
{
	struct stage *s = *state;

	press_text(s, "s");
	expect(s, "by name", true);
	expect(s, "sd0 ", true);
	press_text(s, "ssrs");
	expect(s, "by await", true);
	assert_true(s->view.reversed);
	press_text(s, "s");
	expect(s, "by suspicion", true);
}

static void what_is_idle_is_shown_if_asked_for(void **state)
{
	struct stage *s = *state;

	press_text(s, "s");
	expect(s, "29 of 30 disks", true);
	press_text(s, "a");
	expect(s, "30 of 30 disks", true);
	press(s, LP_KEY_END);
	press(s, LP_KEY_ENTER);
	expect(s, "idle during the whole recording", true);
}

static void help_pause_and_quit(void **state)
{
	struct stage *s = *state;

	press_text(s, "h");
	expect(s, "choose a component", true);
	press_text(s, "hp");
	expect(s, "PAUSED", true);
	press_text(s, "p");
	expect(s, "PAUSED", false);
	assert_false(s->view.over);
	press_text(s, "q");
	assert_true(s->view.over);
}

static void nothing_at_all_is_drawn_and_pressed(void **state)
{
	struct stage *s = *state;

	s->board = (struct lp_board){ .note = "" };
	expect(s, "Waiting for samples", true);
	for (int key = 0; key < LP_KEY_CHARACTERS + 128; key++)
		press(s, key);
	s->view.page = LP_WATCH_ONE;
	expect(s, "is gone", true);
}

static void numbers_take_little_room(void **state)
{
	static const struct {
		double v;
		const char *text;
	} cases[] = {
		{ 0, "0" },           { 0.04, "0.04" },  { 9.25, "9.25" },
		{ 12.34, "12.3" },    { 1234, "1234" },  { 99999, "99999" },
		{ 1e5, "100.0k" },    { 1.5e6, "1.5M" }, { 1e9, "1.0G" },
		{ 1e16, "10000.0T" }, { NAN, "-" },
	};
	char text[LP_BOARD_NUMBER];

	(void)state;
	for (size_t i = 0; i < lp_array_size(cases); i++)
		assert_string_equal(lp_board_number(cases[i].v, text),
				    cases[i].text);
}

#define STAGED(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		STAGED(a_quiet_machine),
		STAGED(a_suspect_comes_first),
		STAGED(a_wide_terminal_shows_more_of_the_map),
		STAGED(a_small_terminal_shows_the_verdict),
		STAGED(before_the_first_verdict_it_is_said_when),
		STAGED(one_component_has_its_reasons),
		STAGED(names_from_outside_do_no_harm),
		STAGED(the_cursor_stays_on_its_component),
		STAGED(the_list_scrolls_with_the_cursor),
		STAGED(it_is_sorted_as_one_likes),
		STAGED(what_is_idle_is_shown_if_asked_for),
		STAGED(help_pause_and_quit),
		STAGED(nothing_at_all_is_drawn_and_pressed),
		cmocka_unit_test(numbers_take_little_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
