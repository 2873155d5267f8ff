/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The steps, as a child does them in the client's mount.
 */
#include "verify/verify.h"

#include "base/memory.h"
#include "base/timestamp.h"
#include "verify/ledger.h"
#include "workload/draw.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define DIR_NAME "limpid-verify"
#define RECORD 32 /* blocks that are written or read at once */
#define AGED 150  /* small files */
#define AGED_BLOCKS 8
/* Between the files of LAB_VERIFY_LOOP, which are a quarter as large. */
#define PAUSE_NS 100000000

/* Where the numbers of a step's files begin. */
static const uint32_t first_file[] = {
	[LAB_VERIFY_AGE] = 900000,   [LAB_VERIFY_WRITE] = 0,
	[LAB_VERIFY_ASYNC] = 200000, [LAB_VERIFY_SYNC] = 300000,
	[LAB_VERIFY_LOOP] = 100000,
};

struct work {
	const struct lab_verify_spec *spec;
	struct lab_verify_result *result;
	struct lab_ledger known; /* what was there before */
	int ledger;              /* -1: nothing is noted */
	char dir[PATH_MAX];
	unsigned char bytes[RECORD * LAB_SELFBLOCK];
};

/* ---- counting ---- */

static void begin_file(struct work *w, int64_t *begun_ns)
{
	(void)w;
	*begun_ns = lp_monotonic_now();
}

static void end_file(struct work *w, int64_t begun_ns, uint32_t file,
		     enum lab_verdict verdict, const char *why)
{
	struct lab_verify_result *r = w->result;
	double s = (double)(lp_monotonic_now() - begun_ns) / 1e9;

	if (s > r->slowest_s)
		r->slowest_s = s;
	r->done++;
	r->seconds += s;
	if (verdict != LAB_IS_OK && !r->first[0])
		snprintf(r->first, sizeof(r->first), "v-%06u: %s", file, why);
}

/* ---- writing one file ---- */

static uint32_t blocks_of(const struct work *w, uint32_t file, unsigned part)
{
	uint64_t mean = w->spec->bytes / (w->spec->files ? w->spec->files : 1) /
			LAB_SELFBLOCK / part;
	struct lab_draw draw;

	lab_draw_init(&draw, w->spec->seed, file);
	return (uint32_t)(1 + lab_draw_below(&draw, 2 * (size_t)mean + 1));
}

static int write_all(int fd, const unsigned char *bytes, size_t n)
{
	while (n > 0) {
		ssize_t r = write(fd, bytes, n);

		if (r < 0 && errno != EINTR)
			return -errno;
		if (r > 0) {
			bytes += r;
			n -= (size_t)r;
		}
	}
	return 0;
}

static int put_blocks(struct work *w, int fd,
		      const struct lab_entry_of_ledger *entry)
{
	struct lab_selfblock is = { entry->file, 0, entry->generation };
	int status = 0;

	while (status == 0 && is.number < entry->blocks) {
		size_t n = 0;

		for (; n < RECORD && is.number < entry->blocks; n++) {
			lab_selfblock_make(w->bytes + n * LAB_SELFBLOCK, &is);
			is.number++;
		}
		status = write_all(fd, w->bytes, n * LAB_SELFBLOCK);
	}
	return status;
}

static void path_of(const struct work *w, uint32_t file, char path[PATH_MAX])
{
	snprintf(path, PATH_MAX, "%.4000s/v-%06u", w->dir, file);
}

/* Written, synced if the entry says so, closed, noted. 0 or -errno. */
static int write_file(struct work *w, const struct lab_entry_of_ledger *entry,
		      int flags)
{
	char path[PATH_MAX];
	int fd, status;

	path_of(w, entry->file, path);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0644);
	if (fd < 0)
		return -errno;
	status = put_blocks(w, fd, entry);
	if (status == 0 && entry->synced && !(flags & O_SYNC) && fsync(fd) < 0)
		status = -errno;
	if (close(fd) < 0 && status == 0)
		status = -errno;
	if (status == 0 && w->ledger >= 0)
		status = lab_ledger_note(w->ledger, entry);
	return status;
}

/* The next generation of a file that is known. */
static uint32_t generation_of(const struct work *w, uint32_t file)
{
	for (size_t i = 0; i < w->known.n; i++)
		if (w->known.file[i].file == file)
			return w->known.file[i].generation + 1;
	return 1;
}

/* ---- reading one file ---- */

/* Of the first block that is not what it should be. */
static enum lab_verdict check_blocks(struct work *w, size_t n,
				     struct lab_selfblock *wanted, char why[80])
{
	for (size_t i = 0; i < n; i++, wanted->number++) {
		enum lab_verdict v = lab_selfblock_check(
			w->bytes + i * LAB_SELFBLOCK, wanted);

		if (v == LAB_IS_OK)
			continue;
		snprintf(why, 80, "block %u is %s", wanted->number,
			 lab_verdict_word(v));
		return v;
	}
	return LAB_IS_OK;
}

