/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads what darshan-dxt-parser prints:
 *
 *     # darshan log version: 3.41
 *     # exe: ./ior -w
 *     # start_time: 1676660000
 *     # DXT, file_id: 8515199880342690440, file_name: /scratch/out
 *     # DXT, rank: 0, hostname: node1
 *     # Module    Rank  Wt/Rd  Segment          Offset       Length  ...
 *      X_POSIX       0  write        0               0      1048576  ...
 *
 * The last two columns are start and end in seconds since the start of the
 * job, with four decimals: a duration is right to 0.1 ms. Targets of Lustre
 * may follow in brackets. X_MPIIO lines are calls that end in X_POSIX ones:
 * they are left out unless nothing else is there.
 */
#include "iomodel/trace_build.h"

#include "base/number.h"
#include "base/timestamp.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#define COLUMNS 8 /* the brackets not counted */

struct word {
	const char *at;
	size_t n;
};

struct dxt {
	const char *name;
	const char *module; /* whose lines are taken */
	struct lp_io_build *build;
	uint32_t file;
	size_t line;
};

static bool begins(const char *text, size_t n, const char *with)
{
	size_t length = strlen(with);

	return n >= length && memcmp(text, with, length) == 0;
}

/* What follows `key` in the line, to `stop` or the end; NULL: no such key. */
static const char *after(const char *text, size_t n, const char *key,
			 size_t *length)
{
	const char *at = memmem(text, n, key, strlen(key));

	if (!at)
		return NULL;
	at += strlen(key);
	*length = (size_t)(text + n - at);
	return at;
}

static int fail_line(const struct dxt *dxt, const char *what,
		     struct lp_error *err)
{
	return lp_fail(err, EINVAL, "%s: line %zu: %s", dxt->name, dxt->line,
		       what);
}

static int keep_string(struct dxt *dxt, const char **place, const char *text,
		       size_t n, struct lp_error *err)
{
	*place = lp_arena_string_n(&dxt->build->arena, text, n);
	return *place ? 0 : lp_fail_memory(err);
}

static int read_start(struct dxt *dxt, const char *text, size_t n,
		      struct lp_error *err)
{
	while (n > 0 && *text == ' ') {
		text++;
		n--;
	}
	if (lp_time_parse(text, n, &dxt->build->trace.start_ns) < 0)
		return fail_line(dxt, "start_time is no time", err);
	return 0;
}

static int read_comment(struct dxt *dxt, const char *text, size_t n,
			struct lp_error *err)
{
	struct lp_io_trace *trace = &dxt->build->trace;
	const char *value;
	size_t length = 0;

	if (begins(text, n, "# exe: "))
		return keep_string(dxt, &trace->command, text + 7, n - 7, err);
	if (begins(text, n, "# start_time: "))
		return read_start(dxt, text + 14, n - 14, err);
	value = after(text, n, ", file_name: ", &length);
	if (value && begins(text, n, "# DXT, file_id: ")) {
		dxt->file = lp_io_build_file(dxt->build, value, length);
		return dxt->file == LP_NAME_NONE ? lp_fail_memory(err) : 0;
	}
	value = after(text, n, ", hostname: ", &length);
	if (value && begins(text, n, "# DXT, rank: ") && !*trace->host)
		return keep_string(dxt, &trace->host, value, length, err);
	return 0;
}

static size_t split(const char *text, size_t n, struct word words[COLUMNS])
{
	const char *end = text + n;
	size_t count = 0;

	while (count < COLUMNS) {
		while (text < end && (*text == ' ' || *text == '\t'))
			text++;
		if (text == end)
			break;
		words[count].at = text;
		while (text < end && *text != ' ' && *text != '\t')
			text++;
		words[count].n = (size_t)(text - words[count].at);
		count++;
	}
	return count;
}

static bool word_i64(const struct word *word, int64_t *v)
{
	uint64_t u;

	if (word->n == 2 && memcmp(word->at, "-1", 2) == 0) {
		*v = -1;
		return true;
	}
	if (lp_parse_u64(word->at, word->n, &u) < 0 || u > INT64_MAX)
		return false;
	*v = (int64_t)u;
	return true;
}

