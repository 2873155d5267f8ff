/* SPDX-License-Identifier: Apache-2.0 */
#include "fake_stream.h"

#include "diagnose/figure.h"
#include "diagnose/publish.h"
#include "report/html.h"

#define S LP_NS_PER_S
#define BEGIN_S INT64_C(1794775500)
#define HOSTS_MOST 64

/* ---- a group of disks, one of them slow for a while ---- */

struct fixture {
	size_t n, points, ill;
	struct lp_matrix *matrix;
	struct lp_matrix_metric metrics[3];
	char names[HOSTS_MOST][32];
	const char *labels[HOSTS_MOST];
	size_t components[HOSTS_MOST];
	struct lp_peer peers[HOSTS_MOST];
	struct lp_peer_group group;
	struct lp_plan plan;
	struct lp_diagnose_input input;
	struct lp_evidence evidence[2];
	struct lp_finding finding;
	struct lp_unit unit;
	struct lp_diagnosis diagnosis;
	double thresholds[HOSTS_MOST];
};

/* Requests that took 8 to 12 ms; of the ill one 41 ms in the second half. */
static struct lp_builder *recorded(const struct fixture *f, size_t host)
{
	struct lp_builder *b = lp_builder_new(f->names[host]);
	size_t disk = lp_builder_panel(b, &lp_class_disk);
	size_t ios = (size_t)lp_class_column(&lp_class_disk, "wr_ios");
	size_t ms = (size_t)lp_class_column(&lp_class_disk, "wr_ms");
	size_t sectors = (size_t)lp_class_column(&lp_class_disk, "wr_sectors");
	uint64_t sum = 0, noise = host + 1, none[64] = { 0 };
	struct lp_row row;

	assert_true(lp_class_disk.n_columns <= 64);
	for (size_t k = 0; k < f->points; k++) {
		bool slow = host == f->ill && k >= f->points / 2;

		noise = noise * UINT64_C(6364136223846793005) + 1442695041;
		sum += slow ? 38 + (noise >> 32) % 7 : 8 + (noise >> 32) % 5;
		lp_builder_tick(b, (BEGIN_S + (int64_t)k) * S);
		lp_builder_row(b, disk, "sdb", 3, &row);
		lp_row_u64s(&row, none, lp_class_disk.n_columns);
		lp_row_u64(&row, ios, k);
		lp_row_u64(&row, ms, sum);
		lp_row_u64(&row, sectors, k * 256);
	}
	return b;
}

static void record(struct fixture *f)
{
	struct lp_matrix_options options = {
		.step_ns = S,
		.since_ns = LP_TIME_MIN,
		.until_ns = LP_TIME_MAX,
		.metrics = f->metrics,
	};
	struct fake_stream *fake = fake_new();
	struct lp_error err;

	f->metrics[0].class = f->metrics[1].class = &lp_class_disk;
	f->metrics[0].metric = lp_class_metric(&lp_class_disk, "wr_sec");
	f->metrics[1].metric = lp_class_metric(&lp_class_disk, "await");
	for (size_t i = 0; i < f->n; i++)
		fake_chunk(fake, recorded(f, i));
	f->matrix = lp_matrix_new(&options);
	assert_non_null(f->matrix);
	assert_int_equal(lp_matrix_take(f->matrix, &fake->stream, &err), 0);
	lp_stream_close(&fake->stream);
}

static void group_them(struct fixture *f)
{
	for (size_t i = 0; i < f->n; i++) {
		f->components[i] = i;
		f->labels[i] = f->names[i];
		f->peers[i] = (struct lp_peer){
			.label = f->names[i],
			.lasting = f->names[i],
			.host = f->names[i],
			.parts = &f->components[i],
			.n_parts = 1,
			.own = LP_NO_GROUP,
		};
	}
	f->group = (struct lp_peer_group){
		.name = "disks of 12 TB",
		.class = &lp_class_disk,
		.peers = f->peers,
		.components = f->components,
		.labels = f->labels,
		.n = f->n,
	};
	f->plan.groups = &f->group;
	f->plan.n_groups = 1;
	f->plan.n_hosts = f->n;
	f->input = (struct lp_diagnose_input){
		.matrix = f->matrix,
		.metrics = f->metrics,
		.step_ns = S,
		.plan = &f->plan,
	};
}

