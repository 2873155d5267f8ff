/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Helpers: the executables limpid-NAME that need libraries which limpid itself
 * does not link.
 */
#ifndef LP_BASE_HELPER_H
#define LP_BASE_HELPER_H

#include <limits.h>

/*
 * Where limpid-NAME is: in the directory that the variable LIMPID_LIBEXEC
 * names, if it is set; beside this executable (an uninstalled build); in its
 * ../libexec/limpid (an installed tree, wherever it was moved to); where limpid
 * was to be installed. 0, or -ENOENT with the path where it should be.
 */
int lp_helper_path(const char *name, char path[PATH_MAX]);

/* The same for liblimpid-io.so, which in an uninstalled build is in
 * io/preload/ beside the executable's directory. */
int lp_helper_preload(char path[PATH_MAX]);

/* And for limpid-payload.so, in lab/inject/. */
int lp_helper_payload(char path[PATH_MAX]);

#endif
