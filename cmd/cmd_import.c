/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid import: what others recorded, as archives.
 */
#include "command.h"
#include "inputs.h"
#include "outputs.h"
#include "period.h"
#include "progress.h"
#include "trim.h"

#include "archive/archive.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/number.h"
#include "base/visible.h"
#include "table/input.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct options {
	struct lp_input_options input;
	struct lp_period_options period;
	const char *output;
	bool replace;
};

static const struct lp_option option_table[] = {
	LP_INPUT_FORMAT(struct options),
	LP_INPUT_HOST(struct options),
	LP_INPUT_HOST_FROM_PATH(struct options),
	LP_INPUT_STRICT(struct options),
	LP_PERIOD_OPTIONS(struct options, period),
	{ .short_name = 'o',
	  .long_name = "output",
	  .type = LP_OPTION_REQUIRED,
	  .value = "OUT",
	  .offset = offsetof(struct options, output),
	  .help = "one archive for all hosts, or a directory (existing, or "
		  "ending in /) for one archive per host" },
	{ .long_name = "replace",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, replace),
	  .help = "replace archives that already exist" },
};

static const struct lp_usage usage = {
	.command = "limpid import",
	.summary = "Makes archives of what other collectors recorded.",
	.operands = "INPUT...",
	.min_operands = 1,
	.max_operands = LP_OPERANDS_ANY,
	.options = option_table,
	.n_options = lp_array_size(option_table),
	.notes = "An INPUT that is a directory stands for all files in it that "
		 "limpid recognises.\n",
};

/* Where items go: to one archive, or to one for each host. */
struct output {
	const char *path; /* NULL: standard output */
	FILE *spool;      /* what goes there, until it is whole */
	struct lp_output_place place;
	bool replace;
	char *const *inputs;
	bool done;
	struct lp_names hosts; /* directory: number = writer */
	struct lp_archive_writer **writers;
	size_t n_writers, capacity;
};

struct totals {
	struct lp_names hosts;
	uint64_t samples, bytes;
	int64_t first_ns, last_ns;
};

static int open_output(struct output *out, const struct options *options,
		       char *const *inputs, struct lp_error *err)
{
	const char *path = options->output;
	int status;

	*out = (struct output){ .path = path,
				.replace = options->replace,
				.inputs = inputs };
	if (lp_is_stdout(path)) {
		out->path = NULL;
		out->spool = tmpfile();
		return out->spool
			       ? 0
			       : lp_fail_errno(err, errno,
					       "cannot make a temporary file");
	}
	status = lp_output_place(path, &out->place, err);
	if (status < 0 || out->place.is_directory)
		return status;
	return lp_output_check_archive(path, out->replace, inputs, err);
}

static int create_archive(struct output *out, const char *path,
			  struct lp_archive_writer **writer,
			  struct lp_error *err)
{
	int status;

	if (out->spool)
		return lp_archive_create_fd(dup(fileno(out->spool)),
					    "standard output", writer, err);
	status = lp_output_check_archive(path, out->replace, out->inputs, err);
	return status < 0 ? status
			  : lp_archive_create(path, LP_ARCHIVE_ATOMIC, writer,
					      err);
}

/* The writer seeks, and a pipe cannot: the archive goes there when whole. */
static int copy_spool(FILE *spool, struct lp_error *err)
{
	char bytes[65536];
	size_t n;

	rewind(spool);
	while ((n = fread(bytes, 1, sizeof(bytes), spool)) > 0)
		if (fwrite(bytes, 1, n, stdout) != n)
			break;
	if (ferror(spool) || ferror(stdout) || fflush(stdout) != 0)
		return lp_fail_errno(err, errno,
				     "cannot write to standard output");
	return 0;
}

static int add_writer(struct output *out, const char *path,
		      struct lp_error *err)
{
	struct lp_archive_writer *writer;
	int status;

	if (lp_grow(&out->writers, &out->capacity, out->n_writers + 1,
		    sizeof(struct lp_archive_writer *)) < 0)
		return lp_fail_memory(err);
	status = create_archive(out, path, &writer, err);
	if (status == 0)
		out->writers[out->n_writers++] = writer;
	return status;
}

