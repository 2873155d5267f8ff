/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid archive: look after archives. The second word picks a row.
 */
#include "choose.h"

#include "archive/maintain.h"
#include "archive_info.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/outfile.h"
#include "base/stdin.h"
#include "outputs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct options {
	bool json, in_place;
	const char *output;
	int64_t block_ns;
};

/* Info. */

static const struct lp_option info_options[] = {
	{ .long_name = "json",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, json),
	  .help = "print JSON, one object per file" },
};

static const struct lp_usage info_usage = {
	.command = "limpid archive info",
	.summary = "Shows what is in an archive.",
	.operands = "FILE...",
	.min_operands = 1,
	.max_operands = LP_OPERANDS_ANY,
	.options = info_options,
	.n_options = lp_array_size(info_options),
};

static int run_info(const struct options *options, int n, char **paths)
{
	int status = LP_EXIT_OK;

	for (int i = 0; i < n; i++) {
		struct lp_info info;
		struct lp_error err;

		if (lp_archive_info(paths[i], &info, &err) < 0) {
			status = lp_command_fail(&info_usage, &err);
			continue;
		}
		if (options->json)
			lp_info_json(stdout, paths[i], &info);
		else
			lp_info_text(stdout, paths[i], &info);
		lp_archive_info_done(&info);
	}
	return status;
}

/* Verify and repair. */

static const struct lp_usage verify_usage = {
	.command = "limpid archive verify",
	.summary = "Checks every block of every file and lists damage.",
	.operands = "FILE...",
	.min_operands = 1,
	.max_operands = LP_OPERANDS_ANY,
	.notes = "Exit status: 0 if all files are sound, 1 if one is damaged "
		 "or cannot be read.\n",
};

static const struct lp_option repair_options[] = {
	{ .short_name = 'o',
	  .long_name = "output",
	  .type = LP_OPTION_STRING,
	  .value = "OUT",
	  .offset = offsetof(struct options, output),
	  .help = "write the repaired archive to OUT" },
	{ .long_name = "in-place",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, in_place),
	  .help = "replace FILE when the new file is complete" },
};

static const struct lp_usage repair_usage = {
	.command = "limpid archive repair",
	.summary = "Saves all sound blocks of a damaged archive.",
	.operands = "FILE",
	.min_operands = 1,
	.max_operands = 1,
	.options = repair_options,
	.n_options = lp_array_size(repair_options),
};

/* Nobody knows: say between which times. */
static void print_unknown(const struct lp_damage *d)
{
	char first[LP_TIME_TEXT], last[LP_TIME_TEXT];

	lp_time_format(d->first_ns, first);
	lp_time_format(d->last_ns, last);
	if (d->first_ns == LP_TIME_MIN && d->last_ns == LP_TIME_MAX)
		printf("unknown");
	else if (d->first_ns == LP_TIME_MIN)
		printf("data before %s", last);
	else if (d->last_ns == LP_TIME_MAX)
		printf("data after %s", first);
	else
		printf("data between %s and %s", first, last);
}

static void print_loss(const struct lp_damage *d)
{
	char first[LP_TIME_TEXT], last[LP_TIME_TEXT];

	lp_time_format(d->first_ns, first);
	switch (d->loss) {
	case LP_LOSS_SAMPLES:
		printf("%" PRIu32 " samples, %s to %s", d->samples, first,
		       lp_time_format(d->last_ns, last));
		break;
	case LP_LOSS_INVENTORY:
		printf("the inventory of %s", first);
		break;
	case LP_LOSS_EVENT:
		printf("the event of %s", first);
		break;
	case LP_LOSS_COUNTS:
		printf("counts of %s to %s", first,
		       lp_time_format(d->last_ns, last));
		break;
	case LP_LOSS_NOTHING:
		printf("nothing");
		break;
	case LP_LOSS_UNKNOWN:
		print_unknown(d);
	}
}

static void print_damage(void *context, const struct lp_damage *d)
{
	printf("%s: offset %" PRIu64 ", %" PRIu64 " %s: %s; lost: ",
	       (const char *)context, d->offset, d->bytes,
	       lp_plural(d->bytes, "byte", "bytes"), d->what);
	print_loss(d);
	putchar('\n');
}

static const char *ending(const struct lp_archive_state *v)
{
	if (v->closed)
		return "closed properly";
	if (v->open_tail)
		return "not closed: the last block was still growing (the "
		       "recorder is running or was killed)";
	return "not closed";
}

static void print_verdict(const char *path, const struct lp_archive_state *v)
{
	printf("%s: %s, %" PRIu64 " sound %s, %" PRIu64 " %s, %" PRIu64
	       " %s, %s\n",
	       path, v->damages ? "DAMAGED" : "sound", v->blocks,
	       lp_plural(v->blocks, "block", "blocks"), v->samples,
	       lp_plural(v->samples, "sample", "samples"), v->values,
	       lp_plural(v->values, "value", "values"), ending(v));
	if (v->skipped)
		printf("%s: %" PRIu64 " of the blocks %s not checked: a newer "
		       "limpid wrote %s\n",
		       path, v->skipped, lp_plural(v->skipped, "was", "were"),
		       lp_plural(v->skipped, "it", "them"));
}

static int run_verify(const struct options *options, int n, char **paths)
{
	int status = LP_EXIT_OK;

	(void)options;
	for (int i = 0; i < n; i++) {
		struct lp_damage_sink sink = { print_damage, paths[i] };
		struct lp_archive_state verdict;
		struct lp_error err;

		if (lp_archive_verify(paths[i], &sink, &verdict, &err) < 0) {
			status = lp_command_fail(&verify_usage, &err);
			continue;
		}
		print_verdict(paths[i], &verdict);
		if (verdict.damages)
			status = LP_EXIT_ERROR;
	}
	return status;
}

