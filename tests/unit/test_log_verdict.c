/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "logs/verdict/accuse.h"

#include <string.h>

/* A few nodes, and what they say, without any file. */
struct scene {
	struct lp_log_study study;
	struct lp_log_verdict verdict;
};

static const struct lp_log_source source = { .path = "log", .phase = "log" };

static uint32_t node_of(struct scene *s, const char *name)
{
	uint32_t node = lp_names_add(&s->study.sources.nodes, name);
	struct lp_log_node *row = lp_log_study_node(&s->study, node);

	row->lines++;
	if (row->last_ns == LP_LOG_NO_TIME)
		row->first_ns = row->last_ns = 1000 * LP_NS_PER_S;
	return node;
}

/* `who` says something, of `peer` or of itself, so many times. */
static void says(struct scene *s, const char *who, enum lp_log_kind kind,
		 const char *peer, unsigned times)
{
	struct lp_log_line line = { .time_ns = 500 * LP_NS_PER_S,
				    .level = LP_LOG_ERROR };
	struct lp_log_record record = { .source = &source,
					.node = node_of(s, who),
					.number = 1,
					.line = &line,
					.whole = { "text", 4 } };
	struct lp_log_evidence e = { .node = record.node,
				     .kind = kind,
				     .template = kind,
				     .peer = peer };

	if (peer)
		node_of(s, peer);
	for (unsigned i = 0; i < times; i++)
		assert_int_equal(lp_log_study_keep(&s->study, &record, &e), 0);
}

static void judge(struct scene *s)
{
	assert_int_equal(lp_log_study_resolve(&s->study), 0);
	assert_int_equal(lp_log_accuse(&s->study, &s->verdict), 0);
}

static void assert_accused(struct scene *s, size_t i, const char *node,
			   enum lp_log_class class)
{
	assert_true(i < s->verdict.n_accused);
	assert_string_equal(
		lp_log_node_name(&s->study, s->verdict.accused[i].node), node);
	assert_int_equal(s->verdict.accused[i].class, class);
}

static void done(struct scene *s)
{
	lp_log_verdict_done(&s->verdict);
	lp_log_study_done(&s->study);
}

static void the_victim_of_a_cut_writes_most_and_its_peers_are_innocent(
	void **state)
{
	static const char *const others[] = { "s1", "s2", "s4", "s5" };
	struct scene s = { 0 };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		says(&s, "s3", LP_LOG_NO_ANSWER, others[i], 965);
		says(&s, others[i], LP_LOG_NO_ANSWER, "s3", 6);
	}
	judge(&s);
	assert_int_equal(s.verdict.n_accused, 1);
	assert_accused(&s, 0, "s3", LP_LOG_CLASS_NETWORK);
	done(&s);
}

static void what_a_node_says_of_itself_goes_before_hearsay(void **state)
{
	struct scene s = { 0 };

	(void)state;
	says(&s, "s1", LP_LOG_NETWORK_PEER, "s3", 100);
	says(&s, "s2", LP_LOG_NETWORK_PEER, "s3", 100);
	says(&s, "s3", LP_LOG_DEVICE, NULL, 1);
	judge(&s);
	assert_int_equal(s.verdict.n_accused, 1);
	assert_accused(&s, 0, "s3", LP_LOG_CLASS_DEVICE);
	assert_int_equal(s.verdict.accused[0].reporters, 2);
	done(&s);
}

static void one_reporter_is_not_heard_beside_a_known_failure(void **state)
{
	struct scene s = { 0 };

	(void)state;
	says(&s, "s3", LP_LOG_DEVICE, NULL, 1);
	says(&s, "s1", LP_LOG_NO_ANSWER, "s5", 50);
	judge(&s);
	assert_int_equal(s.verdict.n_accused, 1);
	done(&s);
}

static void one_reporter_is_heard_if_nothing_else_is_known(void **state)
{
	struct scene s = { 0 };

	(void)state;
	node_of(&s, "meta");
	says(&s, "mgmt", LP_LOG_NO_ANSWER, "storage1", 1);
	says(&s, "mgmt", LP_LOG_NO_ANSWER, "storage2", 1);
	judge(&s);
	assert_int_equal(s.verdict.n_accused, 2);
	assert_accused(&s, 0, "storage1", LP_LOG_CLASS_NETWORK);
	assert_accused(&s, 1, "storage2", LP_LOG_CLASS_NETWORK);
	done(&s);
}

