/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid profile diff: two hosts, or a host and its peers.
 */
#include "outputs.h"
#include "profile_words.h"

#include "base/json.h"
#include "base/memory.h"
#include "base/visible.h"
#include "behavior/span.h"
#include "report/flame.h"
#include "stats/quantile.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct options {
	struct lp_profile_options common; /* first */
	const char *flame, *a, *b;
	unsigned long top;
	bool json, csv, all;
};

static const struct lp_option table[] = {
	{ .short_name = 'a',
	  .type = LP_OPTION_STRING,
	  .long_name = "of",
	  .value = "HOST",
	  .offset = offsetof(struct options, a),
	  .help = "the host that is looked at (default: the first)" },
	{ .short_name = 'b',
	  .long_name = "with",
	  .type = LP_OPTION_STRING,
	  .value = "HOST",
	  .offset = offsetof(struct options, b),
	  .help = "compare it with this host (default: the median of all "
		  "others)" },
	{ .long_name = "top",
	  .type = LP_OPTION_UINT,
	  .value = "COUNT",
	  .offset = offsetof(struct options, top),
	  .help = "show the COUNT largest differences (default 20)",
	  .low = 1 },
	{ .long_name = "all",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, all),
	  .help = "show differences within chance, too" },
	{ .long_name = "csv",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, csv),
	  .help = "print CSV" },
	{ .long_name = "json",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, json),
	  .help = "print JSON" },
	{ .long_name = "flame",
	  .type = LP_OPTION_STRING,
	  .value = "FILE.svg",
	  .offset = offsetof(struct options, flame),
	  .help = "write a differential flame graph" },
	LP_PROFILE_OPTIONS(struct lp_profile_options),
};

static const struct lp_usage usage = {
	.command = "limpid profile diff",
	.summary = "Compares the CPU time of a host with that of its peers.",
	.operands = "FILE...",
	.min_operands = 1,
	.max_operands = LP_OPERANDS_ANY,
	.options = table,
	.n_options = lp_array_size(table),
};

/* 95 % of what chance alone gives lies within so many deviations. */
#define TWO_SIDED 1.96

struct difference {
	const char *key;
	double own, other; /* CPU s per s */
	double chance;     /* of the difference */
};

struct comparison {
	struct lp_profile_span span;
	size_t a, b; /* rows; b LP_PEERS: the median of all others */
	double seconds;
	struct difference *items;
	size_t n;
};
#define LP_PEERS ((size_t)-1)

static bool is_within_chance(const struct difference *d)
{
	return fabs(d->own - d->other) <= d->chance;
}

static int larger(const void *left, const void *right)
{
	const struct difference *a = left, *b = right;
	double da = fabs(a->own - a->other), db = fabs(b->own - b->other);

	if (da != db)
		return da > db ? -1 : 1;
	return strcmp(a->key, b->key);
}

/* Of the median of n hosts the variance is about pi/2 of their mean's. */
static void compare_column(struct comparison *c, size_t f, double *scratch)
{
	const struct lp_profile_span *s = &c->span;
	double own = s->value[c->a * s->n_functions + f];
	double variance = s->variance[c->a * s->n_functions + f];
	double per = 1 / (s->rate * c->seconds), other;
	size_t n = 0;

	if (c->b != LP_PEERS) {
		other = s->value[c->b * s->n_functions + f];
		variance += s->variance[c->b * s->n_functions + f];
	} else {
		for (size_t h = 0; h < s->n_hosts; h++)
			if (h != c->a)
				scratch[n++] = s->value[h * s->n_functions + f];
		other = lp_median(scratch, n);
		variance += M_PI_2 * other / (double)n;
	}
	c->items[c->n].own = own * per;
	c->items[c->n].other = other * per;
	c->items[c->n++].chance = TWO_SIDED * sqrt(variance + 1) * per;
}

