/* SPDX-License-Identifier: Apache-2.0 */
#include "inputs.h"

#include "base/hostname.h"
#include "base/tempfile.h"
#include "source/csvmap.h"
#include "table/input.h"
#include "table/merge.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes of archives of foreign inputs; the others are temporary files. */
#define KEPT_IN_MEMORY (64 << 20)
/* An increase needs the sample before: at most two minutes older. */
#define BEFORE_NS (120 * LP_NS_PER_S)

void lp_inputs_init(struct lp_inputs *inputs)
{
	*inputs = (struct lp_inputs){ 0 };
	lp_query_init(&inputs->query);
}

void lp_inputs_begin(struct lp_inputs *inputs,
		     const struct lp_input_options *options)
{
	lp_inputs_init(inputs);
	inputs->format = options->format;
	inputs->options = options->source;
	inputs->strict = options->strict;
	inputs->options.host = options->as_host;
	inputs->hosts.only = options->hosts;
	inputs->hosts.as = options->as_host;
}

/* In "a/b/sda" nobody could tell the host from the device. */
static int check_as_host(const char *name, struct lp_error *err)
{
	int status = lp_host_name_check("--as-host", name, err);

	if (status == 0 && name && strchr(name, '/'))
		status = lp_fail(err, EINVAL, "--as-host must not contain '/'");
	return status;
}

int lp_input_options_check(const struct lp_input_options *options,
			   struct lp_error *err)
{
	int status = lp_input_check_format(options->format, err);

	if (status == 0 && options->source.map)
		status = lp_csv_map_check(options->source.map, err);
	return status ? status : check_as_host(options->as_host, err);
}

void lp_input_options_done(struct lp_input_options *options)
{
	lp_option_list_done(&options->hosts);
	lp_option_list_done(&options->source.prometheus);
}

void lp_inputs_done(struct lp_inputs *inputs)
{
	for (size_t i = 0; i < inputs->n; i++) {
		free(inputs->paths[i]);
		if (inputs->spools[i] >= 0)
			close(inputs->spools[i]);
		if (inputs->kept)
			lp_kept_done(&inputs->kept[i]);
	}
	free(inputs->kept);
	free(inputs->paths);
	free(inputs->spools);
	lp_host_filter_done(&inputs->hosts);
	lp_names_done(&inputs->recordings);
	lp_names_done(&inputs->newer);
	lp_inputs_faults_done(inputs);
}

/* ---- adding ---- */

static int add_pipe(struct lp_inputs *inputs, const char *path,
		    struct lp_error *err)
{
	struct lp_error why;
	size_t n = inputs->n;
	int fd, status;

	if (lp_names_find(&inputs->recordings, path) != LP_NAME_NONE)
		return lp_fail(err, EINVAL, "%s: can be read only once", path);
	status = lp_input_spool(path, inputs->format, &fd, &why);
	if (status < 0 && inputs->strict)
		return lp_fail(err, -status, "%s", why.text);
	if (status < 0)
		status =
			lp_inputs_fault(inputs, LP_INPUT_NONE, false, why.text);
	else
		status = lp_inputs_add_path(inputs, strdup(path));
	if (inputs->n > n)
		inputs->spools[n] = fd;
	return status < 0 ? lp_fail_memory(err) : 0;
}

int lp_inputs_add(struct lp_inputs *inputs, const char *path,
		  struct lp_error *err)
{
	struct stat st;
	bool pcp = inputs->format && strcmp(inputs->format, "pcp") == 0;

	if (strcmp(path, LP_INPUT_STDIN) == 0)
		return add_pipe(inputs, path, err);
	/* What cannot be looked at is left to the source, which will say so. */
	if (stat(path, &st) == 0) {
		if (S_ISDIR(st.st_mode) && !pcp)
			return lp_inputs_walk(inputs, path, err);
		if (!S_ISDIR(st.st_mode) && !S_ISREG(st.st_mode))
			return add_pipe(inputs, path, err);
	}
	return lp_inputs_add_path(inputs, strdup(path)) < 0
		       ? lp_fail_memory(err)
		       : 0;
}

/* ---- a stream whose failure is a fault ---- */

struct guarded {
	struct lp_stream stream;
	struct lp_stream *inner; /* NULL: at its end */
	struct lp_inputs *inputs;
	size_t input;
	bool gave;   /* anything */
	double part; /* of it that was read, in inputs->parts */
};

