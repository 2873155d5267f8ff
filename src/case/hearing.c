/* SPDX-License-Identifier: Apache-2.0 */
#include "case/hearing.h"

#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct lp_hearing {
	const struct lp_witness *const *witnesses; /* ended by NULL */
	void **memory;                             /* of each */
	struct lp_testimony *said;
	size_t n, capacity;
	const struct lp_witness *speaks; /* while it does */
};

static size_t count(const struct lp_witness *const *witnesses)
{
	size_t n = 0;

	while (witnesses[n])
		n++;
	return n;
}

struct lp_hearing *lp_hearing_new(const struct lp_witness *const *witnesses)
{
	struct lp_hearing *h = calloc(1, sizeof(*h));

	if (!h)
		return NULL;
	h->witnesses = witnesses;
	h->memory = calloc(count(witnesses) + 1, sizeof(*h->memory));
	for (size_t i = 0; h->memory && witnesses[i]; i++) {
		h->memory[i] = witnesses[i]->open();
		if (!h->memory[i]) {
			lp_hearing_free(h);
			return NULL;
		}
	}
	if (h->memory)
		return h;
	free(h);
	return NULL;
}

static void free_testimony(struct lp_testimony *t)
{
	free((char *)t->kind);
	free((char *)t->host);
	free((char *)t->class_name);
	free((char *)t->component);
	free((char *)t->sentence);
	free((char *)t->data);
}

void lp_hearing_free(struct lp_hearing *h)
{
	if (!h)
		return;
	for (size_t i = 0; h->witnesses[i] && h->memory[i]; i++)
		h->witnesses[i]->close(h->memory[i]);
	for (size_t i = 0; i < h->n; i++)
		free_testimony(&h->said[i]);
	free(h->said);
	free(h->memory);
	free(h);
}

int lp_hearing_put(struct lp_hearing *h, const struct lp_item *item)
{
	int status = 0;

	for (size_t i = 0; h->witnesses[i] && status == 0; i++)
		if (h->witnesses[i]->takes(item))
			status = h->witnesses[i]->push(h->memory[i], item);
	return status;
}

/* A copy, or NULL: *ok tells whether that is what it was. */
static const char *copy(const char *text, bool *ok)
{
	char *made = text ? strdup(text) : NULL;

	*ok = *ok && (made || !text);
	return made;
}

static bool same_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "") == 0;
}

/* What was said before of the same, and of a time that this one goes on. */
static struct lp_testimony *said_before(struct lp_hearing *h,
					const struct lp_testimony *t)
{
	for (size_t i = h->n; i > 0; i--) {
		struct lp_testimony *s = &h->said[i - 1];

		if (same_text(s->kind, t->kind) &&
		    same_text(s->host, t->host) &&
		    same_text(s->class_name, t->class_name) &&
		    same_text(s->component, t->component) &&
		    t->since_ns < s->until_ns && t->until_ns > s->since_ns)
			return s;
	}
	return NULL;
}

/* One of both, with the words of the stronger. */
static int join(struct lp_testimony *s, const struct lp_testimony *t)
{
	bool ok = true;

	if (t->since_ns < s->since_ns)
		s->since_ns = t->since_ns;
	if (t->until_ns > s->until_ns)
		s->until_ns = t->until_ns;
	if (!(t->strength > s->strength))
		return 0;
	s->strength = t->strength;
	free((char *)s->sentence);
	free((char *)s->data);
	s->sentence = copy(t->sentence, &ok);
	s->data = copy(t->data, &ok);
	return ok ? 0 : -ENOMEM;
}

static int keep(void *user, const struct lp_testimony *said)
{
	struct lp_hearing *h = user;
	struct lp_testimony t = *said;
	struct lp_testimony *before = said_before(h, said);
	bool ok = true;

	if (before)
		return join(before, said);
	if (lp_grow(&h->said, &h->capacity, h->n + 1, sizeof(t)) < 0)
		return -ENOMEM;
	t.kind = copy(said->kind, &ok);
	t.host = copy(said->host, &ok);
	t.class_name = copy(said->class_name, &ok);
	t.component = copy(said->component, &ok);
	t.sentence = copy(said->sentence, &ok);
	t.data = copy(said->data, &ok);
	t.accuses_alone = h->speaks->accuses_alone;
	h->said[h->n++] = t;
	return ok ? 0 : -ENOMEM;
}

int lp_hearing_advance(struct lp_hearing *h, int64_t until_ns)
{
	int status = 0;

	for (size_t i = 0; h->witnesses[i] && status == 0; i++) {
		h->speaks = h->witnesses[i];
		status = h->witnesses[i]->advance(h->memory[i], until_ns, keep,
						  h);
	}
	return status;
}

void lp_hearing_forget(struct lp_hearing *h, int64_t before_ns)
{
	size_t kept = 0;

	for (size_t i = 0; i < h->n; i++)
		if (h->said[i].until_ns < before_ns)
			free_testimony(&h->said[i]);
		else
			h->said[kept++] = h->said[i];
	h->n = kept;
}

const struct lp_testimony *lp_hearing_all(const struct lp_hearing *h, size_t *n)
{
	*n = h->n;
	return h->said;
}
