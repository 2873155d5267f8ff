/* SPDX-License-Identifier: Apache-2.0 */
/* The report of a trace, for whoever has one. */
#ifndef LP_CMD_IO_REPORT_H
#define LP_CMD_IO_REPORT_H

#include "io/model/iomodel.h"

struct lp_io_report_options {
	const char *html; /* where the page goes, or NULL */
	bool json;        /* instead of text */
};

/*
 * Judge the trace by the model (NULL: without one), print the report to
 * standard output and write the page.
 */
int lp_io_put_report(const struct lp_io_report_options *options,
		     const char *name, const struct lp_io_trace *trace,
		     const struct lp_io_model *model, struct lp_error *err);

#endif
