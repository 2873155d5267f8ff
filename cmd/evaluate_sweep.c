/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sensitivity to each parameter, the others at their defaults (FAST'10 11.2):
 *
 *     --sweep moving-average=1..9,window=32..128/32
 */
#include "evaluate.h"

#include "base/number.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SETTINGS 256
#define POINTS 9 /* of a range without a step */

enum parameter { SMOOTH, WINDOW, SHIFT, VOTES, THRESHOLD, PARAMETERS };

static const char *const names[PARAMETERS] = {
	[SMOOTH] = "moving-average", [WINDOW] = "window",
	[SHIFT] = "shift",           [VOTES] = "votes",
	[THRESHOLD] = "threshold",
};

struct setting {
	enum parameter parameter;
	double value;
	struct lp_tally tally;
};

struct sweep {
	struct setting settings[MOST_SETTINGS];
	size_t n;
};

static int bad_range(const char *text, size_t n, struct lp_error *err)
{
	return lp_fail(
		err, EINVAL,
		"--sweep: '%.*s' is not of the form NAME=FROM..TO[/STEP] "
		"with numbers above 0 and a NAME of moving-average, window, "
		"shift, votes, threshold",
		(int)n, text);
}

/* "32..128/32", "5" */
static int parse_range(const char *text, size_t n, double *from, double *to,
		       double *step)
{
	const char *dots = memmem(text, n, "..", 2);
	const char *slash = memchr(text, '/', n), *end = text + n;
	const char *stop = slash ? slash : end;

	if (!dots || dots > stop) {
		*step = 1;
		if (slash || lp_parse_double(text, n, from) < 0)
			return -EINVAL;
		*to = *from;
		return 0;
	}
	if (lp_parse_double(text, (size_t)(dots - text), from) < 0 ||
	    lp_parse_double(dots + 2, (size_t)(stop - dots - 2), to) < 0)
		return -EINVAL;
	*step = (*to - *from) / (POINTS - 1);
	if (*step < 1 && *from == (double)(long)*from)
		*step = 1;
	if (slash &&
	    lp_parse_double(slash + 1, (size_t)(end - slash - 1), step) < 0)
		return -EINVAL;
	return 0;
}

static int add_settings(struct sweep *sweep, enum parameter parameter,
			double from, double to, double step)
{
	if (!(from > 0) || !(to >= from) || !(step > 0) || to > 1e5)
		return -EINVAL;
	for (size_t i = 0; from + (double)i * step <= to * (1 + 1e-9); i++) {
		double value = from + (double)i * step;

		if (sweep->n == MOST_SETTINGS)
			return -EINVAL;
		if (parameter != THRESHOLD)
			value = (double)(long)(value + 0.5);
		if (value > 0)
			sweep->settings[sweep->n++] =
				(struct setting){ .parameter = parameter,
						  .value = value };
	}
	return 0;
}

static int parse_one(struct sweep *sweep, const char *text, size_t n,
		     struct lp_error *err)
{
	const char *equals = memchr(text, '=', n);
	double from, to, step;

	for (int p = 0; equals && p < PARAMETERS; p++) {
		size_t length = strlen(names[p]);

		if ((size_t)(equals - text) != length ||
		    memcmp(text, names[p], length) != 0)
			continue;
		if (parse_range(equals + 1, n - length - 1, &from, &to, &step) <
			    0 ||
		    add_settings(sweep, (enum parameter)p, from, to, step) < 0)
			break;
		return 0;
	}
	return bad_range(text, n, err);
}

static int parse_spec(struct sweep *sweep, const char *spec,
		      struct lp_error *err)
{
	for (;;) {
		size_t n = strcspn(spec, ",");
		int status = parse_one(sweep, spec, n, err);

		if (status < 0 || !spec[n])
			return status;
		spec += n + 1;
	}
}

static struct lp_diagnose_options with(const struct lp_diagnose_options *base,
				       const struct setting *s)
{
	struct lp_diagnose_options options = *base;
	struct lp_detector_params *p = &options.params;

	if (s->parameter == SMOOTH)
		p->smooth = (size_t)s->value;
	if (s->parameter == SHIFT)
		p->shift = (size_t)s->value;
	if (s->parameter == VOTES)
		p->k = (unsigned)s->value;
	if (s->parameter == THRESHOLD)
		p->threshold = s->value;
	if (s->parameter == WINDOW) {
		p->window = (size_t)s->value;
		p->shift = (p->window + 1) / 2;
	}
	return options;
}

static int sweep_run(struct sweep *sweep, const struct lp_eval_run *run,
		     const struct lp_case_options *options,
		     struct lp_error *err)
{
	struct lp_arena arena = { 0 };
	struct lp_case_files c = { 0 };
	int status = lp_eval_load(run, options, &c, err);

	for (size_t i = 0; status == 0 && i < sweep->n; i++) {
		struct setting *s = &sweep->settings[i];
		struct lp_diagnose_options own = with(&c.options, s);
		struct lp_eval_result result;

		status = lp_eval_judge(run, &c, &own, &arena, &result, err);
		if (status == 0 && lp_tally_add(&s->tally, &result.score) < 0)
			status = lp_fail_memory(err);
		lp_arena_reset(&arena);
	}
	lp_arena_done(&arena);
	lp_case_done(&c);
	return status;
}

static void put_number(FILE *out, double v)
{
	char text[LP_NUMBER_TEXT];

	fprintf(out, ",%s", lp_format_double(v, text));
}

static void put_settings(const struct sweep *sweep, FILE *out)
{
	fputs("parameter,value,runs,itp,ifp,dtp,dfp,false_alarms,latency_s\n",
	      out);
	for (size_t i = 0; i < sweep->n; i++) {
		const struct setting *s = &sweep->settings[i];
		double latency = lp_sample_quantile(&s->tally.latency_s, 0.5);

		fputs(names[s->parameter], out);
		put_number(out, s->value);
		fprintf(out, ",%zu", s->tally.runs);
		put_number(out, lp_share_percent(s->tally.itp));
		put_number(out, lp_share_percent(s->tally.ifp));
		put_number(out, lp_share_percent(s->tally.dtp));
		put_number(out, lp_share_percent(s->tally.dfp));
		fprintf(out, ",%zu", s->tally.false_alarms);
		if (!isnan(latency))
			put_number(out, latency);
		else
			fputc(',', out);
		fputc('\n', out);
	}
}

int lp_eval_sweep_check(const char *spec, struct lp_error *err)
{
	lp_auto_free struct sweep *sweep = calloc(1, sizeof(*sweep));

	return sweep ? parse_spec(sweep, spec, err) : lp_fail_memory(err);
}

int lp_eval_sweep(const char *spec, const struct lp_eval_runs *runs,
		  const struct lp_case_options *options, FILE *out,
		  struct lp_error *err)
{
	struct sweep *sweep = calloc(1, sizeof(*sweep));
	int status = sweep ? parse_spec(sweep, spec, err) : lp_fail_memory(err);

	for (size_t i = 0; status == 0 && i < runs->n; i++)
		status = sweep_run(sweep, &runs->items[i], options, err);
	if (status == 0)
		put_settings(sweep, out);
	for (size_t i = 0; sweep && i < sweep->n; i++)
		lp_tally_done(&sweep->settings[i].tally);
	free(sweep);
	return status;
}
