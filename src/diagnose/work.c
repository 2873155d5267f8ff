/* SPDX-License-Identifier: Apache-2.0 */
#include "diagnose/work.h"

#include <math.h>

/* 0 in each of these means that no request was completed. */
static bool tells(const struct lp_metric *metric)
{
	return metric->role == LP_LOAD || metric->role == LP_LATENCY ||
	       metric->role == LP_SERVICE;
}

struct lp_work_by lp_work_by(const struct lp_diagnose_input *input)
{
	struct lp_work_by by = { .n = 0 };

	for (size_t m = 0; input->metrics[m].class; m++)
		if (lp_class_is_storage(input->metrics[m].class) &&
		    tells(input->metrics[m].metric) && by.n < LP_WORK_METRICS)
			by.metrics[by.n++] = m;
	return by;
}

enum lp_work lp_work_at(const struct lp_work_by *by,
			const struct lp_diagnose_input *input,
			const struct lp_peer *peer, size_t k)
{
	enum lp_work work = LP_WORK_UNKNOWN;

	for (size_t m = 0; m < by->n; m++)
		for (size_t i = 0; i < peer->n_parts; i++) {
			double v =
				lp_matrix_value(input->matrix, by->metrics[m],
						peer->parts[i], k);

			if (v > 0)
				return LP_WORK_SOME;
			if (!isnan(v))
				work = LP_WORK_NONE;
		}
	return work;
}

size_t lp_work_rest(const struct lp_work_by *by,
		    const struct lp_diagnose_input *input,
		    const struct lp_peer *peer, size_t k, size_t n)
{
	size_t rest = n, known = 0;

	for (size_t m = 0; m < by->n && rest; m++)
		for (size_t i = 0; i < peer->n_parts && rest; i++) {
			size_t seen;

			rest = lp_matrix_quiet(input->matrix, by->metrics[m],
					       peer->parts[i], k, rest, &seen);
			known = seen > known ? seen : known;
		}
	return rest < known ? rest : known;
}

enum lp_work lp_work_during(const struct lp_diagnose_input *input,
			    const struct lp_peer *peer, int64_t since_ns,
			    int64_t until_ns, size_t *seen)
{
	struct lp_work_by by = lp_work_by(input);
	enum lp_work work = LP_WORK_UNKNOWN;
	int64_t first;
	int64_t points = (int64_t)lp_matrix_points(input->matrix, &first);
	int64_t k = (since_ns - first) / input->step_ns + 1;
	size_t n = 0;

	for (k = k < 0 ? 0 : k;
	     k < points && first + k * input->step_ns <= until_ns; k++) {
		enum lp_work at = lp_work_at(&by, input, peer, (size_t)k);

		n += at != LP_WORK_UNKNOWN;
		work = at > work ? at : work;
	}
	if (seen)
		*seen = n;
	return work;
}
