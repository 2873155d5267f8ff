/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Findings as JSON, there and back, and kinds of evidence that only a test has.
 */
#include "any_findings.h"

#include "report/findings_json.h"
#include "report/html.h"
#include "report/html_page.h"
#include "report/markup.h"
#include "report/verdict.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* ---- as it is told ---- */

typedef void tell(const struct lp_findings *f,
		  const struct lp_evidence_kind *const *kinds, FILE *out);

static void as_text(const struct lp_findings *f,
		    const struct lp_evidence_kind *const *kinds, FILE *out)
{
	const struct lp_zone utc = { 0 };
	const struct lp_verdict_report report = { .findings = f,
						  .kinds = kinds,
						  .zone = &utc,
						  .top = 10,
						  .all = true };

	lp_verdict_text(&report, out);
	lp_verdict_hourly(&report, out);
	lp_verdict_json(&report, out);
	lp_verdict_nagios(&report, out);
}

static void as_page(const struct lp_findings *f,
		    const struct lp_evidence_kind *const *kinds, FILE *out)
{
	struct lp_error err;

	assert_int_equal(lp_report_html(out, f, kinds, &err), 0);
}

/* You own it. */
static __attribute__((noinline)) char *told(
	const struct lp_findings *f, tell *how,
	const struct lp_evidence_kind *const *kinds)
{
	char *as = NULL;
	size_t size;
	FILE *out = open_memstream(&as, &size);

	assert_non_null(out);
	how(f, kinds, out);
	fclose(out);
	return as;
}

static void read_back(const char *json, struct lp_findings *f)
{
	struct lp_error err = { 0 };

	if (lp_findings_parse("test", json, strlen(json), NULL, f, &err) < 0)
		fail_msg("%s", err.text);
}

static void assert_told_alike(const struct lp_findings *a,
			      const struct lp_findings *b, tell *how)
{
	char *one = told(a, how, NULL), *other = told(b, how, NULL);

	assert_string_equal(one, other);
	free(one);
	free(other);
}

/* ---- there and back ---- */

static void what_is_written_is_read_back_equal(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 200; seed++) {
		struct lp_findings made, back;
		char *json;

		make(&made, seed);
		json = told(&made, lp_findings_write, NULL);
		read_back(json, &back);
		assert_told_alike(&made, &back, lp_findings_write);
		assert_told_alike(&made, &back, as_text);
		assert_told_alike(&made, &back, as_page);
		lp_findings_done(&made);
		lp_findings_done(&back);
		free(json);
	}
}

/* All keys of version 1, with the same values. */
static void version_1_is_in_it(void **state)
{
	struct lp_findings f;
	const char *key;
	json_t *old, *new, *value;
	char *text_, *json, *line_;

	(void)state;
	make(&f, 3);
	json = told(&f, lp_findings_write, NULL);
	text_ = told(&f, as_text, NULL);
	line_ = strstr(text_, "{\"version\":1");
	assert_non_null(line_);
	old = json_loads(line_, JSON_DISABLE_EOF_CHECK, NULL);
	new = json_loads(json, 0, NULL);
	assert_non_null(old);
	json_object_foreach(old, key, value)
	{
		json_t *now = json_object_get(new, key);

		assert_non_null(now);
		if (strcmp(key, "version") != 0 && !json_is_array(value))
			assert_true(json_equal(now, value));
	}
	json_decref(old);
	json_decref(new);
	lp_findings_done(&f);
	free(json);
	free(text_);
}

/* ---- kinds of evidence ---- */

