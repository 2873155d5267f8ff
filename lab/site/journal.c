/* SPDX-License-Identifier: Apache-2.0 */
#include "site/journal.h"

#include "base/memory.h"
#include "base/number.h"
#include "site/journal_read.h"
#include "site/machine.h"
#include "site/undo.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LOCK_TRIES 40 /* two seconds */
#define LINE_ROOM (PATH_MAX + 256)

struct lab_journal {
	char dir[PATH_MAX];
	int lock, file;
	unsigned long notes, stop_after; /* 0: never */
};

/* ---- opening ---- */

/* Whose lock it is, as /proc/locks says; 0: nobody's that can be seen. */
static long lock_holder(int fd)
{
	lp_auto_fclose FILE *locks = fopen("/proc/locks", "re");
	char line[256];
	struct stat st;

	if (!locks || fstat(fd, &st) < 0)
		return 0;
	while (fgets(line, sizeof(line), locks)) {
		unsigned long inode;
		long pid;

		/* 1: FLOCK  ADVISORY  WRITE 4711 fe:00:1234 0 EOF */
		if (sscanf(line, "%*s FLOCK %*s %*s %ld %*x:%*x:%lu", &pid,
			   &inode) == 2 &&
		    inode == st.st_ino)
			return pid;
	}
	return 0;
}

static int busy(const char *dir, int fd, struct lp_error *err)
{
	long pid = lock_holder(fd);

	if (pid <= 0)
		return lp_fail(err, EBUSY,
			       "the lab in %s is in use by another command; "
			       "wait until it ends",
			       dir);
	return lp_fail(err, EBUSY,
		       "the lab in %s is in use by process %ld; end that first",
		       dir, pid);
}

/* Whether the path still leads to the file that was opened and locked. */
static bool is_still(int fd, const char *path)
{
	struct stat opened, named;

	return fstat(fd, &opened) == 0 && stat(path, &named) == 0 &&
	       opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

/*
 * Children that were just forked hold it, too, until they let go of it: who
 * comes right after a killed command waits a moment for them.
 */
static int lock_soon(int fd, bool alone)
{
	static const struct timespec pause = { .tv_nsec = 50 * 1000 * 1000 };

	for (int i = 0; flock(fd, (alone ? LOCK_EX : LOCK_SH) | LOCK_NB) < 0;
	     i++) {
		if (errno != EWOULDBLOCK || i == LOCK_TRIES)
			return -errno;
		nanosleep(&pause, NULL);
	}
	return 0;
}

/* Open and lock it; -ESTALE: the path leads to another file by now. */
static int open_lock(const char *dir, const char *path, bool alone,
		     struct lp_error *err)
{
	lp_auto_close int fd =
		open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
	int status, locked;

	if (fd < 0)
		return lp_fail_errno(err, errno, "cannot open %s", path);
	status = lock_soon(fd, alone);
	if (status == -EWOULDBLOCK)
		return busy(dir, fd, err);
	if (status < 0)
		return lp_fail_errno(err, -status, "cannot lock %s", path);
	if (!is_still(fd, path))
		return -ESTALE;
	locked = fd;
	fd = -1;
	return locked;
}

/*
 * The lock's descriptor. `lab down` removes the file with its directory: who
 * waited for it meanwhile has the lock of a file that is gone, and tries anew.
 */
static int take_lock(const char *dir, bool alone, struct lp_error *err)
{
	char path[PATH_MAX];
	int status = lab_path(path, err, "%s/lock", dir);

	if (status < 0)
		return status;
	do {
		if (mkdir(dir, 0755) < 0 && errno != EEXIST)
			return lp_fail_errno(err, errno, "cannot make %s", dir);
		status = open_lock(dir, path, alone, err);
	} while (status == -ESTALE ||
		 (status == -ENOENT && access(dir, F_OK) < 0));
	return status;
}

static int write_head(struct lab_journal *journal, struct lp_error *err)
{
	char line[128], boot[64];
	struct stat st;
	ssize_t n;

	if (fstat(journal->file, &st) == 0 && st.st_size > 0)
		return 0;
	lab_boot(boot);
	n = snprintf(line, sizeof(line), LAB_JOURNAL_HEAD "%s\n", boot);
	if (write(journal->file, line, (size_t)n) != n)
		return lp_fail_errno(err, errno, "cannot write %s/journal",
				     journal->dir);
	return 0;
}

static int open_file(struct lab_journal *journal, struct lp_error *err)
{
	char path[PATH_MAX];
	int status = lab_path(path, err, "%s/journal", journal->dir);

	if (status < 0)
		return status;
	journal->file =
		open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW,
		     0644);
	if (journal->file < 0)
		return lp_fail_errno(err, errno, "cannot open %s", path);
	return write_head(journal, err);
}

/* How many lines until a test wants us dead. */
static unsigned long stop_after(void)
{
	const char *text = getenv("LIMPID_LAB_STOP_AFTER");
	uint64_t v;

	if (!text || lp_parse_u64(text, strlen(text), &v) < 0)
		return 0;
	return (unsigned long)v;
}

int lab_journal_open(const char *dir, bool alone, struct lab_journal **journal,
		     struct lp_error *err)
{
	struct lab_journal *made = calloc(1, sizeof(*made));
	int status;

