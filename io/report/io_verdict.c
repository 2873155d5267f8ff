/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What text, JSON and page say in the same words: the headline, what was slow,
 * and how far that can be trusted.
 */
#include "base/number.h"
#include "io/model/trace.h"
#include "io/report/io_reports.h"
#include "io/report/io_words.h"

#include <inttypes.h>
#include <string.h>

struct lp_io_gain lp_io_whole_gain(const struct lp_io_judgement *j)
{
	struct lp_io_gain whole = { .n = 0 };

	for (unsigned kind = 0; kind < 2; kind++) {
		const struct lp_io_gain *g = &j->gain[kind];

		if (!j->has_gain[kind])
			continue;
		whole.judged.n += g->judged.n;
		whole.judged.time_ns += g->judged.time_ns;
		whole.judged.bytes += g->judged.bytes;
		whole.usual_ns += g->usual_ns;
		whole.n += g->n;
		whole.saving_ns += g->saving_ns;
	}
	return whole;
}

struct lp_io_tally lp_io_whole_tally(const struct lp_io_judgement *j)
{
	struct lp_io_tally all = { .n = 0 };

	for (unsigned kind = 0; kind < LP_IO_KINDS; kind++) {
		all.n += j->kind[kind].n;
		all.time_ns += j->kind[kind].time_ns;
		all.bytes += j->kind[kind].bytes;
	}
	return all;
}

/* ---- what was not seen ---- */

#define UNSEEN 160

/* Why nothing can be said: most of it was not timed. */
static const char *unseen_text(const struct lp_io_judgement *j,
			       char text[UNSEEN])
{
	const struct lp_io_coverage *c = &j->coverage;
	char part[LP_IO_WORD], all[LP_IO_WORD];

	if (lp_io_untimed(c) <= c->timed)
		return "the program used io_uring, whose operations are not "
		       "timed";
	snprintf(text, UNSEEN, "%s of %s were moved without a timed call",
		 lp_io_bytes_text((double)lp_io_untimed(c), part),
		 lp_io_bytes_text((double)(lp_io_untimed(c) + c->timed), all));
	return text;
}

/* "; 12 MB by aio": appended, if there are any. */
static void add_part(char *text, size_t size, uint64_t bytes, const char *by)
{
	size_t n = strlen(text);
	char amount[LP_IO_WORD];

	if (bytes > 0)
		snprintf(text + n, size - n, "%s%s %s", n ? "; " : "",
			 lp_io_bytes_text((double)bytes, amount), by);
}

static void coverage_remark(const struct lp_io_judgement *j, char *text,
			    size_t size)
{
	const struct lp_io_coverage *c = &j->coverage;
	char parts[384] = "", timed[LP_IO_WORD];

	add_part(parts, sizeof(parts), c->unseen,
		 "by calls that bypass the C library, or by programs that are "
		 "static or gain privileges");
	add_part(parts, sizeof(parts), c->aio, "by aio");
	add_part(parts, sizeof(parts), c->mapped,
		 "at most, in files mapped into memory");
	add_part(parts, sizeof(parts), c->stored,
		 "written to storage without a timed call");
	if (c->rings > 0)
		snprintf(parts + strlen(parts), sizeof(parts) - strlen(parts),
			 "%sio_uring, whose bytes are not counted",
			 *parts ? "; " : "");
	if (*parts)
		snprintf(text, size,
			 "%s were read and written by timed calls; not timed: "
			 "%s",
			 lp_io_bytes_text((double)c->timed, timed), parts);
}

/* ---- the headline ---- */

/* "32 processes", or "8 threads" of one; "" for a single thread. */
static const char *tasks_text(const struct lp_io_judgement *j,
			      char text[LP_IO_WORD])
{
	bool many = j->n_processes > 1;

	text[0] = '\0';
	if (j->n_threads > 1)
		snprintf(text, LP_IO_WORD, "%zu %s",
			 many ? j->n_processes : j->n_threads,
			 many ? "processes" : "threads");
	return text;
}