/* A finding of an open kind: what a log said. */
static void one_of_kind(struct lp_findings *f, const char *sentence)
{
	struct maker m = { .f = f };
	struct lp_evidence *e;

	*f = (struct lp_findings){
		.outcome = LP_OUTCOME_FAULT,
		.reason = "",
		.trained_on = "",
		.n = 1,
	};
	f->items = room(&m, 1, sizeof(*f->items));
	e = room(&m, 1, sizeof(*e));
	*e = (struct lp_evidence){
		.kind = "test-log",
		.component = "oss3/sdc",
		.strength = 2,
		.accuses = true,
		.sentence = sentence,
		.data = "{\"lines\":[\"I/O error <dev sdc>\",\"reset\"]}",
	};
	f->items[0] = (struct lp_finding){
		.component = "oss3/sdc",
		.words = { "disk-busy", "slow disk", "It is slow" },
		.next = "Read its log.",
		.evidence = e,
		.n_evidence = 1,
	};
}

static void a_kind_that_nobody_knows_is_shown_by_its_sentence(void **state)
{
	struct lp_findings f, back;
	char *json, *again, *text_, *page;

	(void)state;
	one_of_kind(&f, "the kernel logged 2 errors <of it>");
	json = told(&f, lp_findings_write, NULL);
	read_back(json, &back);
	assert_string_equal(back.items[0].evidence[0].kind, "test-log");
	again = told(&back, lp_findings_write, NULL);
	assert_string_equal(json, again);
	assert_non_null(strstr(again, "\"data\":{\"lines\":[\"I/O error"));
	text_ = told(&back, as_text, NULL);
	assert_non_null(strstr(text_, "the kernel logged 2 errors"));
	page = told(&back, as_page, NULL);
	assert_non_null(strstr(page, "2 errors &lt;of it&gt;</td>"));
	lp_findings_done(&f);
	lp_findings_done(&back);
	free(json);
	free(again);
	free(text_);
	free(page);
}

/* What the kind of this test says, made of its data. */
static json_t *lines_of(const struct lp_evidence *e, json_t **data)
{
	*data = json_loads(e->data, 0, NULL);
	return json_object_get(*data, "lines");
}

static const char *log_sentence(const struct lp_evidence *e,
				const struct lp_evidence_view *view,
				char to[LP_SENTENCE_TEXT])
{
	json_t *data, *list = lines_of(e, &data);

	(void)view;
	snprintf(to, LP_SENTENCE_TEXT, "its log has %zu lines",
		 json_array_size(list));
	json_decref(data);
	return to;
}

static void log_line(const struct lp_evidence *e,
		     const struct lp_evidence_view *view, FILE *out)
{
	json_t *data, *list = lines_of(e, &data);

	(void)view;
	fprintf(out, "    first: %s\n",
		json_string_value(json_array_get(list, 0)));
	json_decref(data);
}

static void log_row(const struct lp_evidence *e,
		    const struct lp_evidence_view *view, FILE *out)
{
	json_t *data, *list = lines_of(e, &data);

	(void)view;
	fputs("<tr><td>", out);
	lp_markup_text(out, json_string_value(json_array_get(list, 0)));
	fputs("</td></tr>", out);
	json_decref(data);
}

static int log_figure(const struct lp_evidence *e, struct lp_page *page)
{
	(void)e;
	fputs("<svg id=\"log\"></svg>", page->out);
	return 0;
}

static const struct lp_evidence_kind test_log = {
	.name = "test-log",
	.sentence = log_sentence,
	.line = log_line,
	.row = log_row,
	.figure = log_figure,
};

static const struct lp_evidence_kind *const with_log[] = {
	&lp_evidence_metric,
	&test_log,
	NULL,
};

static void a_kind_of_a_table_reaches_text_json_and_page(void **state)
{
	struct lp_findings f, back;
	char *json, *text_, *page;
	struct lp_error err;

	(void)state;
	one_of_kind(&f, NULL);
	json = told(&f, lp_findings_write, with_log);
	assert_non_null(strstr(json, "\"text\":\"its log has 2 lines\""));
	assert_int_equal(lp_findings_parse("test", json, strlen(json), with_log,
					   &back, &err),
			 0);
	assert_null(back.items[0].evidence[0].sentence);
	text_ = told(&back, as_text, with_log);
	assert_non_null(strstr(text_, "It is slow. its log has 2 lines."));
	assert_non_null(strstr(text_, "first: I/O error <dev sdc>\n"));
	page = told(&back, as_page, with_log);
	assert_non_null(strstr(page, "its log has 2 lines."));
	assert_non_null(strstr(page, "<td>I/O error &lt;dev sdc&gt;</td>"));
	assert_non_null(strstr(page, "<svg id=\"log\">"));
	lp_findings_done(&f);
	lp_findings_done(&back);
	free(json);
	free(text_);
	free(page);
}

