/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sysstat's files (/var/log/sysstat/saDD). Those of today are read as they are,
 * all others through sysstat's own sadf, which knows all their versions.
 *
 * The way to the samples, the first that works:
 *   1. the file itself: raw counters, exact at any step;
 *   2. sadf -r -U -O debug: the same;
 *   3. sadf -j: rates that sadf computed and rounded, as gauges.
 * A file of an older format is first converted by sadf -c.
 */
#include "base/process.h"
#include "source/sa_file.h"
#include "source/source.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/* --- older formats ------------------------------------------------------- */

/*
 *     0        2        4
 *     | 96 d5  | 75 21  |     sysstat_magic, format_magic; swapped if the
 *     | d5 96  | 21 75  |     machine that wrote them was big-endian
 *
 * 0 is returned for what is no sysstat file, else the format.
 */
#define MAGIC 0xd596
#define FORMAT_FIRST 0x2169
#define FORMAT_NOW 0x2175

static unsigned file_format(const uint8_t *head, size_t n)
{
	unsigned magic, format;

	if (n < 4)
		return 0;
	magic = head[0] | (unsigned)head[1] << 8;
	format = head[2] | (unsigned)head[3] << 8;
	if (magic != MAGIC) {
		magic = head[1] | (unsigned)head[0] << 8;
		format = head[3] | (unsigned)head[2] << 8;
	}
	if (magic != MAGIC || format < FORMAT_FIRST || format > 0x21ff)
		return 0;
	return format;
}

static bool sysstat_recognise(const char *path, const uint8_t *head, size_t n)
{
	(void)path;
	return file_format(head, n) != 0;
}

static int check_file(struct lp_sadf_session *session, unsigned *format,
		      struct lp_error *err)
{
	lp_auto_close int fd = open(session->readable, O_RDONLY | O_CLOEXEC);
	uint8_t head[4];
	struct stat st;
	ssize_t n;

	if (fd < 0 || fstat(fd, &st) < 0)
		return lp_fail_errno(err, errno, "%s", session->path);
	if (!S_ISREG(st.st_mode))
		return lp_fail(err, EINVAL, "%s: not a regular file",
			       session->path);
	n = read(fd, head, sizeof(head));
	*format = n > 0 ? file_format(head, (size_t)n) : 0;
	if (*format == 0)
		return lp_fail(err, EINVAL,
			       "%s: not a file of sysstat's sadc (it does not "
			       "begin with 96 d5)",
			       session->path);
	return 0;
}

/* --- what is in the file ------------------------------------------------- */

/* Whether the file can be read without sadf. */
static void try_file(struct lp_sadf_session *session)
{
	struct lp_sa_file *file = calloc(1, sizeof(*file));

	if (!file)
		return;
	*file = (struct lp_sa_file){ .path = session->readable, .fd = -1 };
	if (lp_sa_file_read(file)) {
		session->file = file;
		return;
	}
	lp_sa_file_done(file);
	free(file);
}

static int read_info(struct lp_sadf_session *session, struct lp_sadf_info *info,
		     struct lp_error *err)
{
	static const char *const words[] = { "-H", NULL };
	struct lp_sadf_run run = { 0 };
	char *line;
	size_t n;
	int status;

	if (session->file) {
		*info = session->file->info;
		return 0;
	}
	lp_sadf_run_set(&run, session, words, NULL);
	while ((status = lp_sadf_run_line(&run, &line, &n, err)) > 0)
		lp_sadf_info_line(info, line, n);
	lp_sadf_run_close(&run);
	return status;
}

/* "cut off after 2026-11-14T10:00:00Z (sadf: End of ...)" */
static void say_cut(const struct lp_sadf_session *session,
		    const struct lp_sadf_clock *clock, char lost[256],
		    const struct lp_error *err)
{
	const char *words = err ? err->text : "";
	size_t n = strlen(session->path);
	char time[LP_TIME_TEXT];
	int64_t last_s = clock->moments[clock->count - 1].head.time_s;

	/* The file is named by whoever says this. */
	if (strncmp(words, session->path, n) == 0 && words[n] == ':')
		words += n + 2;
	snprintf(lost, 256, "cut off after %s (%.180s)",
		 lp_time_format(last_s * LP_NS_PER_S, time), words);
}

