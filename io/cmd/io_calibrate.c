/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid io calibrate: what I/O takes on this client and file system, by cause.
 */
#include "io.h"
#include "io_bench.h"
#include "io_load.h"
#include "io_parts.h"
#include "io_store.h"
#include "outputs.h"
#include "progress.h"

#include "io/model/origin.h"
#include "io/model/trainer.h"
#include "io/report/io_reports.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct options {
	const char *model, *file_size, *buffer;
	bool quick, fresh, keep;
};

static const struct lp_option table[] = {
	{ .short_name = 'm',
	  .long_name = "model",
	  .type = LP_OPTION_STRING,
	  .value = "FILE",
	  .offset = offsetof(struct options, model),
	  .help = "write the model to FILE (default: see below)" },
	{ .long_name = "quick",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, quick),
	  .help = "use fewer sizes and operations: 1 to 2 minutes" },
	{ .long_name = "file-size",
	  .type = LP_OPTION_STRING,
	  .value = "BYTES",
	  .offset = offsetof(struct options, file_size),
	  .help = "size of the file (default 1G, with --quick 256M)" },
	{ .long_name = "buffer",
	  .type = LP_OPTION_STRING,
	  .value = "BYTES",
	  .offset = offsetof(struct options, buffer),
	  .help = "memory to use (default 256M, with --quick 128M)" },
	{ .long_name = "fresh",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, fresh),
	  .help = "measure everything again, also finished parts" },
	{ .long_name = "keep",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, keep),
	  .help = "keep the traces from which the model was made" },
};

static const struct lp_usage usage = {
	.command = "limpid io calibrate",
	.summary = "Measures this client and file system, and makes a model of "
		   "them.",
	.operands = "DIRECTORY",
	.min_operands = 1,
	.max_operands = 1,
	.options = table,
	.n_options = lp_array_size(table),
	.notes = "The model is stored in $XDG_DATA_HOME/limpid/io or "
		 "~/.local/share/limpid/io,\nunder the names of the host and "
		 "the file system. limpid io run finds it there.\nAll files in "
		 "DIRECTORY are removed at the end. After an interruption, run "
		 "it\nagain to continue.\n",
};

struct calibration {
	const struct options *options;
	char model[PATH_MAX], parts[PATH_MAX];
	struct lp_bench bench;
	struct lp_io_trainer *trainer;
	size_t measured, taken; /* parts */
	bool wrong;             /* the command line was */
};

/* Parts. */

static int keep_part(const char *path, const struct lp_bench_result *result,
		     struct lp_error *err)
{
	struct lp_outfile file;
	int status = lp_outfile_open(&file, path, err);

	if (status < 0)
		return status;
	fwrite(result->bytes, 1, result->n_bytes, file.out);
	return lp_outfile_commit(&file, err);
}

static int measure_part(struct calibration *c, const struct lp_io_part *part,
			const char *path, struct lp_error *err)
{
	struct lp_bench_result result;
	char doubt[256];
	int status = lp_bench_do(&c->bench, &part->run, false, &result, err);

	if (status < 0)
		return status;
	if (!result.cut_short &&
	    *lp_io_bench_doubt(&part->run, &result, doubt, sizeof(doubt)))
		fprintf(stderr, "limpid io calibrate: warning: %s\n", doubt);
	status = keep_part(path, &result, err);
	if (status == 0)
		status = lp_io_trainer_add(c->trainer, part->factor,
					   result.trace, err);
	lp_bench_result_done(&result);
	c->measured++;
	return status;
}

/* Whether it was measured before, and can be read. */
static bool take_part(struct calibration *c, const struct lp_io_part *part,
		      const char *path)
{
	struct lp_io_trace *trace = NULL;
	struct lp_error ignored;
	bool good;

	if (c->options->fresh || access(path, R_OK) < 0 ||
	    lp_io_trace_read(path, &trace, &ignored) < 0)
		return false;
	good = trace->n_damaged == 0 && trace->n_operations > 0 &&
	       lp_io_trainer_add(c->trainer, part->factor, trace, &ignored) ==
		       0;
	lp_io_trace_free(trace);
	c->taken += good;
	return good;
}

static void name_part(const struct calibration *c,
		      const struct lp_io_part *part, char path[PATH_MAX])
{
	char label[LP_BENCH_LABEL];

	snprintf(path, PATH_MAX, "%.3800s/%s-%" PRIu64 "-%" PRIu64 ".iotrace",
		 c->parts, lp_bench_run_label(&part->run, label),
		 part->run.file_bytes, part->run.repeats);
}

static int do_parts(struct calibration *c, const struct lp_io_parts *parts,
		    struct lp_error *err)
{
	struct lp_progress progress;
	int status = 0;

	lp_progress_begin(&progress, "calibrating", "parts");
	for (size_t i = 0; i < parts->n && status == 0; i++) {
		char path[PATH_MAX];

		lp_progress_update(&progress, (double)i / (double)parts->n, i);
		name_part(c, &parts->part[i], path);
		if (!take_part(c, &parts->part[i], path))
			status = measure_part(c, &parts->part[i], path, err);
	}
	lp_progress_end(&progress);
	return status;
}