static int compare(struct comparison *c, const struct lp_profiles *p)
{
	lp_auto_free double *scratch =
		malloc((c->span.n_hosts + 1) * sizeof(*scratch));

	c->items = calloc(c->span.n_functions + 1, sizeof(*c->items));
	if (!c->items || !scratch)
		return -ENOMEM;
	for (size_t f = 0; f < c->span.n_functions; f++) {
		c->items[f].key =
			p->samples.functions.text[c->span.functions[f]];
		compare_column(c, f, scratch);
	}
	qsort(c->items, c->n, sizeof(*c->items), larger);
	return 0;
}

static int find_row(const struct comparison *c, const struct lp_profiles *p,
		    const char *host, size_t *row, struct lp_error *err)
{
	for (*row = 0; *row < c->span.n_hosts; ++*row)
		if (strcmp(p->samples.hosts[c->span.hosts[*row].host].name,
			   host) == 0)
			return 0;
	return lp_fail(err, ENOENT, "no profile of the host '%s'",
		       lp_shown(host));
}

static int prepare(struct comparison *c, const struct lp_profiles *p,
		   const struct options *o, struct lp_error *err)
{
	int status = lp_span_fill(&c->span, &p->samples, p->first_ns,
				  p->last_ns, 1, NULL, NULL, NULL);

	c->seconds = (double)(p->last_ns - p->first_ns) / 1e9;
	c->b = LP_PEERS;
	if (status < 0)
		return lp_fail_memory(err);
	status = find_row(c, p, o->a, &c->a, err);
	if (status == 0 && o->b)
		status = find_row(c, p, o->b, &c->b, err);
	if (status == 0 && c->span.n_hosts < 2)
		return lp_fail(err, ENODATA,
			       "there is nothing to compare '%s' with",
			       lp_shown(o->a));
	if (status < 0)
		return status;
	return compare(c, p) < 0 ? lp_fail_memory(err) : 0;
}

/* ---- forms ---- */

static void print_text(const struct comparison *c, const struct options *o)
{
	size_t shown = 0, chance = 0;

	printf("CPU time of %s, %% of a CPU, and of %s\n\n", lp_shown(o->a),
	       o->b ? lp_shown(o->b) : "the median of its peers");
	puts("     own   other  difference  chance");
	for (size_t i = 0; i < c->n; i++) {
		const struct difference *d = &c->items[i];
		char name[1024];

		if (is_within_chance(d) && !o->all) {
			chance++;
			continue;
		}
		if (shown++ >= o->top)
			continue;
		snprintf(name, sizeof(name), "%s", d->key);
		for (char *at = name; *at; at++)
			if (*at == '\t')
				*at = ' ';
		printf("%8.2f%8.2f%+12.2f%8.2f  %s%s\n", 100 * d->own,
		       100 * d->other, 100 * (d->own - d->other),
		       100 * d->chance, lp_shown(name),
		       is_within_chance(d) ? "  (chance)" : "");
	}
	printf("\n%zu functions differ by more than chance alone would give "
	       "19 times of 20",
	       o->all ? c->n : c->n - chance);
	if (!o->all)
		printf("; %zu do not", chance);
	puts(".");
}

static void print_csv(const struct comparison *c)
{
	puts("function,own,other,difference,chance");
	for (size_t i = 0; i < c->n; i++) {
		const struct difference *d = &c->items[i];

		putchar('"');
		for (const char *at = d->key; *at; at++) {
			if (*at == '"')
				putchar('"');
			putchar(*at == '\t' ? ' ' : *at);
		}
		printf("\",%.6g,%.6g,%.6g,%.6g\n", d->own, d->other,
		       d->own - d->other, d->chance);
	}
}

static void print_json(const struct comparison *c)
{
	struct lp_json json;

	lp_json_init(&json, stdout);
	lp_json_array(&json);
	for (size_t i = 0; i < c->n; i++) {
		const struct difference *d = &c->items[i];

		lp_json_object(&json);
		lp_json_put_string(&json, "function", d->key);
		lp_json_put_double(&json, "own", d->own);
		lp_json_put_double(&json, "other", d->other);
		lp_json_put_double(&json, "chance", d->chance);
		lp_json_key(&json, "within_chance");
		lp_json_bool(&json, is_within_chance(d));
		lp_json_end(&json);
	}
	lp_json_end(&json);
	putchar('\n');
}

/* ---- the picture ---- */

