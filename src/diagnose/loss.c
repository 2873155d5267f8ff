/* SPDX-License-Identifier: Apache-2.0 */
#include "diagnose/loss.h"

#include <math.h>

/* The index of "retrans" in the matrix, or -1. */
static long find_retrans(const struct lp_matrix *matrix)
{
	const struct lp_metric *retrans =
		lp_class_metric(&lp_class_tcp, "retrans");
	const struct lp_matrix_metric *all = lp_matrix_metrics(matrix);

	for (long i = 0; all[i].class; i++)
		if (all[i].metric == retrans)
			return i;
	return -1;
}

bool lp_loss_seen(const struct lp_unit *u,
		  const struct lp_diagnose_input *input, size_t peer,
		  int64_t end_ns)
{
	const struct lp_peer *p = &u->group->peers[peer];
	long retrans = find_retrans(input->matrix);
	bool known = false;
	int64_t first, last;

	if (retrans < 0)
		return true;
	lp_matrix_points(input->matrix, &first);
	last = (end_ns - first) / input->step_ns;
	for (int64_t k = last - (int64_t)u->params.smooth + 1; k <= last; k++)
		for (size_t i = 0; k >= 0 && i < p->n_parts; i++) {
			double again =
				lp_matrix_value(input->matrix, (size_t)retrans,
						p->parts[i], (size_t)k);

			if (again > 0)
				return true;
			known = known || !isnan(again);
		}
	return !known;
}
