/* SPDX-License-Identifier: Apache-2.0 */
#include "report/findings_format.h"

#include "base/memory.h"

const char *const lp_peers_by_names[LP_PEERS_BYS] = {
	[LP_PEERS_STATED] = "stated",
	[LP_PEERS_LOAD] = "load",
	[LP_PEERS_NAMES] = "names",
};

#define TABLE(name, list)                                                      \
	const struct lp_member_table name = { list, lp_array_size(list) }

#define M(key, type, field) LP_MEMBER(key, type, struct lp_findings, field)
static const struct lp_member findings[] = {
	M("trained", FLAG, trained),
	M("trained_on", TEXT, trained_on),
	M("first", TIME, first_ns),
	M("last", TIME, last_ns),
	M("step_ns", NS, step_ns),
	M("window", COUNT, window),
	M("shift", COUNT, shift),
	M("k", COUNT, k),
	M("of", COUNT, of),
	M("least_ns", NS, least_ns),
	M("sure_ns", NS, sure_ns),
	M("needed_ns", NS, needed_ns),
	M("hosts", COUNT, n_hosts),
	M("groups", COUNT, n_groups),
	M("components", COUNT, n_components),
	M("inputs_left_out", COUNT, inputs_left_out),
	M("inputs_read_in_part", COUNT, inputs_read_in_part),
	M("budget", TEXT_OR, budget),
};
TABLE(lp_members_findings, findings);
#undef M

#define M(key, type, field) LP_MEMBER(key, type, struct lp_method, field)
static const struct lp_member method[] = {
	M("name", TEXT, name),       M("help", TEXT, help),
	M("smooth", COUNT, smooth),  M("window", COUNT, window),
	M("shift", COUNT, shift),    M("k", COUNT, k),
	M("block_ns", NS, block_ns),
};
TABLE(lp_members_method, method);
#undef M

#define M(key, type, field) LP_MEMBER(key, type, struct lp_comparison, field)
static const struct lp_member comparison[] = {
	M("group", TEXT, group),
	M("metric", TEXT, metric),
	M("n", COUNT, n),
	M("class", TEXT, class),
	M("method", TEXT, method),
	M("windows", COUNT, windows),
	M("trained", COUNT, n_trained),
	M("ground", TEXT_OR, ground),
	M("group_number", COUNT, group_number),
	M("threshold", NUMBER, threshold),
	M("windows_compared", COUNT, n_compared),
	M("windows_undecided", COUNT, n_split),
	M("limit_by", TEXT_OR, limit_by),
	M("tail_hours", NUMBER, tail_hours),
	M("least_level", NUMBER, least_level),
	M("least_change", NUMBER, least_change),
};
TABLE(lp_members_comparison, comparison);
#undef M

#define M(key, type, field) LP_MEMBER(key, type, struct lp_persistent, field)
static const struct lp_member hourly[] = {
	M("time", TIME, time_ns),
	M("value", COUNT, value),
	M("component", TEXT, component),
	M("group", TEXT, group),
	M("group_number", COUNT, group_number),
};
TABLE(lp_members_hourly, hourly);
#undef M

#define M(key, type, field) LP_MEMBER(key, type, struct lp_not_compared, field)
static const struct lp_member left_out[] = {
	M("component", TEXT, component),
	M("reason", TEXT, reason),
};
TABLE(lp_members_left_out, left_out);
#undef M

#define M(key, type, field) LP_MEMBER(key, type, struct lp_finding, field)
static const struct lp_member finding[] = {
	M("component", TEXT, component),
	M("id", TEXT_OR, id),
	M("host", TEXT_OR, host),
	M("cause", TEXT, words.name),
	M("title", TEXT, words.title),
	M("text", TEXT, words.text),
	M("since", TIME, since_ns),
	M("until", TIME, until_ns),
	M("score", NUMBER, score),
	M("persistence", COUNT, persistence),
	M("lasting", FLAG, lasting),
	M("workload", FLAG, workload),
	LP_MEMBER_LIST("hosts", struct lp_finding, hosts, n_hosts),
	M("part", TEXT_OR, part),
	M("group", TEXT_OR, group),
	LP_MEMBER_LIST("peers", struct lp_finding, peers, n_peers),
	LP_MEMBER_LIST("parts", struct lp_finding, parts, n_parts),
	M("next", TEXT_OR, next),
	M("may_go_on", FLAG, unjudged),
	M("unjudged_differ", COUNT, n_unjudged),
	M("unjudged_of", COUNT, of_unjudged),
	M("known_by", TEXT_OR, known_by),
};
TABLE(lp_members_finding, finding);
#undef M

#define M(key, type, field) LP_MEMBER(key, type, struct lp_finding, field)
static const struct lp_member bounds[] = {
	M("since_low", TIME, since_low_ns),
	M("since_high", TIME, since_high_ns),
	M("until_low", TIME, until_low_ns),
	M("until_high", TIME, until_high_ns),
};
TABLE(lp_members_bounds, bounds);
#undef M

#define M(key, type, field) LP_MEMBER(key, type, struct lp_evidence, field)
static const struct lp_member evidence[] = {
	M("kind", TEXT, kind),           M("component", TEXT, component),
	M("since", TIME, since_ns),      M("until", TIME, until_ns),
	M("strength", NUMBER, strength), M("accuses", FLAG, accuses),
};
TABLE(lp_members_evidence, evidence);

static const struct lp_member metric[] = {
	M("value", NUMBER, value),
	M("peers_median", NUMBER, peers_median),
	M("peers_iqr", NUMBER, peers_iqr),
	M("threshold", NUMBER, threshold),
	M("method", TEXT_OR, method),
	M("trained", FLAG, trained),
	M("distance", NUMBER, distance),
	M("share_over", NUMBER, share_over),
	M("windows", COUNT, windows),
	M("flagged", COUNT, flagged),
	M("means", FLAG, means),
	M("anomalous", FLAG, anomalous),
	M("own_mean", NUMBER, own_mean),
	M("peers_mean", NUMBER, peers_mean),
	M("peers", COUNT, n_peers),
	M("group", TEXT, group),
	M("group_number", COUNT, group_number),
	M("peers_low", NUMBER, peers_low),
	M("peers_high", NUMBER, peers_high),
	M("effect", NUMBER, effect),
	M("gate", NUMBER, gate),
	M("before", NUMBER, before),
	M("reference", TEXT_OR, reference),
	M("window_ns", NS, window_ns),
};
TABLE(lp_members_metric, metric);
#undef M

#define M(key, type, field) LP_MEMBER(key, type, struct lp_picture, field)
static const struct lp_member picture[] = {
	M("begin", TIME, begin_ns),
	M("step_ns", NS, step_ns),
	M("points", COUNT, points),
	M("slots", COUNT, slots),
	M("since", COUNT, since),
	M("until", COUNT, until),
	M("whole", FLAG, whole),
	M("stride", COUNT, stride),
	M("samples", COUNT, n_samples),
	M("peers", COUNT, n_peers),
	M("others", COUNT, n_others),
	M("own_high", NUMBER, own_high),
	M("peers_high", NUMBER, curve_high),
};
TABLE(lp_members_picture, picture);
#undef M

#define M(key, type, field) LP_MEMBER(key, type, struct lp_map, field)
static const struct lp_member map[] = {
	M("begin", TIME, begin_ns),
	M("end", TIME, end_ns),
	M("columns", COUNT, columns),
	M("of_rows", COUNT, of_rows),
};
TABLE(lp_members_map, map);
#undef M
