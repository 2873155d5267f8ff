/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/verdict/accuse.h"

#include <errno.h>
#include <stdlib.h>

const struct lp_log_class_row lp_log_classes[LP_LOG_CLASSES] = {
	[LP_LOG_CLASS_NONE] = { "none", "no failure", "", "" },
	[LP_LOG_CLASS_UNKNOWN] = { "unknown", "unknown",
				   "It says what healthy logs do not say",
				   "Read the lines below." },
	[LP_LOG_CLASS_DEVICE] = { "device", "failing device",
				  "Its storage returns errors",
				  "smartctl -a on its disks; dmesg; the "
				  "enclosure or the storage network." },
	[LP_LOG_CLASS_INCONSISTENT] = { "inconsistent",
					"inconsistency or restart",
					"It was restarted, or its data are "
					"inconsistent",
					"Find out why it restarted, and "
					"whether it was repaired locally; run "
					"the file system's check." },
	[LP_LOG_CLASS_NETWORK] = { "network", "cut off",
				   "It and the other nodes do not reach each "
				   "other",
				   "ip -s link, ethtool and the switch port "
				   "of this node." },
	[LP_LOG_CLASS_DEAD] = { "dead", "dead process",
				"Its log ends, and others get no answer",
				"Is the program running? Look for a crash or "
				"the OOM killer." },
	[LP_LOG_CLASS_SPACE] = { "space", "no space left",
				 "It has no space left",
				 "df and df -i on its bricks or targets." },
};

/* What a node says of itself, the most telling first. */
static const struct {
	enum lp_log_kind kind;
	enum lp_log_class class;
	/* Other failures bring it about: it counts if nothing else does. */
	bool follows;
} self_says[] = {
	/* Before devices: who is cut off from the storage network loses its
	   disks, too. */
	{ LP_LOG_NETWORK_SELF, LP_LOG_CLASS_NETWORK, false },
	{ LP_LOG_DEVICE, LP_LOG_CLASS_DEVICE, false },
	{ LP_LOG_ASSERT, LP_LOG_CLASS_DEAD, false },
	{ LP_LOG_RESTART, LP_LOG_CLASS_INCONSISTENT, false },
	{ LP_LOG_INCONSISTENT, LP_LOG_CLASS_INCONSISTENT, true },
	{ LP_LOG_SPACE, LP_LOG_CLASS_SPACE, true },
};

#define N_SELF (sizeof(self_says) / sizeof(self_says[0]))

/* A log that ends so long before the others has ended. */
#define ENDED_NS (30 * LP_NS_PER_S)

/* Where a failure is known, a single reporter is not heard about another. */
#define ENOUGH 2

struct jury {
	const struct lp_log_study *study;
	struct lp_log_verdict *verdict;
	size_t n; /* nodes */
	/* Who reports whom, n x n: the first line of it. */
	const struct lp_log_evidence **says;
	bool *is_accused;
};

static const struct lp_log_evidence **edge(const struct jury *j, size_t from,
					   size_t to)
{
	return &j->says[from * j->n + to];
}

static bool is_earlier(const struct lp_log_evidence *a,
		       const struct lp_log_evidence *b)
{
	return !b || a->first_ns < b->first_ns;
}

static void draw_edges(struct jury *j)
{
	for (size_t i = 0; i < j->study->n_evidence; i++) {
		const struct lp_log_evidence *e = &j->study->evidence[i];
		const struct lp_log_evidence **said;

		if (e->peer_node == LP_NAME_NONE || e->peer_node == e->node)
			continue;
		said = edge(j, e->node, e->peer_node);
		if (is_earlier(e, *said))
			*said = e;
	}
}

static uint32_t reporters_of(const struct jury *j, size_t node)
{
	uint32_t n = 0;

	for (size_t i = 0; i < j->n; i++)
		n += *edge(j, i, node) != NULL;
	return n;
}

static uint32_t reports_of(const struct jury *j, size_t node)
{
	uint32_t n = 0;

	for (size_t i = 0; i < j->n; i++)
		n += *edge(j, node, i) != NULL;
	return n;
}

