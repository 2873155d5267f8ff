/* SPDX-License-Identifier: Apache-2.0 */
#include "io_load.h"

#include "base/number.h"
#include "base/visible.h"

#include <inttypes.h>

int lp_io_load(const struct lp_usage *usage, const char *path,
	       struct lp_io_trace **trace, struct lp_error *err)
{
	int status = lp_io_trace_read(path, trace, err);
	char name[1024];

	if (status < 0)
		return status;
	lp_visible_text(name, sizeof(name), path);
	if ((*trace)->n_damaged > 0)
		fprintf(stderr,
			"%s: warning: %s: %" PRIu64 " damaged %s left "
			"out, the first at offset %" PRIu64 ": %s\n",
			usage->command, name, (*trace)->n_damaged,
			lp_plural((*trace)->n_damaged, "piece", "pieces"),
			(*trace)->damage_offset, (*trace)->damage);
	if ((*trace)->n_lost > 0)
		fprintf(stderr,
			"%s: warning: %s: %" PRIu64
			" %s not stored: there was no space\n",
			usage->command, name, (*trace)->n_lost,
			lp_plural((*trace)->n_lost, "operation was",
				  "operations were"));
	return 0;
}
