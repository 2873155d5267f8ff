/* SPDX-License-Identifier: Apache-2.0 */
#include "model/counts.h"

#include <string.h>

bool lp_counts_valid(const struct lp_counts *c)
{
	if (!c->kind || !*c->kind || c->from_ns > c->to_ns)
		return false;
	for (size_t i = 0; i < c->n_counts; i++)
		if (c->ids[i] >= c->n_texts ||
		    (i > 0 && c->ids[i] <= c->ids[i - 1]))
			return false;
	return true;
}

static bool same(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "") == 0;
}

bool lp_counts_equal(const struct lp_counts *a, const struct lp_counts *b)
{
	if (!same(a->kind, b->kind) || !same(a->host, b->host) ||
	    !same(a->class_name, b->class_name) ||
	    !same(a->component, b->component) || a->from_ns != b->from_ns ||
	    a->to_ns != b->to_ns || a->n_texts != b->n_texts ||
	    a->n_counts != b->n_counts)
		return false;
	for (size_t i = 0; i < a->n_texts; i++)
		if (!same(a->texts[i], b->texts[i]))
			return false;
	for (size_t i = 0; i < a->n_counts; i++)
		if (a->ids[i] != b->ids[i] || a->counts[i] != b->counts[i])
			return false;
	return true;
}
