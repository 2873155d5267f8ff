/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CSV and JSON lines: the names of their fields do not change.
 */
#include "show.h"

#include "base/json.h"
#include "base/number.h"

#include <string.h>

void show_csv_text(const char *text)
{
	if (!text[strcspn(text, ",\"\r\n")]) {
		fputs(text, stdout);
		return;
	}
	putchar('"');
	for (; *text; text++) {
		if (*text == '"')
			putchar('"');
		putchar(*text);
	}
	putchar('"');
}

void show_csv_begin(void)
{
	puts("time,host,class,component,metric,value");
}

void show_csv_row(void *user, const struct show_row *row)
{
	const struct show_selection *selection = user;
	const struct show_class *c = &selection->classes[row->component->class];
	char time[LP_TIME_TEXT], number[LP_NUMBER_TEXT];

	lp_time_format(row->time_ns, time);
	for (size_t i = 0; i < c->n_items; i++) {
		printf("%s,", time);
		show_csv_text(row->component->host);
		printf(",%s,", c->class->name);
		show_csv_text(row->component->display);
		printf(",%s,%s\n", c->items[i].name,
		       lp_format_double(row->value[i], number));
	}
}

void show_json_row(void *user, const struct show_row *row)
{
	const struct show_selection *selection = user;
	const struct show_class *c = &selection->classes[row->component->class];
	struct lp_json json;

	lp_json_init(&json, stdout);
	lp_json_object(&json);
	lp_json_key(&json, "time");
	lp_json_time(&json, row->time_ns);
	lp_json_key(&json, "host");
	lp_json_string(&json, row->component->host);
	lp_json_key(&json, "class");
	lp_json_string(&json, c->class->name);
	lp_json_key(&json, "component");
	lp_json_string(&json, row->component->display);
	lp_json_key(&json, "name");
	lp_json_string(&json, row->component->name);
	lp_json_key(&json, "id");
	lp_json_string(&json, row->component->id);
	lp_json_key(&json, "metrics");
	lp_json_object(&json);
	for (size_t i = 0; i < c->n_items; i++) {
		lp_json_key(&json, c->items[i].name);
		lp_json_double(&json, row->value[i]);
	}
	lp_json_end(&json);
	lp_json_end(&json);
	putchar('\n');
}
