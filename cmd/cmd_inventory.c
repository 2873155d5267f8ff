/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid inventory: which components some recordings hold, and what would be
 * compared with what.
 */
#include "command.h"
#include "inputs.h"
#include "inventory.h"
#include "period.h"
#include "progress.h"
#include "site.h"
#include "trim.h"

#include "base/memory.h"
#include "table/input.h"

#include <errno.h>
#include <stddef.h>

struct options {
	struct lp_input_options input;
	const char *cluster;
	bool no_cluster;
	bool json, verbose;
	struct lp_period_options period;
};

static const struct lp_option option_table[] = {
	LP_INPUT_FORMAT(struct options),
	LP_INPUT_HOST(struct options),
	LP_INPUT_HOST_FROM_PATH(struct options),
	LP_INPUT_STRICT(struct options),
	{ .long_name = "cluster",
	  .type = LP_OPTION_STRING,
	  .value = "CONF",
	  .offset = offsetof(struct options, cluster),
	  .help = "cluster file, which says what is compared with what, see "
		  "limpid-cluster(5) (default: /etc/limpid/cluster.conf, if it "
		  "exists)" },
	{ .long_name = "no-cluster",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, no_cluster),
	  .help = "use no cluster file" },
	{ .long_name = "json",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, json),
	  .help = "print everything as one JSON object" },
	{ .short_name = 'v',
	  .long_name = "verbose",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, verbose),
	  .help = "show all labels, TCP peers, and members of groups" },
	LP_PERIOD_OPTIONS(struct options, period),
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

static int read_stream(struct lp_stream *stream, struct lp_survey *recording,
		       struct lp_error *err)
{
	struct lp_progress progress;
	struct lp_item item;
	uint64_t count = 0;
	int status;

	lp_progress_begin(&progress, "reading", "samples");
	while ((status = lp_stream_next(stream, &item, err)) > 0) {
		status = lp_survey_put(recording, &item, err);
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

static int read_all(const struct options *options, struct lp_period *period,
		    char **paths, struct lp_inputs *inputs,
		    struct lp_survey *recording, bool *wrong,
		    struct lp_error *err)
{
	struct lp_stream *stream = NULL;
	int status = 0;

	lp_inputs_begin(inputs, &options->input);
	for (; *paths && status == 0; paths++)
		status = lp_inputs_add(inputs, *paths, err);
	if (status == 0)
		status = lp_period_resolve(period, &options->period, inputs,
					   wrong, err);
	inputs->query.since_ns = period->since_ns;
	inputs->query.until_ns = period->until_ns;
	if (status == 0)
		status = lp_inputs_open(inputs, &stream, err);
	if (status == 0)
		status = lp_trim(&stream, period->since_ns, period->until_ns,
				 err);
	if (status == 0)
		status = read_stream(stream, recording, err);
	if (status == 0) {
		recording->partial = options->input.hosts.count > 0;
		status = lp_host_filter_check(&inputs->hosts, err);
		*wrong = status < 0;
	}
	lp_stream_close(stream);
	lp_inputs_warn(inputs, usage.command);
	return status;
}

static int print(const struct options *options, const struct lp_zone *zone,
		 const struct lp_inputs *inputs, struct lp_survey *recording,
		 struct lp_error *err)
{
	struct lp_site site = { 0 };
	struct lp_plan plan;
	int status;

	lp_survey_finish(recording);
	status = lp_site_plan(&site, options->cluster, options->no_cluster,
			      recording, NULL, &plan, err);
	if (status < 0) {
		lp_site_done(&site);
		return status;
	}
	if (options->json)
		lp_inventory_print_json(recording, &plan, inputs);
	else
		lp_inventory_print(recording, &plan, inputs, zone,
				   options->verbose);
	lp_plan_done(&plan);
	lp_site_done(&site);
	return 0;
}

static int run(int argc, char **argv)
{
	struct options options = { 0 };
	struct lp_survey recording = { .parts = LP_SURVEY_PEERS };
	struct lp_inputs inputs = { 0 };
	struct lp_period period;
	struct lp_error err;
	int first, status;
	bool wrong = false;

	if (!lp_command_begin(&usage, argc, argv, &options, &first, &status))
		return status;
	if (lp_input_options_check(&options.input, &err) < 0 ||
	    lp_site_check(options.cluster, options.no_cluster, &err) < 0 ||
	    lp_period_begin(&period, &options.period, options.json, &err) < 0)
		return lp_command_misuse(&usage, &err);
	status = read_all(&options, &period, argv + first, &inputs, &recording,
			  &wrong, &err);
	if (status == 0)
		status = print(&options, &period.zone, &inputs, &recording,
			       &err);
	lp_survey_done(&recording);
	lp_inputs_done(&inputs);
	lp_input_options_done(&options.input);
	if (wrong)
		return lp_command_misuse(&usage, &err);
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