static const char *const raw_words[] = { "-r", "-U", "-O", "debug", NULL };

/*
 * All records' times. CPU activity is in every file and costs least. When
 * sadf stops before the end, *lost gets its words, and a record of which only
 * the head was printed is left out.
 */
static int read_clock(struct lp_sadf_session *session,
		      struct lp_sadf_clock *clock, char lost[256],
		      struct lp_error *err)
{
	static const char *const options[] = { "-u", NULL };
	struct lp_sadf_run run = { 0 };
	struct lp_sadf_head head;
	bool whole = true;
	size_t n, strange = 0; /* records of no time that can be */
	char *line;
	int status;

	if (session->file)
		return lp_sa_file_clock(session->file, clock) < 0
			       ? lp_fail_memory(err)
			       : 0;
	lp_sadf_run_set(&run, session, raw_words, options);
	while ((status = lp_sadf_run_line(&run, &line, &n, err)) > 0) {
		if (!lp_sadf_parse_head(line, n, &head)) {
			whole = true;
			strange += strncmp(line, "# uptime", 8) == 0;
			continue;
		}
		whole = false;
		if (lp_sadf_clock_add(clock, &head) < 0) {
			status = lp_fail_memory(err);
			break;
		}
	}
	lp_sadf_run_close(&run);
	if (status == 0 && clock->count == 0 && strange > 0)
		return lp_fail(err, EINVAL,
			       "%s: its times make no sense: this sadf cannot "
			       "read files of that machine; " LP_SADF_ADVICE,
			       session->path);
	if (status != -EIO || clock->count < 3)
		return status;
	if (!whole)
		clock->count--;
	say_cut(session, clock, lost, err);
	return 0;
}

/* --- opening ------------------------------------------------------------- */

static char *host_name(const char *path,
		       const struct lp_source_options *options,
		       const struct lp_sadf_info *info)
{
	lp_auto_free char *full = NULL;
	char *slash;

	if (!options->host_from_path)
		return strdup(info->host);
	full = realpath(path, NULL);
	slash = full ? strrchr(full, '/') : NULL;
	if (!slash) /* a pipe */
		return strdup(info->host);
	*slash = '\0';
	slash = strrchr(full, '/');
	return strdup(slash ? slash + 1 : full);
}

/*
 * This machine's /sys, if it recorded all of the file since it booted: a file
 * of several boots gets names that are the same in all of them.
 */
static const char *own_sysfs(const struct lp_sadf_input *input)
{
	struct timespec up;
	struct utsname names;
	int64_t boot_ns;

	if (uname(&names) < 0 ||
	    strcmp(names.nodename, input->info.host) != 0 ||
	    clock_gettime(CLOCK_BOOTTIME, &up) < 0)
		return NULL;
	boot_ns = lp_time_now() - up.tv_sec * LP_NS_PER_S - up.tv_nsec;
	return lp_sadf_clock_one_boot(&input->clock, boot_ns / LP_NS_PER_S)
		       ? "/sys"
		       : NULL;
}

static bool wanted(const struct lp_sadf_activity *activity,
		   const struct lp_query *query)
{
	if (!lp_query_wants_class(query, activity->class->name))
		return false;
	for (size_t i = 0; i < activity->n_fields; i++)
		if (lp_query_wants_column(query, activity->fields[i].column))
			return true;
	return false;
}

static int set_track(struct lp_sadf_session *session,
		     struct lp_sadf_input *input, size_t i)
{
	const struct lp_sadf_activity *activity = &lp_sadf_activities[i];
	struct lp_sadf_run *run = &session->runs[i];
	struct lp_sadf_track *track = &input->tracks[input->n_tracks++];

	*track = (struct lp_sadf_track){ .activity = activity };
	if (session->file) {
		track->items = lp_sa_items_new(session->file, i);
		return track->items ? 0 : -ENOMEM;
	}
	run->cut = input->lost[0] != '\0';
	lp_sadf_run_set(run, session, raw_words, activity->options);
	track->lines = (struct lp_sadf_lines){ lp_sadf_run_line, run };
	return 0;
}

