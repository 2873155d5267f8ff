/* SPDX-License-Identifier: Apache-2.0 */
/*
 * As sar prints it: one line per component and step.
 */
#include "show.h"

#include "screen.h"

#include "base/visible.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_WIDTH 9
#define NARROW_WIDTH 7
#define DIM "\033[2m"
#define BOLD "\033[1m"
#define PLAIN "\033[0m"

static bool is_hidden(const struct show_text *text, size_t item)
{
	return item < SHOW_ITEMS && text->hidden[item];
}

static int item_width(const struct show_text *text,
		      const struct show_item *item)
{
	size_t n = strlen(item->name);
	size_t u = strlen(show_unit(item, text->human));

	if (u > n)
		n = u;
	return (int)(n > text->number_width ? n : text->number_width);
}

/* "class host name" is shown as host, one character, and name or alias. */
static size_t display_width(const struct lp_roster *roster,
			    const struct lp_roster_item *item)
{
	const char *alias = lp_labels_get(&item->labels, "alias");

	return strlen(roster->hosts[item->host].name) + 1 +
	       strlen(alias ? alias : item->name);
}

static size_t widest_component(const struct lp_roster *roster,
			       const struct lp_class *class, bool idle_too)
{
	size_t widest = 9;

	for (size_t i = 0; i < roster->n_items; i++) {
		const struct lp_roster_item *item = &roster->items[i];

		if (item->class == class && item->n_samples > 0 &&
		    (idle_too || lp_roster_is_active(item)) &&
		    display_width(roster, item) > widest)
			widest = display_width(roster, item);
	}
	return widest < 48 ? widest : 48;
}

/*
 * Milliseconds are shown where times lie between whole seconds: those of the
 * steps, or most of those of the samples.
 */
static bool needs_fractions(const struct lp_survey *survey, int64_t step_ns)
{
	size_t n = 0, between = 0;

	for (size_t i = 0; i < survey->roster.n_hosts; i++) {
		const struct lp_roster_host *host = &survey->roster.hosts[i];

		if (show_own_times(survey, host->name, step_ns)) {
			n += host->n_samples;
			between += host->n_between;
		} else if (step_ns % LP_NS_PER_S) {
			return true;
		}
	}
	return step_ns < LP_NS_PER_S || between > n / 2;
}

/* ---- as wide as the terminal ---- */

static size_t line_width(const struct show_text *text)
{
	const struct show_class *c = &text->selection->classes[text->class];
	size_t sum = text->component_width + (text->fractions ? 13 : 9);

	for (size_t i = 0; i < c->n_items; i++)
		if (!is_hidden(text, i))
			sum += 1 + (size_t)item_width(text, &c->items[i]);
	return sum;
}

/* 0: the first to go. What can accuse a component stays longest. */
static int rank(const struct show_item *item)
{
	const struct lp_metric *m = item->metric;

	return !m ? 1 : m->minor ? 0 : m->indicts ? 2 : 1;
}

/* The least telling that is left, from the right; n_items: leave it. */
static size_t next_to_hide(const struct show_text *text)
{
	const struct show_class *c = &text->selection->classes[text->class];
	size_t best = c->n_items, n = 0;

	for (size_t i = 0; i < c->n_items; i++) {
		if (is_hidden(text, i))
			continue;
		n++;
		if (i < SHOW_ITEMS &&
		    (best == c->n_items ||
		     rank(&c->items[i]) <= rank(&c->items[best])))
			best = i;
	}
	return n > 1 ? best : c->n_items;
}

/* Narrower columns first, then fewer. */
static void fit(struct show_text *text, size_t columns)
{
	size_t hide;

	if (!columns || line_width(text) <= columns)
		return;
	text->number_width = NARROW_WIDTH;
	while (line_width(text) > columns) {
		hide = next_to_hide(text);
		if (hide >= SHOW_ITEMS ||
		    hide >= text->selection->classes[text->class].n_items)
			return;
		text->hidden[hide] = true;
	}
}

void show_text_end(const struct show_text *text, const char *command)
{
	const struct show_class *c = &text->selection->classes[text->class];
	size_t n = 0;

	for (size_t i = 0; text->date[0] && i < c->n_items; i++) {
		if (!is_hidden(text, i))
			continue;
		fprintf(stderr, "%s%s%s", n ? "" : command, n ? ", " : ": ",
			c->items[i].name);
		n++;
	}
	if (n)
		fprintf(stderr, " left out to fit the terminal; --metric "
				"chooses columns, a pipe gets all\n");
}

