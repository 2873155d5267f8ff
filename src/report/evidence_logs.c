/* SPDX-License-Identifier: Apache-2.0 */
/* What logs say: a sentence with the file, the line and its text. */
#include "report/evidence_kind.h"

const struct lp_evidence_kind lp_evidence_logs = {
	.name = LP_EVIDENCE_LOGS,
};

const struct lp_evidence_kind lp_evidence_logs_verdict = {
	.name = LP_EVIDENCE_LOGS_VERDICT,
};
