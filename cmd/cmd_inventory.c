/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid inventory: which components some recordings hold, and what would be
 * compared with what.
 */
#include "command.h"
#include "inputs.h"
#include "inventory.h"
#include "progress.h"

#include "base/memory.h"
#include "table/input.h"

#include <errno.h>
#include <stddef.h>

struct options {
	struct lp_input_options input;
	const char *cluster;
	bool json, verbose;
};

static const struct lp_option option_table[] = {
	LP_INPUT_FORMAT(struct options),
	LP_INPUT_HOST(struct options),
	LP_INPUT_HOST_FROM_PATH(struct options),
	{ .long_name = "cluster",
	  .type = LP_OPTION_STRING,
	  .value = "CONF",
	  .offset = offsetof(struct options, cluster),
	  .help = "who is compared, by this cluster file: limpid-cluster(5)" },
	{ .long_name = "json",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, json),
	  .help = "everything that is known, as JSON" },
	{ .short_name = 'v',
	  .long_name = "verbose",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, verbose),
	  .help = "all labels, TCP peers, and members of groups" },
};

static const struct lp_usage usage = {
	.command = "limpid inventory",
	.summary = "Lists the components in recordings, and what would be "
		   "compared with what.",
	.operands = "FILE...",
	.min_operands = 1,
	.max_operands = LP_OPERANDS_ANY,
	.options = option_table,
	.n_options = lp_array_size(option_table),
	.notes = "A FILE that is a directory stands for all files in it that "
		 "limpid recognises.\n",
};

static int read_stream(struct lp_stream *stream, struct lp_recording *recording,
		       struct lp_error *err)
{
	struct lp_progress progress;
	struct lp_item item;
	uint64_t count = 0;
	int status;

	lp_progress_begin(&progress, "reading", "samples");
	while ((status = lp_stream_next(stream, &item, err)) > 0) {
		status = lp_recording_put(recording, &item, err);
		if (status < 0)
			break;
		if (item.chunk)
			count += item.chunk->n_samples;
		lp_progress_update(&progress, lp_stream_progress(stream),
				   count);
	}
	lp_progress_end(&progress);
	return status;
}

static int read_all(const struct options *options, char **paths,
		    struct lp_recording *recording, struct lp_error *err)
{
	struct lp_inputs inputs;
	struct lp_stream *stream = NULL;
	int status = 0;

	lp_inputs_begin(&inputs, &options->input);
	for (; *paths && status == 0; paths++)
		status = lp_inputs_add(&inputs, *paths, err);
	if (status == 0)
		status = lp_inputs_open(&inputs, &stream, err);
	if (status == 0)
		status = read_stream(stream, recording, err);
	lp_stream_close(stream);
	lp_inputs_done(&inputs);
	return status;
}

static int print(const struct options *options, struct lp_cluster *cluster,
		 struct lp_recording *recording, struct lp_error *err)
{
	struct lp_plan plan;
	int status;

	lp_recording_finish(recording);
	status = lp_cluster_plan(cluster, recording, NULL, &plan, err);
	if (status < 0)
		return status;
	if (options->json)
		lp_inventory_print_json(recording, &plan);
	else
		lp_inventory_print(recording, &plan, options->verbose);
	lp_plan_done(&plan);
	return 0;
}

static int run(int argc, char **argv)
{
	struct options options = { 0 };
	struct lp_recording recording = { 0 };
	struct lp_cluster *cluster = NULL;
	struct lp_error err;
	int first, status;

	if (!lp_command_begin(&usage, argc, argv, &options, &first, &status))
		return status;
	if (lp_input_check_format(options.input.format, &err) < 0)
		return lp_command_misuse(&usage, &err);
	if (options.cluster)
		status = lp_cluster_read(options.cluster, &cluster, &err);
	else
		status = 0;
	if (status == 0)
		status = read_all(&options, argv + first, &recording, &err);
	if (status == 0)
		status = print(&options, cluster, &recording, &err);
	lp_recording_done(&recording);
	lp_cluster_free(cluster);
	if (status < 0)
		return lp_command_fail(&usage, &err);
	return lp_command_finish(&usage);
}

const struct lp_command lp_command_inventory = {
	.name = "inventory",
	.summary = "list components, and what would be compared with what",
	.run = run,
	.usage = &usage,
};
