/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Groups of interfaces: of each server the one that carries the data, which is
 * the one that moved most.
 */
#include "cluster/planner.h"

#include "base/number.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Speeds within a tenth are alike. */
#define SPEED_RATIO 1.1

struct port {
	size_t item;
	enum lp_role role;
	uint32_t layout;
	double speed; /* Mbit/s; 0: not known */
};

/* "100 Gb/sec (4X EDR)" */
static double rate_of(const char *text)
{
	double v;

	return lp_parse_double(text, strspn(text, "0123456789."), &v) == 0
		       ? v * 1000
		       : 0;
}

static double speed_of(const struct lp_roster_item *item)
{
	const char *text = lp_labels_get(&item->labels, "speed_mbit");
	const char *rate = lp_labels_get(&item->labels, "rate");
	double v;

	if (text && lp_parse_double(text, strlen(text), &v) == 0)
		return v;
	return rate ? rate_of(rate) : 0;
}

static bool is_candidate(const struct lp_planner *p, size_t i,
			 const struct lp_class *class)
{
	const struct lp_choice *choice = &p->choices[i];

	if (p->roster->items[i].class != class || choice->grouped)
		return false;
	if (p->cluster && lp_cluster_lists(p->cluster, class))
		return choice->counts;
	return choice->reason == NULL;
}

/* Of the host whose items begin at `first`; LP_NO_COMPONENT: none. */
static size_t data_port(const struct lp_planner *p, size_t first, size_t end,
			const struct lp_class *class)
{
	size_t best = LP_NO_COMPONENT;

	for (size_t i = first; i < end; i++)
		if (is_candidate(p, i, class) &&
		    (best == LP_NO_COMPONENT ||
		     p->roster->items[i].bytes > p->roster->items[best].bytes))
			best = i;
	return best;
}

static int mark(struct lp_planner *p, size_t first, size_t end, size_t best,
		const struct lp_class *class)
{
	for (size_t i = first; i < end; i++) {
		if (!is_candidate(p, i, class) || i == best)
			continue;
		p->choices[i].counts = false;
		p->choices[i].reason =
			lp_planner_text(p,
					"moved less data than %s, which is "
					"probably the data interface",
					p->choices[best].label);
		if (!p->choices[i].reason)
			return -ENOMEM;
	}
	p->choices[best].counts = true;
	return 0;
}

static size_t end_of_host(const struct lp_roster *r, size_t first)
{
	size_t i = first;

	while (i < r->n_items && r->items[i].host == r->items[first].host)
		i++;
	return i;
}

static int compare(const void *a, const void *b)
{
	const struct port *x = a, *y = b;
	int order = (x->role > y->role) - (x->role < y->role);

	if (order == 0)
		order = (x->layout > y->layout) - (x->layout < y->layout);
	if (order == 0)
		order = (x->speed > y->speed) - (x->speed < y->speed);
	return order ? order : (x->item > y->item) - (x->item < y->item);
}

static bool alike(const struct port *x, const struct port *y)
{
	return x->role == y->role && x->layout == y->layout &&
	       y->speed <= x->speed * SPEED_RATIO;
}

/* Several of a host count where the file says so, else the busiest one. */
static int gather(struct lp_planner *p, const struct lp_class *class,
		  struct port *ports, size_t *n)
{
	bool listed = p->cluster && lp_cluster_lists(p->cluster, class);

	for (size_t i = 0, end; i < p->roster->n_items; i = end) {
		uint32_t host = p->roster->items[i].host;
		size_t best;

		end = end_of_host(p->roster, i);
		best = data_port(p, i, end, class);
		if (best == LP_NO_COMPONENT || !lp_planner_serves(p, host))
			continue;
		if (!listed && mark(p, i, end, best, class) < 0)
			return -ENOMEM;
		for (size_t j = i; j < end; j++)
			if (is_candidate(p, j, class) && p->choices[j].counts)
				ports[(*n)++] = (struct port){
					.item = j,
					.role = lp_planner_role(p, host),
					.layout = p->layout[host],
					.speed = speed_of(&p->roster->items[j]),
				};
	}
	return 0;
}

static int add_group(struct lp_planner *p, const struct lp_class *class,
		     const struct port *ports, size_t n)
{
	struct lp_draft draft = { .class = class,
				  .role = ports->role,
				  .noun = class->peer_noun };
	int status = 0;

	for (size_t i = 0; i < n && status == 0; i++)
		status = lp_draft_add(&draft, p, ports[i].item);
	if (status == 0)
		status = lp_planner_close(p, &draft, NULL);
	lp_draft_done(&draft);
	return status;
}

static int plan_class(struct lp_planner *p, const struct lp_class *class)
{
	lp_auto_free struct port *ports =
		calloc(p->roster->n_items + 1, sizeof(*ports));
	size_t n = 0;
	int status;

	if (!ports)
		return -ENOMEM;
	status = gather(p, class, ports, &n);
	qsort(ports, n, sizeof(*ports), compare);
	for (size_t i = 0, end; i < n && status == 0; i = end) {
		for (end = i + 1;
		     end < n && alike(&ports[end - 1], &ports[end]);)
			end++;
		status = add_group(p, class, ports + i, end - i);
	}
	return status;
}

int lp_plan_interfaces(struct lp_planner *p)
{
	int status = 0;

	for (size_t i = 0; lp_classes[i] && status == 0; i++)
		if (lp_classes[i]->kin == LP_KIN_LINKS)
			status = plan_class(p, lp_classes[i]);
	return status;
}