static ssize_t read_all(int fd, unsigned char *bytes, size_t n)
{
	size_t done = 0;

	while (done < n) {
		ssize_t r = read(fd, bytes + done, n - done);

		if (r < 0 && errno != EINTR)
			return -errno;
		if (r == 0)
			break;
		done += r > 0 ? (size_t)r : 0;
	}
	return (ssize_t)done;
}

static enum lab_verdict read_blocks(struct work *w, int fd,
				    const struct lab_entry_of_ledger *entry,
				    char why[80])
{
	struct lab_selfblock wanted = { entry->file, 0, entry->generation };
	enum lab_verdict worst = LAB_IS_OK;

	while (worst == LAB_IS_OK && wanted.number < entry->blocks) {
		size_t blocks = entry->blocks - wanted.number;
		ssize_t r;

		if (blocks > RECORD)
			blocks = RECORD;
		r = read_all(fd, w->bytes, blocks * LAB_SELFBLOCK);
		if (r < 0) {
			snprintf(why, 80, "reading: %s", strerror((int)-r));
			return lab_verdict_of_errno((int)-r);
		}
		worst = check_blocks(w, (size_t)r / LAB_SELFBLOCK, &wanted,
				     why);
		if (worst == LAB_IS_OK && (size_t)r < blocks * LAB_SELFBLOCK) {
			snprintf(why, 80, "ends after block %u", wanted.number);
			return LAB_IS_SHORT;
		}
	}
	return worst;
}

static enum lab_verdict read_file(struct work *w,
				  const struct lab_entry_of_ledger *entry,
				  char why[80])
{
	enum lab_verdict verdict;
	char path[PATH_MAX];
	int fd;

	path_of(w, entry->file, path);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT) {
		snprintf(why, 80, "it is not there");
		return LAB_IS_MISSING;
	}
	if (fd < 0) {
		snprintf(why, 80, "opening: %s", strerror(errno));
		return lab_verdict_of_errno(errno);
	}
	verdict = read_blocks(w, fd, entry, why);
	/* The next pass asks the servers again. */
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	close(fd);
	return verdict;
}

/* What a reader may meet of a file that was never synced is no loss. */
static enum lab_verdict judge(struct work *w, bool synced,
			      enum lab_verdict verdict)
{
	const bool absent = verdict >= LAB_IS_MISSING && verdict <= LAB_IS_TORN;

	if (!synced && absent) {
		w->result->legal++;
		return LAB_IS_OK;
	}
	return verdict == LAB_IS_MISSING ? LAB_IS_LOST : verdict;
}

/* ---- steps ---- */

static void count(struct work *w, enum lab_verdict *before,
		  enum lab_verdict verdict, bool is_first)
{
	struct lab_verify_result *r = w->result;

	if (is_first) {
		r->count[verdict]++;
		*before = verdict;
	} else if (verdict > *before) {
		r->count[*before]--;
		r->count[verdict]++;
		*before = verdict;
	}
}

static void read_pass(struct work *w, const struct lab_ledger *ledger,
		      unsigned pass, enum lab_verdict *each)
{
	for (size_t i = 0; i < ledger->n; i++) {
		const struct lab_entry_of_ledger *e = &ledger->file[i];
		char why[80] = "";
		enum lab_verdict v;
		int64_t begun_ns;

		begin_file(w, &begun_ns);
		v = judge(w, e->synced, read_file(w, e, why));
		w->result->bad_of_pass[pass] += v != LAB_IS_OK;
		count(w, &each[i], v, pass == 0);
		end_file(w, begun_ns, e->file, v, why);
	}
}

static int read_step(struct work *w)
{
	const unsigned passes = w->spec->passes ? w->spec->passes : 1;
	lp_auto_free enum lab_verdict *each =
		calloc(w->known.n + 1, sizeof(*each));

	if (!each)
		return -ENOMEM;
	w->result->wanted = (unsigned)w->known.n * passes;
	for (unsigned p = 0; p < passes; p++)
		read_pass(w, &w->known, p, each);
	return 0;
}

/* One file, and what became of it. */
static void write_one(struct work *w, const struct lab_entry_of_ledger *entry,
		      int flags, bool read_back)
{
	enum lab_verdict v = LAB_IS_OK, before = LAB_IS_OK;
	char why[80] = "";
	int64_t begun_ns;
	int status;

	begin_file(w, &begun_ns);
	status = write_file(w, entry, flags);
	if (status < 0) {
		v = lab_verdict_of_errno(-status);
		snprintf(why, sizeof(why), "writing: %s", strerror(-status));
	} else if (read_back) {
		v = read_file(w, entry, why);
		if (v == LAB_IS_MISSING)
			v = LAB_IS_LOST;
	}
	count(w, &before, v, true);
	end_file(w, begun_ns, entry->file, v, why);
}

static struct lab_entry_of_ledger entry_of(const struct work *w, uint32_t file,
					   unsigned part, bool synced)
{
	return (struct lab_entry_of_ledger){
		.file = file,
		.generation = generation_of(w, file),
		.blocks = blocks_of(w, file, part),
		.synced = synced,
	};
}

