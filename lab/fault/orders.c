/* SPDX-License-Identifier: Apache-2.0 */
#include "fault/orders.h"

#include "base/memory.h"
#include "base/textfile.h"
#include "driver/driver.h"
#include "site/machine.h"
#include "site/retold.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Its length up to the second blank: "option log-level". */
static size_t name_length(const char *option)
{
	const char *blank = strchr(option, ' ');

	return blank ? (size_t)(blank - option) : strlen(option);
}

/*
 *     volume lab-io-threads
 *         type performance/io-threads
 *         option thread-count 16
 *         subvolumes lab-selinux
 *     end-volume
 */
char *lab_orders_with(const char *orders, const char *type, const char *option)
{
	char wanted[128], *text = NULL;
	size_t size, n = name_length(option);
	const char *part, *line;
	FILE *out;

	snprintf(wanted, sizeof(wanted), "    type %s\n", type);
	part = strstr(orders, wanted);
	out = part ? open_memstream(&text, &size) : NULL;
	if (!out)
		return NULL;
	line = part + strlen(wanted);
	fprintf(out, "%.*s    option %s\n", (int)(line - orders), orders,
		option);
	while (*line && strncmp(line, "end-volume", 10) != 0) {
		const char *next = line + strcspn(line, "\n");

		next += *next == '\n';
		if (strncmp(line, "    option ", 11) != 0 ||
		    strncmp(line + 11, option, n) != 0 || line[11 + n] != ' ')
			fprintf(out, "%.*s", (int)(next - line), line);
		line = next;
	}
	fputs(line, out);
	return fclose(out) == 0 ? text : NULL;
}

static int change(struct lab_fault_run *run, const char *program,
		  const char *path, const char *text, struct lp_error *err)
{
	char noted[2 * PATH_MAX];
	int status = lab_retold_note(run->victim, program, path, noted, err);

	if (status == 0)
		status = lab_fault_note(run, LAB_RETOLD, noted, err);
	return status < 0
		       ? status
		       : lab_retold_do(run->victim, program, path, text, err);
}

int lab_orders_start(struct lab_fault_run *run, const char *type,
		     const char *option, struct lp_error *err)
{
	const struct lab_driver *driver =
		lab_driver_find(run->lab->spec.driver);
	lp_auto_free char *before = NULL, *after = NULL;
	char path[PATH_MAX], seen[PATH_MAX];
	int status;

	if (!driver->orders)
		return lp_fail(err, ENOTSUP,
			       "%s is not made for %s: its daemons cannot be "
			       "given other orders one by one",
			       run->fault->name, driver->name);
	status = driver->orders(run->victim, path, err);
	if (status == 0)
		status = lab_path(seen, err, "/proc/%d/root%s",
				  (int)run->victim->holder, path);
	if (status == 0)
		status = lp_text_file_copy(seen, &before, err);
	if (status < 0)
		return status;
	after = lab_orders_with(before, type, option);
	if (!after)
		return lp_fail(err, EIO, "%s has no part of type %s", path,
			       type);
	return change(run, driver->serves, path, after, err);
}
