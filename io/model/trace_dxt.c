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
 * job. How many decimals they have is what the clock resolves: Darshan prints
 * four, 0.1 ms. Targets of Lustre may follow in brackets. X_MPIIO lines are
 * calls that end in X_POSIX ones: they are counted and left out, unless nothing
 * else is there.
 */
#include "io/model/trace_build.h"

#include "base/number.h"
#include "base/timestamp.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 8 /* the brackets not counted */

struct word {
	const char *at;
	size_t n;
};

struct lp_io_dxt {
	const char *name;
	struct lp_io_build *build;
	uint32_t file;
	size_t line;
	bool posix;        /* one was there: no others are taken any more */
	unsigned decimals; /* the most that a time had */
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

static int fail_line(const struct lp_io_dxt *dxt, const char *what,
		     struct lp_error *err)
{
	return lp_fail(err, EINVAL, "%s: line %zu: %s", dxt->name, dxt->line,
		       what);
}

static int keep_string(struct lp_io_dxt *dxt, const char **place,
		       const char *text, size_t n, struct lp_error *err)
{
	*place = lp_arena_string_n(&dxt->build->arena, text, n);
	return *place ? 0 : lp_fail_memory(err);
}

static int read_start(struct lp_io_dxt *dxt, const char *text, size_t n,
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

static int read_comment(struct lp_io_dxt *dxt, const char *text, size_t n,
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

/* "12.3456" has four. */
static unsigned decimals_of(const struct word *word)
{
	const char *end = word->at + word->n;
	const char *at = memchr(word->at, '.', word->n);
	unsigned n = 0;

	while (at && ++at < end && *at >= '0' && *at <= '9')
		n++;
	return n;
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

static int add_operation(struct lp_io_dxt *dxt, struct lp_io_operation *op,
			 int64_t rank, struct lp_error *err)
{
	op->file = dxt->file;
	op->result = op->size;
	op->task = lp_io_build_task(dxt->build, rank, rank);
	if (op->file == LP_NAME_NONE)
		return fail_line(dxt, "an operation before any file_name", err);
	if (op->task == LP_NAME_NONE || lp_io_build_add(dxt->build, op) < 0)
		return lp_fail_memory(err);
	return 0;
}

static int read_operation(struct lp_io_dxt *dxt,
			  const struct word words[COLUMNS],
			  struct lp_error *err)
{
	struct lp_io_operation op = { 0 };
	int64_t rank, end_ns;

	if (!word_i64(&words[1], &rank) || !word_kind(&words[2], &op.kind) ||
	    !word_i64(&words[4], &op.offset) ||
	    !word_i64(&words[5], &op.size) || op.size < 0 ||
	    !word_ns(&words[6], &op.start_ns) || !word_ns(&words[7], &end_ns))
		return fail_line(dxt,
				 "expected module, rank, read or write, "
				 "segment, offset, length, start and end",
				 err);
	op.duration_ns = end_ns > op.start_ns ? end_ns - op.start_ns : 0;
	for (int i = 6; i < 8; i++)
		if (decimals_of(&words[i]) > dxt->decimals)
			dxt->decimals = decimals_of(&words[i]);
	return add_operation(dxt, &op, rank, err);
}

static bool is_word(const struct word *word, const char *text)
{
	return word->n == strlen(text) && memcmp(word->at, text, word->n) == 0;
}

/* Whether the line's operation is one to take. */
static bool is_taken(struct lp_io_dxt *dxt, const struct word *module)
{
	struct lp_io_trace *trace = &dxt->build->trace;

	if (is_word(module, "X_POSIX") && !dxt->posix) {
		/* What came before ends in those that come now. */
		dxt->posix = true;
		trace->n_left_out += trace->n_operations;
		trace->n_operations = 0;
	}
	if (is_word(module, dxt->posix ? "X_POSIX" : "X_MPIIO"))
		return true;
	trace->n_left_out++;
	return false;
}

int lp_io_dxt_line(struct lp_io_dxt *dxt, const char *text, size_t n,
		   struct lp_error *err)
{
	struct word words[COLUMNS];
	size_t count;

	dxt->line++;
	if (memchr(text, 0, n))
		return fail_line(dxt, "is not text: there is a zero byte", err);
	if (n >= LP_IO_LINE_MOST)
		return fail_line(dxt, "is longer than 1 MiB", err);
	if (n > 0 && text[n - 1] == '\r')
		n--;
	if (n > 0 && text[0] == '#')
		return read_comment(dxt, text, n, err);
	count = split(text, n, words);
	if (count == 0)
		return 0;
	if (words[0].n < 2 || memcmp(words[0].at, "X_", 2) != 0)
		return fail_line(dxt, "no line of darshan-dxt-parser", err);
	if (!is_taken(dxt, &words[0]))
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

struct lp_io_dxt *lp_io_dxt_new(const char *name)
{
	struct lp_io_dxt *dxt = calloc(1, sizeof(*dxt));

	if (!dxt)
		return NULL;
	*dxt = (struct lp_io_dxt){ .name = name,
				   .build = lp_io_build_new(),
				   .file = LP_NAME_NONE };
	if (dxt->build)
		return dxt;
	free(dxt);
	return NULL;
}

void lp_io_dxt_free(struct lp_io_dxt *dxt)
{
	if (!dxt)
		return;
	if (dxt->build)
		lp_io_trace_free(&dxt->build->trace);
	free(dxt);
}

/* The last decimal's unit; nanoseconds are as fine as a trace can be. */
static int64_t resolution_of(unsigned decimals)
{
	int64_t ns = LP_NS_PER_S;

	while (decimals-- > 0 && ns > 1)
		ns /= 10;
	return ns;
}

int lp_io_dxt_finish(struct lp_io_dxt *dxt, struct lp_io_trace **trace,
		     struct lp_error *err)
{
	struct lp_io_build *build = dxt->build;

	if (build->trace.n_operations > 0)
		build->trace.resolution_ns = resolution_of(dxt->decimals);
	dxt->build = NULL;
	return lp_io_build_finish(build, trace, err);
}
