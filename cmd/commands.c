/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"

#include <stddef.h>

const struct lp_command *const lp_commands[] = {
	&lp_command_record,
	&lp_command_import,
	&lp_command_watch,
	&lp_command_serve,
	&lp_command_diagnose,
	&lp_command_why,
	&lp_command_report,
	&lp_command_findings,
	&lp_command_train,
	&lp_command_calibrate,
	&lp_command_show,
	&lp_command_inventory,
	&lp_command_export,
	&lp_command_io,
	&lp_command_logs,
	&lp_command_profile,
	&lp_command_archive,
	&lp_command_metrics,
	&lp_command_simulate,
	&lp_command_evaluate,
	&lp_command_lab,
	&lp_command_failure,
	NULL,
};
