/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What was to be read and was not: one bad file does not stop a hundred good
 * ones, but nobody must be left to think that it was read.
 */
#include "inputs.h"

#include "table/input.h"

#include "base/visible.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Lines on standard error; the rest is counted. */
#define MOST_LINES 20
/* From here on it pays to make an archive of them first. */
#define MUCH_CSV ((off_t)100000000)
/* Names of files that are no recordings. */
#define MOST_NAMES 3

static bool is_known(const struct lp_inputs *inputs, size_t input)
{
	for (size_t i = 0; i < inputs->n_faults; i++)
		if (input != LP_INPUT_NONE && inputs->faults[i].input == input)
			return true;
	return false;
}

int lp_inputs_fault(struct lp_inputs *inputs, size_t input, bool part,
		    const char *reason)
{
	struct lp_input_fault fault = { .input = input, .part = part };

	/* Files are read several times; the first time tells. */
	if (is_known(inputs, input))
		return 0;
	if (lp_grow(&inputs->faults, &inputs->faults_capacity,
		    inputs->n_faults + 1, sizeof(fault)) < 0)
		return -ENOMEM;
	fault.reason = strdup(reason);
	if (asprintf(&fault.text, "%s: %s", part ? "read in part" : "left out",
		     reason) < 0)
		fault.text = NULL;
	if (!fault.reason || !fault.text) {
		free(fault.reason);
		free(fault.text);
		return -ENOMEM;
	}
	inputs->faults[inputs->n_faults++] = fault;
	return 0;
}

int lp_inputs_nothing(const struct lp_inputs *inputs, struct lp_error *err)
{
	if (inputs->n_faults == 0)
		return lp_fail(err, ENODATA, "there is nothing to read");
	if (inputs->n_faults == 1)
		return lp_fail(err, EINVAL, "%s", inputs->faults[0].reason);
	return lp_fail(err, EINVAL, "none of the %zu inputs can be read",
		       inputs->n_faults);
}

bool lp_inputs_gave_up(const struct lp_inputs *inputs)
{
	for (size_t i = 0; i < inputs->n_faults; i++)
		if (inputs->faults[i].input == LP_INPUT_NONE)
			return true;
	return inputs->n_failed > 0;
}

size_t lp_inputs_left_out(const struct lp_inputs *inputs, bool part)
{
	size_t n = 0;

	for (size_t i = 0; i < inputs->n_faults; i++)
		n += inputs->faults[i].part == part;
	return n;
}

void lp_inputs_hint(const struct lp_inputs *inputs, const char *command)
{
	struct lp_error err;
	struct stat st;
	off_t bytes = 0;

	for (size_t i = 0; i < inputs->n; i++)
		if (stat(inputs->paths[i], &st) == 0 && S_ISREG(st.st_mode) &&
		    st.st_size > MUCH_CSV / 100 &&
		    lp_input_recognise(inputs->paths[i], "csv", &err) > 0)
			bytes += st.st_size;
	if (bytes > MUCH_CSV)
		fprintf(stderr,
			"%s: %lld MB of CSV are converted each time; if you "
			"read them often, convert them to an archive first: "
			"'limpid import -o FILE.limpid ...'\n",
			command, (long long)bytes / 1000000);
}

static void warn_of_others(const struct lp_inputs *inputs, const char *command)
{
	uint32_t n = inputs->others.count;

	if (n == 0)
		return;
	fprintf(stderr, "%s: %u %s left out: not %s (", command, n,
		n == 1 ? "file was" : "files were",
		n == 1 ? "a recording" : "recordings");
	for (uint32_t i = 0; i < n && i < MOST_NAMES; i++)
		fprintf(stderr, "%s%s", i ? ", " : "",
			lp_shown(inputs->others.text[i]));
	fputs(n > MOST_NAMES ? ", ...); 'limpid inventory -v' lists them\n"
			     : ")\n",
	      stderr);
}

static void warn_of_newer(const struct lp_inputs *inputs, const char *command)
{
	uint32_t files = inputs->newer.count;
	unsigned long long n = inputs->n_newer;

	if (files == 0)
		return;
	fprintf(stderr, "%s: %llu %s of %s", command, n,
		n == 1 ? "block" : "blocks", lp_shown(inputs->newer.text[0]));
	if (files > 1)
		fprintf(stderr, " and %u other %s", files - 1,
			files == 2 ? "file" : "files");
	fprintf(stderr, " %s skipped: a newer limpid wrote %s\n",
		n == 1 ? "was" : "were", n == 1 ? "it" : "them");
}

void lp_inputs_warn(const struct lp_inputs *inputs, const char *command)
{
	warn_of_newer(inputs, command);
	/* Then it is the error, or there was another before all was read. */
	if (inputs->n_faults == 1 && inputs->n_failed == inputs->n)
		return;
	for (size_t i = 0; i < inputs->n_faults && i < MOST_LINES; i++)
		fprintf(stderr, "%s: %s\n", command,
			lp_shown(inputs->faults[i].text));
	if (inputs->n_faults > MOST_LINES)
		fprintf(stderr, "%s: and %zu more inputs left out\n", command,
			inputs->n_faults - MOST_LINES);
	warn_of_others(inputs, command);
}

size_t lp_inputs_notes(struct lp_inputs *inputs, const char **notes,
		       size_t room)
{
	size_t n = inputs->n_faults < room ? inputs->n_faults : room;

	for (size_t i = 0; i < n; i++)
		notes[i] = inputs->faults[i].text;
	if (inputs->n_faults <= room)
		return n;
	free(inputs->more);
	if (asprintf(&inputs->more, "left out: %zu more inputs",
		     inputs->n_faults - room + 1) < 0)
		inputs->more = NULL;
	if (inputs->more)
		notes[n - 1] = inputs->more;
	return n;
}

void lp_inputs_faults_done(struct lp_inputs *inputs)
{
	for (size_t i = 0; i < inputs->n_faults; i++) {
		free(inputs->faults[i].text);
		free(inputs->faults[i].reason);
	}
	free(inputs->faults);
	free(inputs->more);
	lp_names_done(&inputs->others);
}
