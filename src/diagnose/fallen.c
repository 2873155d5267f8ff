/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A controller or an array that is lost takes many attachments with it, of
 * several servers, and the servers live (thesis 5.7, table 5.3; 8.1 asks for
 * the shared part). It is accused if
 *
 *   - nearly all of the first attachments of its LUNs, those that carry the
 *     load, are lost at the same time: absent, idle, or their load is on
 *     secondaries;
 *   - on two servers at least;
 *   - counting only servers of which something else is still recorded: one
 *     that is down is itself what is lost.
 *
 * It then explains them, and what else of the array is gone on the servers that
 * reached the array through it.
 */
#include "diagnose/attached.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define KINDS 2

/* Points at which a server is looked for. */
#define LOOKS 16

/* Of a server. */
enum { UNKNOWN, LIVES, DEAD };

/* The matrix's components, by server. */
struct population {
	size_t *first; /* [hosts + 1]: of a server in .component */
	size_t *component;
};

struct fallen {
	const struct lp_maker *m;
	const char *kind, *key;           /* "controller", "ddn6a" */
	const struct lp_attachments *all; /* by this kind */
	const struct lp_suspect *first;
	const char *priority; /* of the attachments that carry the load */
	uint8_t *known;       /* by the matrix's number of a server */
	const struct population *of;
};

static const char *label_of(const struct lp_peer *who, const char *kind)
{
	const char *value = lp_labels_get(&who->labels, kind);

	return value ? value : "";
}

static bool is_of(const struct fallen *f, const struct lp_peer *who)
{
	return strcmp(label_of(who, f->kind), f->key) == 0;
}

static bool is_lost(const struct lp_suspect *s)
{
	return s && lp_class_is_storage(s->class) &&
	       s->cause == LP_CAUSE_ABSENT && !s->into && !s->fallen;
}

/* ---- whether a server lives ---- */

static bool has_sample(const struct lp_diagnose_input *input, size_t component,
		       size_t k)
{
	const struct lp_class *class =
		lp_matrix_component(input->matrix, component)->class;

	for (size_t m = 0; input->metrics[m].class; m++)
		if (input->metrics[m].class == class &&
		    !isnan(lp_matrix_value(input->matrix, m, component, k)))
			return true;
	return false;
}

static int populate(struct population *p, const struct lp_matrix *matrix)
{
	size_t n = lp_matrix_components(matrix);
	size_t hosts = lp_matrix_hosts(matrix);

	p->first = calloc(hosts + 2, sizeof(*p->first));
	p->component = calloc(n + 1, sizeof(*p->component));
	if (!p->first || !p->component)
		return -ENOMEM;
	/* Counted two places behind: what is filled in moves them by one. */
	for (size_t c = 0; c < n; c++)
		p->first[lp_matrix_component(matrix, c)->host_number + 2]++;
	for (size_t h = 2; h <= hosts; h++)
		p->first[h] += p->first[h - 1];
	for (size_t c = 0; c < n; c++) {
		uint32_t host = lp_matrix_component(matrix, c)->host_number;

		p->component[p->first[host + 1]++] = c;
	}
	return 0;
}

static bool host_at(const struct fallen *f, size_t host, size_t k)
{
	for (size_t i = f->of->first[host]; i < f->of->first[host + 1]; i++)
		if (has_sample(f->m->input, f->of->component[i], k))
			return true;
	return false;
}

/* Whether anything of the host was recorded most of that time. */
static bool look_for(const struct fallen *f, size_t host)
{
	const struct lp_diagnose_input *input = f->m->input;
	int64_t first, step = input->step_ns;
	int64_t points = (int64_t)lp_matrix_points(input->matrix, &first);
	int64_t from = (f->first->since_ns - first) / step + 1;
	int64_t to = (f->first->until_ns - first) / step;
	int seen = 0, looks = 0;

	from = from < 0 ? 0 : from;
	to = to >= points ? points - 1 : to;
	for (int64_t k = from; k <= to; k += (to - from) / LOOKS + 1) {
		looks++;
		seen += host_at(f, host, (size_t)k);
	}
	return 2 * seen > looks;
}

static bool lives(struct fallen *f, const char *host)
{
	const struct lp_matrix *matrix = f->m->input->matrix;
	size_t number = lp_matrix_host(matrix, host);

	if (number == lp_matrix_hosts(matrix))
		return false;
	if (f->known[number] == UNKNOWN)
		f->known[number] = look_for(f, number) ? LIVES : DEAD;
	return f->known[number] == LIVES;
}

/* ---- the attachments that carry its load ---- */

static const char *priority_of(const struct lp_peer *who)
{
	return label_of(who, "priority");
}

/* Called for all attachments of the part, the missing ones, too. */
typedef void look_fn(struct fallen *f, const struct lp_peer *who, void *user);

static void each(struct fallen *f, look_fn *look, void *user)
{
	const struct lp_attached *a = lp_attached_find(f->all, f->key);

	for (size_t i = 0; a && i < a->n; i++)
		look(f, a->peers[i], user);
}

