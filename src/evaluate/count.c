/* SPDX-License-Identifier: Apache-2.0 */
#include "evaluate/count.h"

#include "base/number.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool lp_truth_is_control(const struct lp_truth *truth)
{
	return strcmp(truth->fault, "none") == 0;
}

enum lp_cause lp_fault_cause(const char *fault)
{
	static const struct {
		const char *fault;
		enum lp_cause cause;
	} faults[] = {
		{ "disk-hog", LP_CAUSE_DISK_HOG },
		{ "disk-busy", LP_CAUSE_DISK_BUSY },
		{ "write-network-hog", LP_CAUSE_NETWORK_HOG },
		{ "read-network-hog", LP_CAUSE_NETWORK_HOG },
		{ "receive-pktloss", LP_CAUSE_PACKET_LOSS },
		{ "send-pktloss", LP_CAUSE_PACKET_LOSS },
	};

	for (size_t i = 0; i < lp_array_size(faults); i++)
		if (strcmp(fault, faults[i].fault) == 0)
			return faults[i].cause;
	return LP_CAUSES;
}

static bool is_faulty(const struct lp_truth *truth, const char *host)
{
	for (size_t i = 0; i < truth->n_servers; i++)
		if (strcmp(truth->servers[i], host) == 0)
			return true;
	return false;
}

static bool in_time(const struct lp_truth *truth, const struct lp_indictment *i,
		    int64_t window_ns)
{
	return i->until_ns >= truth->start_ns &&
	       i->since_ns <= truth->end_ns + window_ns;
}

/* What was said of one faulty server in time. */
struct said {
	bool indicted, right, wrong;
	int64_t known_ns;
};

static struct said said_of(const struct lp_truth *truth, const char *server,
			   const struct lp_indictment *indicted, size_t n,
			   int64_t window_ns)
{
	struct said said = { .known_ns = INT64_MAX };

	for (size_t i = 0; i < n; i++) {
		const struct lp_indictment *x = &indicted[i];

		if (strcmp(x->host, server) != 0 ||
		    !in_time(truth, x, window_ns))
			continue;
		said.indicted = true;
		said.right |= x->cause == truth->cause;
		said.wrong |= x->cause != truth->cause;
		if (x->known_ns < said.known_ns)
			said.known_ns = x->known_ns;
	}
	return said;
}

static void score_faulty(const struct lp_truth *truth,
			 const struct lp_indictment *indicted, size_t n,
			 int64_t window_ns, struct lp_score *score)
{
	int64_t last_ns = truth->start_ns;

	score->itp = score->dtp = truth->n_servers > 0;
	for (size_t i = 0; i < truth->n_servers; i++) {
		struct said said = said_of(truth, truth->servers[i], indicted,
					   n, window_ns);

		score->itp &= said.indicted;
		score->dtp &= said.right;
		score->dfp |= said.wrong;
		if (said.known_ns > last_ns)
			last_ns = said.known_ns;
	}
	score->latency_ns = score->itp ? last_ns - truth->start_ns : -1;
}

void lp_score_run(const struct lp_truth *truth,
		  const struct lp_indictment *indicted, size_t n,
		  int64_t window_ns, struct lp_score *score)
{
	bool control = lp_truth_is_control(truth);

	*score = (struct lp_score){
		.control = control,
		.has_cause = control || truth->cause != LP_CAUSES,
		.latency_ns = -1,
	};
	if (!control)
		score_faulty(truth, indicted, n, window_ns, score);
	for (size_t i = 0; i < n; i++) {
		bool other = control || !is_faulty(truth, indicted[i].host);

		score->ifp |= other;
		score->false_alarms +=
			other || !in_time(truth, &indicted[i], window_ns);
	}
	score->dfp |= score->ifp;
	score->dtp &= score->has_cause;
	score->dfp &= score->has_cause;
}

static void add(struct lp_share *share, bool hit, bool counts)
{
	share->hits += hit && counts;
	share->of += counts;
}

double lp_share_percent(struct lp_share share)
{
	return share.of == 0 ? NAN
			     : 100.0 * (double)share.hits / (double)share.of;
}

int lp_tally_add(struct lp_tally *t, const struct lp_score *score,
		 double server_hours)
{
	if (lp_grow(&t->latencies_ns, &t->latencies_capacity,
		    t->n_latencies + 1, sizeof(int64_t)) < 0)
		return -ENOMEM;
	add(&t->itp, score->itp, !score->control);
	add(&t->ifp, score->ifp, true);
	add(&t->dtp, score->dtp, !score->control && score->has_cause);
	add(&t->dfp, score->dfp, score->has_cause);
	t->runs++;
	t->controls += score->control;
	t->false_alarms += score->false_alarms;
	t->server_hours += server_hours;
	if (score->latency_ns >= 0)
		t->latencies_ns[t->n_latencies++] = score->latency_ns;
	return 0;
}

void lp_tally_done(struct lp_tally *tally)
{
	free(tally->latencies_ns);
	*tally = (struct lp_tally){ 0 };
}

int64_t lp_tally_latency(const struct lp_tally *tally)
{
	size_t n = tally->n_latencies;

	if (n == 0)
		return -1;
	qsort(tally->latencies_ns, n, sizeof(int64_t), lp_compare_i64);
	return (tally->latencies_ns[(n - 1) / 2] + tally->latencies_ns[n / 2]) /
	       2;
}
