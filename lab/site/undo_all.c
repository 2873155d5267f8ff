/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"
#include "site/journal.h"

#include <errno.h>
#include <stdlib.h>

/* Things that could not be undone, and why. */
struct left {
	struct {
		size_t mark;
		struct lp_error why;
	} * item;
	size_t n, capacity;
};

static int remember(struct left *left, size_t mark, const struct lp_error *why)
{
	if (lp_grow(&left->item, &left->capacity, left->n + 1,
		    sizeof(*left->item)) < 0)
		return -1;
	left->item[left->n].mark = mark;
	left->item[left->n++].why = *why;
	return 0;
}

/* All that is left, last first. */
static int undo_what_is_left(struct lab_journal *journal, struct left *left,
			     struct lp_error *err)
{
	struct lab_entry *entries = NULL;
	struct lp_error why;
	size_t n = 0;
	int status =
		lab_journal_list(lab_journal_dir(journal), &entries, &n, err);

	for (size_t i = n; status == 0 && i-- > 0;)
		if (lab_journal_undo(journal, entries[i].mark, &why) < 0 &&
		    remember(left, entries[i].mark, &why) < 0)
			status = lp_fail_memory(err);
	lab_entries_free(entries, n);
	return status;
}

/*
 * The reason of the first attempt: by the second one a file system may be gone
 * that would have shown who uses it.
 */
static const struct lp_error *reason(const struct left *first,
				     const struct left *second, size_t i)
{
	for (size_t k = 0; k < first->n; k++)
		if (first->item[k].mark == second->item[i].mark)
			return &first->item[k].why;
	return &second->item[i].why;
}

static int say(const struct left *first, const struct left *second,
	       lab_left_fn *tell, void *context, struct lp_error *err)
{
	for (size_t i = 0; tell && i < second->n; i++)
		tell(context, reason(first, second, i)->text);
	return lp_fail(err, EBUSY, "%s", reason(first, second, 0)->text);
}

/*
 * Twice: a process that writes to a file system which does not answer cannot be
 * ended before that file system is.
 */
int lab_journal_undo_all(struct lab_journal *journal, lab_left_fn *tell,
			 void *context, struct lp_error *err)
{
	struct left first = { 0 }, second = { 0 };
	int status = undo_what_is_left(journal, &first, err);

	if (status == 0 && first.n > 0)
		status = undo_what_is_left(journal, &second, err);
	if (status == 0)
		status = second.n > 0 ? say(&first, &second, tell, context, err)
				      : lab_journal_empty(journal, err);
	free(first.item);
	free(second.item);
	return status;
}
