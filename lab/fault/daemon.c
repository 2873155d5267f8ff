/* SPDX-License-Identifier: Apache-2.0 */
#include "fault/daemon.h"

#include "base/memory.h"
#include "driver/driver.h"
#include "site/residents.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int lab_daemon_find(const struct lab *lab, const struct lab_node *server,
		    pid_t *pid, struct lp_error *err)
{
	const char *program = lab_driver_find(lab->spec.driver)->serves;

	*pid = 0;
	return lab_residents(server->holder, program, 0, pid) > 0
		       ? 0
		       : lp_fail(err, ENOENT, "no %s runs on %s", program,
				 server->name);
}

/* "NSpid:	4711	23": the last is that of the innermost namespace. */
int lab_daemon_inner_pid(pid_t pid, pid_t *inner, struct lp_error *err)
{
	char path[64], line[256];
	lp_auto_fclose FILE *file = NULL;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file))
		if (strncmp(line, "NSpid:", 6) == 0) {
			*inner = (pid_t)strtol(strrchr(line, '\t'), NULL, 10);
			return 0;
		}
	return lp_fail(err, EIO, "%s does not say NSpid", path);
}
