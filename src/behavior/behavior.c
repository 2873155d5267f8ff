/* SPDX-License-Identifier: Apache-2.0 */
#include "behavior/behavior.h"

#include "base/memory.h"
#include "behavior/daemons.h"
#include "behavior/differ.h"
#include "behavior/excess.h"
#include "behavior/span.h"
#include "stats/quantile.h"

#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of a window's slots, so many must have been recorded. */
#define LEAST_SLOTS (LP_BEHAVIOR_WINDOW - 1)
/* How long it is remembered how much peers differ: 5 min of shifts. */
#define MEMORY 10
#define REMEMBERED 0.9
/* S3 leaves out functions that never reach 100 samples, of 100,000 cycles
   each: 3.6 ms of CPU time. */
#define MANHATTAN_FLOOR_S 0.0036
#define FLOOR_WAITS 10

enum { RAW, SCALED, FORMS };

/* What is remembered of a host. */
struct history {
	bool flags[LP_BEHAVIOR_OF]; /* the newest first */
};

/* How much the hosts of a group differed in a function lately. */
struct spread {
	float sigma[FORMS][MEMORY];
	uint32_t window[MEMORY]; /* of which each is, + 1 */
};

struct group {
	size_t daemon;
	struct spread *spreads; /* by function */
	size_t n, capacity;
};

struct lp_behavior {
	const struct lp_collection *c;
	struct lp_behavior_options options;
	int64_t end_ns; /* of the next window; INT64_MIN: none yet */
	uint32_t number;
	struct history *histories; /* by host */
	size_t n_histories, histories_capacity;
	uint8_t *ignored; /* by function: 1 no, 2 yes */
	size_t n_ignored, ignored_capacity;
	struct group *groups;
	size_t n_groups, groups_capacity;
	struct lp_profile_span span;
	size_t daemon; /* of the group that is being judged */
};

struct lp_behavior *lp_behavior_new(const struct lp_collection *c,
				    const struct lp_behavior_options *options)
{
	struct lp_behavior *b = calloc(1, sizeof(*b));

	if (!b)
		return NULL;
	b->c = c;
	b->options = *options;
	b->end_ns = INT64_MIN;
	return b;
}

void lp_behavior_free(struct lp_behavior *b)
{
	if (!b)
		return;
	for (size_t i = 0; i < b->n_groups; i++)
		free(b->groups[i].spreads);
	free(b->groups);
	free(b->histories);
	free(b->ignored);
	lp_span_done(&b->span);
	free(b);
}

/* ---- which functions and hosts ---- */

static bool is_ignored(const struct lp_behavior *b, const char *key)
{
	char text[1024], *rest = NULL;

	/* Waits for work say how large a pool of threads is. */
	if (strcmp(b->c->kind, LP_PROFILE_WAITS) == 0 &&
	    (strstr(key, "\tidle ") || strstr(key, "\trunning") ||
	     strstr(key, "\tnone")))
		return true;
	for (const char *const *p = b->options.ignore; p && *p; p++) {
		snprintf(text, sizeof(text), "%s", key);
		for (char *part = strtok_r(text, "\t", &rest); part;
		     part = strtok_r(NULL, "\t", &rest))
			if (fnmatch(*p, part, 0) == 0)
				return true;
	}
	return false;
}

static bool takes_function(void *user, uint32_t f)
{
	struct lp_behavior *b = user;

	if (f >= b->n_ignored)
		return false;
	if (!b->ignored[f])
		b->ignored[f] = is_ignored(b, b->c->functions.text[f]) ? 2 : 1;
	return b->ignored[f] == 1;
}

static bool is_waits(const struct lp_behavior *b)
{
	return strcmp(b->c->kind, LP_PROFILE_WAITS) == 0;
}

static bool takes_host(void *user, const struct lp_span_host *h)
{
	const struct lp_behavior *b = user;

	return h->daemon == b->daemon &&
	       (is_waits(b) || h->total >= LP_BEHAVIOR_LEAST);
}

static int make_room(struct lp_behavior *b)
{
	size_t hosts = b->c->n_hosts, functions = b->c->functions.count;

	if (lp_grow(&b->histories, &b->histories_capacity, hosts + 1,
		    sizeof(*b->histories)) < 0 ||
	    lp_grow(&b->ignored, &b->ignored_capacity, functions + 1, 1) < 0)
		return -ENOMEM;
	for (; b->n_histories < hosts; b->n_histories++)
		b->histories[b->n_histories] = (struct history){ 0 };
	for (; b->n_ignored < functions; b->n_ignored++)
		b->ignored[b->n_ignored] = 0;
	return 0;
}

/* ---- how much peers differ ---- */

static struct group *group_of(struct lp_behavior *b, size_t daemon)
{
	struct group *g;
	size_t i = 0;