static struct lp_evidence evidence_of(struct fixture *f, size_t metric)
{
	return (struct lp_evidence){
		.kind = LP_EVIDENCE_METRIC,
		.class = &lp_class_disk,
		.metric = f->metrics[metric].metric,
		.component = f->labels[f->ill],
		.group = f->group.name,
		.method = "cdf",
		.group_number = 1,
		.n_peers = f->n - 1,
		.accuses = metric == 1,
		.anomalous = metric == 1,
		.since_ns = (BEGIN_S + (int64_t)f->points / 2) * S,
		.until_ns = (BEGIN_S + (int64_t)f->points - 1) * S,
		.value = metric == 1 ? 41 : 256,
		.peers_median = metric == 1 ? 10 : 256,
		.peers_iqr = metric == 1 ? 2.5 : 0,
		.distance = metric == 1 ? 61.5 : 0,
		.share_over = metric == 1 ? 1 : 0,
		.threshold = 12,
		.windows = 4,
		.flagged = metric == 1 ? 4 : 0,
	};
}

static void judge(struct fixture *f)
{
	size_t windows = f->points / 30;

	f->unit = (struct lp_unit){
		.detector = &lp_detector_cdf,
		.params = lp_detector_cdf.defaults,
		.class = &lp_class_disk,
		.metric = f->metrics[1].metric,
		.group = &f->group,
		.metric_index = 1,
		.thresholds = f->thresholds,
		.windows = windows,
		.n_compared = windows,
		.end_ns = calloc(windows, sizeof(int64_t)),
		.track = calloc(windows, f->n),
	};
	for (size_t w = 0; w < windows; w++) {
		f->unit.end_ns[w] = (BEGIN_S + 30 * (int64_t)(w + 1)) * S;
		for (size_t i = 0; i < f->n; i++)
			f->unit.track[w * f->n + i] = LP_TRACK_COMPARED;
		if (w >= windows / 2)
			f->unit.track[w * f->n + f->ill] |=
				LP_TRACK_FLAG | LP_TRACK_ANOMALOUS;
	}
}

static void find(struct fixture *f)
{
	f->evidence[0] = evidence_of(f, 1);
	f->evidence[1] = evidence_of(f, 0);
	f->finding = (struct lp_finding){
		.component = f->labels[f->ill],
		.host = f->labels[f->ill],
		.part = "wwn-0x5000c500a1b2c3d4",
		.cause = LP_CAUSE_DISK_BUSY,
		.since_ns = f->evidence[0].since_ns,
		.until_ns = f->evidence[0].until_ns,
		.lasting = true,
		.score = 48.2,
		.persistence = 4,
		.evidence = f->evidence,
		.n_evidence = 2,
		.group = f->group.name,
		.peers = f->labels,
		.n_peers = f->n - 1,
		.next = "read the drive's error counters: smartctl -x",
	};
	f->diagnosis = (struct lp_diagnosis){
		.outcome = LP_OUTCOME_FAULT,
		.reason = "",
		.findings = &f->finding,
		.n_findings = 1,
		.units = &f->unit,
		.n_units = 1,
		.step_ns = S,
		.first_ns = BEGIN_S * S,
		.last_ns = (BEGIN_S + (int64_t)f->points - 1) * S,
		.reach = lp_reach_of(S, (int64_t)f->points * S),
	};
}

static struct fixture *fixture_new(size_t n, size_t points, size_t ill)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	assert_true(n <= HOSTS_MOST);
	f->n = n;
	f->points = points;
	f->ill = ill;
	for (size_t i = 0; i < n; i++)
		snprintf(f->names[i], sizeof(f->names[i]), "oss%zu", i + 1);
	return f;
}

static void fixture_make(struct fixture *f)
{
	record(f);
	group_them(f);
	judge(f);
	find(f);
}

static void fixture_free(struct fixture *f)
{
	lp_matrix_free(f->matrix);
	free(f->unit.end_ns);
	free(f->unit.track);
	free(f);
}

/* You own the page. */
static char *page_of(const struct fixture *f)
{
	static const char *const notes[] = { "", "the step is 1 s", NULL };
	struct lp_publication publication = { .input = &f->input,
					      .diagnosis = &f->diagnosis,
					      .notes = notes,
					      .pictures = true };
	struct lp_findings findings;
	struct lp_error err;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	assert_int_equal(lp_findings_publish(&publication, &findings, &err), 0);
	assert_int_equal(lp_report_html(out, &findings, NULL, &err), 0);
	lp_findings_done(&findings);
	fclose(out);
	assert_int_equal(strlen(text), size);
	return text;
}