static int bad_usage(const struct lp_usage *usage, const char *text)
{
	fprintf(stderr, "%s: %s\n", usage->command, text);
	return LP_EXIT_USAGE;
}

static int run_repair(const struct options *options, int n, char **paths)
{
	const char *out = options->in_place ? paths[0] : options->output;
	struct lp_damage_sink sink = { print_damage, paths[0] };
	struct lp_archive_state v;
	struct lp_error err;

	(void)n;
	if (!options->output == !options->in_place)
		return bad_usage(&repair_usage,
				 "give either -o OUT or --in-place");
	if (!options->in_place && lp_is_same_file(paths[0], out))
		return bad_usage(&repair_usage, "OUT is the same file as FILE; "
						"use --in-place to replace it");
	if (!options->in_place &&
	    lp_output_check_archive(out, false, NULL, &err) < 0)
		return lp_command_misuse(&repair_usage, &err);
	if (lp_archive_repair(paths[0], out, &sink, &v, &err) < 0)
		return lp_command_fail(&repair_usage, &err);
	printf("%s: %" PRIu64 " %s with %" PRIu64 " %s saved to %s\n", paths[0],
	       v.blocks, lp_plural(v.blocks, "block", "blocks"), v.samples,
	       lp_plural(v.samples, "sample", "samples"), out);
	return LP_EXIT_OK;
}

/* Compact. */

static const struct lp_option compact_options[] = {
	{ .short_name = 'o',
	  .long_name = "output",
	  .type = LP_OPTION_STRING,
	  .value = "OUT",
	  .offset = offsetof(struct options, output),
	  .help = "merge all FILEs by time into OUT" },
	{ .long_name = "block",
	  .type = LP_OPTION_DURATION,
	  .value = "DURATION",
	  .offset = offsetof(struct options, block_ns),
	  .help = "time span of a block (default 1h)",
	  .low = 1 },
};

static const struct lp_usage compact_usage = {
	.command = "limpid archive compact",
	.summary = "Merges short blocks into long ones, which are smaller and "
		   "faster to read.",
	.operands = "FILE...",
	.min_operands = 1,
	.max_operands = LP_OPERANDS_ANY,
	.options = compact_options,
	.n_options = lp_array_size(compact_options),
	.notes = "Without -o, each FILE is replaced when its compacted version "
		 "is complete.\n",
};

static int compact_to(const struct options *options, size_t n, char **paths,
		      const char *out)
{
	struct lp_compact_options how = { .block_ns = options->block_ns };
	struct lp_compact_result r;
	struct lp_error err;

	if (lp_archive_compact((const char *const *)paths, n, out, &how, &r,
			       &err) < 0)
		return lp_command_fail(&compact_usage, &err);
	printf("%s: %" PRIu64 " -> %" PRIu64 " bytes\n", out, r.before,
	       r.after);
	return LP_EXIT_OK;
}

/* What is merged into itself is not lost. */
static bool is_one_of(const char *out, int n, char **paths)
{
	for (int i = 0; i < n; i++)
		if (lp_is_same_file(out, paths[i]))
			return true;
	return false;
}

static int run_compact(const struct options *options, int n, char **paths)
{
	struct lp_error err;
	int status = LP_EXIT_OK;

	if (options->output && !is_one_of(options->output, n, paths) &&
	    lp_output_check_archive(options->output, false, NULL, &err) < 0)
		return lp_command_misuse(&compact_usage, &err);
	if (options->output)
		return compact_to(options, (size_t)n, paths, options->output);
	for (int i = 0; i < n; i++)
		if (compact_to(options, 1, &paths[i], paths[i]) != LP_EXIT_OK)
			status = LP_EXIT_ERROR;
	return status;
}

/* The words. */

/* Archives are read at any place, and named in what is told of them. */
static int check_files(const struct options *options, char **paths,
		       struct lp_error *err)
{
	for (size_t i = 0; paths[i]; i++)
		if (lp_is_stdin(paths[i]))
			return lp_fail(err, EINVAL,
				       "-: an archive must be a file, not "
				       "standard input; save it to a file "
				       "first");
	if (options->output && lp_is_stdout(options->output))
		return lp_fail(err, EINVAL,
			       "-o %s: the archive must be a file, not "
			       "standard output, which says what was done",
			       options->output);
	return 0;
}

static int with_options(const struct lp_usage *usage,
			int (*run)(const struct options *, int, char **),
			int argc, char **argv)
{
	struct options options = { 0 };
	int first, status, finished;
	struct lp_error err;

	if (!lp_command_begin(usage, argc, argv, &options, &first, &status))
		return status;
	if (check_files(&options, argv + first, &err) < 0)
		return lp_command_misuse(usage, &err);
	status = run(&options, argc - first, argv + first);
	finished = lp_command_finish(usage);
	return status != LP_EXIT_OK ? status : finished;
}

#define WORD(name_)                                                            \
	static int name_##_word(int argc, char **argv)                         \
	{                                                                      \
		return with_options(&name_##_usage, run_##name_, argc, argv);  \
	}                                                                      \
	static const struct lp_word name_ = { #name_, &name_##_usage,          \
					      name_##_word }

WORD(info);
WORD(verify);
WORD(repair);
WORD(compact);

static const struct lp_word *const words[] = { &info, &verify, &repair,
					       &compact, NULL };

static int run(int argc, char **argv)
{
	return lp_choose_word("limpid archive", words, argc, argv);
}

const struct lp_command lp_command_archive = {
	.name = "archive",
	.summary = "inspect, check, repair and merge archives",
	.run = run,
};
