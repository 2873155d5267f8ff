/* SPDX-License-Identifier: Apache-2.0 */
/*
 * As sar prints it: one line per component and step.
 */
#include "show.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define NUMBER_WIDTH 9
#define DIM "\033[2m"
#define BOLD "\033[1m"
#define PLAIN "\033[0m"

static int item_width(const struct show_item *item)
{
	size_t n = strlen(item->name), u = strlen(item->unit);

	if (u > n)
		n = u;
	return (int)(n > NUMBER_WIDTH ? n : NUMBER_WIDTH);
}

static size_t screen_lines(void)
{
	struct winsize size;

	if (!isatty(STDOUT_FILENO) ||
	    ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) < 0 || size.ws_row < 8)
		return 0;
	return size.ws_row;
}

static bool wants_colours(void)
{
	return isatty(STDOUT_FILENO) && !getenv("NO_COLOR");
}

/* "class host name" is shown as host, one character, and name or alias. */
static size_t display_width(const struct lp_overview *overview, uint32_t i,
			    size_t skip)
{
	const char *key = overview->components.text[i] + skip;
	size_t alias = overview->component[i].alias_length;

	return alias ? strcspn(key, " ") + 1 + alias : strlen(key);
}

static size_t widest_component(const struct lp_overview *overview,
			       const char *class_name, bool idle_too)
{
	size_t skip = strlen(class_name) + 1, widest = 9;

	for (uint32_t i = 0; i < overview->components.count; i++) {
		const char *key = overview->components.text[i];

		if (strncmp(key, class_name, skip - 1) == 0 &&
		    key[skip - 1] == ' ' &&
		    (idle_too || overview->component[i].active) &&
		    display_width(overview, i, skip) > widest)
			widest = display_width(overview, i, skip);
	}
	return widest < 48 ? widest : 48;
}

void show_text_begin(struct show_text *text,
		     const struct show_selection *selection, size_t class,
		     int64_t step_ns, const struct lp_overview *overview,
		     bool idle_too)
{
	bool begun = text->begun;

	*text = (struct show_text){
		.selection = selection,
		.step_ns = step_ns,
		.class = class,
		.component_width = widest_component(
			overview, selection->classes[class].class->name,
			idle_too),
		.screen = screen_lines(),
		.colours = wants_colours(),
		.begun = begun,
	};
}

static const char *paint(const struct show_text *text, const char *code)
{
	return text->colours ? code : "";
}

/* "2026-11-15T14:05:01.500Z": its date and its clock. */
static void split_time(const struct show_text *text, int64_t time_ns,
		       char date[16], char clock[16])
{
	char iso[LP_TIME_TEXT];
	bool fraction = text->step_ns % LP_NS_PER_S != 0 || text->step_ns == 0;

	lp_time_format(time_ns, iso);
	snprintf(date, 16, "%.10s", iso);
	if (!fraction)
		snprintf(clock, 16, "%.8s", iso + 11);
	else if (iso[19] == '.')
		snprintf(clock, 16, "%.12s", iso + 11);
	else
		snprintf(clock, 16, "%.8s.000", iso + 11);
}

static void put_header(struct show_text *text, const char *clock)
{
	const struct show_class *c = &text->selection->classes[text->class];
	int width = (int)text->component_width;

	printf("%s%-*s %-*s", paint(text, BOLD), (int)strlen(clock), "UTC",
	       width, c->class->noun);
	for (size_t i = 0; i < c->n_items; i++)
		printf(" %*s", item_width(&c->items[i]), c->items[i].name);
	printf("%s\n", paint(text, PLAIN));
	text->lines = 1;
}

static void put_units(const struct show_text *text, const char *clock)
{
	const struct show_class *c = &text->selection->classes[text->class];
	int width = (int)text->component_width;

	printf("%s%-*s %-*s", paint(text, DIM), (int)strlen(clock), "", width,
	       "");
	for (size_t i = 0; i < c->n_items; i++)
		printf(" %*s", item_width(&c->items[i]), c->items[i].unit);
	printf("%s\n", paint(text, PLAIN));
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
	put_header(text, clock);
	put_units(text, clock);
	snprintf(text->date, sizeof(text->date), "%s", date);
	text->lines = 3;
}

static void put_number(int width, double v)
{
	double size = fabs(v);

	if (isnan(v))
		printf(" %*s", width, "-");
	else
		printf(" %*.*f", width,
		       size >= 1e5   ? 0
		       : size >= 1e3 ? 1
				     : 2,
		       v);
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
	char date[16], clock[16];

	split_time(text, row->time_ns, date, clock);
	if (strcmp(date, text->date) != 0)
		put_date(text, date, clock);
	else if (text->screen && text->lines >= text->screen - 1)
		put_header(text, clock);
	printf("%s%s %-*s", quiet ? paint(text, DIM) : "", clock,
	       (int)text->component_width, row->component->display);
	for (size_t i = 0; i < c->n_items; i++)
		put_number(item_width(&c->items[i]), row->value[i]);
	printf("%s\n", quiet ? paint(text, PLAIN) : "");
	text->lines++;
}