static size_t occurrences(const char *text, const char *what)
{
	size_t count = 0;

	for (; (text = strstr(text, what)); text++)
		count++;
	return count;
}

/* ---- the page ---- */

static void a_finding_is_shown_with_its_peers_and_numbers(void **state)
{
	struct fixture *f = fixture_new(12, 240, 2);
	char *page;

	(void)state;
	fixture_make(f);
	page = page_of(f);
	assert_non_null(strstr(page, "data-verdict=\"fault\"><h1>oss3: slow "
				     "disk</h1>"));
	assert_int_equal(occurrences(page, "<section class=\"finding\""), 1);
	assert_int_equal(occurrences(page, "class=\"chart series\""), 1);
	assert_int_equal(occurrences(page, "class=\"chart cumulative\""), 1);
	/* Two charts, and the legend. */
	assert_int_equal(occurrences(page, "<path class=\"peer\""), 23);
	assert_int_equal(occurrences(page, "<path class=\"suspect\""), 3);
	assert_int_equal(occurrences(page, "class=\"iqr\""), 0);
	assert_non_null(strstr(page, "<td class=\"n\">41</td>"
				     "<td class=\"n\">10</td>"
				     "<td class=\"n\">4.1 ×</td>"
				     "<td class=\"n\">2.5</td><td>ms</td>"));
	assert_non_null(strstr(page, "wwn-0x5000c500a1b2c3d4"));
	assert_non_null(strstr(page, "smartctl -x"));
	assert_non_null(strstr(page, "A fault must last"));
	assert_non_null(strstr(page, "<li>the step is 1 s</li>"));
	assert_non_null(strstr(page, "the median of its 11 peers is 10 ms"));
	free(page);
	fixture_free(f);
}

static void of_many_peers_twenty_and_a_band_are_drawn(void **state)
{
	struct fixture *f = fixture_new(60, 240, 2);
	char *page;

	(void)state;
	fixture_make(f);
	page = page_of(f);
	assert_int_equal(occurrences(page, "<path class=\"peer\""), 41);
	assert_int_equal(occurrences(page, "<path class=\"iqr\""), 2);
	assert_non_null(strstr(page, "20 of its 59 peers"));
	free(page);
	fixture_free(f);
}

static void a_long_recording_makes_no_large_page(void **state)
{
	struct fixture *f = fixture_new(30, 20000, 2);
	char *page;

	(void)state;
	fixture_make(f);
	page = page_of(f);
	assert_non_null(strstr(page, "20000 points, each line has 301 pairs"));
	assert_in_range(strlen(page), 1, 250000);
	free(page);
	fixture_free(f);
}

static void hostile_names_stay_text_everywhere(void **state)
{
	struct fixture *f = fixture_new(5, 240, 2);
	char *page;

	(void)state;
	snprintf(f->names[2], sizeof(f->names[2]), "%s",
		 "'\"><script>alert(1)</script>");
	snprintf(f->names[3], sizeof(f->names[3]), "%s", "</title><img src=x>");
	fixture_make(f);
	page = page_of(f);
	assert_int_equal(occurrences(page, "<script>"), 1);
	assert_null(strstr(page, "alert(1)</script>"));
	assert_null(strstr(page, "<img"));
	assert_true(occurrences(page, "&lt;script&gt;alert") > 5);
	free(page);
	fixture_free(f);
}

static void what_persists_is_listed_hour_by_hour(void **state)
{
	struct lp_persistent list[60 * 7];
	struct fixture *f = fixture_new(12, 240, 2);
	size_t n = 0;
	char *page;

	(void)state;
	fixture_make(f);
	for (int hour = 0; hour < 60; hour++)
		for (size_t i = 0; i < 7; i++)
			list[n++] = (struct lp_persistent){
				.time_ns = hour * 3600 * LP_NS_PER_S,
				.value = 7000 - i,
				.component = i == 6 ? "seventh" : "<b>oss",
				.group = "a & b",
			};
	f->diagnosis.hourly = list;
	f->diagnosis.n_hourly = n;
	page = page_of(f);
	/* 48 hours, five names each; text stays text. */
	assert_int_equal(occurrences(page, "&lt;b&gt;oss <span"), 48 * 5);
	assert_int_equal(occurrences(page, "title=\"a &amp; b\""), 48 * 5);
	assert_null(strstr(page, "seventh"));
	assert_non_null(strstr(page, "1970-01-03 11:00"));
	assert_null(strstr(page, "1970-01-01 11:00"));
	assert_non_null(strstr(page, "earlier hours are left out"));
	f->diagnosis.n_hourly = 0;
	free(page);
	page = page_of(f);
	assert_null(strstr(page, "hour by hour"));
	free(page);
	fixture_free(f);
}