static void see_priority(struct fallen *f, const struct lp_peer *who,
			 void *user)
{
	(void)user;
	if (!f->priority || strverscmp(priority_of(who), f->priority) < 0)
		f->priority = priority_of(who);
}

struct toll {
	bool living; /* count those of living servers only */
	size_t members, lost;
	const char *host; /* of the first that is lost */
	bool several;     /* servers */
};

static void count_peer(struct fallen *f, const struct lp_peer *who, void *user)
{
	struct toll *toll = user;

	if (strcmp(priority_of(who), f->priority) != 0 ||
	    (toll->living && !lives(f, who->host)))
		return;
	toll->members++;
	if (!is_lost(lp_suspect_of(f->m, who, f->first)))
		return;
	toll->lost++;
	if (!toll->host)
		toll->host = who->host;
	toll->several |= strcmp(who->host, toll->host) != 0;
}

static bool has_fallen(struct fallen *f)
{
	struct toll toll = { .living = false };

	each(f, count_peer, &toll);
	/* Who lives takes longer to see. */
	if (!toll.several)
		return false;
	toll = (struct toll){ .living = true };
	each(f, count_peer, &toll);
	return toll.several &&
	       (double)toll.lost >= LP_SHARED_PART * (double)toll.members;
}

/* ---- what it explains ---- */

/* Whether the host lost an attachment that carried load of the part. */
static bool lost_some(const struct fallen *f, const char *host)
{
	const struct lp_suspects *all = f->m->all;

	for (size_t i = 0; i < all->n; i++)
		if (is_of(f, all->items[i].who) && !all->items[i].into &&
		    all->items[i].cause == LP_CAUSE_ABSENT &&
		    strcmp(all->items[i].who->host, host) == 0 &&
		    lp_overlap(&all->items[i], f->first))
			return true;
	return false;
}

/*
 * Load of the part came to this server, by an attachment that did not carry it
 * before: its network carries that, too.
 */
static bool took_over(const struct fallen *f, const struct lp_suspect *s)
{
	const struct lp_attached *a = lp_attached_find(f->all, f->key);

	if (s->cause != LP_CAUSE_NETWORK_HOG || s->into || s->fallen ||
	    !lp_overlap(s, f->first))
		return false;
	for (size_t i = 0; a && i < a->n; i++)
		if (strcmp(a->peers[i]->host, s->who->host) == 0 &&
		    strcmp(priority_of(a->peers[i]), f->priority) != 0)
			return true;
	return false;
}

static bool explains(struct fallen *f, const struct lp_suspect *s)
{
	const struct lp_peer *who = f->first->who;

	if (!is_lost(s) || !lp_overlap(s, f->first))
		return false;
	if (!is_of(f, s->who) &&
	    (strcmp(label_of(s->who, "array"), label_of(who, "array")) != 0 ||
	     !lost_some(f, s->who->host)))
		return false;
	return lives(f, s->who->host);
}

static const char *const kinds[KINDS] = { "array", "controller" };

/* Mark all that the part explains, if it has fallen. */
static void look_at_part(struct fallen *f)
{
	struct lp_suspects *all = f->m->all;

	each(f, see_priority, NULL);
	if (!f->priority || !has_fallen(f))
		return;
	for (size_t i = 0; i < all->n; i++) {
		struct lp_suspect *s = &all->items[i];

		if (took_over(f, s))
			s->into = &all->items[f->first - all->items];
		if (!explains(f, s))
			continue;
		s->fallen = f->key;
		s->fallen_kind = f->kind;
	}
}

static int find_fallen(struct lp_maker *m, const struct lp_suspect *s,
		       const struct lp_attachments *attachments,
		       const struct population *of)
{
	for (size_t k = 0; k < KINDS && is_lost(s); k++) {
		lp_auto_free uint8_t *known =
			calloc(lp_matrix_hosts(m->input->matrix) + 1, 1);
		struct fallen f = { .m = m,
				    .kind = kinds[k],
				    .key = label_of(s->who, kinds[k]),
				    .all = &attachments[k],
				    .first = s,
				    .known = known,
				    .of = of };

		if (!known)
			return -ENOMEM;
		if (*f.key)
			look_at_part(&f);
	}
	return 0;
}

int lp_find_fallen(struct lp_maker *m)
{
	struct lp_attachments attachments[KINDS] = { 0 };
	struct population of = { 0 };
	int status = populate(&of, m->input->matrix);

	for (size_t k = 0; k < KINDS && status == 0; k++)
		status = lp_attachments_find(&attachments[k], m, kinds[k]);
	for (size_t i = 0; i < m->all->n && status == 0; i++)
		status = find_fallen(m, &m->all->items[i], attachments, &of);
	free(of.first);
	free(of.component);
	for (size_t k = 0; k < KINDS; k++)
		lp_attachments_done(&attachments[k]);
	return status;
}