static const struct lp_log_evidence *first_report(const struct jury *j,
						  size_t node)
{
	const struct lp_log_evidence *first = NULL;

	for (size_t i = 0; i < j->n; i++) {
		const struct lp_log_evidence *e = *edge(j, i, node);

		if (e && is_earlier(e, first))
			first = e;
	}
	return first;
}

static void add(struct jury *j, size_t node, enum lp_log_class class,
		const struct lp_log_evidence *first, bool by_itself)
{
	j->is_accused[node] = true;
	j->verdict->accused[j->verdict->n_accused++] = (struct lp_log_accused){
		.node = (uint32_t)node,
		.class = class,
		.by_itself = by_itself,
		.reporters = reporters_of(j, node),
		.reports = reports_of(j, node),
		.first = first,
	};
}

/* ---- what a node says of itself ---- */

static const struct lp_log_evidence *own_line(const struct jury *j, size_t node,
					      enum lp_log_kind kind)
{
	const struct lp_log_evidence *first = NULL;

	for (size_t i = 0; i < j->study->n_evidence; i++) {
		const struct lp_log_evidence *e = &j->study->evidence[i];

		if (e->node == node && e->kind == kind &&
		    (!e->peer || e->peer_node == node) && is_earlier(e, first))
			first = e;
	}
	return first;
}

static void ask_themselves(struct jury *j, bool what_follows)
{
	for (size_t s = 0; s < N_SELF; s++)
		for (size_t node = 0; node < j->n; node++) {
			const struct lp_log_evidence *e;

			if (j->is_accused[node] ||
			    self_says[s].follows != what_follows)
				continue;
			e = own_line(j, node, self_says[s].kind);
			if (e)
				add(j, node, self_says[s].class, e, true);
		}
}

/* ---- what others say of it ---- */

/* Whatever is said by or of an accused node is explained. */
static void drop_explained(struct jury *j)
{
	for (size_t i = 0; i < j->n; i++)
		for (size_t k = 0; k < j->n; k++)
			if (j->is_accused[i] || j->is_accused[k])
				*edge(j, i, k) = NULL;
}

/* Its log ends while those of others go on. */
static bool has_ended(const struct jury *j, size_t node)
{
	int64_t own = j->study->nodes[node].last_ns;
	uint32_t later = 0, others = 0;

	if (j->study->nodes[node].lines == 0 || own == LP_LOG_NO_TIME)
		return false;
	for (size_t i = 0; i < j->n; i++) {
		if (i == node || j->study->nodes[i].lines == 0)
			continue;
		others++;
		later += j->study->nodes[i].last_ns > own + ENDED_NS;
	}
	return others > 0 && later * 2 >= others;
}

static enum lp_log_class class_of(const struct jury *j, size_t node,
				  const struct lp_log_evidence *first)
{
	for (size_t s = 0; s < N_SELF; s++)
		if (first->kind == self_says[s].kind)
			return self_says[s].class;
	return reports_of(j, node) == 0 && has_ended(j, node)
		       ? LP_LOG_CLASS_DEAD
		       : LP_LOG_CLASS_NETWORK;
}

/* It reports all others that have logs, of which there are some. */
static bool reports_all(const struct jury *j, size_t node)
{
	uint32_t others = 0;

	for (size_t i = 0; i < j->n; i++)
		if (i != node && j->study->nodes[i].lines > 0) {
			if (!*edge(j, node, i))
				return false;
			others++;
		}
	return others >= 3;
}

/* Who is reported by most; then who reports most. */
static bool goes_before(const struct jury *j, size_t a, size_t b)
{
	uint32_t ra = reporters_of(j, a), rb = reporters_of(j, b);

	if (ra != rb)
		return ra > rb;
	return reports_of(j, a) > reports_of(j, b);
}

static const struct lp_log_evidence *own_report(const struct jury *j,
						size_t node)
{
	const struct lp_log_evidence *first = NULL;

	for (size_t i = 0; i < j->n; i++)
		if (*edge(j, node, i) && is_earlier(*edge(j, node, i), first))
			first = *edge(j, node, i);
	return first;
}