static void remove_parts(const struct calibration *c,
			 const struct lp_io_parts *parts)
{
	for (size_t i = 0; i < parts->n; i++) {
		char path[PATH_MAX];

		name_part(c, &parts->part[i], path);
		unlink(path);
	}
	rmdir(c->parts);
}

/* The model. */

static int write_model(const struct calibration *c,
		       const struct lp_io_model *model, struct lp_error *err)
{
	struct lp_outfile file;
	int status =
		lp_outfile_create(&file, c->model, &lp_outkind_io_model, err);

	if (status < 0)
		return status;
	if (lp_io_model_write(file.out, model) < 0) {
		lp_outfile_abandon(&file);
		return lp_fail_memory(err);
	}
	return lp_outfile_commit(&file, err);
}

/* Every size counts alike: operations of 4 KiB are to be judged as well as
 * those of 16 MiB. What lies in a gap between two factors was disturbed, and
 * belongs to the nearer one. */
static int make_model(struct calibration *c, const char *directory,
		      struct lp_error *err)
{
	struct lp_io_training training = { .weights = LP_IO_RELATIVE,
					   .edges = LP_IO_BETWEEN };
	struct lp_io_model model = { .n_factors = 0 };
	struct lp_arena arena = { 0 };
	int status =
		lp_io_origin_here(&training.origin, &arena, directory, err);

	if (status == 0)
		status = lp_io_trainer_finish(c->trainer, &training, &model,
					      err);
	if (status == 0)
		status = write_model(c, &model, err);
	if (status == 0) {
		lp_report_io_model_text(stdout, &model);
		printf("\nThe model is %s\n", c->model);
	}
	lp_io_model_done(&model);
	lp_arena_done(&arena);
	return status;
}

static int find_places(struct calibration *c, const char *directory,
		       struct lp_error *err)
{
	int status = 0;

	if (c->options->model)
		snprintf(c->model, sizeof(c->model), "%s", c->options->model);
	else
		status = lp_io_store_path(directory, ".model", c->model, err);
	if (status < 0)
		return status;
	snprintf(c->parts, sizeof(c->parts), "%.4000s.parts/", c->model);
	status = lp_io_store_make(c->parts, err);
	c->parts[strlen(c->parts) - 1] = '\0';
	return status;
}

/* A process that waits for the processor in the middle of an operation looks
 * as if it had waited for a disk. */
static void warn_if_busy(void)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	double load;

	if (getloadavg(&load, 1) == 1 && load > (double)cores / 2)
		fprintf(stderr,
			"limpid io calibrate: warning: this machine is busy "
			"(load %.1f, %ld cores): operations will seem slower "
			"than they are\n",
			load, cores);
}

static int calibrate(struct calibration *c, const char *directory,
		     struct lp_error *err)
{
	struct lp_io_parts parts = { 0 };
	int status = lp_io_parts_make(&parts, c->options->quick,
				      c->options->file_size, c->options->buffer,
				      err);

	c->wrong = status == -EINVAL;
	if (status == 0)
		status = find_places(c, directory, err);
	if (status == 0) {
		warn_if_busy();
		status = lp_bench_open(&c->bench, directory,
				       lp_io_bench_signals(), err);
	}
	if (status == 0)
		status = do_parts(c, &parts, err);
	/* Before the model: its making cannot be interrupted. */
	lp_bench_close(&c->bench);
	if (status == 0)
		status = make_model(c, directory, err);
	if (status == 0 && !c->options->keep)
		remove_parts(c, &parts);
	if (status == -ECANCELED)
		fprintf(stderr,
			"limpid io calibrate: interrupted; its files in %s "
			"were removed; %zu of %zu parts are stored in %s and "
			"will not be measured again\n",
			directory, c->measured + c->taken, parts.n, c->parts);
	lp_io_parts_done(&parts);
	return status;
}

/* Parts of the measurement are kept beside it. */
static int check_model(const char *path, struct lp_error *err)
{
	const struct lp_output output = { "-m", path, &lp_outkind_io_model };

	if (path && lp_is_stdout(path))
		return lp_fail(err, EINVAL,
			       "-m -: the model needs a file, because "
			       "measurements are stored next to it");
	return lp_outputs_check(&output, 1, NULL, err);
}

static int run(int argc, char **argv)
{
	struct options options = { 0 };
	struct calibration c = { .options = &options };
	struct lp_error err;
	int first, exit_code, status;

	if (!lp_command_begin(&usage, argc, argv, &options, &first, &exit_code))
		return exit_code;
	if (check_model(options.model, &err) < 0)
		return lp_command_misuse(&usage, &err);
	c.trainer = lp_io_trainer_new();
	status = c.trainer ? calibrate(&c, argv[first], &err)
			   : lp_fail_memory(&err);
	lp_io_trainer_free(c.trainer);
	if (status == -ECANCELED)
		return LP_EXIT_ERROR;
	if (c.wrong)
		return lp_command_misuse(&usage, &err);
	if (status < 0)
		return lp_command_fail(&usage, &err);
	return lp_command_finish(&usage);
}

const struct lp_word lp_io_word_calibrate = {
	.name = "calibrate",
	.usage = &usage,
	.run = run,
};
