/* SPDX-License-Identifier: Apache-2.0 */
#include "behavior/span.h"

#include "base/memory.h"
#include "behavior/daemons.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The slots of a host in the span. */
static const struct lp_behavior_slot *first_slot(
	const struct lp_behavior_host *h, int64_t begin_ns)
{
	size_t low = 0, high = h->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (h->slots[middle].time_ns < begin_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return h->slots + low;
}

static struct lp_span_host sum_up(const struct lp_collection *c, size_t host,
				  int64_t begin_ns, int64_t end_ns)
{
	const struct lp_behavior_host *h = &c->hosts[host];
	struct lp_span_host s = { .host = host, .daemon = LP_NO_DAEMON };
	const struct lp_behavior_slot *slot = first_slot(h, begin_ns);

	for (; slot < h->slots + h->n && slot->time_ns < end_ns; slot++) {
		if (!lp_behavior_slot_counts(slot))
			continue;
		s.slots++;
		s.rate = slot->rate;
		if (slot->daemon < s.daemon)
			s.daemon = slot->daemon;
		for (size_t i = 0; i < slot->n; i++)
			s.total += (double)slot->items[i].count;
	}
	return s;
}

static int choose_hosts(struct lp_profile_span *span,
			const struct lp_collection *c, int64_t begin_ns,
			int64_t end_ns, size_t least, lp_span_takes_host *takes,
			void *user)
{
	span->n_hosts = 0;
	span->rate = 0;
	if (lp_grow(&span->hosts, &span->hosts_capacity, c->n_hosts + 1,
		    sizeof(*span->hosts)) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < c->n_hosts; i++) {
		struct lp_span_host s = sum_up(c, i, begin_ns, end_ns);

		if (s.slots < least || s.rate == 0 ||
		    (takes && !takes(user, &s)))
			continue;
		if (span->rate == 0 || (double)s.rate < span->rate)
			span->rate = (double)s.rate;
		span->hosts[span->n_hosts++] = s;
	}
	return 0;
}

static int see_functions(struct lp_profile_span *span,
			 const struct lp_collection *c)
{
	size_t n = c->functions.count;

	if (lp_grow(&span->column, &span->column_capacity, n + 1,
		    sizeof(*span->column)) < 0)
		return -ENOMEM;
	memset(span->column, 0, n * sizeof(*span->column));
	span->n_functions = 0;
	return 0;
}

static int see_slot(struct lp_profile_span *span,
		    const struct lp_behavior_slot *slot,
		    lp_span_takes_function *takes, void *user)
{
	for (size_t i = 0; i < slot->n; i++) {
		uint32_t f = slot->items[i].function;

		if (span->column[f] || (takes && !takes(user, f)))
			continue;
		if (lp_grow(&span->functions, &span->functions_capacity,
			    span->n_functions + 1,
			    sizeof(*span->functions)) < 0)
			return -ENOMEM;
		span->functions[span->n_functions++] = f;
		span->column[f] = (uint32_t)span->n_functions;
	}
	return 0;
}

static int make_matrix(struct lp_profile_span *span)
{
	size_t cells = span->n_hosts * span->n_functions;

	if (lp_grow(&span->value, &span->value_capacity, cells + 1,
		    sizeof(double)) < 0 ||
	    lp_grow(&span->variance, &span->variance_capacity, cells + 1,
		    sizeof(double)) < 0)
		return -ENOMEM;
	memset(span->value, 0, cells * sizeof(double));
	return 0;
}

/* Counts, then what they would be at the common rate. */
static void fill_row(struct lp_profile_span *span,
		     const struct lp_collection *c, size_t row,
		     int64_t begin_ns, int64_t end_ns)
{
	const struct lp_span_host *s = &span->hosts[row];
	const struct lp_behavior_host *h = &c->hosts[s->host];
	const struct lp_behavior_slot *slot = first_slot(h, begin_ns);
	double slots = (double)((end_ns - begin_ns) / LP_PROFILE_SLOT_NS);
	double scale = span->rate / (double)s->rate * slots / (double)s->slots;
	double *value = span->value + row * span->n_functions;
	double *variance = span->variance + row * span->n_functions;

	for (; slot < h->slots + h->n && slot->time_ns < end_ns; slot++)
		for (size_t i = 0; i < slot->n && lp_behavior_slot_counts(slot);
		     i++) {
			uint32_t column = span->column[slot->items[i].function];

			if (column)
				value[column - 1] +=
					(double)slot->items[i].count;
		}
	for (size_t f = 0; f < span->n_functions; f++) {
		variance[f] = value[f] * scale * scale;
		value[f] *= scale;
	}
}

int lp_span_fill(struct lp_profile_span *span, const struct lp_collection *c,
		 int64_t begin_ns, int64_t end_ns, size_t least,
		 lp_span_takes_host *takes_host,
		 lp_span_takes_function *takes_function, void *user)
{
	if (choose_hosts(span, c, begin_ns, end_ns, least, takes_host, user) <
		    0 ||
	    see_functions(span, c) < 0)
		return -ENOMEM;
	for (size_t r = 0; r < span->n_hosts; r++) {
		const struct lp_behavior_host *h =
			&c->hosts[span->hosts[r].host];
		const struct lp_behavior_slot *slot = first_slot(h, begin_ns);

		for (; slot < h->slots + h->n && slot->time_ns < end_ns; slot++)
			if (lp_behavior_slot_counts(slot) &&
			    see_slot(span, slot, takes_function, user) < 0)
				return -ENOMEM;
	}
	if (make_matrix(span) < 0)
		return -ENOMEM;
	for (size_t r = 0; r < span->n_hosts; r++)
		fill_row(span, c, r, begin_ns, end_ns);
	return 0;
}

void lp_span_done(struct lp_profile_span *span)
{
	free(span->hosts);
	free(span->functions);
	free(span->value);
	free(span->variance);
	free(span->column);
	*span = (struct lp_profile_span){ 0 };
}