static void a_log_that_ends_is_of_a_dead_process(void **state)
{
	struct scene s = { 0 };

	(void)state;
	says(&s, "s1", LP_LOG_NO_ANSWER, "s3", 1);
	says(&s, "s2", LP_LOG_NO_ANSWER, "s3", 1);
	s.study.nodes[node_of(&s, "s3")].last_ns = 500 * LP_NS_PER_S;
	judge(&s);
	assert_int_equal(s.verdict.n_accused, 1);
	assert_accused(&s, 0, "s3", LP_LOG_CLASS_DEAD);
	done(&s);
}

static void nothing_new_is_silence(void **state)
{
	struct scene s = { 0 };

	(void)state;
	node_of(&s, "s1");
	judge(&s);
	assert_true(s.verdict.silent);
	assert_int_equal(s.verdict.class, LP_LOG_CLASS_NONE);
	assert_int_equal(s.verdict.n_accused, 0);
	done(&s);
}

static void what_no_rule_knows_names_a_node_if_it_is_one(void **state)
{
	struct scene s = { 0 };

	(void)state;
	says(&s, "s3", LP_LOG_UNKNOWN, NULL, 59);
	judge(&s);
	assert_int_equal(s.verdict.class, LP_LOG_CLASS_UNKNOWN);
	assert_accused(&s, 0, "s3", LP_LOG_CLASS_UNKNOWN);
	done(&s);
}

static void rules_are_read_and_match(void **state)
{
	static const char text[] =
		"format = \"beegfs\";\n"
		"rules = ( { kind = \"no-answer\"; text = \"No reply\";\n"
		"  pattern = \"from (\\\\w+) target (\\\\d+)\";\n"
		"  peer = \"%1 %2\"; } );\n";
	struct lp_log_template template = { .format = &lp_log_format_beegfs };
	struct lp_log_line line = { .message = { "No reply from x target 12",
						 25 } };
	struct lp_log_text groups[LP_LOG_GROUPS];
	struct lp_log_rules rules = { 0 };
	char peer[LP_LOG_PEER_TEXT];
	struct lp_error err;
	bool too_long;

	(void)state;
	assert_int_equal(lp_log_rules_parse(&rules, "r", text, &err), 0);
	assert_int_equal(rules.n, 1);
	assert_true(lp_log_rule_may(&rules.all[0], &template,
				    "No reply from x target *"));
	assert_false(lp_log_rule_may(&rules.all[0], &template, "Reply"));
	assert_true(
		lp_log_rule_matches(&rules.all[0], &line, groups, &too_long));
	assert_true(lp_log_rule_name(rules.all[0].peer, groups, peer));
	assert_string_equal(peer, "x 12");
	lp_log_rules_done(&rules);
}

static void a_pattern_that_backtracks_is_given_up(void **state)
{
	struct lp_log_text groups[LP_LOG_GROUPS];
	struct lp_log_pattern *pattern;
	struct lp_error err;
	char text[4096];
	bool too_long;

	(void)state;
	memset(text, 'a', sizeof(text));
	pattern = lp_log_pattern_new("^(a|aa)+$", &err);
	assert_non_null(pattern);
	text[sizeof(text) - 1] = 'b';
	assert_false(lp_log_pattern_find(
		pattern, (struct lp_log_text){ text, sizeof(text) }, groups,
		&too_long));
	assert_true(too_long);
	lp_log_pattern_free(pattern);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			the_victim_of_a_cut_writes_most_and_its_peers_are_innocent),
		cmocka_unit_test(
			what_a_node_says_of_itself_goes_before_hearsay),
		cmocka_unit_test(
			one_reporter_is_not_heard_beside_a_known_failure),
		cmocka_unit_test(
			one_reporter_is_heard_if_nothing_else_is_known),
		cmocka_unit_test(a_log_that_ends_is_of_a_dead_process),
		cmocka_unit_test(nothing_new_is_silence),
		cmocka_unit_test(what_no_rule_knows_names_a_node_if_it_is_one),
		cmocka_unit_test(rules_are_read_and_match),
		cmocka_unit_test(a_pattern_that_backtracks_is_given_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
