/* SPDX-License-Identifier: Apache-2.0 */
#include "dump.h"

#include "base/number.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#define HEADER                                                                 \
	"metric,window_end,component,distance_to_median_peer,share_over,"      \
	"threshold,flag,indicted\n"

const struct lp_outkind lp_outkind_dump = {
	.name = "a file of --dump",
	.beginnings = (const char *const[]){ HEADER, NULL },
};

int lp_dump_open(struct lp_dump *dump, const char *path, struct lp_error *err)
{
	int status =
		lp_outfile_create(&dump->file, path, &lp_outkind_dump, err);

	if (status == 0)
		fputs(HEADER, dump->file.out);
	return status;
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

int lp_dump_commit(struct lp_dump *dump, struct lp_error *err)
{
	return lp_outfile_commit(&dump->file, err);
}

void lp_dump_abandon(struct lp_dump *dump)
{
	lp_outfile_abandon(&dump->file);
}
