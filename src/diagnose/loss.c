/* SPDX-License-Identifier: Apache-2.0 */
#include "diagnose/loss.h"

#include <math.h>

/* The index in the matrix of what the class lost, or -1. */
static long find_loss(const struct lp_matrix *matrix,
		      const struct lp_class *class)
{
	const struct lp_matrix_metric *all = lp_matrix_metrics(matrix);

	for (long i = 0; all[i].class; i++)
		if (all[i].class == class && all[i].metric->role == LP_LOSS)
			return i;
	return -1;
}

bool lp_loss_seen(const struct lp_unit *u,
		  const struct lp_diagnose_input *input, size_t peer,
		  int64_t end_ns)
{
	const struct lp_peer *p = &u->group->peers[peer];
	long loss = find_loss(input->matrix, u->class);
	bool known = false;
	int64_t first, last;

	if (loss < 0)
		return true;
	lp_matrix_points(input->matrix, &first);
	last = (end_ns - first) / input->step_ns;
	for (int64_t k = last - (int64_t)u->params.smooth + 1; k <= last; k++)
		for (size_t i = 0; k >= 0 && i < p->n_parts; i++) {
			double lost =
				lp_matrix_value(input->matrix, (size_t)loss,
						p->parts[i], (size_t)k);

			if (lost > 0)
				return true;
			known = known || !isnan(lost);
		}
	return !known;
}
