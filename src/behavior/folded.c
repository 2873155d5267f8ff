/* SPDX-License-Identifier: Apache-2.0 */
#include "behavior/folded.h"

#include "base/memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH_TEXT 1200

/* ---- stacks ---- */

struct stacks_of {
	struct lp_stacks *stacks;
	const char *host;
};

static int add_stack(void *user, const char *text, int64_t slot_ns, uint64_t n)
{
	struct stacks_of *a = user;
	struct lp_stacks *s = a->stacks;
	uint32_t known = s->names.count, number;
	char key[PATH_TEXT];

	(void)slot_ns;
	snprintf(key, sizeof(key), "%s\t%s", a->host, text);
	if (lp_grow(&s->counts, &s->capacity, (size_t)known + 1,
		    sizeof(*s->counts)) < 0)
		return -ENOMEM;
	number = lp_names_add(&s->names, key);
	if (number == LP_NAME_NONE)
		return -ENOMEM;
	if (number == known)
		s->counts[number] = 0;
	s->counts[number] += n;
	return 0;
}

int lp_stacks_add(struct lp_stacks *s, const struct lp_counts *c,
		  int64_t since_ns, int64_t until_ns)
{
	struct stacks_of a = { s, c->host ? c->host : "" };

	if (strcmp(c->kind, LP_PROFILE_STACKS) != 0 || c->class_name ||
	    c->to_ns < since_ns || c->from_ns > until_ns)
		return 0;
	return lp_profile_walk(c, add_stack, &a);
}

void lp_stacks_done(struct lp_stacks *s)
{
	lp_names_done(&s->names);
	free(s->counts);
}

/* ---- paths ---- */

static int add_path(struct lp_folded *f, const char *path, double seconds)
{
	uint32_t known = f->paths.count, number;

	if (lp_grow(&f->seconds, &f->capacity, (size_t)known + 1,
		    sizeof(*f->seconds)) < 0)
		return -ENOMEM;
	number = lp_names_add(&f->paths, path);
	if (number == LP_NAME_NONE)
		return -ENOMEM;
	if (number == known)
		f->seconds[number] = 0;
	f->seconds[number] += seconds;
	return 0;
}

/* A stack of this host whose program and innermost function are those. */
static bool is_stack_of(const char *stack, const char *host,
			const struct lp_function_parts *p)
{
	size_t n = strlen(host);
	const char *inner = strrchr(stack, ';');

	return inner && strncmp(stack, host, n) == 0 && stack[n] == '\t' &&
	       strncmp(stack + n + 1, p->program, p->n_program) == 0 &&
	       stack[n + 1 + p->n_program] == ';' &&
	       strcmp(inner + 1, p->function) == 0;
}

/* Among the stacks, as often as each was seen. *none: there is none. */
static int divide(struct lp_folded *f, const struct lp_stacks *s,
		  const char *host, const struct lp_function_parts *p,
		  double seconds, bool *none)
{
	uint64_t sum = 0;
	int status = 0;

	for (uint32_t i = 0; i < s->names.count; i++)
		if (is_stack_of(s->names.text[i], host, p))
			sum += s->counts[i];
	*none = sum == 0;
	for (uint32_t i = 0; i < s->names.count && sum && status == 0; i++)
		if (is_stack_of(s->names.text[i], host, p))
			status = add_path(f, strchr(s->names.text[i], '\t') + 1,
					  seconds * (double)s->counts[i] /
						  (double)sum);
	return status;
}

static int add_function(struct lp_folded *f, const struct lp_stacks *s,
			const char *host, const char *key, double seconds)
{
	struct lp_function_parts p;
	char path[PATH_TEXT];
	bool none = true;
	int status = 0;

	if (!lp_function_split(key, &p))
		return 0;
	if (s && strncmp(p.image, "[kernel]", 8) == 0)
		status = divide(f, s, host, &p, seconds, &none);
	if (status || !none)
		return status;
	snprintf(path, sizeof(path), "%.*s;%.*s;%s", (int)p.n_program,
		 p.program, (int)p.n_image, p.image, p.function);
	return add_path(f, path, seconds);
}

static int add_host(struct lp_folded *f, const struct lp_collection *c,
		    const struct lp_stacks *s, const struct lp_behavior_host *h)
{
	double *seconds = calloc(c->functions.count + 1u, sizeof(*seconds));
	int status = seconds ? 0 : -ENOMEM;

	for (size_t i = 0; i < h->n && seconds; i++)
		for (size_t k = 0; k < h->slots[i].n && h->slots[i].rate; k++)
			seconds[h->slots[i].items[k].function] +=
				(double)h->slots[i].items[k].count /
				(double)h->slots[i].rate;
	for (uint32_t i = 0; i < c->functions.count && status == 0; i++)
		if (seconds[i] > 0)
			status = add_function(f, s, h->name,
					      c->functions.text[i], seconds[i]);
	free(seconds);
	return status;
}

int lp_folded_add(struct lp_folded *f, const struct lp_collection *c,
		  const struct lp_stacks *s, const char *host)
{
	int status = 0;

	for (size_t i = 0; i < c->n_hosts && status == 0; i++)
		if (!host || strcmp(c->hosts[i].name, host) == 0)
			status = add_host(f, c, s, &c->hosts[i]);
	return status;
}

void lp_folded_done(struct lp_folded *f)
{
	lp_names_done(&f->paths);
	free(f->seconds);
}