static void nothing_is_loaded_from_elsewhere(void **state)
{
	struct fixture *f = fixture_new(5, 240, 2);
	char *page;

	(void)state;
	fixture_make(f);
	page = page_of(f);
	/* The one address is the name of SVG in the script. */
	assert_int_equal(occurrences(page, "http"), 2);
	assert_int_equal(occurrences(page, "http-equiv"), 1);
	assert_int_equal(occurrences(page, "http://www.w3.org/2000/svg"), 1);
	assert_null(strstr(page, "src="));
	assert_null(strstr(page, "url("));
	assert_null(strstr(page, "style=\""));
	free(page);
	fixture_free(f);
}

static void silence_and_doubt_do_not_look_alike(void **state)
{
	struct fixture *f = fixture_new(5, 240, 2);
	char *page;

	(void)state;
	fixture_make(f);
	f->diagnosis.n_findings = 0;
	f->diagnosis.outcome = LP_OUTCOME_NONE;
	page = page_of(f);
	assert_non_null(strstr(page, "data-verdict=\"none\"><h1>No component "
				     "differs from its peers</h1>"));
	free(page);
	f->diagnosis.outcome = LP_OUTCOME_UNDECIDED;
	f->diagnosis.reason = "all disks were idle";
	f->diagnosis.n_units = 0;
	page = page_of(f);
	assert_non_null(strstr(
		page,
		"data-verdict=\"undecided\"><h1>Cannot "
		"tell</h1>\n<p class=\"reason\">all disks were idle</p>"));
	assert_null(strstr(page, "id=\"map\""));
	free(page);
	fixture_free(f);
}

static void the_worst_stand_on_top_of_the_map(void **state)
{
	struct fixture *f = fixture_new(12, 240, 7);
	char *page, *map;

	(void)state;
	fixture_make(f);
	page = page_of(f);
	map = strstr(page, "class=\"chart map\"");
	assert_non_null(map);
	map = strstr(map, "<text class=\"ty\"");
	assert_non_null(map);
	assert_non_null(strstr(map, ">oss8<title>"));
	assert_true(strstr(map, ">oss8<title>") < strstr(map, ">oss1<title>"));
	assert_non_null(strstr(map, "<path class=\"l4\" d=\"M4 0.08h4v"));
	free(page);
	fixture_free(f);
}

static void the_map_comes_before_the_findings_and_links_to_them(void **state)
{
	struct fixture *f = fixture_new(12, 240, 7);
	const char *map, *row, *finding;
	char *page;

	(void)state;
	fixture_make(f);
	page = page_of(f);
	assert_non_null(strstr(page, "<li><a href=\"#map\">"));
	assert_non_null(strstr(page, "<li><a href=\"#f1\">"));
	assert_non_null(strstr(page, "<li><a href=\"#method\">"));
	map = strstr(page, "<section id=\"map\">");
	finding = strstr(page, "id=\"f1\"");
	assert_non_null(map);
	assert_true(map < finding);
	row = strstr(map, "<a href=\"#f1\"><text class=\"ty\"");
	assert_non_null(row);
	assert_true(row < strstr(map, ">oss8<title>"));
	assert_int_equal(occurrences(map, "<a href=\"#f1\">"), 1);
	free(page);
	fixture_free(f);
}

/* A finding of several components is one row that shows them all. */
static void a_finding_of_several_parts_is_one_row_of_the_map(void **state)
{
	struct fixture *f = fixture_new(12, 240, 7);
	const char *parts[] = { "oss8", "oss9", "oss10" };
	char *page;

	(void)state;
	fixture_make(f);
	f->finding.component = "controller c1";
	f->finding.parts = parts;
	f->finding.n_parts = 3;
	page = page_of(f);
	assert_non_null(strstr(page, ">controller c1<title>"));
	assert_null(strstr(page, ">oss8<title>"));
	assert_null(strstr(page, ">oss10<title>"));
	assert_int_equal(occurrences(page, "<text class=\"ty\" x=\"-6\""),
			 occurrences(page, "<line class=\"grid\"") + 10);
	free(page);
	fixture_free(f);
}

