/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A witness that only this test has: lines of a log, counted by text, from the
 * archive's block to text, JSON and page.
 */
#include "archive_file.h"

#include "case/case.h"
#include "diagnose/publish.h"
#include "report/findings_json.h"
#include "report/html.h"
#include "report/verdict.h"

#include <math.h>

#define S LP_NS_PER_S
#define RUN "one/1-22-ddr-disk-busy-s1"
#define SENTENCE "link reset was logged 40 times"

/* ---- the witness ---- */

struct log_memory {
	char host[64];
	uint64_t resets;
	int64_t from_ns, to_ns;
	bool said;
};

static bool takes_log(const struct lp_item *item)
{
	return item->kind == LP_ITEM_COUNTS &&
	       strcmp(item->counts->kind, "test-log") == 0;
}

static void *open_log(void)
{
	return calloc(1, sizeof(struct log_memory));
}

static int push_log(void *memory, const struct lp_item *item)
{
	const struct lp_counts *counts = item->counts;
	struct log_memory *m = memory;

	for (size_t i = 0; i < counts->n_counts; i++) {
		if (strcmp(counts->texts[counts->ids[i]], "link reset") != 0)
			continue;
		snprintf(m->host, sizeof(m->host), "%s", counts->host);
		m->resets += counts->counts[i];
		m->from_ns = counts->from_ns;
		m->to_ns = counts->to_ns;
	}
	return 0;
}

static int say_log(void *memory, int64_t until_ns, lp_testify *say, void *user)
{
	struct log_memory *m = memory;
	char sentence[80];
	struct lp_testimony testimony = {
		.kind = "test-log",
		.host = m->host,
		.resource = LP_NETWORK,
		.since_ns = m->from_ns,
		.until_ns = m->to_ns,
		.strength = (double)m->resets,
		.sentence = sentence,
		.data = "{\"text\":\"link reset\"}",
	};

	if (!m->resets || m->said || m->to_ns > until_ns)
		return 0;
	m->said = true;
	snprintf(sentence, sizeof(sentence), "link reset was logged %ju times",
		 (uintmax_t)m->resets);
	return say(user, &testimony);
}

static const struct lp_witness modest = {
	.name = "test-log",
	.takes = takes_log,
	.open = open_log,
	.close = free,
	.push = push_log,
	.advance = say_log,
};

static const struct lp_witness bold = {
	.name = "test-log",
	.accuses_alone = true,
	.takes = takes_log,
	.open = open_log,
	.close = free,
	.push = push_log,
	.advance = say_log,
};

/* ---- an archive with such a block ---- */

static struct lp_stream *open_file(const char *path)
{
	struct lp_query query = { 0 };
	struct lp_stream *stream;
	struct lp_error err;

	lp_query_init(&query);
	if (lp_archive_open(path, &query, &stream, &err) < 0)
		fail_msg("%s", err.text);
	return stream;
}

static struct lp_stream *open_run(void)
{
	char path[1024];

	snprintf(path, sizeof(path),
		 "%s/examples/campaign/" RUN "/recording.limpid",
		 getenv("LIMPID_SOURCE"));
	return open_file(path);
}

static void survey(struct lp_survey *recording)
{
	struct lp_stream *stream = open_run();
	struct lp_error err;

	*recording = (struct lp_survey){ .parts = LP_SURVEY_PEERS };
	assert_int_equal(lp_survey_run(recording, stream, &err), 0);
	lp_survey_finish(recording);
	lp_stream_close(stream);
}

/* The run, and 40 lines of the log of this host, at this time. */
static const char *write_archive(const char *host, int64_t from_ns,
				 int64_t to_ns)
{
	static const char *const texts[] = { "nothing to see", "link reset" };
	const uint32_t ids[] = { 0, 1 };
	const uint64_t numbers[] = { 7, 40 };
	const struct lp_counts counts = {
		.kind = "test-log",
		.host = host,
		.from_ns = from_ns,
		.to_ns = to_ns,
		.texts = texts,
		.n_texts = 2,
		.ids = ids,
		.counts = numbers,
		.n_counts = 2,
	};
	const char *path = in_directory("run.limpid");
	struct lp_stream *stream = open_run();
	struct lp_archive_writer *writer;
	struct lp_item item;
	struct lp_error err;

	assert_int_equal(
		lp_archive_create(path, LP_ARCHIVE_ATOMIC, &writer, &err), 0);
	while (lp_stream_next(stream, &item, &err) > 0)
		assert_int_equal(lp_archive_put_item(writer, &item, &err), 0);
	assert_int_equal(lp_archive_put_counts(writer, &counts, &err), 0);
	assert_int_equal(lp_archive_finish(writer, &err), 0);
	lp_stream_close(stream);
	return path;
}

/* ---- findings ---- */