	while (i < b->n_groups && b->groups[i].daemon != daemon)
		i++;
	if (i == b->n_groups) {
		if (lp_grow(&b->groups, &b->groups_capacity, i + 1,
			    sizeof(*b->groups)) < 0)
			return NULL;
		b->groups[b->n_groups++] = (struct group){ .daemon = daemon };
	}
	g = &b->groups[i];
	if (lp_grow(&g->spreads, &g->capacity, b->c->functions.count + 1,
		    sizeof(*g->spreads)) < 0)
		return NULL;
	for (; g->n < b->c->functions.count; g->n++)
		g->spreads[g->n] = (struct spread){ 0 };
	return g;
}

/* The 90th percentile of the windows of the last five minutes; one in which
   the function did not run has no spread. */
static double recall(const struct lp_behavior *b, const struct spread *s,
		     int form)
{
	size_t n = b->number + 1 < MEMORY ? b->number + 1 : MEMORY;
	double x[MEMORY];

	for (size_t i = 0; i < n; i++) {
		uint32_t window = b->number - (uint32_t)i;
		size_t at = window % MEMORY;

		x[i] = s->window[at] == window + 1 ? (double)s->sigma[form][at]
						   : 0;
	}
	return lp_quantile(x, n, REMEMBERED);
}

static void remember(struct lp_behavior *b, struct group *g,
		     const struct lp_vectors *v, int form, double *sigma,
		     double *scratch)
{
	for (size_t f = 0; f < v->n_functions; f++) {
		struct spread *s = &g->spreads[b->span.functions[f]];
		size_t at = b->number % MEMORY;

		for (size_t h = 0; h < v->n_hosts; h++)
			scratch[v->n_hosts + h] =
				v->value[h * v->n_functions + f];
		s->window[at] = b->number + 1;
		s->sigma[form][at] = (float)lp_spread(scratch + v->n_hosts,
						      v->n_hosts, scratch);
		sigma[f] = recall(b, s, form);
	}
}

/* ---- one form ---- */

struct form {
	double *value, *variance; /* NULL: the span's */
	double *sigma, *scratch, *median;
};

static void form_done(struct form *f)
{
	free(f->value);
	free(f->variance);
	free(f->sigma);
	free(f->scratch);
	free(f->median);
}

static double row_sum(const double *row, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += row[i];
	return sum;
}

/* As if all hosts had done as much as the median host. */
static void scale(const struct lp_profile_span *s, struct form *f)
{
	size_t n = s->n_functions;
	double target;

	for (size_t h = 0; h < s->n_hosts; h++)
		f->scratch[h] = row_sum(s->value + h * n, n);
	target = lp_median(f->scratch, s->n_hosts);
	for (size_t h = 0; h < s->n_hosts; h++) {
		double own = row_sum(s->value + h * n, n);
		double by = own > 0 ? target / own : 0;

		for (size_t i = 0; i < n; i++) {
			f->value[h * n + i] = s->value[h * n + i] * by;
			f->variance[h * n + i] =
				s->variance[h * n + i] * by * by;
		}
	}
}

static int measure(struct lp_behavior *b, int which, struct form *f)
{
	const struct lp_profile_span *s = &b->span;
	size_t cells = s->n_hosts * s->n_functions + 1;
	struct group *g = group_of(b, b->daemon);
	struct lp_vectors v = { s->n_hosts, s->n_functions, s->value,
				s->variance, NULL };

	f->sigma = malloc((s->n_functions + 1) * sizeof(double));
	f->scratch = malloc((2 * s->n_hosts + 1) * sizeof(double));
	f->median = malloc((s->n_hosts + 1) * sizeof(double));
	if (which == SCALED) {
		f->value = malloc(cells * sizeof(double));
		f->variance = malloc(cells * sizeof(double));
	}
	if (!g || !f->sigma || !f->scratch || !f->median ||
	    (which == SCALED && (!f->value || !f->variance)))
		return -ENOMEM;
	if (which == SCALED) {
		scale(s, f);
		v.value = f->value;
		v.variance = f->variance;
	}
	if (b->options.method == LP_BEHAVIOR_MANHATTAN) {
		lp_median_distances(&v, lp_manhattan, f->scratch, f->median);
		return 0;
	}
	remember(b, g, &v, which, f->sigma, f->scratch);
	v.sigma = f->sigma;
	lp_median_distances(&v, lp_excess, f->scratch, f->median);
	return 0;
}

/* ---- a window ---- */

static double threshold_of(const struct lp_behavior *b, double total)
{
	double floor =
		is_waits(b) ? FLOOR_WAITS : LP_BEHAVIOR_FLOOR_S * b->span.rate;

	if (b->options.method == LP_BEHAVIOR_MANHATTAN)
		return b->options.threshold > 0 ? b->options.threshold
						: INFINITY;
	return fmax(floor, LP_BEHAVIOR_SHARE * total);
}

static bool vote(struct history *h, bool flag)
{
	size_t n = 0;

	memmove(h->flags + 1, h->flags,
		(LP_BEHAVIOR_OF - 1) * sizeof(*h->flags));
	h->flags[0] = flag;
	for (size_t i = 0; i < LP_BEHAVIOR_OF; i++)
		n += h->flags[i];
	return n >= LP_BEHAVIOR_VOTES;
}