static void plain_headline(const struct lp_io_judgement *j, char *text,
			   size_t size)
{
	struct lp_io_tally all = lp_io_whole_tally(j);
	char span[LP_IO_WORD], time[LP_IO_WORD], tasks[LP_IO_WORD];
	bool unseen = lp_io_is_unseen(&j->coverage);
	char why[UNSEEN];

	tasks_text(j, tasks);
	snprintf(text, size, "%" PRIu64 " I/O %s in %s, %s in calls%s%s%s%s",
		 all.n, lp_plural(all.n, "operation", "operations"),
		 lp_io_time_text((double)j->span_ns, span),
		 lp_io_time_text((double)all.time_ns, time),
		 *tasks ? ", added up over " : "", tasks, unseen ? "; " : "",
		 unseen ? unseen_text(j, why) : "");
}

/* What the model has a reference for. */
static const char *gain_of(const struct lp_io_judgement *j)
{
	return !j->has_gain[LP_IO_WRITE]  ? "reads"
	       : !j->has_gain[LP_IO_READ] ? "writes"
					  : "reads and writes";
}

static uint64_t unclear_of(const struct lp_io_judgement *j)
{
	return j->unclear[LP_IO_READ].n + j->unclear[LP_IO_WRITE].n;
}

/* Most reads and writes that the model knows have no cause by it. */
static bool is_unclear(const struct lp_io_judgement *j)
{
	return 2 * unclear_of(j) > lp_io_whole_gain(j).judged.n;
}

bool lp_io_is_sure(const struct lp_io_judgement *j)
{
	return !is_unclear(j) && !lp_io_is_unseen(&j->coverage);
}

static void gain_headline(const struct lp_io_judgement *j,
			  const struct lp_io_gain *gain, char *text,
			  size_t size)
{
	char save[LP_IO_WORD], all[LP_IO_WORD], share[LP_IO_WORD], why[UNSEEN];

	if (lp_io_is_unseen(&j->coverage) && gain->n == 0)
		snprintf(text, size, "Cannot tell what could be saved: %s",
			 unseen_text(j, why));
	else if (is_unclear(j))
		snprintf(text, size,
			 "Cannot tell what could be saved: the trace's clock "
			 "(%s) is too coarse for most %s",
			 lp_io_clock_text(j->trace->resolution_ns, save),
			 gain_of(j));
	else if (gain->n == 0)
		snprintf(text, size,
			 "%s %s were as fast as %s ones: nothing to save",
			 unclear_of(j) ? "Most" : "All", gain_of(j),
			 j->model->reference);
	else
		snprintf(text, size,
			 "%s of %s in %s (%s) could be saved if all were %s",
			 lp_io_time_text(gain->saving_ns, save),
			 lp_io_time_text((double)gain->judged.time_ns, all),
			 gain_of(j),
			 lp_io_share_text(gain->saving_ns,
					  (double)gain->judged.time_ns, share),
			 j->model->reference);
}

const char *lp_io_headline(const struct lp_io_judgement *j, char *text,
			   size_t size)
{
	struct lp_io_gain gain = lp_io_whole_gain(j);

	if (gain.judged.n == 0)
		plain_headline(j, text, size);
	else
		gain_headline(j, &gain, text, size);
	return text;
}

/* ---- what was slow ---- */

const char *lp_io_slow_text(const struct lp_io_judgement *j, char *text,
			    size_t size)
{
	char time[LP_IO_WORD], lost[LP_IO_WORD], why[UNSEEN];

	if (j->slow.n > 0)
		snprintf(text, size,
			 "%" PRIu64 " %s unexpectedly slow for %s kind and "
			 "size: %s, %s above the usual",
			 j->slow.n,
			 lp_plural(j->slow.n, "operation was",
				   "operations were"),
			 lp_plural(j->slow.n, "its", "their"),
			 lp_io_time_text((double)j->slow.time_ns, time),
			 lp_io_time_text(j->slow_excess_ns, lost));
	else if (lp_io_is_unseen(&j->coverage))
		snprintf(text, size,
			 "Cannot tell whether an operation was unexpectedly "
			 "slow: %s",
			 unseen_text(j, why));
	else if (j->grouped.n == 0)
		snprintf(text, size,
			 "Cannot tell whether an operation was unexpectedly "
			 "slow: at least %d of one kind and size are needed",
			 LP_IO_ENOUGH);
	else if (j->lone.n == 0)
		snprintf(text, size, "No operation was unexpectedly slow");
	else
		snprintf(text, size,
			 "None of the %" PRIu64 " operations that could be "
			 "compared was unexpectedly slow",
			 j->grouped.n);
	return text;
}

