/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of archives: HOST-YYYYMMDDTHHMMSSZ.limpid, after their first sample.
 */
#ifndef LP_RECORD_NAMING_H
#define LP_RECORD_NAMING_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

/* A host's name as part of a file's name: no '/', no leading '.'. */
void lp_host_for_file(const char *host, char text[NAME_MAX]);
/* "DIR/HOST-YYYYMMDDTHHMMSSZ.limpid"; you now own it; NULL: no memory. */
char *lp_archive_path(const char *dir, const char *host, int64_t time_ns);
/* Whether the name of a file is that of an archive of this host. */
bool lp_archive_is_of(const char *name, const char *host);

#endif
