/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Options of a command, described once as a table: parsing, --help, the
 * synopsis of its page and shell completion are all made from it.
 *
 * To add an option: one line in the command's table, one field in the
 * command's struct, one paragraph in its page.
 */
#ifndef LP_BASE_OPTION_H
#define LP_BASE_OPTION_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum lp_option_type {
	LP_OPTION_FLAG,     /* bool */
	LP_OPTION_STRING,   /* const char * */
	LP_OPTION_REQUIRED, /* the same, and must be given */
	LP_OPTION_LIST,     /* struct lp_option_list, may be repeated */
	LP_OPTION_UINT,     /* unsigned long */
	LP_OPTION_DURATION, /* int64_t, nanoseconds */
	LP_OPTION_TIME,     /* int64_t, nanoseconds since the epoch */
	LP_OPTION_WHEN,     /* struct lp_when, as people say times */
};

/* Zero-initialise; the texts are argv's; lp_option_list_done frees. */
struct lp_option_list {
	const char **text;
	size_t count, capacity;
};

/* No help is longer. */
#define LP_OPTION_HELP_TEXT 300

struct lp_option {
	char short_name; /* 0: none */
	enum lp_option_type type;
	const char *long_name;
	const char *value; /* what the help calls the value; NULL for flags */
	size_t offset;     /* of the field in the command's struct */
	const char *help;
	/* Instead: writes what a table knows into text, and returns it. */
	const char *(*help_of)(char *text, size_t size);
	/* Of a number or a duration (ns), both inclusive. low 0: no limits;
	   high 0: none above. */
	int64_t low, high;
};

struct lp_usage {
	const char *command;  /* "limpid show" */
	const char *summary;  /* one line */
	const char *operands; /* "FILE...", "" */
	size_t min_operands, max_operands;
	const struct lp_option *options;
	size_t n_options;
	const char *notes; /* further lines of --help, or NULL */
};

#define LP_OPERANDS_ANY ((size_t)-1)

enum lp_option_outcome {
	LP_OPTIONS_RUN = 0,  /* go on */
	LP_OPTIONS_HELP = 1, /* --help was asked for: print and exit 0 */
};

/*
 * Parse argv (argv[0] is the command's own word) into the struct at `fields`.
 * Operands are left in argv from *first_operand on (options may stand
 * between them; "--" ends them). An enum lp_option_outcome, or -EINVAL with a
 * line in err: print it, exit 2.
 */
int lp_options_parse(const struct lp_usage *usage, int argc, char **argv,
		     void *fields, int *first_operand, struct lp_error *err);

/* "limpid import [-f FORMAT] -o OUT FILE...", folded at 80 columns. */
void lp_options_synopsis(const struct lp_usage *usage, FILE *out);
void lp_options_help(const struct lp_usage *usage, FILE *out);

void lp_option_list_done(struct lp_option_list *list);

#endif