static int add_host_writer(struct output *out, const char *host,
			   int64_t time_ns, struct lp_error *err)
{
	char name[NAME_MAX + 1], time[LP_TIME_TEXT];
	lp_auto_free char *path = NULL;
	int status;

	if (strlen(host) > NAME_MAX - LP_TIME_TEXT)
		return lp_fail(err, ENAMETOOLONG,
			       "the name of the host '%.40s...' is too long "
			       "for a file name; give -o a file",
			       host);
	status = lp_safe_name(name, sizeof(name), host, &out->hosts, err);
	if (status < 0)
		return status;
	if (asprintf(&path, "%s/%s-%s" LP_ARCHIVE_SUFFIX, out->path, name,
		     lp_time_format_compact(time_ns, time)) < 0) {
		path = NULL;
		return lp_fail_memory(err);
	}
	if (lp_names_add(&out->hosts, host) == LP_NAME_NONE)
		return lp_fail_memory(err);
	return add_writer(out, path, err);
}

static int put_item(struct output *out, const struct lp_item *item,
		    struct lp_error *err)
{
	const char *host = lp_item_host(item);
	uint32_t w = 0;
	int status = 0;

	if (!out->place.is_directory) {
		if (out->n_writers == 0)
			status = add_writer(out, out->path, err);
	} else {
		w = lp_names_find(&out->hosts, host);
		if (w == LP_NAME_NONE) {
			w = (uint32_t)out->n_writers;
			status = add_host_writer(out, host, lp_item_time(item),
						 err);
		}
	}
	if (status < 0)
		return status;
	assert(out->writers && w < out->n_writers);
	return lp_archive_put_item(out->writers[w], item, err);
}

static int finish_output(struct output *out, struct totals *totals,
			 struct lp_error *err)
{
	int status = 0;

	for (size_t i = 0; i < out->n_writers; i++) {
		totals->bytes += lp_archive_size(out->writers[i]);
		if (status == 0)
			status = lp_archive_finish(out->writers[i], err);
		else
			lp_archive_abandon(out->writers[i]);
	}
	out->n_writers = 0;
	if (status == 0 && out->spool)
		status = copy_spool(out->spool, err);
	out->done = status == 0;
	return status;
}

static void close_output(struct output *out)
{
	for (size_t i = 0; i < out->n_writers; i++)
		lp_archive_abandon(out->writers[i]);
	if (out->place.made && !out->done)
		rmdir(out->path);
	if (out->spool)
		fclose(out->spool);
	free(out->writers);
	lp_names_done(&out->hosts);
}

static void add_totals(struct totals *totals, const struct lp_chunk *chunk)
{
	if (totals->samples == 0)
		totals->first_ns = totals->last_ns = chunk->time_ns[0];
	for (size_t i = 0; i < chunk->n_samples; i++) {
		if (chunk->time_ns[i] < totals->first_ns)
			totals->first_ns = chunk->time_ns[i];
		if (chunk->time_ns[i] > totals->last_ns)
			totals->last_ns = chunk->time_ns[i];
	}
	totals->samples += chunk->n_samples;
	lp_names_add(&totals->hosts, chunk->host);
}

/* Not an error, but not to be kept from the user either. */
static void note_loss(const struct lp_item *item)
{
	char time[LP_TIME_TEXT];

	if (item->kind == LP_ITEM_EVENT && item->event->kind == LP_EVENT_LOST &&
	    !lp_event_is(item->event, "why", "cut"))
		fprintf(stderr, "%s: note: %s after %s: %s\n", usage.command,
			lp_shown(item->event->host),
			lp_time_format(item->event->time_ns, time),
			lp_shown(lp_event_text(item->event)));
}

/* -EEXIST if the command line was wrong, as an output that may not be. */
static int check_hosts(const struct lp_host_filter *hosts, struct lp_error *err)
{
	int status = lp_host_filter_check(hosts, err);

	return status == -EINVAL ? -EEXIST : status;
}

static int copy_all(struct lp_stream *stream,
		    const struct lp_host_filter *hosts, struct output *out,
		    struct totals *totals, struct lp_error *err)
{
	struct lp_progress progress;
	struct lp_item item;
	int status;

