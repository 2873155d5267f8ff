/* SPDX-License-Identifier: Apache-2.0 */
#include "inventory.h"

#include "base/number.h"
#include "table/reach.h"

#include <stdio.h>
#include <string.h>

#define WIDTH 80

int64_t lp_inventory_interval(const struct lp_roster *roster)
{
	int64_t longest = 0;

	for (size_t i = 0; i < roster->n_hosts; i++)
		if (roster->hosts[i].interval_ns > longest)
			longest = roster->hosts[i].interval_ns;
	return longest;
}

const char *lp_component_format(const struct lp_roster *roster,
				const struct lp_roster_item *item,
				char text[LP_COMPONENT_TEXT])
{
	const char *separator = item->class ? item->class->separator : "/";
	const char *host = roster->hosts[item->host].name;

	if (*separator)
		snprintf(text, LP_COMPONENT_TEXT, "%s%s%s", host, separator,
			 item->name);
	else
		snprintf(text, LP_COMPONENT_TEXT, "%s", host);
	return text;
}

static const char *plural(size_t n, const char *one, const char *many)
{
	return n == 1 ? one : many;
}

/* ---- the table ---- */

/* At most `width` columns. */
static void put_cell(const char *text, int width)
{
	if ((int)strlen(text) <= width)
		printf("%-*s", width, text);
	else
		printf("%.*s~", width - 1, text);
}

/* The same for what differs at its end (WWIDs, paths), without the blanks. */
static int put_tail(const char *text, int width)
{
	int n = (int)strlen(text);

	if (n <= width)
		return printf("%s", text);
	return printf("~%s", text + n - width + 1);
}

static const char *label(const struct lp_roster_item *item, const char *key)
{
	const char *value = lp_labels_get(&item->labels, key);

	return value ? value : "";
}

static const char *format_size(const struct lp_roster_item *item,
			       char text[LP_SIZE_TEXT])
{
	const char *bytes = label(item, "size_bytes");
	const char *speed = label(item, "speed_mbit");
	double v;

	if (*bytes && lp_parse_double(bytes, strlen(bytes), &v) == 0)
		return lp_size_format(v, text);
	if (*speed && lp_parse_double(speed, strlen(speed), &v) == 0) {
		snprintf(text, LP_SIZE_TEXT, "%g Gb/s", v / 1000);
		return text;
	}
	return label(item, "rate");
}

/* What an operator knows it by: dm name, model, driver, backing file. */
static const char *known_as(const struct lp_roster_item *item)
{
	static const char *const keys[] = { "alias",        "model",
					    "backing_file", "driver",
					    "hca_type",     "md_level" };

	for (size_t i = 0; i < lp_array_size(keys); i++)
		if (*label(item, keys[i]))
			return label(item, keys[i]);
	return "";
}

static void print_labels(const struct lp_labels *labels)
{
	for (size_t i = 0; i < labels->count; i++)
		printf("    %s=%s\n", labels->items[i].key,
		       labels->items[i].value);
}

/* COMPONENT 22, LAYER 11, SIZE 9, KNOWN AS 16, IDENTITY to the end. */
static void print_row(const struct lp_roster *roster,
		      const struct lp_roster_item *item, bool verbose)
{
	char name[LP_COMPONENT_TEXT], layer[64], size[LP_SIZE_TEXT];

	lp_component_format(roster, item, name);
	snprintf(layer, sizeof(layer), "%s%s", item->layer,
		 item->layer_guessed ? "?" : "");
	put_cell(name, 22);
	putchar(' ');
	put_cell(layer, 10);
	putchar(' ');
	put_cell(format_size(item, size), 9);
	putchar(' ');
	if (*known_as(item) == '/')
		printf("%*s", 16 - put_tail(known_as(item), 16), "");
	else
		put_cell(known_as(item), 16);
	putchar(' ');
	put_tail(item->id ? item->id : "-", WIDTH - 61);
	putchar('\n');
	if (verbose)
		print_labels(&item->labels);
}

static bool is_tcp(const struct lp_roster_item *item)
{
	return strcmp(item->class_name, "tcp") == 0;
}

static void print_components(const struct lp_roster *roster, bool verbose)
{
	size_t n_tcp = 0;
	bool guessed = false;

	puts("COMPONENT              LAYER      SIZE      KNOWN AS         "
	     "IDENTITY");
	for (size_t i = 0; i < roster->n_items; i++) {
		const struct lp_roster_item *item = &roster->items[i];

		n_tcp += is_tcp(item);
		if (strcmp(item->class_name, "host") == 0 ||
		    (is_tcp(item) && !verbose))
			continue;
		print_row(roster, item, verbose);
		guessed = guessed || (item->layer_guessed && !is_tcp(item));
	}
	if (n_tcp > 0 && !verbose)
		printf("and %zu TCP %s (-v lists them)\n", n_tcp,
		       plural(n_tcp, "peer", "peers"));
	if (guessed)
		puts("? guessed from the name: the recording has no "
		     "inventory of it");
}

/* ---- groups ---- */

/* Words one after another, folded at 80 columns with an indent. */
struct fold {
	int column;
};

