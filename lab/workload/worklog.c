/* SPDX-License-Identifier: Apache-2.0 */
#include "workload/worklog.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/textfile.h"
#include "base/timestamp.h"
#include "workload/workload.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct row {
	int64_t time_ns;
	uint64_t bytes, operations;
};

/* "2026-11-15T20:45:15.010Z,5242880,5" */
static int parse_row(const char *text, size_t n, struct row *row)
{
	const char *end = text + n;
	const char *first = memchr(text, ',', n);
	const char *second =
		first ? memchr(first + 1, ',', (size_t)(end - first - 1))
		      : NULL;

	if (!second ||
	    lp_time_parse(text, (size_t)(first - text), &row->time_ns) < 0 ||
	    lp_parse_u64(first + 1, (size_t)(second - first - 1), &row->bytes) <
		    0 ||
	    lp_parse_u64(second + 1, (size_t)(end - second - 1),
			 &row->operations) < 0)
		return -EINVAL;
	return 0;
}

/* The part of a row from one time to another that lies in the span. */
static double overlap(int64_t from_ns, int64_t to_ns, int64_t since_ns,
		      int64_t until_ns)
{
	double from = fmax((double)from_ns, (double)since_ns);
	double to = fmin((double)to_ns, (double)until_ns);

	return fmax(to - from, 0);
}

static void add_row(const struct row *row, int64_t before_ns, int64_t since_ns,
		    int64_t until_ns, struct lab_moved *moved)
{
	double length = (double)row->time_ns - (double)before_ns;
	double inside = overlap(before_ns, row->time_ns, since_ns, until_ns);

	if (!(length > 0))
		return;
	moved->bytes += (double)row->bytes * inside / length;
	moved->operations += (double)row->operations * inside / length;
	moved->covered_ns += (int64_t)inside;
}

/* Spans of time that follow each other, and what was moved in each. */
struct spans {
	int64_t since_ns, until_ns;
	struct lab_moved *each;
	size_t n; /* more than one: of a second each */
};

/* To those that the row touches; none of them is looked at for each row. */
static void spread_row(const struct row *row, int64_t before_ns,
		       const struct spans *spans)
{
	double first = ((double)before_ns - (double)spans->since_ns) / 1e9;

	if (spans->n == 1) {
		add_row(row, before_ns, spans->since_ns, spans->until_ns,
			&spans->each[0]);
		return;
	}
	if (first >= (double)spans->n)
		return;
	for (size_t i = first > 0 ? (size_t)first : 0; i < spans->n; i++) {
		int64_t from_ns = spans->since_ns + (int64_t)i * LP_NS_PER_S;

		if (from_ns >= row->time_ns)
			break;
		add_row(row, before_ns, from_ns, from_ns + LP_NS_PER_S,
			&spans->each[i]);
	}
}

static int sum_log(const char *text, size_t n, const struct spans *spans,
		   size_t *line)
{
	const size_t header = sizeof(LAB_WORKLOG_HEADER) - 1;
	struct row row;
	int64_t before_ns = LP_TIME_MAX;
	const char *at = text + header, *end = text + n, *stop;

	*line = 1;
	if (n < header || memcmp(text, LAB_WORKLOG_HEADER, header) != 0)
		return -EINVAL;
	for (; (stop = memchr(at, '\n', (size_t)(end - at))); at = stop + 1) {
		++*line;
		if (parse_row(at, (size_t)(stop - at), &row) < 0)
			return -EINVAL;
		spread_row(&row, before_ns, spans);
		before_ns = row.time_ns;
	}
	return 0;
}

int lab_worklog_sum(const char *text, size_t n, int64_t since_ns,
		    int64_t until_ns, struct lab_moved *moved, size_t *line)
{
	struct lab_moved sum = { 0 };
	const struct spans spans = { since_ns, until_ns, &sum, 1 };
	int status = sum_log(text, n, &spans, line);

	if (status < 0)
		return status;
	moved->bytes += sum.bytes;
	moved->operations += sum.operations;
	if (sum.covered_ns > moved->covered_ns)
		moved->covered_ns = sum.covered_ns;
	return 0;
}

static int read_log(const char *dir, const char *name,
		    const struct spans *spans, struct lp_error *err)
{
	lp_auto_free char *path = NULL;
	struct lp_text_file file = { 0 };
	size_t line;
	int status;

	if (asprintf(&path, "%s/%s", dir, name) < 0)
		return lp_fail_memory(err);
	status = lp_text_file_open(&file, path, err);
	if (status < 0)
		return status;
	status = spans->n == 1
			 ? lab_worklog_sum(file.text, file.n, spans->since_ns,
					   spans->until_ns, spans->each, &line)
			 : sum_log(file.text, file.n, spans, &line);
	lp_text_file_close(&file);
	if (status < 0)
		return lp_fail(err, -status,
			       "%s:%zu: not a workload's log: expected "
			       "time,bytes,operations",
			       path, line);
	return 0;
}

/* ddr-c1-0.csv */
static bool is_log(const char *name, const char *client)
{
	char pattern[64];

	snprintf(pattern, sizeof(pattern), "*-%s-*.csv", client ? client : "*");
	return fnmatch(pattern, name, FNM_PERIOD) == 0;
}

static int read_logs(const char *dir, const char *client,
		     const struct spans *spans, struct lp_error *err)
{
	DIR *list = opendir(dir);
	struct dirent *entry;
	size_t logs = 0;
	int status = 0;

	if (!list)
		return lp_fail_errno(err, errno, "cannot read %s", dir);
	while (status == 0 && (entry = readdir(list))) {
		if (!is_log(entry->d_name, client))
			continue;
		status = read_log(dir, entry->d_name, spans, err);
		logs++;
	}
	closedir(list);
	if (status == 0 && logs == 0)
		status = lp_fail(err, ENOENT, "%s: no logs of a workload there",
				 dir);
	return status;
}

int lab_worklog_read(const char *dir, const char *client, int64_t since_ns,
		     int64_t until_ns, struct lab_moved *moved,
		     struct lp_error *err)
{
	struct lab_moved sum = { 0 };
	const struct spans spans = { since_ns, until_ns, &sum, 1 };
	int status = read_logs(dir, client, &spans, err);

	if (status == 0)
		*moved = sum;
	return status;
}

int lab_worklog_seconds(const char *dir, const char *client, int64_t since_ns,
			struct lab_moved *each, size_t n, struct lp_error *err)
{
	const struct spans spans = { since_ns,
				     since_ns + (int64_t)n * LP_NS_PER_S, each,
				     n };

	return read_logs(dir, client, &spans, err);
}

double lab_workload_rate(const char *log_dir, int64_t since_ns,
			 int64_t until_ns)
{
	struct lab_moved moved = { 0 };

	if (until_ns <= since_ns ||
	    lab_worklog_read(log_dir, NULL, since_ns, until_ns, &moved, NULL) <
		    0 ||
	    moved.covered_ns == 0)
		return NAN;
	return moved.bytes * (double)LP_NS_PER_S /
	       ((double)until_ns - (double)since_ns);
}