	lp_progress_begin(&progress, "importing", "samples");
	while ((status = lp_stream_next(stream, &item, err)) > 0) {
		if (item.kind == LP_ITEM_CHUNK)
			add_totals(totals, item.chunk);
		note_loss(&item);
		status = put_item(out, &item, err);
		if (status < 0)
			break;
		lp_progress_update(&progress, lp_stream_progress(stream),
				   totals->samples);
	}
	lp_progress_end(&progress);
	if (status == 0)
		status = check_hosts(hosts, err);
	if (status == 0 && totals->samples == 0)
		return lp_fail(err, ENODATA, "the inputs contain no samples");
	return status < 0 ? status : finish_output(out, totals, err);
}

static void print_totals(const struct totals *totals)
{
	char first[LP_TIME_TEXT], last[LP_TIME_TEXT];

	if (!isatty(STDERR_FILENO))
		return;
	fprintf(stderr, "%" PRIu32 " %s, %" PRIu64 " %s, %s to %s, %.1f KiB\n",
		totals->hosts.count,
		lp_plural(totals->hosts.count, "host", "hosts"),
		totals->samples,
		lp_plural(totals->samples, "sample", "samples"),
		lp_time_format(totals->first_ns, first),
		lp_time_format(totals->last_ns, last),
		(double)totals->bytes / 1024);
}

static int import(struct lp_inputs *inputs, struct output *out,
		  struct lp_error *err)
{
	struct totals totals = { 0 };
	struct lp_stream *stream;
	int status = lp_inputs_open(inputs, &stream, err);

	if (status == 0)
		status = lp_trim(&stream, inputs->query.since_ns,
				 inputs->query.until_ns, err);
	if (status < 0)
		return status;
	status = copy_all(stream, &inputs->hosts, out, &totals, err);
	lp_stream_close(stream);
	if (status == 0)
		print_totals(&totals);
	lp_names_done(&totals.hosts);
	return status;
}

/* -EEXIST if the command line was wrong, as above. */
static int resolve(struct lp_period *period, const struct options *options,
		   struct lp_inputs *inputs, struct lp_error *err)
{
	bool wrong;
	int status = lp_period_resolve(period, &options->period, inputs, &wrong,
				       err);

	inputs->query.since_ns = period->since_ns;
	inputs->query.until_ns = period->until_ns;
	return status < 0 && wrong ? -EEXIST : status;
}

/* 1: written, but something was left out. */
static int run_with(const struct options *options, struct lp_period *period,
		    char **paths, struct lp_error *err)
{
	struct lp_inputs inputs;
	struct output out = { 0 };
	int status = 0;

	lp_inputs_begin(&inputs, &options->input);
	for (; status == 0 && *paths; paths++)
		status = lp_inputs_add(&inputs, *paths, err);
	if (status == 0)
		status = resolve(period, options, &inputs, err);
	if (status == 0)
		status = open_output(&out, options, inputs.paths, err);
	if (status == 0)
		status = import(&inputs, &out, err);
	lp_inputs_warn(&inputs, usage.command);
	if (status == 0 && lp_inputs_gave_up(&inputs))
		status = 1;
	close_output(&out);
	lp_inputs_done(&inputs);
	return status;
}

static int run(int argc, char **argv)
{
	struct options options = { 0 };
	struct lp_period period;
	struct lp_error err;
	int first, exit_code, status;

	if (!lp_command_begin(&usage, argc, argv, &options, &first, &exit_code))
		return exit_code;
	if (lp_input_options_check(&options.input, &err) < 0 ||
	    lp_period_begin(&period, &options.period, true, &err) < 0)
		return lp_command_misuse(&usage, &err);
	if (lp_is_stdout(options.output) && isatty(STDOUT_FILENO)) {
		lp_fail(&err, EINVAL,
			"-o -: will not write an archive to a terminal; "
			"redirect the output or name a file");
		return lp_command_misuse(&usage, &err);
	}
	status = run_with(&options, &period, argv + first, &err);
	lp_input_options_done(&options.input);
	/* An output that may not be replaced is a wrong command line. */
	if (status == -EEXIST)
		return lp_command_misuse(&usage, &err);
	if (status < 0)
		return lp_command_fail(&usage, &err);
	return status ? LP_EXIT_ERROR : LP_EXIT_OK;
}

const struct lp_command lp_command_import = {
	.name = "import",
	.summary = "make archives of what other collectors recorded",
	.run = run,
	.usage = &usage,
};
