/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What charts and maps share.
 */
#ifndef LP_REPORT_SVG_AXIS_H
#define LP_REPORT_SVG_AXIS_H

#include <stdint.h>
#include <stdio.h>

/* Behind "<svg ...": how it is read aloud. */
void lp_svg_head(FILE *out, unsigned id, const char *title,
		 const char *description);
/* Marks at round times; y in pixels. */
void lp_svg_time_axis(FILE *out, int64_t begin_ns, double length_ns, int y);

#endif
