/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a campaign's file to its runs, in order. Choices of different kinds
 * come from streams of their own, so that a change of one leaves the others.
 */
#include "campaign/campaign.h"
#include "workload/draw.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum stream { ORDER, VICTIMS, ONSETS, SEEDS, STREAMS };

/* Nodes of one role, dealt one by one; shuffled anew when all were dealt. */
struct deck {
	unsigned card[LAB_MAX_SERVERS];
	size_t n, left;
};

struct planning {
	const struct lab_campaign *campaign;
	struct lab_plan *plan;
	struct lab_draw draw[STREAMS];
	struct deck servers, clients;
	struct lp_error *err;
};

static void shuffle(struct lab_draw *draw, void *items, size_t n, size_t size)
{
	char *at = items, spare[sizeof(struct lab_trial)];

	for (size_t i = n; i > 1; i--) {
		size_t k = lab_draw_below(draw, i);

		memcpy(spare, at + (i - 1) * size, size);
		memcpy(at + (i - 1) * size, at + k * size, size);
		memcpy(at + k * size, spare, size);
	}
}

static void deck_fill(struct deck *deck, size_t n)
{
	deck->n = n;
	deck->left = 0;
	for (unsigned i = 0; i < n; i++)
		deck->card[i] = i + 1;
}

static unsigned deal(struct deck *deck, struct lab_draw *draw)
{
	if (deck->left == 0) {
		shuffle(draw, deck->card, deck->n, sizeof(deck->card[0]));
		deck->left = deck->n;
	}
	return deck->card[--deck->left];
}

/* ---- one trial ---- */

static bool wants_victim(const struct lab_trial *t)
{
	return (t->fault && !t->fault->everywhere) ||
	       t->entry->happening == LAB_RECORDER_RESTART;
}

static void choose_victim(struct planning *p, struct lab_trial *t)
{
	bool client = t->fault && t->fault->role == LAB_CLIENT;
	struct deck *deck = client ? &p->clients : &p->servers;

	if (wants_victim(t))
		snprintf(t->victim, sizeof(t->victim), "%c%u",
			 client ? 'c' : 's', deal(deck, &p->draw[VICTIMS]));
}

/* "1-07-ddr-disk-busy-2-s3": what it is, and where in the plan. */
static void name_trial(struct lab_trial *t, size_t number)
{
	char what[64] = "";

	if (t->fault && t->entry->n_strengths)
		snprintf(what, sizeof(what), "%s-%g", t->fault->name,
			 t->strength);
	else if (t->fault)
		snprintf(what, sizeof(what), "%s", t->fault->name);
	else if (t->entry->happening != LAB_NOTHING)
		snprintf(what, sizeof(what), "%s",
			 lab_happening_name(t->entry->happening));
	else
		snprintf(what, sizeof(what), "none");
	snprintf(t->name, sizeof(t->name), "%u-%02zu-%s-%s%s%s%s", t->block,
		 number, t->workload->name, what,
		 t->entry->announced ? "-announced" : "", *t->victim ? "-" : "",
		 t->victim);
}

static void finish_trial(struct planning *p, struct lab_trial *t, size_t number)
{
	const struct lab_phases *phases = &p->campaign->phases;

	choose_victim(p, t);
	t->onset_s =
		phases->healthy_s +
		phases->jitter_s * (2 * lab_draw_uniform(&p->draw[ONSETS]) - 1);
	t->seed = lab_draw_u64(&p->draw[SEEDS]);
	name_trial(t, number);
}

/* ---- combinations ---- */

static int add_trial(struct planning *p, const struct lab_trial *trial)
{
	struct lab_plan *plan = p->plan;

	if (lp_grow(&plan->trials, &plan->capacity, plan->n + 1,
		    sizeof(plan->trials[0])) < 0)
		return lp_fail_memory(p->err);
	plan->trials[plan->n++] = *trial;
	return 0;
}

/* A control has no strength; else each that is asked for, or the first. */
static int add_strengths(struct planning *p, struct lab_trial *t)
{
	const struct lab_campaign_entry *e = t->entry;
	int status = 0;

	if (!t->fault || e->n_strengths == 0) {
		t->strength = t->fault ? t->fault->strengths[0] : 0;
		return add_trial(p, t);
	}
	for (size_t i = 0; status == 0 && i < e->n_strengths; i++) {
		t->strength = e->strengths[i];
		status = add_trial(p, t);
	}
	return status;
}

static int add_entry(struct planning *p, const struct lab_campaign_entry *e,
		     unsigned block)
{
	struct lab_trial t = { .entry = e, .block = block };
	int status = 0;

	for (unsigned repeat = 0; repeat < e->repeats; repeat++)
		for (size_t w = 0; w < e->n_workloads; w++)
			for (size_t f = 0; status == 0 && f < e->n_faults;
			     f++) {
				t.workload = e->workloads[w];
				t.fault = e->faults[f];
				status = add_strengths(p, &t);
			}
	return status;
}

/* The runs of one block that share a cluster. */
static int add_cluster(struct planning *p, unsigned block, unsigned cluster)
{
	const struct lab_campaign *c = p->campaign;
	const struct lab_spec *spec = &c->clusters[cluster];
	size_t first = p->plan->n;
	int status = 0;

	for (size_t i = 0; status == 0 && i < c->n_entries; i++)
		if (c->entries[i].cluster == cluster)
			status = add_entry(p, &c->entries[i], block);
	if (status < 0)
		return status;
	deck_fill(&p->servers, spec->servers);
	deck_fill(&p->clients, spec->clients);
	shuffle(&p->draw[ORDER], p->plan->trials + first, p->plan->n - first,
		sizeof(p->plan->trials[0]));
	return 0;
}

static int add_block(struct planning *p, unsigned block)
{
	size_t first = p->plan->n;
	int status = 0;

	for (unsigned s = 0; s < STREAMS; s++)
		lab_draw_init(&p->draw[s], p->campaign->seed,
			      block * STREAMS + s);
	for (unsigned i = 0; status == 0 && i < p->campaign->n_clusters; i++) {
		size_t own = p->plan->n;

		status = add_cluster(p, block, i);
		for (size_t k = own; status == 0 && k < p->plan->n; k++)
			finish_trial(p, &p->plan->trials[k], k - first + 1);
	}
	return status;
}

int lab_plan_make(const struct lab_campaign *campaign, struct lab_plan *plan,
		  struct lp_error *err)
{
	struct planning p = { .campaign = campaign, .plan = plan, .err = err };
	int status = 0;

	*plan = (struct lab_plan){ 0 };
	for (unsigned block = 1; status == 0 && block <= campaign->blocks;
	     block++)
		status = add_block(&p, block);
	if (status < 0)
		lab_plan_done(plan);
	return status;
}

void lab_plan_done(struct lab_plan *plan)
{
	free(plan->trials);
	*plan = (struct lab_plan){ 0 };
}

double lab_phases_total(const struct lab_phases *phases)
{
	return phases->healthy_s + phases->fault_s + phases->after_s;
}
