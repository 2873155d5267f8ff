/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/charge.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

int lp_kernel_names_read(struct lp_kernel_names *k)
{
	struct utsname name;

	if (uname(&name) == 0)
		snprintf(k->build, sizeof(k->build), "%.63s", name.release);
	k->hidden = lp_addresses_read(&k->addresses, "/proc/kallsyms",
				      lp_addresses_add_kallsyms) < 0;
	return k->hidden ? -EPERM : 0;
}

void lp_kernel_names_done(struct lp_kernel_names *k)
{
	lp_addresses_done(&k->addresses);
}

/* ---- the kernel's functions ---- */

/* Numbers below a page from the top say whose the next ones are. */
static bool is_marker(uint64_t address)
{
	return address >= (uint64_t)-4096;
}

/* The names of the chain, innermost first. */
static size_t kernel_chain(const struct lp_kernel_names *k,
			   const struct lp_ring_record *s,
			   const char *names[LP_CHARGE_CHAIN])
{
	size_t n = 0;

	for (size_t i = 0; i < s->n_chain && n < LP_CHARGE_CHAIN; i++) {
		const char *name =
			is_marker(s->chain[i])
				? NULL
				: lp_addresses_find(&k->addresses, s->chain[i],
						    NULL);

		if (name)
			names[n++] = name;
	}
	if (n == 0) {
		names[0] = lp_addresses_find(&k->addresses, s->address, NULL);
		n = names[0] != NULL;
	}
	return n;
}

static void put_stack(struct lp_charge *c, const char *const *names,
		      size_t first, size_t n)
{
	size_t used = (size_t)snprintf(c->stack, sizeof(c->stack),
				       "%s;[kernel]", c->program);

	for (size_t i = n; i > first && used < sizeof(c->stack); i--)
		used += (size_t)snprintf(c->stack + used,
					 sizeof(c->stack) - used, ";%s",
					 names[i - 1]);
}

static void charge_kernel(const struct lp_kernel_names *k,
			  const struct lp_ring_record *s, struct lp_charge *c)
{
	const char *names[LP_CHARGE_CHAIN];
	size_t n = kernel_chain(k, s, names), first = 0;

	while (first < n && lp_is_late_place(names[first]))
		first++;
	/* All of it is such places: then it stays where it was. */
	if (first == n)
		first = 0;
	c->kernel = true;
	c->moved = first > 0;
	c->identified = c->named = n > 0;
	snprintf(c->text, sizeof(c->text), "%s\t[kernel]@%s\t%s", c->program,
		 k->build, n ? names[first] : "+unknown");
	if (n > 1)
		put_stack(c, names, first, n);
}

/* ---- the user's ---- */

static void charge_image(const struct lp_code_mapping *m, uint64_t address,
			 struct lp_charge *c)
{
	const struct lp_functions *f = &m->image->functions;
	uint64_t at = address - m->start + m->offset;
	const struct lp_function_place *p = lp_functions_find(f, at);
	char function[256];

	c->identified = p != NULL;
	c->named = p && p->name && !p->guessed;
	c->guessed = p && p->name && p->guessed;
	if (!p)
		snprintf(function, sizeof(function), "+unknown");
	else if (c->named)
		snprintf(function, sizeof(function), "%s", f->names + p->name);
	else
		snprintf(function, sizeof(function), "+0x%" PRIx64 "%s%s",
			 p->start, c->guessed ? "~" : "",
			 c->guessed ? f->names + p->name : "");
	snprintf(c->text, sizeof(c->text), "%s\t%s\t%s", c->program,
		 m->image->name, function);
}

static void charge_user(struct lp_tasks *tasks, struct lp_task *task,
			const struct lp_ring_record *s, struct lp_charge *c)
{
	const struct lp_code_mapping *m =
		lp_task_mapping(tasks, task, s->address);
	const char *name;

	if (m && m->image) {
		charge_image(m, s->address, c);
		return;
	}
	c->identified = c->named = m && strcmp(m->path, "[vdso]") == 0;
	if (c->named) {
		snprintf(c->text, sizeof(c->text), "%s\t[vdso]\tvdso",
			 c->program);
		return;
	}
	name = lp_task_jit_name(task, s->address);
	c->identified = m || name;
	c->named = name != NULL;
	snprintf(c->text, sizeof(c->text), "%s\t%s\t%s", c->program,
		 c->identified ? "[anon]" : "[unknown]",
		 name ? name : (m ? "code" : "+unknown"));
}

bool lp_charge(struct lp_tasks *tasks, const struct lp_kernel_names *kernel,
	       const struct lp_ring_record *s, int64_t now_ns,
	       struct lp_charge *c)
{
	struct lp_task *task = lp_tasks_get(tasks, s->pid, now_ns);

	*c = (struct lp_charge){ .host = LP_NAME_NONE };
	if (!task)
		return false;
	c->host = task->host;
	c->program = task->program;
	if ((s->header->misc & PERF_RECORD_MISC_CPUMODE_MASK) ==
	    PERF_RECORD_MISC_KERNEL)
		charge_kernel(kernel, s, c);
	else
		charge_user(tasks, task, s, c);
	return true;
}
