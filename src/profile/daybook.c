/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/daybook.h"

#include "base/memory.h"
#include "record/tick.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_NS (LP_LEDGER_SLOTS * LP_PROFILE_SLOT_NS)
/* Stacks have many names and are looked at over long times. */
#define STACKS_NS (10 * BLOCK_NS)
#define MOST_NAMES 60

static int64_t block_of(int64_t time_ns)
{
	int64_t rest = time_ns % BLOCK_NS;

	return time_ns - (rest < 0 ? rest + BLOCK_NS : rest);
}

static struct lp_profile_sheet sheet(const struct lp_ledger *l,
				     const char *kind, const char *host,
				     size_t n_slots)
{
	return (struct lp_profile_sheet){ .kind = kind,
					  .host = host,
					  .from_ns = l->from_ns,
					  .n_slots = n_slots };
}

struct lp_ledger_page *lp_ledger_page(struct lp_ledger *l, const char *host)
{
	struct lp_ledger_page *p;

	for (size_t i = 0; i < l->n_pages; i++)
		if (strcmp(l->pages[i].host, host) == 0)
			return &l->pages[i];
	if (lp_grow(&l->pages, &l->capacity, l->n_pages + 1,
		    sizeof(*l->pages)) < 0)
		return NULL;
	p = &l->pages[l->n_pages];
	p->host = strdup(host);
	if (!p->host)
		return NULL;
	p->samples = sheet(l, LP_PROFILE_SAMPLES, p->host, LP_LEDGER_SLOTS);
	p->waits = sheet(l, LP_PROFILE_WAITS, p->host, LP_LEDGER_SLOTS);
	p->stacks = sheet(l, LP_PROFILE_STACKS, p->host, 1);
	l->n_pages++;
	return p;
}

bool lp_ledger_is_over(const struct lp_ledger *l, int64_t now_ns)
{
	return block_of(now_ns) != l->from_ns;
}

size_t lp_ledger_slot(const struct lp_ledger *l, int64_t time_ns)
{
	/* Records that come late or early stay in the block. */
	if (time_ns < l->from_ns)
		return 0;
	if (time_ns >= l->from_ns + BLOCK_NS)
		return LP_LEDGER_SLOTS - 1;
	return (size_t)((time_ns - l->from_ns) / LP_PROFILE_SLOT_NS);
}

void lp_ledger_count(struct lp_profile_sheet *s, const char *text, size_t slot,
		     uint64_t n)
{
	const char *function = strrchr(text, '\t');
	char other[512];

	if (s->names.count >= LP_LEDGER_MOST_TEXTS && function &&
	    lp_names_find(&s->names, text) == LP_NAME_NONE) {
		snprintf(other, sizeof(other), "%.*s\t+other",
			 (int)(function - text), text);
		text = other;
	}
	lp_profile_sheet_add(s, lp_profile_sheet_text(s, text), slot, n);
}

/* ---- writing ---- */

static int create_file(struct lp_ledger *l, int64_t first_ns,
		       struct lp_error *err)
{
	int status = -EEXIST;

	for (int64_t i = 0; status == -EEXIST && i < MOST_NAMES; i++) {
		free(l->path);
		l->path = lp_profile_path(l->dir, l->machine,
					  first_ns + i * LP_NS_PER_S);
		status = l->path ? lp_archive_create(l->path, LP_ARCHIVE_LIVE,
						     &l->writer, err)
				 : lp_fail_memory(err);
	}
	if (status == 0)
		l->day = lp_tick_day(first_ns);
	return status;
}

static int put_sheet(struct lp_ledger *l, const struct lp_profile_sheet *s,
		     int64_t to_ns, struct lp_error *err)
{
	struct lp_arena arena = { 0 };
	struct lp_counts counts;
	int status = 0;

	if (s->names.count == 0)
		return 0;
	if (lp_profile_sheet_counts(s, &arena, &counts) < 0)
		status = lp_fail_memory(err);
	if (to_ns > counts.from_ns && status == 0)
		counts.to_ns = to_ns - 1;
	if (status == 0)
		status = lp_archive_put_counts(l->writer, &counts, err);
	lp_arena_done(&arena);
	return status;
}

static int put_pages(struct lp_ledger *l, int64_t next_ns, bool stacks,
		     struct lp_error *err)
{
	int status = 0;

	if (!l->writer)
		status = create_file(l, l->from_ns, err);
	for (size_t i = 0; i < l->n_pages && status == 0; i++) {
		struct lp_ledger_page *p = &l->pages[i];

		status = put_sheet(l, &p->samples, 0, err);
		if (status == 0)
			status = put_sheet(l, &p->waits, 0, err);
		if (status == 0 && stacks)
			status = put_sheet(l, &p->stacks, next_ns, err);
	}
	return status ? status : lp_archive_sync(l->writer, err);
}

static bool is_empty(const struct lp_ledger *l)
{
	for (size_t i = 0; i < l->n_pages; i++)
		if (l->pages[i].samples.names.count > 0)
			return false;
	return true;
}

static void clear(struct lp_ledger *l, int64_t from_ns, bool stacks)
{
	l->from_ns = from_ns;
	for (size_t i = 0; i < l->n_pages; i++) {
		lp_profile_sheet_clear(&l->pages[i].samples, from_ns);
		lp_profile_sheet_clear(&l->pages[i].waits, from_ns);
		if (stacks)
			lp_profile_sheet_clear(&l->pages[i].stacks, from_ns);
	}
	if (stacks)
		l->stacks_from_ns = from_ns;
}

void lp_ledger_write(struct lp_ledger *l, int64_t next_ns, bool last,
		     struct lp_notices *says)
{
	int64_t next = block_of(next_ns);
	bool stacks = last || next - l->stacks_from_ns >= STACKS_NS ||
		      next < l->stacks_from_ns;
	struct lp_error err;

	if (is_empty(l)) {
		clear(l, next, stacks);
		return;
	}
	if (put_pages(l, next_ns, stacks, &err) == 0) {
		l->failing = false;
	} else if (!l->failing) {
		l->failing = true;
		lp_notice_add(says, LP_EVENT_LOST,
			      "%s; what cannot be written is lost", err.text);
	}
	clear(l, next, stacks);
	if (l->writer && lp_tick_day(next) != l->day)
		lp_ledger_rotate(l, says);
}

void lp_ledger_rotate(struct lp_ledger *l, struct lp_notices *says)
{
	struct lp_error err;

	if (!l->writer)
		return;
	if (lp_archive_finish(l->writer, &err) < 0)
		lp_notice_add(says, LP_EVENT_LOST, "%s", err.text);
	else if (l->closed)
		l->closed(l->user, l->path);
	l->writer = NULL;
}

void lp_ledger_done(struct lp_ledger *l)
{
	lp_archive_abandon(l->writer);
	free(l->path);
	for (size_t i = 0; i < l->n_pages; i++) {
		lp_profile_sheet_done(&l->pages[i].samples);
		lp_profile_sheet_done(&l->pages[i].waits);
		lp_profile_sheet_done(&l->pages[i].stacks);
		free(l->pages[i].host);
	}
	free(l->pages);
}