/* Both sides along one list of paths. */
static int fold_sides(const struct lp_profiles *p, const struct options *o,
		      struct lp_folded *own, double **other)
{
	struct lp_folded rest = { 0 };
	size_t peers = p->samples.n_hosts - 1;
	uint32_t n;
	int status = lp_folded_add(own, &p->samples, &p->stacks, o->a);

	for (size_t i = 0; i < p->samples.n_hosts && status == 0; i++) {
		const char *name = p->samples.hosts[i].name;

		if (o->b ? strcmp(name, o->b) == 0 : strcmp(name, o->a) != 0)
			status = lp_folded_add(&rest, &p->samples, &p->stacks,
					       name);
	}
	n = own->paths.count + rest.paths.count;
	*other = calloc(n + 1u, sizeof(**other));
	if (!*other || lp_grow(&own->seconds, &own->capacity, n + 1u,
			       sizeof(*own->seconds)) < 0)
		status = -ENOMEM;
	for (uint32_t i = 0; i < rest.paths.count && status == 0; i++) {
		uint32_t known = own->paths.count;
		uint32_t at = lp_names_add(&own->paths, rest.paths.text[i]);

		if (at == LP_NAME_NONE)
			status = -ENOMEM;
		else if (at == known)
			own->seconds[at] = 0;
		if (status == 0)
			(*other)[at] =
				rest.seconds[i] / (double)(o->b ? 1 : peers);
	}
	lp_folded_done(&rest);
	return status;
}

static int write_flame(const struct lp_profiles *p, const struct comparison *c,
		       const struct options *o, char *const *inputs,
		       struct lp_error *err)
{
	struct lp_folded own = { 0 };
	struct lp_outputs outputs = { 0 };
	lp_auto_free double *other = NULL;
	char title[300];
	FILE *out;
	int status = fold_sides(p, o, &own, &other);

	snprintf(title, sizeof(title), "%s beside %s", o->a,
		 o->b ? o->b : "the mean of its peers");
	status = status < 0 ? lp_fail_memory(err)
			    : lp_outputs_init(&outputs, o->flame,
					      &lp_flame_outkind, inputs, err);
	if (status == 0)
		status = lp_outputs_get(&outputs, "flame.svg", &out, NULL, err);
	if (status == 0 &&
	    lp_flame_write(out, &(struct lp_flame){ .title = title,
						    .n = own.paths.count,
						    .paths = own.paths.text,
						    .own = own.seconds,
						    .other = other,
						    .rate = c->span.rate }) < 0)
		status = lp_fail_memory(err);
	if (status == 0)
		status = lp_outputs_commit(&outputs, err);
	lp_outputs_abandon(&outputs);
	lp_folded_done(&own);
	return status;
}

static int run(int argc, char **argv)
{
	struct options options = { .top = 20 };
	struct lp_profiles profiles = { 0 };
	struct comparison c = { 0 };
	struct lp_error err;
	bool wrong = false;
	int first, status;

	if (!lp_command_begin(&usage, argc, argv, &options, &first, &status))
		return status;
	status = lp_profiles_load(&profiles, &options.common, argv + first,
				  options.csv || options.json, &wrong, &err);
	if (status == 0 && !options.a)
		options.a = profiles.samples.hosts[0].name;
	if (status == 0)
		status = prepare(&c, &profiles, &options, &err);
	if (status == 0 && options.flame)
		status = write_flame(&profiles, &c, &options, argv + first,
				     &err);
	else if (status == 0 && options.json)
		print_json(&c);
	else if (status == 0 && options.csv)
		print_csv(&c);
	else if (status == 0)
		print_text(&c, &options);
	lp_inputs_warn(&profiles.inputs, usage.command);
	lp_span_done(&c.span);
	free(c.items);
	lp_profiles_done(&profiles, &options.common);
	if (status < 0)
		return wrong ? lp_command_misuse(&usage, &err)
			     : lp_command_fail(&usage, &err);
	return lp_command_finish(&usage);
}

const struct lp_word lp_profile_word_diff = {
	.name = "diff",
	.usage = &usage,
	.run = run,
};
