/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid profile show: what took the CPU time of some hosts.
 */
#include "outputs.h"
#include "profile_words.h"

#include "base/json.h"
#include "base/memory.h"
#include "base/visible.h"
#include "report/flame.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct options {
	struct lp_profile_options common; /* first */
	const char *by, *flame;
	unsigned long top;
	bool csv, json, callers, folded, waits;
};

static const struct lp_option table[] = {
	{ .long_name = "by",
	  .type = LP_OPTION_STRING,
	  .value = "WHAT",
	  .offset = offsetof(struct options, by),
	  .help = "program, image or function (default function)" },
	{ .long_name = "top",
	  .type = LP_OPTION_UINT,
	  .value = "COUNT",
	  .offset = offsetof(struct options, top),
	  .help = "show the COUNT largest (default 20; files: all)",
	  .low = 1 },
	{ .long_name = "callers",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, callers),
	  .help = "show the kernel's functions with their callers" },
	{ .long_name = "waits",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, waits),
	  .help = "show what threads waited for instead" },
	{ .long_name = "csv",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, csv),
	  .help = "print CSV" },
	{ .long_name = "json",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, json),
	  .help = "print JSON" },
	{ .long_name = "folded",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, folded),
	  .help = "print folded stacks, for other viewers; ms of CPU time" },
	{ .long_name = "flame",
	  .type = LP_OPTION_STRING,
	  .value = "FILE.svg",
	  .offset = offsetof(struct options, flame),
	  .help = "write a flame graph" },
	LP_PROFILE_OPTIONS(struct lp_profile_options),
};

static const struct lp_usage usage = {
	.command = "limpid profile show",
	.summary = "Shows which functions took the CPU time.",
	.operands = "FILE...",
	.min_operands = 1,
	.max_operands = LP_OPERANDS_ANY,
	.options = table,
	.n_options = lp_array_size(table),
};

struct line {
	const char *text; /* parts between tabs */
	double seconds;
};

/* "PROGRAM\tIMAGE\tFUNCTION" as far as it is asked for. */
static size_t parts_wanted(const char *by)
{
	if (strcmp(by, "program") == 0)
		return 1;
	return strcmp(by, "image") == 0 ? 2 : 3;
}

static size_t cut_length(const char *key, size_t parts)
{
	const char *at = key;

	for (; parts > 0; parts--) {
		at = strchr(at, '\t');
		if (!at)
			return strlen(key);
		at++;
	}
	return (size_t)(at - 1 - key);
}

static int larger(const void *left, const void *right)
{
	const struct line *a = left, *b = right;

	if (a->seconds != b->seconds)
		return a->seconds > b->seconds ? -1 : 1;
	return strcmp(a->text, b->text);
}

/* Recorded time and CPU time of a host. */
struct sums {
	double recorded, cpu, lost, taken;
	size_t slots;
};

/* Lines of a host, largest first, into yours; their texts into the names. */
static int make_lines(const struct lp_collection *c,
		      const struct lp_behavior_host *h, size_t parts,
		      struct lp_names *names, struct line **lines,
		      struct sums *sums)
{
	size_t capacity = 0;

	for (size_t i = 0; i < h->n; i++) {
		const struct lp_behavior_slot *s = &h->slots[i];

		if (!s->rate)
			continue;
		sums->slots++;
		sums->lost += (double)s->lost;
		sums->taken += (double)s->taken;
		for (size_t k = 0; k < s->n; k++) {
			const char *key =
				c->functions.text[s->items[k].function];
			uint32_t known = names->count;
			uint32_t at = lp_names_add_n(names, key,
						     cut_length(key, parts));

			if (at == LP_NAME_NONE ||
			    lp_grow(lines, &capacity, (size_t)known + 1,
				    sizeof(**lines)) < 0)
				return -ENOMEM;
			if (at == known)
				(*lines)[at] = (struct line){ .seconds = 0 };
			(*lines)[at].seconds +=
				(double)s->items[k].count / (double)s->rate;
		}
	}
	for (uint32_t i = 0; i < names->count; i++) {
		(*lines)[i].text = names->text[i];
		sums->cpu += (*lines)[i].seconds;
	}
	sums->recorded = (double)sums->slots * 10;
	if (names->count)
		qsort(*lines, names->count, sizeof(**lines), larger);
	return 0;
}