/* Keeping what is foreign is one pass more; one is at work, as far as `part`.
 */
static void show_part(struct lp_inputs *inputs, double part)
{
	double converted = inputs->converted + part;
	double passes = inputs->n_passes + (converted > 0);
	double done = (inputs->parts + converted) / (double)inputs->n;

	lp_progress_update(inputs->progress, (inputs->pass + done) / passes,
			   inputs->samples);
}

static void show_progress(struct guarded *g, const struct lp_item *item)
{
	struct lp_inputs *inputs = g->inputs;
	double part = g->inner ? lp_stream_progress(g->inner) : 1;

	if (!inputs->progress)
		return;
	part = part > 0 ? part : 0;
	inputs->parts += part - g->part;
	g->part = part;
	if (item->chunk)
		inputs->samples += item->chunk->n_samples;
	show_part(inputs, 0);
}

void lp_inputs_next_pass(struct lp_inputs *inputs)
{
	inputs->pass++;
	inputs->parts = 0;
}

/* The input cannot be read (on): 0, or the error if it counts as one. */
static int give_up(struct lp_inputs *inputs, size_t input, bool part, int code,
		   const struct lp_error *why, struct lp_error *err)
{
	size_t before = inputs->n_faults;

	if (inputs->strict || code == -ENOMEM)
		return lp_fail(err, -code, "%s", why->text);
	if (lp_inputs_fault(inputs, input, part, why->text) < 0)
		return lp_fail_memory(err);
	inputs->n_failed += inputs->n_faults > before;
	if (inputs->n_failed < inputs->n)
		return 0;
	return lp_inputs_nothing(inputs, err);
}

/* Files are read several times; the first time counts. */
static int count_newer(struct lp_inputs *inputs, const char *path, uint64_t n)
{
	if (n == 0 || lp_names_find(&inputs->newer, path) != LP_NAME_NONE)
		return 0;
	if (lp_names_add(&inputs->newer, path) == LP_NAME_NONE)
		return -ENOMEM;
	inputs->n_newer += n;
	return 0;
}

/* At its end: was that all of it? */
static int look_back(struct guarded *g, struct lp_error *err)
{
	const char *lost = lp_stream_lost(g->inner);
	struct lp_error why;

	if (count_newer(g->inputs, g->inputs->paths[g->input],
			lp_stream_skipped(g->inner)) < 0)
		return lp_fail_memory(err);
	if (!lost)
		return 0;
	lp_fail(&why, EBADMSG, "%s: %s", g->inputs->paths[g->input], lost);
	if (g->inputs->strict)
		return lp_fail(err, EBADMSG, "%s", why.text);
	if (lp_inputs_fault(g->inputs, g->input, true, why.text) < 0)
		return lp_fail_memory(err);
	return 0;
}

static int guarded_next(struct lp_stream *stream, struct lp_item *item,
			struct lp_error *err)
{
	struct guarded *g = (struct guarded *)stream;
	struct lp_error why;
	int status;

	if (!g->inner)
		return 0;
	status = lp_stream_next(g->inner, item, &why);
	g->gave |= status > 0;
	if (status > 0) {
		show_progress(g, item);
		return status;
	}
	if (status == 0)
		status = look_back(g, err);
	else
		status = give_up(g->inputs, g->input, g->gave, status, &why,
				 err);
	lp_stream_close(g->inner);
	g->inner = NULL;
	show_progress(g, item);
	return status;
}

static void guarded_close(struct lp_stream *stream)
{
	struct guarded *g = (struct guarded *)stream;

	/* It was only looked into, and will be read again. */
	if (g->inner)
		g->inputs->parts -= g->part;
	lp_stream_close(g->inner);
	free(g);
}

static double guarded_progress(const struct lp_stream *stream)
{
	const struct guarded *g = (const struct guarded *)stream;

	return g->inner ? lp_stream_progress(g->inner) : 1;
}

/* ---- opening ---- */

static void show_keeping(void *context, double part)
{
	struct lp_inputs *inputs = context;

	if (inputs->progress)
		show_part(inputs, part > 0 ? part : 0);
}

/* The first ones in memory, if they are small. */
static bool fits_memory(const struct lp_inputs *inputs, const char *content)
{
	struct stat st;

	return inputs->kept_bytes < KEPT_IN_MEMORY &&
	       (stat(content, &st) < 0 || st.st_size < KEPT_IN_MEMORY);
}

