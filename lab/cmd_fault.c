/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid lab fault: a fault on a server, as long as the command runs.
 */
#include "interrupt.h"
#include "word.h"

#include "base/memory.h"
#include "base/nearest.h"
#include "base/number.h"
#include "base/timestamp.h"
#include "fault/fault.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Long enough for a hog to move something, a rule to drop something. */
#define LOOK_NS (3 * LP_NS_PER_S)

struct options {
	const char *dir, *server, *client, *strength;
	int64_t for_ns;
	bool list;
};

static const struct lp_option option_table[] = {
	{ .long_name = "server",
	  .type = LP_OPTION_STRING,
	  .value = "NODE",
	  .offset = offsetof(struct options, server),
	  .help = "server that gets the fault, for example s3" },
	{ .long_name = "client",
	  .type = LP_OPTION_STRING,
	  .value = "NODE",
	  .offset = offsetof(struct options, client),
	  .help = "client that gets the fault, for example c1" },
	{ .long_name = "strength",
	  .type = LP_OPTION_STRING,
	  .value = "X",
	  .offset = offsetof(struct options, strength),
	  .help = "strength in the unit that --list shows (default: the "
		  "first)" },
	{ .long_name = "for",
	  .type = LP_OPTION_DURATION,
	  .value = "TIME",
	  .offset = offsetof(struct options, for_ns),
	  .help = "how long, for example 60s (default: until Ctrl-C)",
	  .low = 1 },
	{ .long_name = "list",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, list),
	  .help = "list the faults and their strengths" },
	LAB_OPTION_DIR(struct options),
};

static const struct lp_usage usage = {
	.command = "limpid lab fault",
	.summary = "Applies a fault to a server while this command runs.",
	.operands = "[NAME]",
	.max_operands = 1,
	.options = option_table,
	.n_options = lp_array_size(option_table),
	.notes = "limpid-lab-fault(7) describes the faults.\n",
};

static void list_strengths(const struct lab_fault *fault)
{
	char text[LP_NUMBER_TEXT];

	for (size_t i = 0; i < LAB_MAX_STRENGTHS && fault->strengths[i] > 0;
	     i++)
		printf("%s%s", i == 0 ? "" : ", ",
		       lp_format_double(fault->strengths[i], text));
	if (fault->strength_unit)
		printf(" %s", fault->strength_unit);
}

static int list(void)
{
	for (size_t i = 0; lab_faults[i]; i++) {
		printf("%-18s %s; ", lab_faults[i]->name,
		       lab_faults[i]->summary);
		list_strengths(lab_faults[i]);
		putchar('\n');
	}
	return lp_command_finish(&usage);
}

static int find_fault(const char *name, const struct lab_fault **fault,
		      struct lp_error *err)
{
	struct lp_nearest nearest = lp_nearest_begin(name);
	char hint[LP_NEAREST_HINT];

	*fault = lab_fault_find(name);
	if (*fault)
		return 0;
	for (size_t i = 0; lab_faults[i]; i++)
		lp_nearest_offer(&nearest, lab_faults[i]->name);
	return lp_fail(err, ENOENT,
		       "there is no fault '%s'%s; 'limpid lab fault "
		       "--list' shows all faults",
		       name, lp_nearest_hint(&nearest, hint));
}

/* What can be said wrong without a lab. */
static int check(const struct options *options, const char *name,
		 const struct lab_fault **fault, double *strength,
		 struct lp_error *err)
{
	const char *text = options->strength;
	int status;

	if (!name)
		return lp_fail(err, EINVAL,
			       "the name of a fault is missing; 'limpid lab "
			       "fault --list' shows all faults");
	status = find_fault(name, fault, err);
	if (status < 0)
		return status;
	*strength = 0;
	if (text && (lp_parse_double(text, strlen(text), strength) < 0 ||
		     !(*strength > 0)))
		return lp_fail(err, EINVAL,
			       "--strength %s: expected a number above 0",
			       text);
	if (!(*fault)->everywhere &&
	    ((*fault)->role == LAB_CLIENT ? !options->client
					  : !options->server))
		return lp_fail(
			err, EINVAL,
			"--%s NODE is missing: the node that gets the fault",
			(*fault)->role == LAB_CLIENT ? "client" : "server");
	return lab_fault_check(*fault, *strength, err);
}

