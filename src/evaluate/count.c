/* SPDX-License-Identifier: Apache-2.0 */
#include "evaluate/count.h"

#include "base/timestamp.h"

#include <math.h>
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
	bool indicted, right, wrong, lasting;
	int64_t known_ns, since_ns, until_ns;
	const struct lp_indictment *first, *last; /* of since, of until */
};

static void hear(struct said *said, const struct lp_indictment *x)
{
	said->indicted = true;
	said->lasting |= x->lasting;
	if (x->known_ns < said->known_ns)
		said->known_ns = x->known_ns;
	if (x->since_ns < said->since_ns) {
		said->since_ns = x->since_ns;
		said->first = x;
	}
	if (x->until_ns > said->until_ns) {
		said->until_ns = x->until_ns;
		said->last = x;
	}
}

static struct said said_of(const struct lp_truth *truth, const char *server,
			   const struct lp_indictment *indicted, size_t n,
			   int64_t window_ns)
{
	struct said said = { .known_ns = INT64_MAX,
			     .since_ns = INT64_MAX,
			     .until_ns = INT64_MIN };

	for (size_t i = 0; i < n; i++) {
		const struct lp_indictment *x = &indicted[i];

		if (strcmp(x->host, server) != 0 ||
		    !in_time(truth, x, window_ns))
			continue;
		hear(&said, x);
		said.right |= x->cause == truth->cause;
		said.wrong |= x->cause != truth->cause;
	}
	return said;
}

/* The one that is farther from 0; NaN stays if neither is a number. */
static double farther(double a, double b)
{
	return isnan(a) || fabs(b) > fabs(a) ? b : a;
}

static void score_times(const struct lp_truth *truth, const struct said *said,
			struct lp_score *score)
{
	double start = (double)(said->since_ns - truth->start_ns) / 1e9;
	double end = (double)(said->until_ns - truth->end_ns) / 1e9;

	if (!said->indicted)
		return;
	score->start_error_s = farther(score->start_error_s, start);
	if (!said->lasting)
		score->end_error_s = farther(score->end_error_s, end);
}

static bool is_between(int64_t time_ns, int64_t low_ns, int64_t high_ns)
{
	return time_ns >= low_ns && time_ns <= high_ns;
}

static void score_bounds(const struct lp_truth *truth, const struct said *said,
			 struct lp_score *score)
{
	const struct lp_indictment *a = said->first, *b = said->last;

	if (a && a->dated) {
		score->start_width_s =
			(double)(a->since_high_ns - a->since_low_ns) / 1e9;
		score->start_holds = is_between(
			truth->start_ns, a->since_low_ns, a->since_high_ns);
	}
	if (b && b->dated && !said->lasting) {
		score->end_width_s =
			(double)(b->until_high_ns - b->until_low_ns) / 1e9;
		score->end_holds = is_between(truth->end_ns, b->until_low_ns,
					      b->until_high_ns);
	}
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
		score_times(truth, &said, score);
		score_bounds(truth, &said, score);
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
		.start_error_s = NAN,
		.end_error_s = NAN,
		.start_width_s = NAN,
		.end_width_s = NAN,
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

double lp_truth_healthy_hours(const struct lp_truth *truth, const char *host,
			      int64_t first_ns, int64_t last_ns,
			      int64_t window_ns)
{
	int64_t begin = truth->start_ns, end = truth->end_ns + window_ns;
	int64_t ill = 0;

	if (begin < first_ns)
		begin = first_ns;
	if (end > last_ns)
		end = last_ns;
	if (!lp_truth_is_control(truth) && is_faulty(truth, host) &&
	    end > begin)
		ill = end - begin;
	return (double)(last_ns - first_ns - ill) / (3600.0 * LP_NS_PER_S);
}
