/* SPDX-License-Identifier: Apache-2.0 */
#include "api/api.h"

#include "base/number.h"
#include "case/case_metrics.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define THREADS_MOST 1024

static const struct limpid_options usual = {
	.since_ns = LP_TIME_MIN,
	.until_ns = LP_TIME_MAX,
};

const struct limpid_options *lp_api_options(
	const struct limpid_options *options)
{
	return options ? options : &usual;
}

struct limpid_options *limpid_options_new(void)
{
	struct limpid_options *options = malloc(sizeof(*options));

	if (options)
		*options = usual;
	return options;
}

void limpid_options_free(struct limpid_options *options)
{
	if (!options)
		return;
	free(options->metric);
	free(options->cluster);
	free(options);
}

/* ---- reading one: 0 or -errno, the field untouched on failure ---- */

static int read_duration(const char *text, void *field)
{
	int64_t ns;

	if (lp_duration_parse(text, &ns) < 0 || ns <= 0)
		return -EINVAL;
	*(int64_t *)field = ns;
	return 0;
}

static int read_time(const char *text, void *field)
{
	return lp_time_parse(text, strlen(text), field);
}

static int read_text(const char *text, void *field)
{
	char **at = field, *copy = strdup(text);

	if (!copy)
		return -ENOMEM;
	free(*at);
	*at = copy;
	return 0;
}

static int read_positive(const char *text, void *field)
{
	double v;

	if (lp_parse_double(text, strlen(text), &v) < 0 || !(v > 0))
		return -EINVAL;
	*(double *)field = v;
	return 0;
}

static int read_threads(const char *text, void *field)
{
	uint64_t v;

	if (lp_parse_u64(text, strlen(text), &v) < 0 || v < 1 ||
	    v > THREADS_MOST)
		return -EINVAL;
	*(unsigned *)field = (unsigned)v;
	return 0;
}

#define FIELD(member) offsetof(struct limpid_options, member)

static const struct {
	const char *name;
	int (*read)(const char *text, void *field);
	size_t offset;
} rows[] = {
	{ "cluster", read_text, FIELD(cluster) },
	{ "history", read_duration, FIELD(history_ns) },
	{ "metric", read_text, FIELD(metric) },
	{ "since", read_time, FIELD(since_ns) },
	{ "step", read_duration, FIELD(step_ns) },
	{ "threads", read_threads, FIELD(threads) },
	{ "threshold", read_positive, FIELD(threshold) },
	{ "until", read_time, FIELD(until_ns) },
};

static int check_metrics(const char *value, struct lp_error *err)
{
	struct lp_option_list list = { .text = &value, .count = 1 };

	return lp_case_check_metrics("metric", &list, NULL, err);
}

int limpid_options_set(struct limpid_options *options, const char *name,
		       const char *value, struct limpid_error *err)
{
	size_t i = 0;
	int status;

	while (i < sizeof(rows) / sizeof(*rows) &&
	       strcmp(rows[i].name, name) != 0)
		i++;
	if (i == sizeof(rows) / sizeof(*rows))
		return lp_fail(lp_api_error(err), EINVAL,
			       "there is no option '%s'", name);
	if (rows[i].offset == FIELD(metric) &&
	    check_metrics(value, lp_api_error(err)) < 0)
		return -EINVAL;
	status = rows[i].read(value, (char *)options + rows[i].offset);
	if (status == -ENOMEM)
		return lp_fail_memory(lp_api_error(err));
	return status ? lp_fail(lp_api_error(err), EINVAL,
				"%s: '%s' is not a value of this option", name,
				value)
		      : 0;
}

/* ---- what others make of them ---- */

struct lp_option_list lp_api_metrics(const struct limpid_options *options,
				     const char **text)
{
	*text = options->metric;
	return (struct lp_option_list){ .text = text,
					.count = options->metric ? 1 : 0 };
}

struct lp_diagnose_options lp_api_diagnose_options(
	const struct limpid_options *options)
{
	return (struct lp_diagnose_options){
		.params.threshold = options->threshold,
		.threads = options->threads,
	};
}

int lp_api_plan(void *cluster, const struct lp_survey *recording,
		const struct lp_matrix *matrix, struct lp_plan *plan,
		struct lp_error *err)
{
	return lp_cluster_plan(cluster, recording, matrix, plan, err);
}