const char *lp_io_lone_text(const struct lp_io_judgement *j, char *text,
			    size_t size)
{
	const struct lp_io_operation *o;
	char time[LP_IO_WORD], bytes[LP_IO_WORD];

	text[0] = '\0';
	if (j->lone.n == 0)
		return text;
	o = &j->trace->operation[j->longest_lone];
	snprintf(text, size,
		 "%" PRIu64 " %s not compared: fewer than %d of one kind and "
		 "size. The longest: a %s of %s, %s",
		 j->lone.n,
		 lp_plural(j->lone.n, "operation was", "operations were"),
		 LP_IO_ENOUGH, lp_io_kind_name(o->kind),
		 lp_io_size_text(o->result, bytes),
		 lp_io_duration_text((double)o->duration_ns,
				     j->trace->resolution_ns, time));
	return text;
}

/* ---- how far it can be trusted ---- */

static void clock_remark(const struct lp_io_judgement *j, char *text,
			 size_t size)
{
	char clock[LP_IO_WORD];

	if (j->trace->resolution_ns > 1)
		snprintf(text, size,
			 "the trace's clock has a resolution of %s: shorter "
			 "durations are not exact and are not judged",
			 lp_io_clock_text(j->trace->resolution_ns, clock));
}

static void left_out_remark(const struct lp_io_judgement *j, char *text,
			    size_t size)
{
	uint64_t n = j->trace->n_left_out;

	if (n > 0)
		snprintf(text, size,
			 "%" PRIu64 " MPI-IO %s left out: %s POSIX operations, "
			 "which are counted here",
			 n, lp_plural(n, "call was", "calls were"),
			 lp_plural(n, "it ends in", "they end in"));
}

static void sum_remark(const struct lp_io_judgement *j, char *text, size_t size)
{
	struct lp_io_tally all = lp_io_whole_tally(j);
	char tasks[LP_IO_WORD], span[LP_IO_WORD], bytes[LP_IO_WORD];
	char rate[LP_IO_WORD];

	if (j->n_threads > 1)
		snprintf(text, size,
			 "times are sums over %s, and bytes/s are those of one "
			 "of them during its calls; together they moved %s in "
			 "%s, %s",
			 tasks_text(j, tasks),
			 lp_io_bytes_text((double)all.bytes, bytes),
			 lp_io_time_text((double)j->span_ns, span),
			 lp_io_rate_text((double)all.bytes, (double)j->span_ns,
					 rate));
}

static void unclear_remark(const struct lp_io_judgement *j, char *text,
			   size_t size)
{
	uint64_t n = unclear_of(j);
	char clock[LP_IO_WORD];

	if (n > 0)
		snprintf(text, size,
			 "%" PRIu64
			 " %s no cause: with a clock of %s, more than "
			 "one is possible",
			 n, lp_plural(n, "operation has", "operations have"),
			 lp_io_clock_text(j->trace->resolution_ns, clock));
}

/* Of a model of reads only the headline does not tell how long writes took. */
static void other_remark(const struct lp_io_judgement *j, char *text,
			 size_t size)
{
	char time[LP_IO_WORD];

	for (unsigned kind = 0; j->model && kind < 2; kind++)
		if (j->classifier.kind[kind].n == 0 && j->kind[kind].n > 0)
			snprintf(text, size,
				 "the model has no %ss: the %ss of the trace, "
				 "%s, have no cause",
				 lp_io_kind_name(kind), lp_io_kind_name(kind),
				 lp_io_time_text((double)j->kind[kind].time_ns,
						 time));
}

size_t lp_io_remarks(const struct lp_io_judgement *j,
		     char text[LP_IO_REMARKS][LP_IO_REMARK])
{
	static void (*const remarks[])(const struct lp_io_judgement *, char *,
				       size_t) = {
		coverage_remark, clock_remark,   left_out_remark,
		sum_remark,      unclear_remark, other_remark,
	};
	size_t n = 0;

	_Static_assert(sizeof(remarks) / sizeof(*remarks) <= LP_IO_REMARKS,
		       "room for all");
	for (size_t i = 0; i < sizeof(remarks) / sizeof(*remarks); i++) {
		text[n][0] = '\0';
		remarks[i](j, text[n], LP_IO_REMARK);
		n += text[n][0] != '\0';
	}
	return n;
}