static void the_columns_of_a_table_are_named_first(void **state)
{
	struct lp_findings f;
	struct lp_evidence *e;
	const char *columns, *name, *line_;
	char *text_;

	(void)state;
	one_of_kind(&f, NULL);
	e = f.items[0].evidence;
	e->kind = LP_EVIDENCE_MOVED;
	e->component = "oss4/sdc";
	e->class = &lp_class_disk;
	e->metric = lp_class_metric(&lp_class_disk, "await");
	e->group = "disks";
	text_ = told(&f, as_text, NULL);
	columns = strstr(text_, "\n    metric   this one ");
	name = strstr(text_, "\n    oss4/sdc:\n");
	line_ = strstr(text_, "\n    await ");
	assert_true(columns && columns < name && name < line_);
	lp_findings_done(&f);
	free(text_);
}

/* ---- what is refused ---- */

/* Replace the first `what` of valid findings; the message must say `why`. */
static void assert_refused(const char *what, const char *by, const char *why)
{
	struct lp_findings f = { .n = 0 };
	struct lp_error err = { 0 };
	char *json, *at, *wrong = NULL;
	size_t size;
	FILE *out = open_memstream(&wrong, &size);

	for (uint64_t seed = 0; f.n == 0 || f.items[0].n_evidence == 0;
	     seed++) {
		lp_findings_done(&f);
		make(&f, seed);
	}
	json = told(&f, lp_findings_write, NULL);
	at = strstr(json, what);
	assert_non_null(at);
	fwrite(json, 1, (size_t)(at - json), out);
	fprintf(out, "%s%s", by, at + strlen(what));
	fclose(out);
	lp_findings_done(&f);
	assert_int_equal(
		lp_findings_parse("f.json", wrong, size, NULL, &f, &err),
		-EINVAL);
	if (!strstr(err.text, why))
		fail_msg("'%s' is not in '%s'", why, err.text);
	free(json);
	free(wrong);
}

static void what_is_wrong_is_said_with_its_place(void **state)
{
	(void)state;
	assert_refused("{", "", "f.json: line 1, column");
	assert_refused("\"version\":2", "\"version\":3",
		       "f.json: version: a newer limpid wrote this");
	assert_refused("limpid-findings", "other", "not a file of findings");
	assert_refused("\"verdict\":\"fault\"", "\"verdict\":\"none\"",
		       "f.json: verdict: is a fault if");
	assert_refused("\"findings\":[{\"component\":",
		       "\"findings\":[{\"component\":1,\"x\":",
		       "f.json: findings[0].component: must be a text");
	assert_refused("\"evidence\":[{\"kind\":",
		       "\"evidence\":[{\"kind\":null,\"x\":",
		       "f.json: findings[0].evidence[0].kind: must be a text");
	assert_refused("\"first\":\"", "\"first\":\"x",
		       "f.json: first: must be a time");
	assert_refused(
		"\"hosts\":", "\"hosts\":-1,\"x\":", "must be a whole number");
	assert_refused("\"data\":",
		       "\"data\":[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]"
		       "]]]]]],\"x\":",
		       "is nested too deeply");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read_back_equal),
		cmocka_unit_test(version_1_is_in_it),
		cmocka_unit_test(
			a_kind_that_nobody_knows_is_shown_by_its_sentence),
		cmocka_unit_test(a_kind_of_a_table_reaches_text_json_and_page),
		cmocka_unit_test(the_columns_of_a_table_are_named_first),
		cmocka_unit_test(what_is_wrong_is_said_with_its_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
