/* SPDX-License-Identifier: Apache-2.0 */
#include "inventory.h"
#include "screen.h"

#include "base/number.h"
#include "base/visible.h"
#include "cluster/step.h"
#include "detect/reach.h"

#include <stdio.h>
#include <string.h>

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

/* ---- the table ---- */

/* At most `width` columns. */
static void put_cell(const char *raw, int width)
{
	const char *text = lp_shown(raw);

	if ((int)strlen(text) <= width)
		printf("%-*s", width, text);
	else
		printf("%.*s~", width - 1, text);
}

/* The same for what differs at its end (WWIDs, paths), without the blanks. */
static int put_tail(const char *raw, int width)
{
	const char *text = lp_shown(raw);
	int n = (int)strlen(text);

	if (n <= width)
		return printf("%s", text);
	return printf("~%s", text + n - width + 1);
}

static const char *format_size(const struct lp_roster_item *item,
			       char text[LP_SIZE_TEXT])
{
	const char *bytes = lp_labels_text(&item->labels, "size_bytes");
	const char *speed = lp_labels_text(&item->labels, "speed_mbit");
	double v;

	if (*bytes && lp_parse_double(bytes, strlen(bytes), &v) == 0)
		return lp_size_format(v, text);
	if (*speed && lp_parse_double(speed, strlen(speed), &v) == 0) {
		snprintf(text, LP_SIZE_TEXT, "%g Gb/s", v / 1000);
		return text;
	}
	return lp_labels_text(&item->labels, "rate");
}

/* What an operator knows it by: dm name, model, driver, backing file. */
static const char *known_as(const struct lp_roster_item *item)
{
	static const char *const keys[] = { "alias",        "model",
					    "backing_file", "driver",
					    "hca_type",     "md_level" };

	for (size_t i = 0; i < lp_array_size(keys); i++)
		if (*lp_labels_text(&item->labels, keys[i]))
			return lp_labels_text(&item->labels, keys[i]);
	return "";
}

static void print_labels(const struct lp_labels *labels)
{
	for (size_t i = 0; i < labels->count; i++)
		printf("    %s=%s\n", labels->items[i].key,
		       lp_shown(labels->items[i].value));
}

enum { COMPONENT, LAYER, SIZE, KNOWN_AS, IDENTITY, CELLS };

static const char *const titles[CELLS] = { "COMPONENT", "LAYER", "SIZE",
					   "KNOWN AS", "IDENTITY" };

/* The cells of one component, and room for those that are put together. */
struct cells {
	const char *text[CELLS];
	char name[LP_COMPONENT_TEXT], layer[64], size[LP_SIZE_TEXT];
};

static void fill_cells(const struct lp_roster *roster,
		       const struct lp_roster_item *item, struct cells *cells)
{
	snprintf(cells->layer, sizeof(cells->layer), "%s%s", item->layer,
		 item->layer_guessed ? "?" : "");
	cells->text[COMPONENT] = lp_component_format(roster, item, cells->name);
	cells->text[LAYER] = cells->layer;
	cells->text[SIZE] = format_size(item, cells->size);
	cells->text[KNOWN_AS] = known_as(item);
	cells->text[IDENTITY] = item->id ? item->id : "-";
}

/* What differs at its end: paths and identities. */
static bool is_told_by_its_end(const struct cells *cells, int cell)
{
	return cell == IDENTITY ||
	       (cell == KNOWN_AS && cells->text[cell][0] == '/');
}

static void put_cells(const struct cells *cells, const int width[CELLS])
{
	for (int c = 0; c < CELLS; c++) {
		const char *text = cells->text[c];
		int used;

		if (c)
			putchar(' ');
		if (!is_told_by_its_end(cells, c)) {
			put_cell(text, width[c]);
			continue;
		}
		used = put_tail(text, width[c]);
		if (c < IDENTITY)
			printf("%*s", width[c] - used, "");
	}
	putchar('\n');
}

static bool is_tcp(const struct lp_roster_item *item)
{
	return lp_kin_of(item) == LP_KIN_SOCKETS;
}

static bool is_listed(const struct lp_roster_item *item, bool verbose)
{
	return !lp_class_is_host(item->class) && (verbose || !is_tcp(item));
}

/*
 * Every column as wide as it needs. On a terminal without that much room the
 * columns shrink to what most need, and the identity to the rest. Returns
 * whether anything is cut.
 */
static bool measure(const struct lp_roster *roster, bool verbose,
		    int width[CELLS])
{
	static const int narrow[CELLS] = { 22, 10, 9, 16, 19 };
	int room = (int)lp_screen_columns(), sum = CELLS - 1;
	struct cells cells;

	memcpy(width, narrow, sizeof(narrow));
	for (size_t i = 0; i < roster->n_items; i++) {
		if (!is_listed(&roster->items[i], verbose))
			continue;
		fill_cells(roster, &roster->items[i], &cells);
		for (int c = 0; c < CELLS; c++) {
			int n = (int)strlen(lp_shown(cells.text[c]));

			width[c] = n > width[c] ? n : width[c];
		}
	}
	for (int c = 0; c < CELLS; c++)
		sum += width[c];
	if (!room || sum <= room)
		return false;
	memcpy(width, narrow, sizeof(narrow));
	for (int c = 0; c < IDENTITY; c++)
		room -= narrow[c] + 1;
	if (room > narrow[IDENTITY])
		width[IDENTITY] = room;
	return true;
}

