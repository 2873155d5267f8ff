/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid import: what others recorded, as archives.
 */
#include "command.h"
#include "inputs.h"
#include "outputs.h"
#include "progress.h"

#include "archive/archive.h"
#include "base/memory.h"
#include "base/names.h"
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
	const char *output;
};

static const struct lp_option option_table[] = {
	LP_INPUT_FORMAT(struct options),
	LP_INPUT_HOST(struct options),
	LP_INPUT_HOST_FROM_PATH(struct options),
	{ .short_name = 'o',
	  .long_name = "output",
	  .type = LP_OPTION_REQUIRED,
	  .value = "OUT",
	  .offset = offsetof(struct options, output),
	  .help = "an archive for all, or a directory (existing, or ending "
		  "in /) for one archive per host" },
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
	const char *path;
	struct lp_output_place place;
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

static int open_output(struct output *out, const char *path,
		       struct lp_error *err)
{
	*out = (struct output){ .path = path };
	return lp_output_place(path, &out->place, err);
}

static int add_writer(struct output *out, const char *path,
		      struct lp_error *err)
{
	struct lp_archive_writer *writer;
	int r;

	if (lp_grow(&out->writers, &out->capacity, out->n_writers + 1,
		    sizeof(struct lp_archive_writer *)) < 0)
		return lp_fail_memory(err);
	r = lp_archive_create(path, LP_ARCHIVE_ATOMIC, &writer, err);
	if (r == 0)
		out->writers[out->n_writers++] = writer;
	return r;
}

static int add_host_writer(struct output *out, const char *host,
			   int64_t time_ns, struct lp_error *err)
{
	char name[NAME_MAX + 1], time[LP_TIME_TEXT];
	lp_auto_free char *path = NULL;
	int r;

	if (strlen(host) > NAME_MAX - LP_TIME_TEXT)
		return lp_fail(err, ENAMETOOLONG,
			       "the host '%.40s...' is too long for the name "
			       "of a file; give -o a file",
			       host);
	r = lp_safe_name(name, sizeof(name), host, &out->hosts, err);
	if (r < 0)
		return r;
	if (asprintf(&path, "%s/%s-%s" LP_ARCHIVE_SUFFIX, out->path, name,
		     lp_time_format_compact(time_ns, time)) < 0) {
		path = NULL;
		return lp_fail_memory(err);
	}
	if (lp_names_add(&out->hosts, host) == LP_NAME_NONE)
		return lp_fail_memory(err);
	return add_writer(out, path, err);
}

static const char *item_host(const struct lp_item *item, int64_t *time_ns)
{
	if (item->kind == LP_ITEM_CHUNK) {
		*time_ns = item->chunk->time_ns[0];
		return item->chunk->host;
	}
	if (item->kind == LP_ITEM_INVENTORY) {
		*time_ns = item->inventory->time_ns;
		return item->inventory->host;
	}
	*time_ns = item->event->time_ns;
	return item->event->host;
}

static int put_item(struct output *out, const struct lp_item *item,
		    struct lp_error *err)
{
	int64_t time_ns;
	const char *host = item_host(item, &time_ns);
	uint32_t w = 0;
	int r = 0;

	if (!out->place.is_directory) {
		if (out->n_writers == 0)
			r = add_writer(out, out->path, err);
	} else {
		w = lp_names_find(&out->hosts, host);
		if (w == LP_NAME_NONE) {
			w = (uint32_t)out->n_writers;
			r = add_host_writer(out, host, time_ns, err);
		}
	}
	if (r < 0)
		return r;
	assert(out->writers && w < out->n_writers);
	return lp_archive_put_item(out->writers[w], item, err);
}

static int finish_output(struct output *out, struct totals *totals,
			 struct lp_error *err)
{
	int r = 0;

	for (size_t i = 0; i < out->n_writers; i++) {
		totals->bytes += lp_archive_size(out->writers[i]);
		if (r == 0)
			r = lp_archive_finish(out->writers[i], err);
		else
			lp_archive_abandon(out->writers[i]);
	}
	out->n_writers = 0;
	out->done = r == 0;
	return r;
}

static void close_output(struct output *out)
{
	for (size_t i = 0; i < out->n_writers; i++)
		lp_archive_abandon(out->writers[i]);
	if (out->place.made && !out->done)
		rmdir(out->path);
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

	if (item->kind == LP_ITEM_EVENT && item->event->kind == LP_EVENT_LOST)
		fprintf(stderr, "%s: note: %s after %s: %s\n", usage.command,
			item->event->host,
			lp_time_format(item->event->time_ns, time),
			item->event->text);
}

static int copy_all(struct lp_stream *stream, struct output *out,
		    struct totals *totals, struct lp_error *err)
{
	struct lp_progress progress;
	struct lp_item item;
	int r;

	lp_progress_begin(&progress, "importing", "samples");
	while ((r = lp_stream_next(stream, &item, err)) > 0) {
		if (item.kind == LP_ITEM_CHUNK)
			add_totals(totals, item.chunk);
		note_loss(&item);
		r = put_item(out, &item, err);
		if (r < 0)
			break;
		lp_progress_update(&progress, lp_stream_progress(stream),
				   totals->samples);
	}
	lp_progress_end(&progress);
	if (r == 0 && totals->samples == 0)
		return lp_fail(err, ENODATA, "the inputs hold no sample");
	return r < 0 ? r : finish_output(out, totals, err);
}

static void print_totals(const struct totals *totals)
{
	char first[LP_TIME_TEXT], last[LP_TIME_TEXT];

	if (!isatty(STDERR_FILENO))
		return;
	fprintf(stderr,
		"%" PRIu32 " host%s, %" PRIu64 " samples, %s to %s, %.1f KiB\n",
		totals->hosts.count, totals->hosts.count == 1 ? "" : "s",
		totals->samples, lp_time_format(totals->first_ns, first),
		lp_time_format(totals->last_ns, last),
		(double)totals->bytes / 1024);
}

static int import(struct lp_inputs *inputs, struct output *out,
		  struct lp_error *err)
{
	struct totals totals = { 0 };
	struct lp_stream *stream;
	int r = lp_inputs_open(inputs, &stream, err);

	if (r < 0)
		return r;
	r = copy_all(stream, out, &totals, err);
	lp_stream_close(stream);
	if (r == 0)
		print_totals(&totals);
	lp_names_done(&totals.hosts);
	return r;
}

static int run_with(const struct options *options, char **paths,
		    struct lp_error *err)
{
	struct lp_inputs inputs;
	struct output out = { 0 };
	int r = 0;

	lp_inputs_begin(&inputs, &options->input);
	for (; r == 0 && *paths; paths++)
		r = lp_inputs_add(&inputs, *paths, err);
	if (r == 0)
		r = open_output(&out, options->output, err);
	if (r == 0)
		r = import(&inputs, &out, err);
	close_output(&out);
	lp_inputs_done(&inputs);
	return r;
}

static int run(int argc, char **argv)
{
	struct options options = { 0 };
	struct lp_error err;
	int first, status;

	if (!lp_command_begin(&usage, argc, argv, &options, &first, &status))
		return status;
	if (lp_input_check_format(options.input.format, &err) < 0)
		return lp_command_misuse(&usage, &err);
	if (run_with(&options, argv + first, &err) < 0)
		return lp_command_fail(&usage, &err);
	return LP_EXIT_OK;
}

const struct lp_command lp_command_import = {
	.name = "import",
	.summary = "make archives of what other collectors recorded",
	.run = run,
	.usage = &usage,
};