/* ---- forms ---- */

/* Tabs become blanks. */
static void print_parts(const char *text)
{
	char part[1024];
	size_t n = 0;

	for (; text[n] && n < sizeof(part) - 1; n++)
		part[n] = text[n] == '\t' ? ' ' : text[n];
	part[n] = '\0';
	fputs(lp_shown(part), stdout);
}

static void print_text(const struct lp_behavior_host *h, const struct sums *s,
		       const struct line *lines, size_t n, bool waits)
{
	printf("%s: %.0f s recorded, %.1f s of %s time", lp_shown(h->name),
	       s->recorded, s->cpu, waits ? "thread" : "CPU");
	if (s->lost > 0)
		printf(", %.1f %% of the samples lost",
		       100 * s->lost / (s->lost + s->taken));
	printf("\n\n   %% of a %s   share\n", waits ? "thread" : "CPU");
	for (size_t i = 0; i < n; i++) {
		printf("%12.2f  %5.1f %%  ",
		       s->recorded > 0 ? 100 * lines[i].seconds / s->recorded
				       : 0,
		       s->cpu > 0 ? 100 * lines[i].seconds / s->cpu : 0);
		print_parts(lines[i].text);
		putchar('\n');
	}
	putchar('\n');
}

static void print_csv_field(const char *text, size_t n)
{
	putchar('"');
	for (size_t i = 0; i < n; i++) {
		if (text[i] == '"')
			putchar('"');
		putchar(text[i]);
	}
	putchar('"');
}

static void print_csv(const struct lp_behavior_host *h, const struct sums *s,
		      const struct line *lines, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char *at = lines[i].text;

		print_csv_field(h->name, strlen(h->name));
		for (size_t part = 0; part < 3; part++) {
			size_t length = strcspn(at, "\t");

			putchar(',');
			print_csv_field(at, length);
			at += length + (at[length] == '\t');
		}
		printf(",%.6g,%.6g\n", lines[i].seconds, s->recorded);
	}
}

static void print_json(struct lp_json *json, const struct lp_behavior_host *h,
		       const struct sums *s, const struct line *lines, size_t n)
{
	static const char *const keys[] = { "program", "image", "function" };
	char part[1024];

	lp_json_object(json);
	lp_json_put_string(json, "host", h->name);
	lp_json_put_double(json, "recorded_s", s->recorded);
	lp_json_put_double(json, "cpu_s", s->cpu);
	lp_json_key(json, "functions");
	lp_json_array(json);
	for (size_t i = 0; i < n; i++) {
		const char *at = lines[i].text;

		lp_json_object(json);
		for (size_t k = 0; k < 3 && *at; k++) {
			size_t length = strcspn(at, "\t");

			snprintf(part, sizeof(part), "%.*s", (int)length, at);
			lp_json_put_string(json, keys[k], part);
			at += length + (at[length] == '\t');
		}
		lp_json_put_double(json, "cpu_s", lines[i].seconds);
		lp_json_end(json);
	}
	lp_json_end(json);
	lp_json_end(json);
}

static int show_host(const struct options *o, const struct lp_collection *c,
		     size_t host, struct lp_json *json, struct lp_error *err)
{
	const struct lp_behavior_host *h = &c->hosts[host];
	struct lp_names names = { 0 };
	lp_auto_free struct line *lines = NULL;
	struct sums sums = { 0 };
	size_t n;

	if (make_lines(c, h, parts_wanted(o->by), &names, &lines, &sums) < 0) {
		lp_names_done(&names);
		return lp_fail_memory(err);
	}
	n = names.count < o->top ? names.count : o->top;
	if (json)
		print_json(json, h, &sums, lines, n);
	else if (o->csv)
		print_csv(h, &sums, lines, n);
	else
		print_text(h, &sums, lines, n, o->waits);
	lp_names_done(&names);
	return 0;
}

