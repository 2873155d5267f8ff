/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/kernel.h"

#include "base/memory.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool add(struct lp_addresses *a, uint64_t start, uint64_t end,
		const char *name, size_t n)
{
	if (n == 0 || n > 512 || a->n >= LP_MOST_ADDRESSES ||
	    lp_grow(&a->items, &a->capacity, a->n + 1, sizeof(*a->items)) < 0 ||
	    lp_grow(&a->texts, &a->texts_capacity, a->texts_size + n + 1, 1) <
		    0)
		return false;
	a->items[a->n++] = (struct lp_named_address){ start, end,
						      (uint32_t)a->texts_size };
	memcpy(a->texts + a->texts_size, name, n);
	a->texts[a->texts_size + n] = '\0';
	a->texts_size += n + 1;
	return true;
}

/* A number of hex digits, and a blank behind it. */
static bool take_hex(const char **line, size_t *n, uint64_t *v)
{
	size_t i = 0;

	for (*v = 0; i < *n && i < 16 && isxdigit((unsigned char)(*line)[i]);
	     i++) {
		unsigned char c = (unsigned char)(*line)[i];

		*v = *v << 4 |
		     (uint64_t)(isdigit(c) ? c - '0' : (c | 0x20) - 'a' + 10);
	}
	if (i == 0 || i >= *n || (*line)[i] != ' ')
		return false;
	*line += i + 1;
	*n -= i + 1;
	return true;
}

bool lp_addresses_add_kallsyms(struct lp_addresses *a, const char *line,
			       size_t n)
{
	uint64_t start;
	size_t end;

	if (!take_hex(&line, &n, &start) || start == 0 || n < 3 ||
	    !strchr("tTwW", line[0]) || line[1] != ' ')
		return false;
	for (end = 2; end < n && !isspace((unsigned char)line[end]); end++)
		;
	return add(a, start, 0, line + 2, end - 2);
}

bool lp_addresses_add_perf_map(struct lp_addresses *a, const char *line,
			       size_t n)
{
	uint64_t start, size;
	char name[256];
	size_t used = 0;

	if (!take_hex(&line, &n, &start) || !take_hex(&line, &n, &size) ||
	    size == 0 || start + size < start)
		return false;
	for (; used < n && used < sizeof(name); used++) {
		unsigned char c = (unsigned char)line[used];

		name[used] = c < ' ' || c == 0x7f ? '_' : (char)c;
	}
	return add(a, start, start + size, name, used);
}

int lp_addresses_read(struct lp_addresses *a, const char *path,
		      bool (*take)(struct lp_addresses *, const char *, size_t))
{
	lp_auto_fclose FILE *in = fopen(path, "re");
	lp_auto_free char *line = NULL;
	size_t room = 0;
	ssize_t n;

	if (!in)
		return -errno;
	while ((n = getline(&line, &room, in)) > 0 && a->n < LP_MOST_ADDRESSES)
		take(a, line, (size_t)n - (line[n - 1] == '\n'));
	lp_addresses_settle(a);
	return a->n ? 0 : -ENODATA;
}

static int by_start(const void *left, const void *right)
{
	const struct lp_named_address *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->name < b->name ? -1 : a->name > b->name;
}

/* Of a place with two names the first of the file is kept. */
void lp_addresses_settle(struct lp_addresses *a)
{
	size_t kept = 0;

	if (a->n)
		qsort(a->items, a->n, sizeof(*a->items), by_start);
	for (size_t i = 0; i < a->n; i++)
		if (!kept || a->items[kept - 1].start != a->items[i].start)
			a->items[kept++] = a->items[i];
	a->n = kept;
}

const char *lp_addresses_find(const struct lp_addresses *a, uint64_t address,
			      uint64_t *start)
{
	size_t low = 0, high = a->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (a->items[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 ||
	    (a->items[low - 1].end && address >= a->items[low - 1].end))
		return NULL;
	if (start)
		*start = a->items[low - 1].start;
	return a->texts + a->items[low - 1].name;
}

void lp_addresses_done(struct lp_addresses *a)
{
	free(a->items);
	free(a->texts);
	*a = (struct lp_addresses){ 0 };
}

/* Where interrupts are switched on again, in kernels 4.18 to 6.18. */
static const char *const late_places[] = {
	"_raw_spin_unlock_irq*",
	"_raw_read_unlock_irq*",
	"_raw_write_unlock_irq*",
	"finish_task_switch*",
	"handle_softirqs*",
	"__do_softirq*",
	"__softirqentry_text_start",
	"asm_*",
	"sysvec_*",
	"__local_bh_enable_ip",
	"do_softirq*",
	"__irq_exit_rcu",
	"irq_exit_rcu",
	"finish_lock_switch",
	"__schedule",
	"schedule",
	"preempt_schedule*",
	"__cond_resched",
	"local_irq_enable*",
	"arch_local_irq_*",
	"pv_native_*",
	"native_irq_enable",
	"__raw_spin_unlock_irq*",
	"exit_to_user_mode_loop",
	NULL,
};

bool lp_is_late_place(const char *function)
{
	for (size_t i = 0; late_places[i]; i++)
		if (fnmatch(late_places[i], function, 0) == 0)
			return true;
	return false;
}
