/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid profile diagnose: who executes other things than its peers, by
 * profiles alone.
 */
#include "profile_words.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/visible.h"
#include "behavior/behavior.h"
#include "behavior/episode.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct options {
	struct lp_profile_options common; /* first */
	const char *method;
	unsigned long threshold;
	struct lp_option_list ignore;
	bool windows, check;
};

static const struct lp_option table[] = {
	{ .long_name = "by",
	  .type = LP_OPTION_STRING,
	  .value = "METHOD",
	  .offset = offsetof(struct options, method),
	  .help = "excess or manhattan (default excess)" },
	{ .long_name = "limit",
	  .type = LP_OPTION_UINT,
	  .value = "SAMPLES",
	  .offset = offsetof(struct options, threshold),
	  .help = "the threshold of manhattan, which has no other",
	  .low = 1 },
	{ .long_name = "ignore-function",
	  .type = LP_OPTION_LIST,
	  .value = "GLOB",
	  .offset = offsetof(struct options, ignore),
	  .help = "leave out functions, images and programs that match" },
	{ .long_name = "windows",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, windows),
	  .help = "print every window of every host as CSV" },
	{ .long_name = "check",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, check),
	  .help = "exit with 3 if a host differs, 4 if it cannot be told" },
	LP_PROFILE_OPTIONS(struct lp_profile_options),
};

static const struct lp_usage usage = {
	.command = "limpid profile diagnose",
	.summary = "Finds the host whose software acts unlike its peers.",
	.operands = "FILE...",
	.min_operands = 1,
	.max_operands = LP_OPERANDS_ANY,
	.options = table,
	.n_options = lp_array_size(table),
};

struct telling {
	const struct options *options;
	struct lp_episodes *episodes;
	size_t decided;
};

static const char *way_name(enum lp_behavior_way way)
{
	static const char *const names[] = { "more", "less", "other" };

	return names[way];
}

static int tell(void *user, const struct lp_behavior_window *w)
{
	struct telling *t = user;
	char begin[LP_TIME_TEXT], end[LP_TIME_TEXT];

	t->decided += w->decided;
	if (t->options->windows) {
		printf("%s,%s,%s,%s,", w->kind, lp_shown(w->host),
		       lp_time_format(w->begin_ns, begin),
		       lp_time_format(w->end_ns, end));
		if (w->decided)
			printf("%.1f,%.1f,%d,%d,%s\n", w->distance,
			       w->threshold, w->flagged, w->anomalous,
			       way_name(w->way));
		else
			puts(",,,,");
	}
	return lp_episodes_put(t->episodes, w);
}

static int judge(const struct lp_collection *c, struct telling *t,
		 struct lp_error *err)
{
	const struct options *o = t->options;
	const struct lp_behavior_options options = {
		.method = strcmp(o->method, "manhattan") == 0
				  ? LP_BEHAVIOR_MANHATTAN
				  : LP_BEHAVIOR_EXCESS,
		.ignore = o->ignore.text,
		.threshold = (double)o->threshold,
	};
	struct lp_behavior *b = lp_behavior_new(c, &options);
	int status = b ? lp_behavior_advance(b, INT64_MAX, tell, t) : -ENOMEM;

	lp_behavior_free(b);
	return status < 0 ? lp_fail_memory(err) : 0;
}

static void print_episode(const struct lp_episode *e,
			  const struct lp_zone *zone)
{
	char since[LP_TIME_TEXT], until[LP_TIME_TEXT];
	char sentence[LP_EPISODE_TEXT];

	printf("  %s   SOFTWARE   %s to %s\n\n", lp_shown(e->host),
	       lp_zone_format(zone, e->begin_ns, since),
	       lp_zone_format(zone, e->end_ns, until));
	printf("  %s.\n", lp_episode_sentence(&e->worst, sentence));
	printf("  Distance %.0f, threshold %.0f (untrained), in %zu windows."
	       "\n\n",
	       e->worst.distance, e->worst.threshold, e->n_windows);
	puts("       own   peers  (least to most)  % of a CPU");
	for (size_t i = 0; i < e->worst.n_top; i++) {
		const struct lp_behavior_function *f = &e->worst.top[i];
		char name[1024];

		snprintf(name, sizeof(name), "%s", f->key);
		for (char *at = name; *at; at++)
			if (*at == '\t')
				*at = ' ';
		printf("  %8.2f%8.2f  (%.2f to %.2f)  %s\n", 100 * f->own,
		       100 * f->peers, 100 * f->low, 100 * f->high,
		       lp_shown(name));
	}
	putchar('\n');
}