static int set_tracks(struct lp_sadf_session *session,
		      struct lp_sadf_input *input, const struct lp_query *query)
{
	int status = 0;

	for (size_t i = 0; status == 0 && i < LP_SADF_ACTIVITIES; i++)
		if (input->info.activities & (1u << i) &&
		    wanted(&lp_sadf_activities[i], query))
			status = set_track(session, input, i);
	return status;
}

/* Raw counters. The session is the stream's, or closed, from here on. */
static int open_raw(struct lp_sadf_session *session,
		    struct lp_sadf_input *input, const struct lp_query *query,
		    struct lp_stream **stream, struct lp_error *err)
{
	input->close = lp_sadf_session_close;
	input->state = session;
	input->path = strdup(session->path);
	lp_sadf_clock_set(&input->clock);
	input->sysfs = own_sysfs(input);
	if (set_tracks(session, input, query) < 0 || !input->path) {
		lp_sadf_input_done(input);
		return lp_fail_memory(err);
	}
	return lp_sadf_stream_open(input, stream, err);
}

/* Rounded rates. As above. */
static int open_json(struct lp_sadf_session *session,
		     struct lp_sadf_input *from, struct lp_stream **stream,
		     struct lp_error *err)
{
	static const char *const words[] = { "-j", NULL };
	static const char *const options[] = { "-d", "-n", "DEV,EDEV", NULL };
	struct lp_sadf_json_input input = {
		.path = strdup(session->path),
		.host = from->host,
		.lines = { lp_sadf_run_line, &session->runs[0] },
		.close = lp_sadf_session_close,
		.state = session,
	};

	from->host = NULL;
	lp_sadf_input_done(from);
	lp_sadf_run_set(&session->runs[0], session, words, options);
	if (!input.path) {
		lp_sadf_session_close(session);
		free(input.host);
		return lp_fail_memory(err);
	}
	return lp_sadf_json_open(&input, stream, err);
}

/* Header and host. */
static int prepare(struct lp_sadf_session *session, struct lp_sadf_input *input,
		   const struct lp_source_options *options,
		   struct lp_error *err)
{
	unsigned format = 0;
	int status = check_file(session, &format, err);

	if (status == 0 && format < FORMAT_NOW)
		status = lp_sadf_session_convert(session, err);
	if (status == 0)
		try_file(session);
	if (status == 0)
		status = read_info(session, &input->info, err);
	if (status < 0)
		return status;
	input->host = host_name(session->path, options, &input->info);
	if (!input->host)
		return lp_fail_memory(err);
	if (!input->host[0])
		return lp_fail(err, EINVAL,
			       "%s: the file does not name its host; give a "
			       "name with --as-host",
			       session->path);
	if (input->info.activities == 0)
		return lp_fail(
			err, ENODATA,
			"%s: neither disks nor interfaces were recorded; "
			"sadc records disks with -S DISK",
			session->path);
	return 0;
}

static int sysstat_open(const char *path,
			const struct lp_source_options *options,
			const struct lp_query *query, struct lp_stream **stream,
			struct lp_error *err)
{
	struct lp_sadf_session *session =
		lp_sadf_session_new(path, options->content);
	struct lp_sadf_input input = { 0 };
	int status;

	if (!session)
		return lp_fail_memory(err);
	status = prepare(session, &input, options, err);
	if (status == 0) {
		status = read_clock(session, &input.clock, input.lost, err);
		/* Not a word: this sadf does not know the options. */
		if (status == -EIO && input.clock.count == 0)
			return open_json(session, &input, stream, err);
	}
	if (status == 0)
		return open_raw(session, &input, query, stream, err);
	lp_sadf_session_close(session);
	lp_sadf_input_done(&input);
	return status;
}

const struct lp_source lp_source_sysstat = {
	.name = "sysstat",
	.summary = "files of sysstat's sadc (/var/log/sysstat/saDD)",
	.recognise = sysstat_recognise,
	.open = sysstat_open,
};