static int judge_host(struct lp_behavior *b, size_t row,
		      const struct form forms[FORMS],
		      struct lp_behavior_window *w)
{
	const struct lp_profile_span *s = &b->span;
	double total = row_sum(s->value + row * s->n_functions, s->n_functions);
	double raw = forms[RAW].median[row];
	double scaled = forms[SCALED].median ? forms[SCALED].median[row] : 0;
	int status = lp_behavior_differ(s, b->c, row, w);

	w->threshold = threshold_of(b, total);
	w->distance = fmax(raw, scaled);
	w->decided = isfinite(w->threshold);
	w->flagged = w->distance > w->threshold;
	w->anomalous = vote(&b->histories[s->hosts[row].host], w->flagged);
	if (scaled > w->threshold)
		w->way = LP_BEHAVIOR_OTHER;
	else
		w->way = w->own_cpu >= w->peers_cpu ? LP_BEHAVIOR_MORE
						    : LP_BEHAVIOR_LESS;
	return status;
}

/* S3's floor: what no host runs for so long is left out. */
static void leave_out_rare(struct lp_behavior *b)
{
	struct lp_profile_span *s = &b->span;
	double floor = fmax(1, MANHATTAN_FLOOR_S * s->rate);

	for (size_t f = 0; f < s->n_functions; f++) {
		double most = 0;

		for (size_t h = 0; h < s->n_hosts; h++)
			most = fmax(most, s->value[h * s->n_functions + f]);
		for (size_t h = 0; h < s->n_hosts && most < floor; h++)
			s->value[h * s->n_functions + f] = 0;
	}
}

static int judge_group(struct lp_behavior *b, int64_t begin_ns,
		       lp_behavior_say *say, void *user)
{
	struct form forms[FORMS] = { 0 };
	int status = lp_span_fill(&b->span, b->c, begin_ns, b->end_ns,
				  LEAST_SLOTS, takes_host, takes_function, b);
	bool compared = b->span.n_hosts >= LP_BEHAVIOR_PEERS;

	if (status == 0 && b->options.method == LP_BEHAVIOR_MANHATTAN)
		leave_out_rare(b);
	if (status == 0 && compared)
		status = measure(b, RAW, &forms[RAW]);
	if (status == 0 && compared && !is_waits(b) &&
	    b->options.method == LP_BEHAVIOR_EXCESS)
		status = measure(b, SCALED, &forms[SCALED]);
	for (size_t r = 0; r < b->span.n_hosts && status == 0; r++) {
		struct lp_behavior_window w = {
			.host = b->c->hosts[b->span.hosts[r].host].name,
			.begin_ns = begin_ns,
			.end_ns = b->end_ns,
			.kind = b->c->kind,
			.threshold = NAN,
			.distance = NAN,
		};

		if (compared)
			status = judge_host(b, r, forms, &w);
		if (status == 0)
			status = say(user, &w);
	}
	form_done(&forms[RAW]);
	form_done(&forms[SCALED]);
	return status;
}

/* Each kind of server among its own. */
static int judge_window(struct lp_behavior *b, lp_behavior_say *say, void *user)
{
	int64_t begin_ns = b->end_ns - LP_BEHAVIOR_WINDOW_NS;
	int status = make_room(b);
	size_t kinds = 0;

	while (lp_daemons[kinds])
		kinds++;
	for (size_t d = 0; d <= kinds && status == 0; d++) {
		b->daemon = d < kinds ? d : LP_NO_DAEMON;
		status = judge_group(b, begin_ns, say, user);
	}
	b->number++;
	return status;
}

/* ---- time ---- */

static void bounds(const struct lp_collection *c, int64_t *first, int64_t *last)
{
	*first = INT64_MAX;
	*last = INT64_MIN;
	for (size_t i = 0; i < c->n_hosts; i++) {
		const struct lp_behavior_host *h = &c->hosts[i];

		if (h->n == 0)
			continue;
		if (h->slots[0].time_ns < *first)
			*first = h->slots[0].time_ns;
		if (h->slots[h->n - 1].time_ns + LP_PROFILE_SLOT_NS > *last)
			*last = h->slots[h->n - 1].time_ns + LP_PROFILE_SLOT_NS;
	}
}

int lp_behavior_advance(struct lp_behavior *b, int64_t until_ns,
			lp_behavior_say *say, void *user)
{
	int64_t first, last;
	int status = 0;

	bounds(b->c, &first, &last);
	if (first > last)
		return 0;
	if (until_ns > last)
		until_ns = last;
	/* Windows end at multiples of their shift since the epoch. */
	if (b->end_ns == INT64_MIN)
		b->end_ns = first - first % LP_BEHAVIOR_SHIFT_NS +
			    LP_BEHAVIOR_WINDOW_NS;
	for (; b->end_ns <= until_ns && status == 0;
	     b->end_ns += LP_BEHAVIOR_SHIFT_NS)
		status = judge_window(b, say, user);
	return status;
}

int64_t lp_behavior_needs(const struct lp_behavior *b)
{
	return b->end_ns == INT64_MIN ? INT64_MIN
				      : b->end_ns - LP_BEHAVIOR_WINDOW_NS;
}
