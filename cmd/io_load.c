/* SPDX-License-Identifier: Apache-2.0 */
#include "io_load.h"

#include <inttypes.h>

int lp_io_load(const struct lp_usage *usage, const char *path,
	       struct lp_io_trace **trace, struct lp_error *err)
{
	int r = lp_io_trace_read(path, trace, err);

	if (r < 0)
		return r;
	if ((*trace)->n_damaged > 0)
		fprintf(stderr,
			"%s: warning: %s: %" PRIu64 " damaged piece%s left "
			"out, the first at offset %" PRIu64 ": %s\n",
			usage->command, path, (*trace)->n_damaged,
			(*trace)->n_damaged == 1 ? "" : "s",
			(*trace)->damage_offset, (*trace)->damage);
	if ((*trace)->n_lost > 0)
		fprintf(stderr,
			"%s: warning: %s: %" PRIu64 " operations were not "
			"kept: there was no room\n",
			usage->command, path, (*trace)->n_lost);
	return 0;
}
