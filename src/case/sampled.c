/* SPDX-License-Identifier: Apache-2.0 */
#include "case/sampled.h"

#include <errno.h>

/* So much is read before it is judged and forgotten. */
#define SLICE_NS (60 * LP_NS_PER_S)

struct passing {
	struct lp_diagnose_input input; /* its matrix: of the samples */
	struct lp_matrix *matrix;
	struct lp_plan *plan;
	struct lp_units *units;
	const struct lp_diagnose_options *options;
	size_t bound;      /* components that the plan knows of the matrix */
	int64_t judged_ns; /* up to there */
};

/* No sample of this time or before will come. */
static int judge(struct passing *p, int64_t until_ns, struct lp_error *err)
{
	size_t n = lp_matrix_components(p->matrix), points;
	int status = lp_matrix_close(p->matrix, until_ns, err);
	int64_t first = 0;

	p->judged_ns = until_ns;
	if (status < 0)
		return status;
	if (p->bound != n &&
	    lp_plan_bind(p->plan, p->input.recording, p->matrix) < 0)
		return lp_fail_memory(err);
	p->bound = n;
	status = lp_units_push(p->units, &p->input, p->options,
			       until_ns == LP_TIME_MAX);
	if (status < 0)
		return status == -ENOMEM
			       ? lp_fail_memory(err)
			       : lp_fail_errno(err, -status, "cannot diagnose");
	points = lp_matrix_points(p->matrix, &first);
	if (points)
		lp_matrix_drop(p->matrix, first + (int64_t)(points - 1) *
							  p->input.sample_ns);
	return 0;
}

/* Chunks come in the order in which they begin. */
static int pass_by(struct passing *p, struct lp_stream *stream,
		   struct lp_error *err)
{
	struct lp_item item;
	int status;

	while ((status = lp_stream_next(stream, &item, err)) > 0) {
		int64_t complete = lp_item_time(&item) - 2 * p->input.sample_ns;

		status = 0;
		if (item.kind == LP_ITEM_CHUNK &&
		    complete - SLICE_NS >= p->judged_ns)
			status = judge(p, complete, err);
		if (status == 0)
			status = lp_matrix_put(p->matrix, &item, err);
		if (status < 0)
			return status;
	}
	return status < 0 ? status : judge(p, LP_TIME_MAX, err);
}

int lp_sampled_push(const struct lp_case_config *config,
		    const struct lp_diagnose_input *input, struct lp_plan *plan,
		    struct lp_units *units,
		    const struct lp_diagnose_options *options,
		    struct lp_error *err)
{
	struct lp_matrix_options how = {
		.step_ns = config->sample_ns,
		.since_ns = config->since_ns,
		.until_ns = config->until_ns,
		.metrics = config->metrics,
	};
	struct passing p = {
		.input = *input,
		.plan = plan,
		.units = units,
		.options = options,
	};
	struct lp_stream *stream;
	int status = config->samples(config->samples_user, &stream, err);

	if (status < 0)
		return status;
	p.input.matrix = p.matrix = lp_matrix_new(&how);
	status = p.matrix ? pass_by(&p, stream, err) : lp_fail_memory(err);
	lp_stream_close(stream);
	if (lp_plan_bind(plan, input->recording, input->matrix) < 0 &&
	    status == 0)
		status = lp_fail_memory(err);
	lp_matrix_free(p.matrix);
	return status;
}
