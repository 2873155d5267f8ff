/* SPDX-License-Identifier: Apache-2.0 */
#include "inventory.h"

#include "report/wrap.h"

#include "base/visible.h"

#include <stdio.h>
#include <string.h>

#define WIDTH 80

/* Words one after another, folded at 80 columns with an indent. */
struct fold {
	int column;
};

static void put_word(struct fold *fold, const char *raw)
{
	const char *word = lp_shown(raw);
	int n = (int)strlen(word);

	if (fold->column > 0 && fold->column + 1 + n > WIDTH) {
		putchar('\n');
		fold->column = 0;
	}
	fold->column += printf("%s%s", fold->column ? " " : "      ", word);
}

static void end_words(struct fold *fold)
{
	if (fold->column > 0)
		putchar('\n');
	fold->column = 0;
}

#define FEW_MEMBERS 4
#define FEW_LEFT_OUT 20

/* "and 7 more" instead of the rest, unless that is one. */
static bool put_rest(struct fold *fold, size_t at, size_t n, size_t few)
{
	char text[32];

	if (at != few || n - at < 2)
		return false;
	snprintf(text, sizeof(text), "and %zu more", n - at);
	put_word(fold, text);
	return true;
}

/* All of them when asked for, else the first few and how many more. */
static void print_members(const struct lp_peer_group *group, bool verbose)
{
	struct fold fold = { 0 };

	for (size_t i = 0; i < group->n; i++) {
		if (put_rest(&fold, i, group->n,
			     verbose ? SIZE_MAX : FEW_MEMBERS))
			break;
		put_word(&fold, group->labels[i]);
	}
	end_words(&fold);
}

static bool has_own(const struct lp_peer_group *group)
{
	for (size_t i = 0; i < group->n; i++)
		if (group->peers[i].own != LP_NO_GROUP)
			return true;
	return false;
}

static void print_groups(const struct lp_plan *plan, bool verbose)
{
	size_t number = 0;

	for (size_t g = 0; g < plan->n_groups; g++) {
		const struct lp_peer_group *group = &plan->groups[g];

		if (group->kind != LP_PEERS)
			continue;
		if (number++ == 0)
			puts("\nCompared with each other:");
		printf("  %zu  %s%s\n", number, lp_shown(group->name),
		       has_own(group) ? "; each also within its own host" : "");
		if (*group->ground)
			lp_wrap(stdout, "      ", group->ground);
		print_members(group, verbose);
	}
	if (number == 0) {
		puts("\nNothing can be compared:");
		lp_wrap(stdout, "  ", plan->refusal_text);
	}
}

static size_t count_reason(const struct lp_plan *plan, const char *reason)
{
	size_t n = 0;

	for (size_t i = 0; i < plan->n_left_out; i++)
		n += strcmp(plan->left_out[i].reason, reason) == 0;
	return n;
}

static void print_reason(const struct lp_plan *plan, const char *reason,
			 bool verbose)
{
	struct fold fold = { 0 };
	size_t n = count_reason(plan, reason), at = 0;

	printf("  %s (%zu)\n", reason, n);
	for (size_t i = 0; i < plan->n_left_out; i++) {
		if (strcmp(plan->left_out[i].reason, reason) != 0)
			continue;
		if (put_rest(&fold, at++, n, verbose ? SIZE_MAX : FEW_LEFT_OUT))
			break;
		put_word(&fold, plan->left_out[i].label);
	}
	end_words(&fold);
}

/* By reason, in the order in which these came. */
static void print_left_out(const struct lp_plan *plan, bool verbose)
{
	if (plan->n_left_out > 0)
		puts("\nLeft out:");
	for (size_t i = 0; i < plan->n_left_out; i++) {
		const char *reason = plan->left_out[i].reason;
		size_t j = 0;

		while (j < i && strcmp(plan->left_out[j].reason, reason) != 0)
			j++;
		if (j == i)
			print_reason(plan, reason, verbose);
	}
}

static void print_unseen(const struct lp_plan *plan)
{
	if (plan->n_unseen > 0)
		puts("\nKnown, but without a sample in the recordings:");
	for (size_t i = 0; i < plan->n_unseen; i++)
		printf("  %s: %s\n", lp_shown(plan->unseen[i].label),
		       lp_shown(plan->unseen[i].known_by));
}

static void print_roles(const struct lp_plan *plan, enum lp_role role)
{
	struct fold fold = { 0 };
	bool any = false;

	for (size_t i = 0; i < plan->n_hosts; i++) {
		if (plan->hosts[i].role != role)
			continue;
		if (!any)
			printf("  %s\n", lp_role_name(role));
		any = true;
		put_word(&fold, plan->hosts[i].name);
	}
	end_words(&fold);
}

void lp_inventory_print_plan(const struct lp_plan *plan, bool verbose)
{
	if (verbose) {
		puts("\nRoles:");
		for (int r = 0; r < LP_ROLES; r++)
			print_roles(plan, (enum lp_role)r);
	}
	print_groups(plan, verbose);
	print_left_out(plan, verbose);
	print_unseen(plan);
	for (size_t i = 0; i < plan->n_notes; i++)
		printf("%s%s\n", i ? "" : "\n", plan->notes[i]);
}
