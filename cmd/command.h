/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The commands of limpid.
 *
 * To add one: a file cmd_NAME.c with its struct lp_command (declared below),
 * one line in commands.c, a page man/limpid-NAME.1.scd, and a test in
 * tests/cli/.
 */
#ifndef LP_CMD_COMMAND_H
#define LP_CMD_COMMAND_H

#include "base/option.h"

#include <stdbool.h>

enum {
	LP_EXIT_OK = 0,
	LP_EXIT_ERROR = 1,
	LP_EXIT_USAGE = 2,
	/* With --check: */
	LP_EXIT_FAULT = 3,     /* a component differs from its peers */
	LP_EXIT_UNDECIDED = 4, /* cannot tell */
	/* limpid diagnose --nagios, as plugins have it; 0 is OK: */
	LP_EXIT_NAGIOS_CRITICAL = 2,
	LP_EXIT_NAGIOS_UNKNOWN = 3,
};

struct lp_command {
	const char *name;
	const char *summary;
	/* NULL: run the executable limpid-NAME instead. */
	int (*run)(int argc, char **argv);
	/* Its options, for help and completion; NULL with an executable. */
	const struct lp_usage *usage;
};

extern const struct lp_command lp_command_archive, lp_command_calibrate,
	lp_command_diagnose, lp_command_evaluate, lp_command_export,
	lp_command_failure, lp_command_findings, lp_command_import,
	lp_command_inventory, lp_command_io, lp_command_lab, lp_command_logs,
	lp_command_metrics, lp_command_profile, lp_command_record,
	lp_command_report, lp_command_serve, lp_command_show,
	lp_command_simulate, lp_command_train, lp_command_watch, lp_command_why;

/* All commands, in the order of the help; ended by NULL. */
extern const struct lp_command *const lp_commands[];

/*
 * What every command begins with: parse, and see to --help and errors.
 * True: go on. False: return *status.
 */
bool lp_command_begin(const struct lp_usage *usage, int argc, char **argv,
		      void *fields, int *first_operand, int *status);

/* "limpid show: TEXT" on standard error; returns LP_EXIT_ERROR. */
int lp_command_fail(const struct lp_usage *usage, const struct lp_error *err);
/* The same for what was wrong on the command line: LP_EXIT_USAGE. */
int lp_command_misuse(const struct lp_usage *usage, const struct lp_error *err);

/*
 * Flush standard output. LP_EXIT_OK, or with a line LP_EXIT_ERROR when it
 * could not be written (a full disk); a closed pipe (`| head`) is no error.
 */
int lp_command_finish(const struct lp_usage *usage);

/* Replace this process by the executable limpid-NAME. Returns only at failure.
 */
int lp_command_exec(const struct lp_command *command, int argc, char **argv);

#endif