/* The victim of a cut: it reports all others. */
static void find_cut_off(struct jury *j)
{
	for (size_t i = 0; i < j->n; i++)
		if (!j->is_accused[i] && reports_all(j, i))
			add(j, i, LP_LOG_CLASS_NETWORK, own_report(j, i), true);
	drop_explained(j);
}

/* The fewest nodes that explain all reports, as far as a greedy choice goes. */
static void ask_others(struct jury *j)
{
	bool is_known = j->verdict->n_accused > 0;

	for (;;) {
		size_t best = j->n;

		for (size_t i = 0; i < j->n; i++)
			if (reporters_of(j, i) > 0 &&
			    (best == j->n || goes_before(j, i, best)))
				best = i;
		if (best == j->n ||
		    (is_known && reporters_of(j, best) < ENOUGH))
			return;
		const struct lp_log_evidence *first = first_report(j, best);

		add(j, best, class_of(j, best, first), first, false);
		drop_explained(j);
	}
}

/* ---- all of it ---- */

/* Something is new on one node only: it is named, and nothing is claimed. */
static void name_unknown(struct jury *j)
{
	size_t node = j->n;
	const struct lp_log_evidence *first = NULL;

	for (size_t i = 0; i < j->study->n_evidence; i++) {
		const struct lp_log_evidence *e = &j->study->evidence[i];

		if (e->kind != LP_LOG_UNKNOWN)
			continue;
		if (first && node != e->node)
			node = j->n + 1;
		else if (!first)
			node = e->node;
		if (is_earlier(e, first))
			first = e;
	}
	if (first)
		j->verdict->class = LP_LOG_CLASS_UNKNOWN;
	if (node < j->n)
		add(j, node, LP_LOG_CLASS_UNKNOWN, first, true);
}

static void count(const struct lp_log_study *s, struct lp_log_verdict *v)
{
	v->lines = s->lines;
	v->onset_ns = LP_LOG_NO_TIME;
	for (size_t i = 0; i < s->n_nodes; i++) {
		v->with_logs += s->nodes[i].lines > 0;
		v->fresh += s->nodes[i].fresh;
		v->warnings += s->nodes[i].warnings;
	}
	v->silent = v->warnings == 0;
	for (size_t i = 0; i < s->n_evidence; i++) {
		int64_t t = s->evidence[i].first_ns;

		if (t != LP_LOG_NO_TIME &&
		    (v->onset_ns == LP_LOG_NO_TIME || t < v->onset_ns))
			v->onset_ns = t;
	}
}

/* The class of most nodes; the more telling one if it is as many. */
static enum lp_log_class common_class(const struct lp_log_verdict *v)
{
	size_t n[LP_LOG_CLASSES] = { 0 };
	enum lp_log_class best = LP_LOG_CLASS_NONE;

	for (size_t i = 0; i < v->n_accused; i++)
		n[v->accused[i].class]++;
	for (size_t i = 0; i < v->n_accused; i++)
		if (n[v->accused[i].class] > n[best])
			best = v->accused[i].class;
	return best;
}

int lp_log_accuse(const struct lp_log_study *study,
		  struct lp_log_verdict *verdict)
{
	struct jury j = { .study = study,
			  .verdict = verdict,
			  .n = study->n_nodes };

	*verdict = (struct lp_log_verdict){ 0 };
	count(study, verdict);
	verdict->accused = calloc(j.n + 1, sizeof(*verdict->accused));
	j.is_accused = calloc(j.n + 1, sizeof(*j.is_accused));
	j.says = calloc(j.n * j.n + 1, sizeof(*j.says));
	if (verdict->accused && j.is_accused && j.says) {
		draw_edges(&j);
		ask_themselves(&j, false);
		drop_explained(&j);
		find_cut_off(&j);
		ask_others(&j);
		if (verdict->n_accused == 0)
			ask_themselves(&j, true);
		verdict->class = common_class(verdict);
		if (verdict->n_accused == 0)
			name_unknown(&j);
	}
	free(j.is_accused);
	free(j.says);
	return verdict->accused && j.says ? 0 : -ENOMEM;
}

void lp_log_verdict_done(struct lp_log_verdict *verdict)
{
	free(verdict->accused);
	*verdict = (struct lp_log_verdict){ 0 };
}