	if (!made)
		return lp_fail_memory(err);
	made->lock = made->file = -1;
	made->stop_after = stop_after();
	status = lab_path(made->dir, err, "%s", dir);
	if (status == 0) {
		made->lock = take_lock(dir, alone, err);
		status = made->lock < 0 ? made->lock : open_file(made, err);
	}
	if (status < 0) {
		lab_journal_close(made);
		return status;
	}
	*journal = made;
	return 0;
}

void lab_journal_leave(struct lab_journal *journal)
{
	if (!journal)
		return;
	if (journal->file >= 0)
		close(journal->file);
	if (journal->lock >= 0)
		close(journal->lock);
	journal->file = journal->lock = -1;
}

void lab_journal_close(struct lab_journal *journal)
{
	lab_journal_leave(journal);
	free(journal);
}

/* ---- writing ---- */

/*
 * Cut off what an ended command left of a line, so that ours begins at a line's
 * start; returns where that is, or -errno.
 */
static off_t line_start(struct lab_journal *journal)
{
	off_t end = lseek(journal->file, 0, SEEK_END);
	char byte = '\n';

	while (end > 0) {
		if (pread(journal->file, &byte, 1, end - 1) != 1)
			return -EIO;
		if (byte == '\n')
			break;
		end--;
	}
	if (byte != '\n' || ftruncate(journal->file, end) < 0)
		return -EIO;
	return end;
}

static int append(struct lab_journal *journal, const char *line, size_t n,
		  size_t *mark, struct lp_error *err)
{
	ssize_t written;
	off_t at;
	int code;

	/* A child that left it must not write. */
	assert(journal->file >= 0 && journal->lock >= 0);
	assert(n > 0 && line[n - 1] == '\n');
	flock(journal->file, LOCK_EX);
	at = line_start(journal);
	if (at < 0) {
		flock(journal->file, LOCK_UN);
		return lp_fail_errno(err, EIO, "cannot read %s/journal",
				     journal->dir);
	}
	written = write(journal->file, line, n);
	code = written < 0 ? errno : ENOSPC;
	flock(journal->file, LOCK_UN);
	if (written != (ssize_t)n)
		return lp_fail_errno(err, code, "cannot write %s/journal",
				     journal->dir);
	*mark = (size_t)at;
	return 0;
}

int lab_journal_note(struct lab_journal *journal, enum lab_thing thing,
		     const char *text, size_t *mark, struct lp_error *err)
{
	char line[LINE_ROOM];
	size_t at;
	int n, status;

	if (!text[0] || strchr(text, '\n'))
		return lp_fail(err, EINVAL,
			       "the journal takes no empty text and no line "
			       "break: '%s'",
			       text);
	n = snprintf(line, sizeof(line), "+ %s %s\n", lab_thing_name(thing),
		     text);
	if (n >= (int)sizeof(line))
		return lp_fail(err, ENAMETOOLONG,
			       "this name is too long: %.80s...", text);
	status = append(journal, line, (size_t)n, &at, err);
	if (status < 0)
		return status;
	if (++journal->notes == journal->stop_after)
		raise(SIGKILL);
	if (mark)
		*mark = at;
	return 0;
}

int lab_journal_note_process(struct lab_journal *journal, pid_t pid,
			     size_t *mark, struct lp_error *err)
{
	uint64_t start;
	char text[64];

	if (lab_process_start(pid, &start) < 0)
		return lp_fail(err, ESRCH, "process %d ended at once",
			       (int)pid);
	snprintf(text, sizeof(text), "%d %llu", (int)pid,
		 (unsigned long long)start);
	return lab_journal_note(journal, LAB_PROCESS, text, mark, err);
}

/* ---- undoing ---- */

void lab_journal_forget(struct lab_journal *journal, size_t mark)
{
	struct lp_error err;
	char line[32];
	size_t at;
	int n = snprintf(line, sizeof(line), "- %zu\n", mark);

	append(journal, line, (size_t)n, &at, &err);
}

/*
 * On a full disk that something is undone cannot be noted: no matter, it may
 * be undone twice.
 */
static int undo_entry(struct lab_journal *journal,
		      const struct lab_entry *entry, bool other_boot,
		      struct lp_error *err)
{
	int status = 0;

	/* What is not on a disk ended with the machine it was made on. */
	if (!other_boot || entry->thing == LAB_DIRECTORY)
		status = lab_undo(entry->thing, entry->text, err);
	if (status == 0)
		lab_journal_forget(journal, entry->mark);
	return status;
}

static bool is_other_boot(const char *boot)
{
	char now[64];

	lab_boot(now);
	return strcmp(boot, now) != 0;
}

int lab_journal_undo(struct lab_journal *journal, size_t mark,
		     struct lp_error *err)
{
	struct lab_entry *entries = NULL;
	char boot[64];
	size_t n = 0;
	int status = lab_journal_read(journal->dir, &entries, &n, boot, err);

	if (status < 0)
		return status;
	for (size_t i = 0; i < n; i++)
		if (entries[i].mark == mark)
			status = undo_entry(journal, &entries[i],
					    is_other_boot(boot), err);
	lab_entries_free(entries, n);
	return status;
}

const char *lab_journal_dir(const struct lab_journal *journal)
{
	return journal->dir;
}

int lab_journal_empty(struct lab_journal *journal, struct lp_error *err)
{
	if (ftruncate(journal->file, 0) < 0)
		return lp_fail_errno(err, errno, "cannot empty %s/journal",
				     journal->dir);
	return write_head(journal, err);
}