static void write_step(struct work *w, enum lab_verify_step step)
{
	const bool synced = step != LAB_VERIFY_ASYNC;
	const int flags = step == LAB_VERIFY_SYNC ? O_SYNC : 0;

	w->result->wanted = w->spec->files;
	for (uint32_t i = 0; i < w->spec->files; i++) {
		const struct lab_entry_of_ledger e =
			entry_of(w, first_file[step] + i, 1, synced);

		write_one(w, &e, flags, step != LAB_VERIFY_WRITE);
	}
}

static void loop_step(struct work *w)
{
	static const struct timespec pause = { .tv_nsec = PAUSE_NS };

	for (uint32_t i = 0;; i++) {
		const struct lab_entry_of_ledger e = entry_of(
			w, first_file[LAB_VERIFY_LOOP] + i, 4, i % 2 == 0);

		w->result->wanted++;
		write_one(w, &e, 0, false);
		nanosleep(&pause, NULL);
	}
}

/* tar WORDS, in the session of this process. */
static int tar(const char *what, const char *archive, const char *dir)
{
	char *const argv[] = { (char *)"tar", (char *)what, (char *)archive,
			       (char *)"-C",  (char *)dir,  (char *)".",
			       NULL };
	extern char **environ;
	int ended;
	pid_t pid;

	if (posix_spawnp(&pid, "tar", NULL, NULL, argv, environ) != 0)
		return -ENOENT;
	while (waitpid(pid, &ended, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return ended == 0 ? 0 : -EIO;
}

static int age_files(struct work *w, const char *dir)
{
	char home[PATH_MAX];
	int ledger = w->ledger, status = 0;

	memcpy(home, w->dir, sizeof(home));
	snprintf(w->dir, sizeof(w->dir), "%.4000s", dir);
	w->ledger = -1;
	for (uint32_t i = 0; i < AGED && status == 0; i++) {
		const struct lab_entry_of_ledger e = {
			.file = first_file[LAB_VERIFY_AGE] + i,
			.generation = 1,
			.blocks = 1 + i % AGED_BLOCKS,
		};

		status = write_file(w, &e, 0);
		w->result->done++;
	}
	memcpy(w->dir, home, sizeof(home));
	w->ledger = ledger;
	return status;
}

static int delete_half(const char *dir)
{
	for (uint32_t i = 0; i < AGED; i += 2) {
		char path[PATH_MAX];

		snprintf(path, sizeof(path), "%.4000s/v-%06u", dir,
			 first_file[LAB_VERIFY_AGE] + i);
		if (unlink(path) < 0)
			return -errno;
	}
	return 0;
}

/* S5, table 1: copy, tar, untar, delete. */
static int age_step(struct work *w)
{
	char dir[PATH_MAX], copy[PATH_MAX], archive[PATH_MAX];
	int status = 0;

	snprintf(dir, sizeof(dir), "%.4000s/age", w->dir);
	snprintf(copy, sizeof(copy), "%.4000s/copy", w->dir);
	snprintf(archive, sizeof(archive), "%.4000s/age.tar", w->dir);
	w->result->wanted = AGED;
	if ((mkdir(dir, 0755) < 0 || mkdir(copy, 0755) < 0) && errno != EEXIST)
		return -errno;
	status = age_files(w, dir);
	if (status == 0)
		status = tar("-cf", archive, dir);
	if (status == 0)
		status = tar("-xf", archive, copy);
	if (status == 0)
		status = delete_half(dir);
	if (status == 0 && unlink(archive) < 0)
		status = -errno;
	w->result->count[LAB_IS_OK] = w->result->done;
	return status;
}

/* ---- begin and end ---- */

static int open_work(struct work *w, const char *mount)
{
	struct lp_error err;
	int status;

	w->ledger = -1;
	snprintf(w->dir, sizeof(w->dir), "%.4000s/" DIR_NAME, mount);
	status = lab_ledger_read(w->spec->ledger, &w->known, &err);
	if (status < 0)
		return status;
	w->ledger = open(w->spec->ledger,
			 O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	return w->ledger < 0 ? -errno : 0;
}

static int do_step(struct work *w, enum lab_verify_step step)
{
	if (step == LAB_VERIFY_READ)
		return read_step(w);
	if (mkdir(w->dir, 0755) < 0 && errno != EEXIST)
		return -errno;
	if (step == LAB_VERIFY_AGE)
		return age_step(w);
	if (step == LAB_VERIFY_LOOP)
		loop_step(w);
	else
		write_step(w, step);
	return 0;
}

void lab_verify_do(const char *mount, enum lab_verify_step step,
		   const struct lab_verify_spec *spec,
		   struct lab_verify_result *result)
{
	lp_auto_free struct work *w = calloc(1, sizeof(*w));
	int status = -ENOMEM;

	if (w) {
		w->spec = spec;
		w->result = result;
		status = open_work(w, mount);
		if (status == 0)
			status = do_step(w, step);
		if (w->ledger >= 0)
			close(w->ledger);
		lab_ledger_done(&w->known);
	}
	if (status < 0) {
		result->count[lab_verdict_of_errno(-status)]++;
		snprintf(result->first, sizeof(result->first), "%s",
			 strerror(-status));
	}
	result->finished = true;
}
