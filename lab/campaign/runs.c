/* SPDX-License-Identifier: Apache-2.0 */
#include "campaign/runs.h"

#include "base/memory.h"
#include "base/outfile.h"
#include "base/textfile.h"
#include "site/machine.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COPY "campaign.conf"
/* More attempts than anybody makes. */
#define MOST_FAILURES 1000u

static int make_dir(const char *path, struct lp_error *err)
{
	if (mkdir(path, 0777) < 0 && errno != EEXIST)
		return lp_fail_errno(err, errno, "cannot make %s", path);
	return 0;
}

/* ---- the campaign's file ---- */

static int write_copy(const char *path, const char *text, struct lp_error *err)
{
	struct lp_outfile file;
	int status = lp_outfile_open(&file, path, err);

	if (status < 0)
		return status;
	fputs(text, file.out);
	return lp_outfile_commit(&file, err);
}

static int compare_copy(const char *path, const char *campaign_path,
			const char *text, struct lp_error *err)
{
	struct lp_text_file kept = { 0 };
	int status = lp_text_file_open(&kept, path, err);

	if (status < 0)
		return status;
	if (kept.n != strlen(text) || memcmp(kept.text, text, kept.n) != 0)
		status = lp_fail(
			err, EEXIST,
			"%s is not %s: use another directory, or that file",
			path, campaign_path);
	lp_text_file_close(&kept);
	return status;
}

int lab_runs_open(const char *dir, const char *campaign_path, const char *text,
		  struct lp_error *err)
{
	char path[PATH_MAX];
	int status = lab_path(path, err, "%s/" COPY, dir);

	if (status == 0)
		status = make_dir(dir, err);
	if (status < 0)
		return status;
	return access(path, F_OK) == 0
		       ? compare_copy(path, campaign_path, text, err)
		       : write_copy(path, text, err);
}

/* ---- runs ---- */

static int remove_one(const char *path, const struct stat *st, int kind,
		      struct FTW *at)
{
	(void)st, (void)kind, (void)at;
	return remove(path) < 0 && errno != ENOENT ? -errno : 0;
}

int lab_runs_remove(const char *path)
{
	struct stat st;

	if (lstat(path, &st) < 0)
		return errno == ENOENT ? 0 : -errno;
	return nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

bool lab_runs_has(const char *dir, const char *name)
{
	char path[PATH_MAX];

	return lab_path(path, NULL, "%s/%s/truth.json", dir, name) == 0 &&
	       access(path, F_OK) == 0;
}

int lab_runs_begin(const char *dir, const char *name, char path[PATH_MAX],
		   struct lp_error *err)
{
	int status = lab_path(path, err, "%s/.%s", dir, name);

	if (status < 0)
		return status;
	status = lab_runs_remove(path);
	if (status < 0)
		return lp_fail_errno(err, -status, "cannot remove %s", path);
	return make_dir(path, err);
}

static int move(const char *from, const char *to, struct lp_error *err)
{
	if (rename(from, to) < 0)
		return lp_fail_errno(err, errno, "cannot rename %s to %s", from,
				     to);
	return 0;
}

/* What was written must be there before the name says that it is. */
static void sync_dir(const char *path)
{
	lp_auto_close int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0)
		syncfs(fd);
}

int lab_runs_commit(const char *dir, const char *name, struct lp_error *err)
{
	char from[PATH_MAX], to[PATH_MAX];
	int status = lab_path(from, err, "%s/.%s", dir, name);

	if (status == 0)
		status = lab_path(to, err, "%s/%s", dir, name);
	if (status < 0)
		return status;
	sync_dir(from);
	return move(from, to, err);
}

static int failed_path(char path[PATH_MAX], const char *dir, const char *name,
		       unsigned attempt, struct lp_error *err)
{
	return lab_path(path, err, "%s/failed/%s.%u", dir, name, attempt);
}

unsigned lab_runs_failures(const char *dir, const char *name)
{
	char path[PATH_MAX];
	unsigned n = 0;

	while (n < MOST_FAILURES &&
	       failed_path(path, dir, name, n + 1, NULL) == 0 &&
	       access(path, F_OK) == 0)
		n++;
	return n;
}

static int write_reason(const char *dir, const char *reason,
			struct lp_error *err)
{
	struct lp_outfile file;
	char path[PATH_MAX];
	int status = lab_path(path, err, "%s/reason.txt", dir);

	if (status == 0)
		status = lp_outfile_open(&file, path, err);
	if (status < 0)
		return status;
	fprintf(file.out, "%s\n", reason);
	return lp_outfile_commit(&file, err);
}

int lab_runs_put_aside(const char *dir, const char *name, const char *reason,
		       struct lp_error *err)
{
	unsigned attempt = lab_runs_failures(dir, name) + 1;
	char from[PATH_MAX], to[PATH_MAX];
	int status = lab_path(from, err, "%s/.%s", dir, name);

	if (status == 0)
		status = write_reason(from, reason, err);
	if (status == 0)
		status = lab_path(to, err, "%s/failed", dir);
	if (status == 0)
		status = make_dir(to, err);
	if (status == 0)
		status = failed_path(to, dir, name, attempt, err);
	return status < 0 ? status : move(from, to, err);
}

void lab_runs_drop(const char *dir, const char *name)
{
	char path[PATH_MAX];

	if (lab_path(path, NULL, "%s/.%s", dir, name) == 0)
		lab_runs_remove(path);
}