static void print_builds(const struct lp_collection *c)
{
	char note[512];

	for (size_t at = 0; lp_builds_next(c, &at, note, sizeof(note));)
		printf("Note: %s.\n", lp_shown(note));
}

static void print_verdict(const struct lp_profiles *p, const struct telling *t)
{
	char first[LP_TIME_TEXT], last[LP_TIME_TEXT];
	const struct lp_zone *zone = &p->period.zone;

	if (t->options->windows)
		return;
	if (t->decided == 0)
		puts("Cannot tell: no three hosts have profiles of the same "
		     "minute with at least 50 samples each.");
	else if (t->episodes->n == 0)
		puts("No host's software acts unlike its peers'.");
	else
		printf("%zu time%s a host's software acts unlike its peers'."
		       "\n\n",
		       t->episodes->n, t->episodes->n == 1 ? "" : "s");
	for (size_t i = 0; i < t->episodes->n; i++)
		print_episode(&t->episodes->items[i], zone);
	print_builds(&p->samples);
	printf("Compared: %zu hosts, %s to %s.\n", p->samples.n_hosts,
	       lp_zone_format(zone, p->first_ns, first),
	       lp_zone_format(zone, p->last_ns, last));
}

static int check(struct options *o, struct lp_error *err)
{
	bool manhattan = strcmp(o->method, "manhattan") == 0;

	if (!manhattan && strcmp(o->method, "excess") != 0)
		return lp_fail(err, EINVAL,
			       "--by %s: expected excess or manhattan",
			       lp_shown(o->method));
	if (manhattan != (o->threshold > 0))
		return lp_fail(err, EINVAL,
			       "--by manhattan needs --limit, and nothing else "
			       "does");
	/* The list ends by NULL. */
	if (lp_grow(&o->ignore.text, &o->ignore.capacity, o->ignore.count + 1,
		    sizeof(*o->ignore.text)) < 0)
		return lp_fail_memory(err);
	o->ignore.text[o->ignore.count] = NULL;
	return 0;
}

static int exit_of(const struct options *o, const struct telling *t)
{
	int status = lp_command_finish(&usage);

	if (status || !o->check)
		return status;
	if (t->episodes->n > 0)
		return LP_EXIT_FAULT;
	return t->decided ? LP_EXIT_OK : LP_EXIT_UNDECIDED;
}

static int run(int argc, char **argv)
{
	struct options options = { .method = "excess" };
	struct lp_profiles profiles = { 0 };
	struct lp_episodes episodes = { 0 };
	struct telling telling = { &options, &episodes, 0 };
	struct lp_error err;
	bool wrong = false;
	int first, status;

	if (!lp_command_begin(&usage, argc, argv, &options, &first, &status))
		return status;
	if (check(&options, &err) < 0)
		return lp_command_misuse(&usage, &err);
	status = lp_profiles_load(&profiles, &options.common, argv + first,
				  false, &wrong, &err);
	if (status == 0 && options.windows)
		puts("kind,host,begin,end,distance,threshold,flagged,anomalous,"
		     "way");
	if (status == 0)
		status = judge(&profiles.samples, &telling, &err);
	if (status == 0 && strcmp(options.method, "excess") == 0)
		status = judge(&profiles.waits, &telling, &err);
	lp_inputs_warn(&profiles.inputs, usage.command);
	if (status == 0) {
		print_verdict(&profiles, &telling);
		status = exit_of(&options, &telling);
	} else {
		status = wrong ? lp_command_misuse(&usage, &err)
			       : lp_command_fail(&usage, &err);
	}
	lp_episodes_done(&episodes);
	lp_profiles_done(&profiles, &options.common);
	lp_option_list_done(&options.ignore);
	return status;
}

const struct lp_word lp_profile_word_diagnose = {
	.name = "diagnose",
	.usage = &usage,
	.run = run,
};
