/* SPDX-License-Identifier: Apache-2.0 */
#include "dump.h"

#include "base/memory.h"
#include "base/number.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#define HEADER                                                                 \
	"metric,window_end,component,distance_to_median_peer,share_over,"      \
	"threshold,flag,indicted\n"

#define BLOCKS_HEADER                                                          \
	"time,group,component,quantity,kind,blocks,sum,z,limit,spread,prior,"  \
	"between,within,before,effect,gate,accused\n"

const struct lp_outkind lp_outkind_dump = {
	.name = "a file of --dump",
	.beginnings = (const char *const[]){ HEADER, BLOCKS_HEADER, NULL },
};

/* With the methods that were asked for, or the usual ones. */
static void count_kinds(const struct lp_detector *const *methods, size_t *joint,
			size_t *others)
{
	const struct lp_detector *const *all = methods ? methods : lp_detectors;

	*joint = *others = 0;
	for (; *all; all++) {
		if (!methods && !(*all)->usual)
			continue;
		*joint += (*all)->joint ? 1u : 0u;
		*others += (*all)->joint ? 0u : 1u;
	}
}

int lp_dump_check(const struct lp_detector *const *methods,
		  struct lp_error *err)
{
	size_t joint, others;

	count_kinds(methods, &joint, &others);
	if (!joint || !others)
		return 0;
	return lp_fail(err, EINVAL,
		       "--dump: these methods have different columns; ask for "
		       "one --method at a time");
}

int lp_dump_open(struct lp_dump *dump, const char *path,
		 struct lp_diagnose_options *options, struct lp_error *err)
{
	size_t joint, others;
	int status =
		lp_outfile_create(&dump->file, path, &lp_outkind_dump, err);

	if (status < 0)
		return status;
	count_kinds(options->methods, &joint, &others);
	fputs(joint ? BLOCKS_HEADER : HEADER, dump->file.out);
	options->dump = joint ? NULL : lp_dump_window;
	options->dump_user = dump;
	options->blocks = lp_dump_block;
	options->blocks_user = dump;
	return 0;
}

/* Names with commas or quotes in them are quoted. */
static void put_name(FILE *out, const char *name)
{
	if (!strpbrk(name, ",\"\n")) {
		fputs(name, out);
		return;
	}
	fputc('"', out);
	for (; *name; name++) {
		if (*name == '"')
			fputc('"', out);
		fputc(*name, out);
	}
	fputc('"', out);
}

static void put_row(FILE *out, const struct lp_unit *u,
		    const struct lp_judged *j, size_t i)
{
	const struct lp_verdict *v = &j->verdicts[i];
	char time[LP_TIME_TEXT], distance[LP_NUMBER_TEXT];
	char share[LP_NUMBER_TEXT], threshold[LP_NUMBER_TEXT];
	bool lower = u->detector->lower_is_worse;

	fprintf(out, "%s,%s,", u->metric->name,
		lp_time_format(j->end_ns, time));
	put_name(out, u->group->peers[i].label);
	fprintf(out, ",%s,%s,%s,%d,%d\n",
		lp_format_double(lower ? v->critical : v->median_distance,
				 distance),
		lp_format_double(v->others >= 2 && !lower
					 ? (double)v->over / v->others
					 : NAN,
				 share),
		lp_format_double(u->thresholds[i], threshold), v->flag,
		j->anomalous[i]);
}

int lp_dump_window(void *user, const struct lp_unit *u,
		   const struct lp_judged *judged)
{
	struct lp_dump *dump = user;

	for (size_t i = 0; i < u->group->n; i++)
		put_row(dump->file.out, u, judged, i);
	return ferror(dump->file.out) ? -EIO : 0;
}

/* ---- blocks of joint detectors ---- */

/* Rows of one component. */
struct block_rows {
	FILE *out;
	const struct lp_joint_block *block;
	size_t i;
};

static void begin_row(const struct block_rows *r, const char *quantity,
		      const char *kind, int64_t blocks)
{
	const struct lp_peer_group *group = r->block->units->group;
	char time[LP_TIME_TEXT];

	fprintf(r->out, "%s,", lp_time_format(r->block->end_ns, time));
	put_name(r->out, group->name);
	fputc(',', r->out);
	put_name(r->out, group->peers[r->i].label);
	fprintf(r->out, ",%s,%s,%lld", quantity, kind, (long long)blocks);
}

static void put_number(FILE *out, double v)
{
	char text[LP_NUMBER_TEXT];

	fprintf(out, ",%s", lp_format_double(v, text));
}

static int put_sum(void *user, const char *name, double value)
{
	const struct block_rows *r = user;

	begin_row(r, name, "sum", 1);
	put_number(r->out, value);
	fputs(",,,,,,,,,,\n", r->out);
	return 0;
}

static int put_score(void *user, const struct lp_reason *reason)
{
	const struct block_rows *r = user;
	static const char *const parts[] = { "spread", "prior", "between",
					     "within", "before" };

	begin_row(r, reason->metric->name, reason->kind,
		  (reason->end_ns - reason->begin_ns) / r->block->block_ns);
	fputc(',', r->out);
	put_number(r->out, reason->distance);
	put_number(r->out, reason->limit);
	for (size_t i = 0; i < lp_array_size(parts); i++)
		put_number(r->out, lp_reason_part(reason, parts[i]));
	put_number(r->out, reason->effect);
	put_number(r->out, reason->gate);
	fprintf(r->out, ",%d\n", reason->accuses);
	return 0;
}

int lp_dump_block(void *user, const struct lp_joint_block *block)
{
	struct lp_dump *dump = user;
	const struct lp_joint *joint = block->units->detector->joint;
	struct block_rows rows = { dump->file.out, block, 0 };
	int status = 0;

	for (; rows.i < block->units->group->n && status == 0; rows.i++) {
		status = joint->tell_sums(block->state, rows.i, put_sum, &rows);
		if (status == 0)
			status = joint->explain(block->state, rows.i, put_score,
						&rows);
	}
	if (status == 0 && ferror(dump->file.out))
		status = -EIO;
	return status;
}

int lp_dump_commit(struct lp_dump *dump, struct lp_error *err)
{
	return lp_outfile_commit(&dump->file, err);
}

void lp_dump_abandon(struct lp_dump *dump)
{
	lp_outfile_abandon(&dump->file);
}
