/* SPDX-License-Identifier: Apache-2.0 */
#include "source/sa_file.h"

#include "base/tempfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PACKAGE "sysstat"

/* --- running sadf -------------------------------------------------------- */

/* Put the file's name before what went wrong. */
static int name_path(const char *path, int status, struct lp_error *err)
{
	struct lp_error told;

	if (!err || status != -EIO)
		return status;
	told = *err;
	return lp_fail(err, -status, "%s: %.300s%s", path, told.text,
		       strstr(told.text, "ended by signal")
			       ? "; " LP_SADF_ADVICE
			       : "");
}

void lp_sadf_run_set(struct lp_sadf_run *run,
		     const struct lp_sadf_session *session,
		     const char *const *words, const char *const *options)
{
	size_t n = 0;

	run->argv[n++] = "sadf";
	for (; *words; words++)
		run->argv[n++] = *words;
	run->argv[n++] = session->readable;
	if (options) {
		run->argv[n++] = "--";
		for (; *options; options++)
			run->argv[n++] = *options;
	}
	run->argv[n] = NULL;
	run->path = session->path;
}

/* Unless it runs already. */
static int start(struct lp_sadf_run *run, struct lp_error *err)
{
	int status;

	if (run->started)
		return 0;
	status = lp_process_open(run->argv, PACKAGE, &run->process, err);
	run->started = status == 0;
	return status;
}

int lp_sadf_run_line(void *state, char **line, size_t *n, struct lp_error *err)
{
	struct lp_sadf_run *run = state;
	struct lp_process *process;
	int status = start(run, err);

	if (status < 0 || !run->process)
		return status;
	process = run->process;
	status = lp_process_line(process, line, n, err);
	if (status != 0)
		return status;
	run->process = NULL;
	status = lp_process_finish(process, err);
	return run->cut ? 0 : name_path(run->path, status, err);
}

void lp_sadf_run_close(struct lp_sadf_run *run)
{
	lp_process_close(run->process);
	run->process = NULL;
}

/* --- the session --------------------------------------------------------- */

void lp_sadf_session_close(void *state)
{
	struct lp_sadf_session *session = state;

	if (!session)
		return;
	for (size_t i = 0; i < lp_array_size(session->runs); i++)
		lp_sadf_run_close(&session->runs[i]);
	if (session->file)
		lp_sa_file_done(session->file);
	free(session->file);
	if (session->converted >= 0)
		close(session->converted);
	free(session->path);
	free(session->readable);
	free(session);
}

/* sadf takes "15" for an interval and "-x" for an option. */
static char *plain_path(const char *path)
{
	char *text;

	if (path[0] == '/')
		return strdup(path);
	return asprintf(&text, "./%s", path) < 0 ? NULL : text;
}

struct lp_sadf_session *lp_sadf_session_new(const char *path,
					    const char *content)
{
	struct lp_sadf_session *session = calloc(1, sizeof(*session));

	if (!session)
		return NULL;
	session->converted = -1;
	session->path = strdup(path);
	session->readable = plain_path(content ? content : path);
	if (session->path && session->readable)
		return session;
	lp_sadf_session_close(session);
	return NULL;
}

/* --- older formats ------------------------------------------------------- */

/* sadf -c OLD, into the nameless file. */
static int convert_into(struct lp_sadf_session *session,
			struct lp_temp_file *file, struct lp_error *err)
{
	static const char *const words[] = { "-c", NULL };
	struct lp_sadf_run run = { 0 };
	char bytes[65536];
	size_t got;
	int status;

	lp_sadf_run_set(&run, session, words, NULL);
	status = start(&run, err);
	if (status < 0)
		return status;
	while ((status = lp_process_read(run.process, bytes, sizeof(bytes),
					 &got, err)) > 0) {
		status = lp_temp_file_write(file, bytes, got, session->path,
					    err);
		if (status < 0)
			break;
	}
	if (status < 0) {
		lp_sadf_run_close(&run);
		return status;
	}
	return name_path(session->path, lp_process_finish(run.process, err),
			 err);
}

int lp_sadf_session_convert(struct lp_sadf_session *session,
			    struct lp_error *err)
{
	char path[LP_TEMP_PATH], *readable;
	struct lp_temp_file file;
	int status = lp_temp_file_open(&file, err);

	if (status < 0)
		return status;
	session->converted = file.fd;
	status = convert_into(session, &file, err);
	if (status < 0)
		return status;
	/* sadf is another process: it finds the file through ours. */
	readable = strdup(lp_temp_path(file.fd, path));
	if (!readable)
		return lp_fail_memory(err);
	free(session->readable);
	session->readable = readable;
	return 0;
}
