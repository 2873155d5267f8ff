/* SPDX-License-Identifier: Apache-2.0 */
#include "model/evidence.h"

#include <string.h>

bool lp_evidence_is(const struct lp_evidence *e, const char *kind)
{
	return strcmp(e->kind, kind) == 0;
}
