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

static void print_reach(const struct lp_recording *recording)
{
	const struct lp_roster *roster = &recording->roster;
	char a[LP_TIME_TEXT], b[LP_TIME_TEXT], c[LP_TIME_TEXT];
	char note[LP_STEP_NOTE];
	int64_t interval_ns = lp_inventory_interval(roster);
	struct lp_reach reach;

	if (interval_ns <= 0)
		return;
	reach = lp_reach_of(interval_ns, lp_roster_span_ns(roster));
	lp_recording_step(recording, 0, note);
	if (*note)
		printf("\n%s\n", note);
	printf("\nIn steps of %s, windows of %u, %u of %u flagged:\n",
	       lp_duration_format(reach.step_ns, a), reach.window, reach.k,
	       reach.of);
	if (!reach.enough) {
		printf("the recording is too short to compare: it takes %s.\n",
		       lp_duration_format(reach.needed_ns, a));
		return;
	}
	printf("a fault is surely seen if it lasts %s, below %s only if it is\n"
	       "extreme; this holds for one that shows in a window of %s which "
	       "it\nfills by half.\n",
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

void lp_inventory_print(const struct lp_recording *recording,
			const struct lp_plan *plan, bool verbose)
{
	const struct lp_roster *roster = &recording->roster;

	print_head(roster);
	if (verbose)
		print_hosts(roster);
	putchar('\n');
	print_components(roster, verbose);
	lp_inventory_print_plan(plan, verbose);
	print_reach(recording);
}