/* Seconds since the job's start; below 2^52 ns, which is 52 days. */
static bool word_ns(const struct word *word, int64_t *ns)
{
	double seconds;

	if (lp_parse_double(word->at, word->n, &seconds) < 0 ||
	    !(fabs(seconds) < 4.5e6))
		return false;
	*ns = llround(seconds * 1e9);
	return true;
}

static bool word_kind(const struct word *word, uint8_t *kind)
{
	bool is_read = word->n == 4 && memcmp(word->at, "read", 4) == 0;
	bool is_write = word->n == 5 && memcmp(word->at, "write", 5) == 0;

	*kind = is_read ? LP_IO_READ : LP_IO_WRITE;
	return is_read || is_write;
}

static int read_operation(struct dxt *dxt, const struct word words[COLUMNS],
			  struct lp_error *err)
{
	struct lp_io_operation op = { .file = dxt->file };
	int64_t rank, end_ns;

	if (!word_i64(&words[1], &rank) || !word_kind(&words[2], &op.kind) ||
	    !word_i64(&words[4], &op.offset) ||
	    !word_i64(&words[5], &op.size) || op.size < 0 ||
	    !word_ns(&words[6], &op.start_ns) || !word_ns(&words[7], &end_ns))
		return fail_line(dxt,
				 "expected module, rank, read or write, "
				 "segment, offset, length, start and end",
				 err);
	op.result = op.size;
	op.duration_ns = end_ns > op.start_ns ? end_ns - op.start_ns : 0;
	op.task = lp_io_build_task(dxt->build, rank, rank);
	if (op.file == LP_NAME_NONE)
		return fail_line(dxt, "an operation before any file_name", err);
	if (op.task == LP_NAME_NONE || lp_io_build_add(dxt->build, &op) < 0)
		return lp_fail_memory(err);
	return 0;
}

static int read_line(struct dxt *dxt, const char *text, size_t n,
		     struct lp_error *err)
{
	struct word words[COLUMNS];
	size_t count;

	if (n > 0 && text[n - 1] == '\r')
		n--;
	if (n > 0 && text[0] == '#')
		return read_comment(dxt, text, n, err);
	count = split(text, n, words);
	if (count == 0)
		return 0;
	if (words[0].n < 2 || memcmp(words[0].at, "X_", 2) != 0)
		return fail_line(dxt, "no line of darshan-dxt-parser", err);
	if (words[0].n != strlen(dxt->module) ||
	    memcmp(words[0].at, dxt->module, words[0].n) != 0)
		return 0;
	if (count < COLUMNS)
		return fail_line(dxt, "an operation is cut off", err);
	return read_operation(dxt, words, err);
}

bool lp_io_dxt_sniff(const char *text, size_t n)
{
	return begins(text, n, "# darshan log version:") ||
	       begins(text, n, "# DXT, ") || begins(text, n, "\n# DXT, ");
}

int lp_io_dxt_parse(const char *name, const char *text, size_t n,
		    struct lp_io_trace **trace, struct lp_error *err)
{
	bool posix = memmem(text, n, " X_POSIX ", 9) != NULL;
	struct dxt dxt = { .name = name,
			   .module = posix ? "X_POSIX" : "X_MPIIO",
			   .file = LP_NAME_NONE };
	const char *end = text + n;
	int r = 0;

	dxt.build = lp_io_build_new();
	if (!dxt.build)
		return lp_fail_memory(err);
	while (text < end && r == 0) {
		const char *stop = memchr(text, '\n', (size_t)(end - text));

		stop = stop ? stop : end;
		dxt.line++;
		r = read_line(&dxt, text, (size_t)(stop - text), err);
		text = stop + 1;
	}
	if (r < 0) {
		lp_io_trace_free(&dxt.build->trace);
		return r;
	}
	return lp_io_build_finish(dxt.build, trace, err);
}