static void say_begin(const struct lab_fault_run *run)
{
	char text[LP_NUMBER_TEXT];

	printf("%s on %s", run->fault->name,
	       run->fault->everywhere ? "all servers" : run->victim->name);
	if (run->fault->strength_unit)
		printf(", %s %s", lp_format_double(run->strength, text),
		       run->fault->strength_unit);
	printf("\n");
	fflush(stdout);
}

/* Does it bite? Said once after a few seconds, and at the end. */
static int look(struct lab_fault_run *run, struct lp_error *err)
{
	int status = lab_fault_bites(run, err);

	printf("%s\n", status < 0 ? err->text : run->seen);
	fflush(stdout);
	return status;
}

/* A fault that has not bitten at its end is an error; before, none. */
static int hold(struct lab_fault_run *run, int64_t for_ns, struct lp_error *err)
{
	const int64_t end_ns =
		for_ns > 0 ? lp_monotonic_now() + for_ns : LP_TIME_MAX;
	int64_t left_ns;

	if (lab_interrupt_wait(for_ns > 0 && for_ns < LOOK_NS ? for_ns
							      : LOOK_NS))
		return 0;
	look(run, err);
	if (end_ns <= lp_monotonic_now())
		return lab_fault_bites(run, err);
	do
		left_ns = end_ns - lp_monotonic_now();
	while (left_ns > 0 &&
	       !lab_interrupt_wait(left_ns < LP_NS_PER_S ? left_ns
							 : LP_NS_PER_S));
	return look(run, err);
}

static int find_victim(const struct lab *lab, const struct options *options,
		       const struct lab_fault *fault,
		       const struct lab_node **victim, struct lp_error *err)
{
	*victim = lab_nth(lab, LAB_SERVER, 0);
	if (fault->everywhere)
		return 0;
	return lab_find(lab,
			fault->role == LAB_CLIENT ? options->client
						  : options->server,
			victim, err);
}

static int put_on(struct lab *lab, const struct options *options,
		  const struct lab_fault *fault, double strength,
		  struct lp_error *err)
{
	const struct lab_node *victim;
	struct lab_fault_run *run;
	int status = find_victim(lab, options, fault, &victim, err), undone;

	if (status == 0)
		status = lab_fault_start(lab, fault, victim, strength, &run,
					 err);
	if (status < 0)
		return status;
	say_begin(run);
	status = hold(run, options->for_ns, err);
	undone = lab_fault_stop(run, status < 0 ? NULL : err);
	if (undone == 0)
		printf("the fault was removed\n");
	return status < 0 ? status : undone;
}

static int run(int argc, char **argv)
{
	struct options options = { .dir = LAB_DIR };
	const struct lab_fault *fault = NULL;
	double strength;
	struct lp_error err;
	struct lab *lab;
	int first, exit_code, status;

	if (!lp_command_begin(&usage, argc, argv, &options, &first, &exit_code))
		return exit_code;
	if (options.list)
		return list();
	if (check(&options, first < argc ? argv[first] : NULL, &fault,
		  &strength, &err) < 0)
		return lp_command_misuse(&usage, &err);
	lab_interrupt_catch();
	status = lab_open(options.dir, false, &lab, &err);
	if (status < 0)
		return lp_command_fail(&usage, &err);
	status = put_on(lab, &options, fault, strength, &err);
	lab_close(lab);
	return status < 0 ? lp_command_fail(&usage, &err)
			  : lp_command_finish(&usage);
}

const struct lp_word lab_word_fault = {
	.name = "fault",
	.usage = &usage,
	.run = run,
};