static const char *format_of(const struct lp_inputs *inputs, size_t input)
{
	return inputs->archive && strcmp(inputs->paths[input],
					 inputs->archive) == 0
		       ? NULL
		       : inputs->format;
}

static bool is_remote(const struct lp_inputs *inputs, size_t input)
{
	const struct lp_source *source =
		lp_input_source(inputs->paths[input], format_of(inputs, input),
				&inputs->options);

	return source && source->remote;
}

bool lp_inputs_are_remote(const struct lp_inputs *inputs)
{
	for (size_t i = 0; i < inputs->n; i++)
		if (inputs->spools[i] < 0 && is_remote(inputs, i))
			return true;
	return false;
}

/* The input as it is kept; NULL: it is read as it is. */
static const struct lp_kept *keep(struct lp_inputs *inputs, size_t input,
				  const struct lp_source_options *options,
				  const struct lp_query *query)
{
	struct lp_kept_order order = {
		.path = inputs->paths[input],
		.format = format_of(inputs, input),
		.options = options,
		.tolerant = query->tolerant,
		.since_ns = LP_TIME_MIN,
		.until_ns = LP_TIME_MAX,
		.progress = show_keeping,
		.context = inputs,
	};
	struct lp_kept *kept;
	struct lp_error err;

	bool remote = is_remote(inputs, input);

	if ((!remote && !inputs->again && inputs->n <= LP_MERGE_KEPT_OPEN) ||
	    !lp_kept_suits(order.path, order.format, options, query))
		return NULL;
	if (!inputs->kept)
		inputs->kept = calloc(inputs->n, sizeof(*inputs->kept));
	kept = inputs->kept ? &inputs->kept[input] : NULL;
	if (!kept || kept->made)
		return kept;
	/* Once for all passes; what is asked first has the widest times. */
	if (remote && query->since_ns != LP_TIME_MIN)
		order.since_ns = lp_time_add(query->since_ns, -BEFORE_NS);
	if (remote)
		order.until_ns = query->until_ns;
	order.in_memory = fits_memory(
		inputs, options->content ? options->content : order.path);
	/* Where there is no room for it, it is read several times. */
	if (lp_kept_make(kept, &order, &err) < 0)
		return NULL;
	inputs->kept_bytes += kept->size;
	inputs->converted++;
	return kept;
}

static int open_inner(struct lp_inputs *inputs, size_t input,
		      struct lp_stream **stream, struct lp_error *err)
{
	struct lp_source_options options = inputs->options;
	struct lp_query query = inputs->query;
	const char *path = inputs->paths[input];
	char content[LP_TEMP_PATH];
	const struct lp_kept *kept;

	query.tolerant = !inputs->strict;
	if (inputs->spools[input] >= 0)
		options.content = lp_temp_path(inputs->spools[input], content);
	kept = keep(inputs, input, &options, &query);
	if (kept)
		return lp_kept_open(kept, path, &query, stream, err);
	return lp_input_open(path, format_of(inputs, input), &options, &query,
			     stream, err);
}

int lp_inputs_open_one(struct lp_inputs *inputs, size_t input,
		       struct lp_stream **stream, struct lp_error *err)
{
	static const struct lp_stream_ops ops = {
		.next = guarded_next,
		.close = guarded_close,
		.progress = guarded_progress,
	};
	struct guarded *g = calloc(1, sizeof(*g));
	struct lp_error why;
	int status;

	if (!g)
		return lp_fail_memory(err);
	g->stream.ops = &ops;
	g->inputs = inputs;
	g->input = input;
	status = open_inner(inputs, input, &g->inner, &why);
	if (status < 0) {
		g->inner = NULL;
		status = give_up(inputs, input, false, status, &why, err);
	}
	if (status < 0) {
		free(g);
		return status;
	}
	*stream = &g->stream;
	return lp_host_filter_wrap(&inputs->hosts, stream, err);
}

static int open_one(void *context, size_t input, struct lp_stream **stream,
		    struct lp_error *err)
{
	return lp_inputs_open_one(context, input, stream, err);
}

int lp_inputs_open(struct lp_inputs *inputs, struct lp_stream **stream,
		   struct lp_error *err)
{
	if (inputs->n == 0)
		return lp_inputs_nothing(inputs, err);
	return lp_merge_open(open_one, inputs, inputs->n, stream, err);
}
