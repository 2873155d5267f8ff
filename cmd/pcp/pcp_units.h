/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From PCP's units and types to those of limpid's columns, exactly.
 */
#ifndef LP_CMD_PCP_UNITS_H
#define LP_CMD_PCP_UNITS_H

#include "pcp_mapping.h"

#include <pcp/pmapi.h>

/* A value times `times`, divided by `by`. */
struct lp_pcp_scale {
	uint64_t times, by;
};

/* False: they measure different things. */
bool lp_pcp_scale_init(struct lp_pcp_scale *scale, const pmUnits *from,
		       struct lp_pcp_unit to);

/* Modulo 2^64, as a counter that wraps there. */
uint64_t lp_pcp_scale_u64(const struct lp_pcp_scale *scale, uint64_t v);
double lp_pcp_scale_f64(const struct lp_pcp_scale *scale, double v);

/*
 * At which power of two a counter of this type wraps, once scaled, if the
 * kernel's own wraps at 2^kernel_width.
 */
uint8_t lp_pcp_width(int type, const struct lp_pcp_scale *scale,
		     uint8_t kernel_width);

/*
 * A value of a result as 64 bits: an integer, or a double's if *real is set.
 * False: it is no number, or negative.
 */
bool lp_pcp_value(int type, int format, const pmValue *value, uint64_t *bits,
		  bool *real);
/* A text of a result, in place; NULL: it is none. */
const char *lp_pcp_text(int type, int format, const pmValue *value);

#endif