static int show_hosts(const struct options *o, const struct lp_profiles *p,
		      struct lp_error *err)
{
	const struct lp_collection *c = o->waits ? &p->waits : &p->samples;
	struct lp_json json;
	int status = 0;

	if (o->csv)
		puts("host,program,image,function,cpu_s,recorded_s");
	lp_json_init(&json, stdout);
	if (o->json)
		lp_json_array(&json);
	for (size_t i = 0; i < c->n_hosts && status == 0; i++)
		status = show_host(o, c, i, o->json ? &json : NULL, err);
	if (o->json) {
		lp_json_end(&json);
		putchar('\n');
	}
	return status;
}

/* ---- paths ---- */

static int print_folded(const struct lp_profiles *p, const struct options *o,
			struct lp_error *err)
{
	struct lp_folded folded = { 0 };
	int status = lp_folded_add(&folded, &p->samples, &p->stacks, NULL);

	for (uint32_t i = 0; i < folded.paths.count && status == 0; i++) {
		const char *text = folded.paths.text[i];

		/* --callers: those of the kernel only, for people. */
		if (!o->callers || strstr(text, ";[kernel];"))
			printf("%s %.0f\n", lp_shown(text),
			       ceil(1000 * folded.seconds[i]));
	}
	lp_folded_done(&folded);
	return status < 0 ? lp_fail_memory(err) : 0;
}

static int write_flame(const struct lp_profiles *p, const char *path,
		       char *const *inputs, struct lp_error *err)
{
	struct lp_folded folded = { 0 };
	struct lp_outputs outputs = { 0 };
	FILE *out;
	int status = lp_folded_add(&folded, &p->samples, &p->stacks, NULL);

	if (status < 0)
		status = lp_fail_memory(err);
	else
		status = lp_outputs_init(&outputs, path, &lp_flame_outkind,
					 inputs, err);
	if (status == 0)
		status = lp_outputs_get(&outputs, "flame.svg", &out, NULL, err);
	if (status == 0 &&
	    lp_flame_write(out,
			   &(struct lp_flame){ .title = "CPU time by function",
					       .n = folded.paths.count,
					       .paths = folded.paths.text,
					       .own = folded.seconds }) < 0)
		status = lp_fail_memory(err);
	if (status == 0)
		status = lp_outputs_commit(&outputs, err);
	lp_outputs_abandon(&outputs);
	lp_folded_done(&folded);
	return status;
}

static int check(const struct options *o, struct lp_error *err)
{
	if (strcmp(o->by, "program") != 0 && strcmp(o->by, "image") != 0 &&
	    strcmp(o->by, "function") != 0)
		return lp_fail(err, EINVAL,
			       "--by %s: expected program, image or function",
			       lp_shown(o->by));
	if (o->csv + o->json + o->folded > 1)
		return lp_fail(err, EINVAL,
			       "--csv, --json and --folded exclude each other");
	return 0;
}

static int run(int argc, char **argv)
{
	struct options options = { .by = "function" };
	struct lp_profiles profiles = { 0 };
	struct lp_error err;
	bool wrong = false;
	int first, status;

	if (!lp_command_begin(&usage, argc, argv, &options, &first, &status))
		return status;
	if (!options.top)
		options.top = options.csv || options.json ? SIZE_MAX : 20;
	if (check(&options, &err) < 0)
		return lp_command_misuse(&usage, &err);
	status = lp_profiles_load(&profiles, &options.common, argv + first,
				  options.csv || options.json, &wrong, &err);
	if (status == 0 && options.flame)
		status = write_flame(&profiles, options.flame, argv + first,
				     &err);
	else if (status == 0)
		status = options.folded || options.callers
				 ? print_folded(&profiles, &options, &err)
				 : show_hosts(&options, &profiles, &err);
	lp_inputs_warn(&profiles.inputs, usage.command);
	lp_profiles_done(&profiles, &options.common);
	if (status < 0)
		return wrong ? lp_command_misuse(&usage, &err)
			     : lp_command_fail(&usage, &err);
	return lp_command_finish(&usage);
}

const struct lp_word lp_profile_word_show = {
	.name = "show",
	.usage = &usage,
	.run = run,
};