static void put_word(struct fold *fold, const char *word)
{
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

/* All of them when asked for, else the first few and how many more. */
static void print_members(const struct lp_roster *roster,
			  const struct lp_grouping *grouping, size_t g,
			  bool verbose)
{
	char text[LP_COMPONENT_TEXT];
	struct fold fold = { 0 };
	size_t n = 0, total = grouping->groups[g].n_members;

	for (size_t i = 0; i < roster->n_items; i++) {
		if (grouping->group_of[i] != g)
			continue;
		if (!verbose && total > FEW_MEMBERS + 1 && n == FEW_MEMBERS) {
			snprintf(text, sizeof(text), "and %zu more", total - n);
			put_word(&fold, text);
			break;
		}
		put_word(&fold,
			 lp_component_format(roster, &roster->items[i], text));
		n++;
	}
	end_words(&fold);
}

/* "1  12 x disk (12 TB, ST12000NM0127) on 2 hosts", "2  4 x net port ..." */
static void print_group(const struct lp_group *group, size_t number)
{
	bool named = strcmp(group->class_name, group->layer) != 0;

	printf("  %zu  %zu x %s%s%s", number, group->n_members,
	       group->class_name, named ? " " : "", named ? group->layer : "");
	printf("%s%s%s on %zu %s\n", *group->what ? " (" : "", group->what,
	       *group->what ? ")" : "", group->n_hosts,
	       plural(group->n_hosts, "host", "hosts"));
}

static void print_groups(const struct lp_roster *roster,
			 const struct lp_grouping *grouping, bool compared,
			 bool verbose)
{
	bool any = false;

	for (size_t g = 0; g < grouping->n_groups; g++) {
		if (grouping->groups[g].compared != compared)
			continue;
		if (!any)
			puts(compared ? "\nCompared with each other:"
				      : "\nCannot be compared (fewer than "
					"three alike):");
		any = true;
		print_group(&grouping->groups[g], g + 1);
		print_members(roster, grouping, g, verbose);
	}
	if (!any && compared)
		puts("\nNothing can be compared: there are no three components "
		     "alike.");
}

static void print_left_out(const struct lp_roster *roster,
			   const struct lp_grouping *grouping,
			   enum lp_left_out reason)
{
	char text[LP_COMPONENT_TEXT];
	struct fold fold = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < roster->n_items; i++)
		n += grouping->left_out[i] == reason;
	if (n == 0)
		return;
	printf("  %s (%zu)\n", lp_left_out_text(reason), n);
	for (size_t i = 0; i < roster->n_items; i++)
		if (grouping->left_out[i] == reason)
			put_word(&fold,
				 lp_component_format(roster, &roster->items[i],
						     text));
	end_words(&fold);
}

static void print_all_left_out(const struct lp_roster *roster,
			       const struct lp_grouping *grouping)
{
	bool any = false;

	for (size_t i = 0; i < roster->n_items; i++)
		any = any || grouping->left_out[i] != LP_LEFT_NOT;
	if (!any)
		return;
	puts("\nLeft out:");
	for (int r = LP_LEFT_NOT + 1; r < LP_LEFT_REASONS; r++)
		print_left_out(roster, grouping, (enum lp_left_out)r);
}

/* ---- time ---- */

/* "22.5 min", where lp_duration_format is content with whole minutes. */
static const char *format_span(int64_t ns, char text[LP_TIME_TEXT])
{
	const int64_t minute = 60 * LP_NS_PER_S;

	if (ns < 10 * minute || ns > 60 * minute || ns % minute == 0)
		return lp_duration_format(ns, text);
	snprintf(text, LP_TIME_TEXT, "%.1f min", (double)ns / (double)minute);
	return text;
}

static void print_reach(const struct lp_roster *roster)
{
	char a[LP_TIME_TEXT], b[LP_TIME_TEXT], c[LP_TIME_TEXT];
	int64_t interval_ns = lp_inventory_interval(roster);
	struct lp_reach reach;

	if (interval_ns <= 0)
		return;
	reach = lp_reach_of(interval_ns, roster->last_ns - roster->first_ns);
	printf("\nIn steps of %s, windows of %u, %u of %u flagged:\n",
	       lp_duration_format(reach.step_ns, a), reach.window, reach.k,
	       reach.of);
	if (!reach.enough) {
		printf("the recording is too short to compare: it takes %s.\n",
		       lp_duration_format(reach.needed_ns, a));
		return;
	}
	printf("a fault is surely seen if it lasts %s, never below %s; this "
	       "holds\nfor one that shows in a window of %s which it fills by "
	       "half.\n",
	       format_span(reach.sure_ns, a), format_span(reach.least_ns, b),
	       lp_duration_format(reach.window * reach.step_ns, c));
}

/* Samples stand some microseconds behind the second. */
static int64_t whole(int64_t time_ns)
{
	return time_ns - time_ns % LP_NS_PER_S;
}

static void print_head(const struct lp_roster *roster)
{
	char a[LP_TIME_TEXT], b[LP_TIME_TEXT];
	int64_t interval_ns = lp_inventory_interval(roster);

	printf("%zu %s, %zu %s\n", roster->n_hosts,
	       plural(roster->n_hosts, "host", "hosts"), roster->n_items,
	       plural(roster->n_items, "component", "components"));
	if (roster->first_ns > roster->last_ns) {
		puts("no samples");
		return;
	}
	printf("%s to %s", lp_time_format(whole(roster->first_ns), a),
	       lp_time_format(whole(roster->last_ns), b));
	printf(" (%s)",
	       lp_duration_format(
		       whole(roster->last_ns) - whole(roster->first_ns), a));
	if (interval_ns > 0)
		printf(", every %s", lp_duration_format(interval_ns, b));
	putchar('\n');
}

static void print_hosts(const struct lp_roster *roster)
{
	for (size_t i = 0; i < roster->n_hosts; i++) {
		printf("\n%s\n", roster->hosts[i].name);
		print_labels(&roster->hosts[i].labels);
	}
}

void lp_inventory_print(const struct lp_roster *roster,
			const struct lp_grouping *grouping, bool verbose)
{
	print_head(roster);
	if (verbose)
		print_hosts(roster);
	putchar('\n');
	print_components(roster, verbose);
	print_groups(roster, grouping, true, verbose);
	print_groups(roster, grouping, false, verbose);
	print_all_left_out(roster, grouping);
	print_reach(roster);
}