void show_text_begin(struct show_text *text,
		     const struct show_selection *selection, size_t class,
		     const struct show_options *options,
		     const struct lp_zone *zone, const struct lp_survey *survey)
{
	bool begun = text->begun;

	*text = (struct show_text){
		.selection = selection,
		.zone = zone,
		.step_ns = options->step_ns,
		.class = class,
		.component_width = widest_component(
			&survey->roster, selection->classes[class].class,
			!show_hides_idle(options)),
		.screen = lp_screen_lines(),
		.number_width = NUMBER_WIDTH,
		.human = options->human,
		.colours = lp_screen_colours(),
		.fractions = needs_fractions(survey, options->step_ns),
		.begun = begun,
	};
	fit(text, lp_screen_columns());
}

static const char *paint(const struct show_text *text, const char *code)
{
	return text->colours ? code : "";
}

/* To the nearest multiple of the unit; half way up. */
static int64_t round_to(int64_t time_ns, int64_t unit)
{
	int64_t sum, rest;

	if (__builtin_add_overflow(time_ns, unit / 2, &sum))
		return time_ns;
	rest = sum % unit;
	return sum - (rest < 0 ? rest + unit : rest);
}

/* "2026-11-15T14:05:01.500Z": its date and its clock. */
static void split_time(const struct show_text *text, int64_t time_ns,
		       char date[16], char clock[16])
{
	int64_t unit = text->fractions ? LP_NS_PER_MS : LP_NS_PER_S;
	char iso[LP_TIME_TEXT];

	lp_time_format(lp_zone_clocks(text->zone, round_to(time_ns, unit)),
		       iso);
	snprintf(date, 16, "%.10s", iso);
	if (!text->fractions)
		snprintf(clock, 16, "%.8s", iso + 11);
	else if (iso[19] == '.')
		snprintf(clock, 16, "%.12s", iso + 11);
	else
		snprintf(clock, 16, "%.8s.000", iso + 11);
}

static void put_units(const struct show_text *text, const char *clock)
{
	const struct show_class *c = &text->selection->classes[text->class];
	int width = (int)text->component_width;

	printf("%s%-*s %-*s", paint(text, DIM), (int)strlen(clock), "", width,
	       "");
	for (size_t i = 0; i < c->n_items; i++)
		if (!is_hidden(text, i))
			printf(" %*s", item_width(text, &c->items[i]),
			       show_unit(&c->items[i], text->human));
	printf("%s\n", paint(text, PLAIN));
}

static void put_header(struct show_text *text, const char *clock)
{
	const struct show_class *c = &text->selection->classes[text->class];
	int width = (int)text->component_width;

	printf("%s%-*s %-*s", paint(text, BOLD), (int)strlen(clock),
	       text->zone_name, width, c->class->noun);
	for (size_t i = 0; i < c->n_items; i++)
		if (!is_hidden(text, i))
			printf(" %*s", item_width(text, &c->items[i]),
			       c->items[i].name);
	printf("%s\n", paint(text, PLAIN));
	put_units(text, clock);
	text->lines = 2;
}

/* A new day, or the beginning of a section. */
static void put_date(struct show_text *text, const char *date,
		     const char *clock)
{
	char step[LP_TIME_TEXT];

	if (text->begun)
		putchar('\n');
	text->begun = true;
	printf("%s: %s, ", text->selection->classes[text->class].class->name,
	       date);
	if (text->step_ns)
		printf("every %s\n", lp_duration_format(text->step_ns, step));
	else
		printf("every sample\n");
	snprintf(text->date, sizeof(text->date), "%s", date);
	put_header(text, clock);
	text->lines = 3;
}

static bool is_quiet(const struct show_row *row, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (isnan(row->value[i]) || row->value[i] != 0)
			return false;
	return true;
}

void show_text_row(void *user, const struct show_row *row)
{
	struct show_text *text = user;
	const struct show_class *c = &text->selection->classes[text->class];
	bool quiet = is_quiet(row, c->n_items);
	char date[16], clock[16], zone[LP_ZONE_TEXT];
	char number[SHOW_NUMBER_TEXT];

	split_time(text, row->time_ns, date, clock);
	lp_zone_offset(text->zone, row->time_ns, zone);
	if (strcmp(date, text->date) != 0 ||
	    strcmp(zone, text->zone_name) != 0) {
		memcpy(text->zone_name, zone, sizeof(zone));
		put_date(text, date, clock);
	} else if (text->screen && text->lines >= text->screen - 1) {
		put_header(text, clock);
	}
	printf("%s%s %-*s", quiet ? paint(text, DIM) : "", clock,
	       (int)text->component_width, lp_shown(row->component->display));
	for (size_t i = 0; i < c->n_items; i++)
		if (!is_hidden(text, i))
			printf(" %*s", item_width(text, &c->items[i]),
			       show_number(&c->items[i], text->human,
					   row->value[i], number));
	printf("%s\n", quiet ? paint(text, PLAIN) : "");
	text->lines++;
}
