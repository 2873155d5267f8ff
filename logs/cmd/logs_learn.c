/* SPDX-License-Identifier: Apache-2.0 */
#include "logs.h"

#include "base/number.h"
#include "base/outfile.h"
#include "base/visible.h"

struct fields {
	struct lp_logs_common common;
	const char *output;
};

static const struct lp_option options[] = {
	{ .short_name = 'o',
	  .long_name = "output",
	  .type = LP_OPTION_REQUIRED,
	  .value = "MODEL",
	  .offset = offsetof(struct fields, output),
	  .help = "the model to write" },
	LP_LOGS_OPTION_RULES(struct fields),
	LP_LOGS_OPTION_ZONE(struct fields),
};

static const struct lp_usage usage = {
	.command = "limpid logs learn",
	.summary = "Learns what healthy logs say, and how often.",
	.operands = "FILE...",
	.min_operands = 1,
	.max_operands = LP_OPERANDS_ANY,
	.options = options,
	.n_options = lp_array_size(options),
	.notes = "A FILE may be a directory with a folder per node, or - for "
		 "standard input.\n",
};

static const struct lp_outkind kind = {
	.name = "a model of logs",
	.beginnings = (const char *const[]){ LP_LOG_MODEL_MAGIC, NULL },
};

/* Healthy logs that are not: what rules know to be a failure. */
static void warn(const struct lp_log_study *study)
{
	size_t n = 0;

	for (size_t i = 0; i < study->n_evidence; i++) {
		const struct lp_log_evidence *e = &study->evidence[i];

		if (!e->rule || e->kind == LP_LOG_RESTART ||
		    e->kind == LP_LOG_CONFIG)
			continue;
		if (n++ == 10)
			break;
		fprintf(stderr,
			"limpid logs learn: not healthy: %s: %s (%llu "
			"%s), first at %s:%llu\n",
			lp_shown(lp_log_node_name(study, e->node)),
			lp_log_kinds[e->kind].says,
			(unsigned long long)e->count,
			lp_plural(e->count, "line", "lines"), lp_shown(e->file),
			(unsigned long long)e->number_of_line);
	}
	if (n > 0)
		fputs("limpid logs learn: these lines are learnt as healthy; "
		      "if they are not, leave their files out\n",
		      stderr);
}

static int write_model(const struct lp_log_study *study, const char *path,
		       struct lp_error *err)
{
	struct lp_outfile file = { 0 };
	int status = lp_outfile_create(&file, path, &kind, err);

	if (status < 0)
		return status;
	lp_log_model_write(&study->model, file.out);
	return lp_outfile_commit(&file, err);
}

static int learn(struct fields *f, char **paths, size_t n, struct lp_error *err)
{
	struct lp_log_study study;
	int status = lp_logs_prepare(&study, &f->common, paths, n, err);

	if (status < 0)
		return status;
	status = lp_log_study_run(&study, LP_LOG_LEARN, err);
	lp_logs_print_notes(&usage, &study);
	if (status == 0 && lp_log_study_freeze(&study) < 0)
		status = lp_fail_memory(err);
	if (status == 0) {
		warn(&study);
		status = write_model(&study, f->output, err);
	}
	if (status == 0 && !lp_is_stdout(f->output))
		printf("%zu templates of %llu lines of %llu %s\n",
		       study.model.templates.n,
		       (unsigned long long)study.model.lines,
		       (unsigned long long)study.model.nodes,
		       lp_plural(study.model.nodes, "node", "nodes"));
	lp_log_study_done(&study);
	return status;
}

static int run(int argc, char **argv)
{
	struct fields f = { 0 };
	struct lp_error err;
	int first, status = LP_EXIT_OK;

	if (lp_command_begin(&usage, argc, argv, &f, &first, &status)) {
		status = lp_outfile_check(f.output, &kind, &err);
		if (status == 0)
			status = learn(&f, argv + first, (size_t)(argc - first),
				       &err);
		status = status < 0 ? lp_command_fail(&usage, &err)
				    : lp_command_finish(&usage);
	}
	lp_option_list_done(&f.common.rules);
	return status;
}

const struct lp_word lp_logs_word_learn = {
	.name = "learn",
	.usage = &usage,
	.run = run,
};
