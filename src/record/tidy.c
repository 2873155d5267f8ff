/* SPDX-License-Identifier: Apache-2.0 */
#include "record/tidy.h"

#include "archive/maintain.h"
#include "base/memory.h"
#include "base/timestamp.h"
#include "record/naming.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

void lp_tidy_add(struct lp_tidy *tidy, const char *path)
{
	char *copy;

	if (tidy->n_waiting == LP_TIDY_FILES)
		return;
	copy = strdup(path);
	if (copy)
		tidy->waiting[tidy->n_waiting++] = copy;
}

static void forget_waiting(struct lp_tidy *tidy)
{
	for (size_t i = 0; i < tidy->n_waiting; i++)
		free(tidy->waiting[i]);
	tidy->n_waiting = 0;
}

void lp_tidy_done(struct lp_tidy *tidy)
{
	forget_waiting(tidy);
}

/* The recorder blocks its signals; the child must not. */
static int spawn(char *const *argv, pid_t *child)
{
	posix_spawnattr_t attributes;
	sigset_t none;
	int code;

	sigemptyset(&none);
	code = posix_spawnattr_init(&attributes);
	if (code)
		return -code;
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
	code = posix_spawn(child, "/proc/self/exe", NULL, &attributes, argv,
			   environ);
	posix_spawnattr_destroy(&attributes);
	return -code;
}

static void start_child(struct lp_tidy *tidy)
{
	char name[] = LP_TIDY_NAME, keep[32], *argv[LP_TIDY_FILES + 5];
	size_t n = 0;

	snprintf(keep, sizeof(keep), "%" PRId64, tidy->keep_ns);
	argv[n++] = name;
	argv[n++] = (char *)(uintptr_t)tidy->dir;
	argv[n++] = (char *)(uintptr_t)tidy->host;
	argv[n++] = keep;
	for (size_t i = 0; i < tidy->n_waiting; i++)
		argv[n++] = tidy->waiting[i];
	argv[n] = NULL;
	if (spawn(argv, &tidy->child) < 0)
		tidy->child = 0;
	forget_waiting(tidy);
}

void lp_tidy_run(struct lp_tidy *tidy)
{
	if (tidy->child > 0 && waitpid(tidy->child, NULL, WNOHANG) == 0)
		return;
	tidy->child = 0;
	if (tidy->n_waiting > 0 || tidy->due)
		start_child(tidy);
	tidy->due = false;
}

/* Whether the archive has a sample at or after the time; errors say yes. */
static bool has_sample_since(const char *path, int64_t since_ns)
{
	struct lp_stream *stream;
	struct lp_query query;
	struct lp_error err;
	struct lp_item item;
	bool found = false;
	int status;

	lp_query_init(&query);
	query.since_ns = since_ns;
	if (lp_archive_open(path, &query, &stream, &err) < 0)
		return true;
	while (!found && (status = lp_stream_next(stream, &item, &err)) > 0) {
		const struct lp_chunk *chunk = item.chunk;

		for (size_t i = 0; chunk && i < chunk->n_samples; i++)
			found |= chunk->time_ns[i] >= since_ns;
	}
	lp_stream_close(stream);
	return found || status < 0;
}

/* One without any sample is just being begun. */
static bool is_old(const char *path, int64_t since_ns)
{
	return !has_sample_since(path, since_ns) &&
	       has_sample_since(path, LP_TIME_MIN);
}

static int remove_old(const char *dir, const char *host, int64_t since_ns,
		      struct lp_error *err)
{
	DIR *entries = opendir(dir);
	const struct dirent *entry;
	int status = 0;

	if (!entries)
		return lp_fail_errno(err, errno, "cannot read %s", dir);
	while ((entry = readdir(entries))) {
		lp_auto_free char *path = NULL;

		if (!lp_archive_is_of(entry->d_name, host))
			continue;
		if (asprintf(&path, "%s/%s", dir, entry->d_name) < 0)
			status = lp_fail_memory(err);
		else if (is_old(path, since_ns) && unlink(path) < 0)
			status = lp_fail_errno(err, errno, "cannot remove %s",
					       path);
	}
	closedir(entries);
	return status;
}

int lp_tidy_up(const char *dir, const char *host, int64_t keep_ns,
	       char *const *paths, size_t n_paths, struct lp_error *err)
{
	struct lp_error ignored;
	int status = 0;

	for (size_t i = 0; i < n_paths; i++) {
		const char *path = paths[i];

		if (lp_archive_compact(&path, 1, path, NULL, NULL,
				       status ? &ignored : err) < 0)
			status = -EIO;
	}
	if (keep_ns > 0 && remove_old(dir, host, lp_time_now() - keep_ns,
				      status ? &ignored : err) < 0)
		status = -EIO;
	return status;
}