static void print_components(const struct lp_roster *roster, bool verbose)
{
	size_t n_tcp = 0;
	bool guessed = false, cut;
	int width[CELLS];
	struct cells cells;

	cut = measure(roster, verbose, width);
	memcpy(cells.text, titles, sizeof(titles));
	put_cells(&cells, width);
	for (size_t i = 0; i < roster->n_items; i++) {
		const struct lp_roster_item *item = &roster->items[i];

		n_tcp += is_tcp(item);
		if (!is_listed(item, verbose))
			continue;
		fill_cells(roster, item, &cells);
		put_cells(&cells, width);
		if (verbose)
			print_labels(&item->labels);
		guessed = guessed || (item->layer_guessed && !is_tcp(item));
	}
	if (n_tcp > 0 && !verbose)
		printf("and %zu TCP %s (-v lists them)\n", n_tcp,
		       lp_plural(n_tcp, "peer", "peers"));
	if (guessed)
		puts("? guessed from the name, because the recording has no "
		     "inventory of it");
	if (cut)
		puts("~ cut to fit the terminal: a pipe gets all of it");
}

/* ---- time ---- */

static void print_reach(const struct lp_survey *recording)
{
	const struct lp_roster *roster = &recording->roster;
	char a[LP_TIME_TEXT], b[LP_TIME_TEXT];
	char note[LP_STEP_NOTE];
	int64_t interval_ns = lp_survey_interval(recording);
	struct lp_reach reach;

	if (interval_ns <= 0)
		return;
	reach = lp_reach_of(interval_ns, lp_roster_recorded_ns(roster));
	lp_step_choose(recording, lp_detector_main(NULL), 0, note);
	if (*note)
		printf("\n%s\n", note);
	printf("\nWhat can be detected (in blocks of %s, at samples of %s):\n",
	       lp_duration_format(reach.shift * reach.step_ns, a),
	       lp_duration_format(reach.step_ns, b));
	if (!reach.enough) {
		printf("nothing, because the recording is too short: at least "
		       "%s is needed.\n",
		       lp_duration_format(reach.needed_ns, a));
		return;
	}
	printf("strong faults of %s or longer; none that is shorter than %s.\n"
	       "A weak fault takes longer.\n",
	       lp_duration_format(reach.sure_ns, a),
	       lp_duration_format(reach.least_ns, b));
}

/* Samples stand some microseconds behind the second. */
static int64_t whole(int64_t time_ns)
{
	return time_ns - time_ns % LP_NS_PER_S;
}

static void print_head(const struct lp_survey *recording,
		       const struct lp_zone *zone)
{
	const struct lp_roster *roster = &recording->roster;
	char a[LP_TIME_TEXT], b[LP_TIME_TEXT];
	int64_t interval_ns = lp_survey_interval(recording);

	printf("%zu %s, %zu %s\n", roster->n_hosts,
	       lp_plural(roster->n_hosts, "host", "hosts"), roster->n_items,
	       lp_plural(roster->n_items, "component", "components"));
	if (roster->first_ns > roster->last_ns) {
		puts("no samples");
		return;
	}
	printf("%s to %s", lp_zone_format(zone, whole(roster->first_ns), a),
	       lp_zone_format(zone, whole(roster->last_ns), b));
	printf(" (%s)",
	       lp_duration_format(
		       whole(roster->last_ns) - whole(roster->first_ns), a));
	if (interval_ns > 0)
		printf(", every %s", lp_duration_format(interval_ns, b));
	putchar('\n');
}

static void print_unread(const struct lp_inputs *inputs, bool verbose)
{
	for (size_t i = 0; i < inputs->n_faults; i++)
		printf("%s%s\n", i ? "" : "\n",
		       lp_shown(inputs->faults[i].text));
	if (!verbose || inputs->others.count == 0)
		return;
	puts("\nnot recordings:");
	for (uint32_t i = 0; i < inputs->others.count; i++)
		printf("  %s\n", lp_shown(inputs->others.text[i]));
}

static void print_hosts(const struct lp_roster *roster)
{
	for (size_t i = 0; i < roster->n_hosts; i++) {
		printf("\n%s\n", lp_shown(roster->hosts[i].name));
		print_labels(&roster->hosts[i].labels);
	}
}

void lp_inventory_print(const struct lp_survey *recording,
			const struct lp_plan *plan,
			const struct lp_inputs *inputs,
			const struct lp_zone *zone, bool verbose)
{
	const struct lp_roster *roster = &recording->roster;

	print_head(recording, zone);
	if (verbose)
		print_hosts(roster);
	putchar('\n');
	print_components(roster, verbose);
	lp_inventory_print_plan(plan, verbose);
	print_reach(recording);
	print_unread(inputs, verbose);
}
