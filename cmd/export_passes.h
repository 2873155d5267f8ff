/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The passes of `limpid export` over its inputs: a survey first where a format
 * names its columns before the values, then what is written.
 */
#ifndef LP_CMD_EXPORT_PASSES_H
#define LP_CMD_EXPORT_PASSES_H

#include "inputs.h"
#include "outputs.h"
#include "progress.h"

#include "export/export.h"
#include "survey/survey.h"

/* Zero-initialise but for the selection. */
struct lp_export {
	const struct lp_selection *selection;
	struct lp_inputs inputs;
	struct lp_survey survey;
	struct lp_outputs outputs;
	struct lp_outkind kind; /* of what is written */
	struct lp_progress progress;
	/* The pass that is under way, of how many. */
	size_t pass, n_passes;
	struct lp_openmetrics *family;
	struct lp_export_csv **csv; /* by class of the survey */
};

/* -EEXIST: the command line was wrong: a host is not known. */
typedef int lp_export_fn(struct lp_export *e, struct lp_error *err);
lp_export_fn lp_export_run_csv, lp_export_run_json, lp_export_run_openmetrics;

#endif