static const struct lp_matrix_metric *disk_metrics(void)
{
	static struct lp_matrix_metric list[2];

	list[0].class = &lp_class_disk;
	list[0].metric = lp_class_metric(&lp_class_disk, "await");
	return list;
}

static void find(const struct lp_witness *witness, const char *path,
		 struct lp_findings *findings)
{
	const struct lp_witness *const witnesses[] = { witness, NULL };
	struct lp_survey recording;
	struct lp_case_config config = {
		.step_ns = S,
		.since_ns = LP_TIME_MIN,
		.until_ns = LP_TIME_MAX,
		.metrics = disk_metrics(),
		.recording = &recording,
		.witnesses = witnesses,
	};
	struct lp_stream *stream = open_file(path);
	struct lp_publication publication = { .pictures = true };
	struct lp_diagnosis d;
	struct lp_error err;
	struct lp_case *c;

	survey(&recording);
	assert_int_equal(lp_case_open(&config, &c, &err), 0);
	assert_int_equal(lp_case_take(c, stream, &err), 0);
	assert_int_equal(lp_case_advance(c, LP_TIME_MAX, &err), 0);
	assert_int_equal(lp_case_findings(c, &d, &err), 0);
	publication.diagnosis = &d;
	publication.input = lp_case_input(c);
	assert_int_equal(lp_findings_publish(&publication, findings, &err), 0);
	lp_diagnosis_done(&d);
	lp_case_close(c);
	lp_stream_close(stream);
	lp_survey_done(&recording);
}

typedef void write_fn(const struct lp_findings *findings, FILE *out);

static void write_text(const struct lp_findings *findings, FILE *out)
{
	struct lp_zone zone = { 0 };
	struct lp_verdict_report report = { .findings = findings,
					    .top = 9,
					    .zone = &zone };

	lp_verdict_text(&report, out);
}

static void write_stored(const struct lp_findings *findings, FILE *out)
{
	lp_findings_write(findings, NULL, out);
}

static void write_page(const struct lp_findings *findings, FILE *out)
{
	struct lp_error err;

	assert_int_equal(lp_report_html(out, findings, NULL, &err), 0);
}

static bool says(const struct lp_findings *findings, write_fn *write,
		 const char *what)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	bool found;

	write(findings, out);
	fclose(out);
	found = strstr(text, what) != NULL;
	free(text);
	return found;
}

static void assert_all_say(const struct lp_findings *findings, bool told)
{
	assert_int_equal(says(findings, write_text, SENTENCE), told);
	assert_int_equal(says(findings, write_stored, SENTENCE), told);
	assert_int_equal(says(findings, write_page, SENTENCE), told);
}

/* When the disk of s1 is ill, as found without a witness. */
static void find_ill_disk(int64_t *since_ns, int64_t *until_ns)
{
	struct lp_findings findings;

	find(&modest, write_archive("nobody", 0, 0), &findings);
	assert_int_equal(findings.n, 1);
	assert_string_equal(findings.items[0].host, "s1");
	*since_ns = findings.items[0].since_ns;
	*until_ns = findings.items[0].until_ns;
	lp_findings_done(&findings);
}

static void what_a_witness_says_joins_a_finding(void **state)
{
	struct lp_findings findings;
	int64_t since, until;

	(void)state;
	find_ill_disk(&since, &until);
	find(&modest, write_archive("s1", since, until), &findings);
	assert_int_equal(findings.n, 1);
	assert_all_say(&findings, true);
	assert_false(findings.items[0]
			     .evidence[findings.items[0].n_evidence - 1]
			     .accuses);
	lp_findings_done(&findings);
}

static void at_another_time_or_of_another_host_it_says_nothing(void **state)
{
	struct lp_findings findings;
	int64_t since, until;

	(void)state;
	find_ill_disk(&since, &until);
	find(&modest, write_archive("s2", since, until), &findings);
	assert_int_equal(findings.n, 1);
	assert_all_say(&findings, false);
	lp_findings_done(&findings);
	find(&modest, write_archive("s1", until + S, until + 2 * S), &findings);
	assert_all_say(&findings, false);
	lp_findings_done(&findings);
}

static void one_that_may_accuse_alone_makes_a_finding(void **state)
{
	struct lp_findings findings;
	int64_t since, until;

	(void)state;
	find_ill_disk(&since, &until);
	find(&bold, write_archive("s2", since, until), &findings);
	assert_int_equal(findings.n, 2);
	assert_all_say(&findings, true);
	assert_string_equal(findings.items[1].component, "s2");
	assert_int_equal(findings.items[1].n_evidence, 1);
	assert_string_equal(findings.items[1].evidence[0].kind, "test-log");
	assert_true(findings.items[1].since_ns == since);
	lp_findings_done(&findings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_witness_says_joins_a_finding),
		cmocka_unit_test(
			at_another_time_or_of_another_host_it_says_nothing),
		cmocka_unit_test(one_that_may_accuse_alone_makes_a_finding),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