static void what_was_left_out_is_grouped_by_reason(void **state)
{
	struct lp_plan_left_out list[] = {
		{ .label = "oss10/sda", .reason = "holds the system" },
		{ .label = "oss1/loop0", .reason = "not recorded" },
		{ .label = "oss2/sda", .reason = "holds the system" },
	};
	struct fixture *f = fixture_new(5, 240, 2);
	char *page;

	(void)state;
	fixture_make(f);
	f->plan.left_out = list;
	f->plan.n_left_out = 3;
	page = page_of(f);
	assert_non_null(strstr(page, "<h4>holds the system (2)</h4>"
				     "<ul class=\"names\"><li>oss2/sda</li>\n"
				     "<li>oss10/sda</li>\n</ul>"));
	assert_non_null(strstr(page, "<h4>not recorded (1)</h4>"));
	assert_non_null(strstr(page, "3 components</summary>"));
	free(page);
	fixture_free(f);
}

/* ---- what figures show ---- */

static void a_short_finding_is_shown_with_its_surroundings(void **state)
{
	struct fixture *f = fixture_new(5, 4000, 2);
	struct lp_figure figure;

	(void)state;
	fixture_make(f);
	f->evidence[0].since_ns = (BEGIN_S + 1000) * S;
	f->evidence[0].until_ns = (BEGIN_S + 1099) * S;
	assert_int_equal(lp_figure_make(&figure, &f->input, &f->finding,
					&f->evidence[0], 20),
			 1);
	assert_false(figure.whole);
	assert_int_equal(figure.first, 1000 - 2 * 99 - 60);
	assert_int_equal(figure.until - figure.since, 100);
	assert_true(figure.begin_ns == (BEGIN_S + (int64_t)figure.first) * S);
	assert_int_equal(figure.counts[0], 100);
	assert_int_equal(figure.n_drawn, 4);
	lp_figure_done(&figure);
	fixture_free(f);
}

static void others_of_a_finding_are_no_peers(void **state)
{
	struct fixture *f = fixture_new(8, 240, 2);
	struct lp_figure figure;

	(void)state;
	fixture_make(f);
	f->finding.parts = &f->labels[2];
	f->finding.n_parts = 3;
	assert_int_equal(lp_figure_make(&figure, &f->input, &f->finding,
					&f->evidence[0], 20),
			 1);
	assert_int_equal(figure.n_peers, 5);
	assert_int_equal(figure.part[2], LP_PART_SUSPECT);
	assert_int_equal(figure.part[4], LP_PART_ALSO);
	lp_figure_done(&figure);
	fixture_free(f);
}

static void evidence_that_is_not_in_the_matrix_has_no_figure(void **state)
{
	struct fixture *f = fixture_new(5, 240, 2);
	struct lp_figure figure;
	char *page;

	(void)state;
	fixture_make(f);
	f->evidence[0].component = "elsewhere";
	assert_int_equal(lp_figure_make(&figure, &f->input, &f->finding,
					&f->evidence[0], 20),
			 0);
	page = page_of(f);
	assert_null(strstr(page, "class=\"chart series\""));
	assert_non_null(strstr(page, "elsewhere"));
	free(page);
	fixture_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_finding_is_shown_with_its_peers_and_numbers),
		cmocka_unit_test(of_many_peers_twenty_and_a_band_are_drawn),
		cmocka_unit_test(a_long_recording_makes_no_large_page),
		cmocka_unit_test(hostile_names_stay_text_everywhere),
		cmocka_unit_test(nothing_is_loaded_from_elsewhere),
		cmocka_unit_test(what_persists_is_listed_hour_by_hour),
		cmocka_unit_test(silence_and_doubt_do_not_look_alike),
		cmocka_unit_test(the_worst_stand_on_top_of_the_map),
		cmocka_unit_test(
			the_map_comes_before_the_findings_and_links_to_them),
		cmocka_unit_test(
			a_finding_of_several_parts_is_one_row_of_the_map),
		cmocka_unit_test(what_was_left_out_is_grouped_by_reason),
		cmocka_unit_test(
			a_short_finding_is_shown_with_its_surroundings),
		cmocka_unit_test(others_of_a_finding_are_no_peers),
		cmocka_unit_test(
			evidence_that_is_not_in_the_matrix_has_no_figure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
