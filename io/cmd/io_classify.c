/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid io classify: the class of every operation, by a model or by nothing
 * but the density of their durations.
 */
#include "io.h"
#include "io_load.h"

#include "base/json.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/visible.h"
#include "io/model/judge.h"
#include "io/report/io_words.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

struct options {
	const char *model, *names;
	bool csv, json;
};

static const struct lp_option table[] = {
	{ .short_name = 'm',
	  .long_name = "model",
	  .type = LP_OPTION_STRING,
	  .value = "MODEL",
	  .offset = offsetof(struct options, model),
	  .help = "use this model of limpid io calibrate or fit" },
	{ .long_name = "names",
	  .type = LP_OPTION_STRING,
	  .value = "NAME,...",
	  .offset = offsetof(struct options, names),
	  .help = "without a model: names for the classes, fastest first" },
	{ .long_name = "csv",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, csv),
	  .help = "print every operation with its class as CSV" },
	{ .long_name = "json",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, json),
	  .help = "print JSON, one object per trace" },
};

static const struct lp_usage usage = {
	.command = "limpid io classify",
	.summary = "Shows the likely causes of the durations of operations in "
		   "traces.",
	.operands = "TRACE...",
	.min_operands = 1,
	.max_operands = LP_OPERANDS_ANY,
	.options = table,
	.n_options = lp_array_size(table),
	.notes = "Without a model, operations of one kind and size are divided "
		 "into classes where\nthe density of their durations is "
		 "lowest.\n",
};

/* ---- names ---- */

/* The i-th of "cached,uncached", or "class 3". */
static const char *class_name(const char *names, size_t i,
			      char text[LP_IO_NAME_MAX + 1])
{
	const char *at = names;

	for (size_t k = 0; at && k < i; k++) {
		at = strchr(at, ',');
		at = at ? at + 1 : NULL;
	}
	if (at && *at && *at != ',')
		snprintf(text, LP_IO_NAME_MAX + 1, "%.*s",
			 (int)strcspn(at, ","), at);
	else
		snprintf(text, LP_IO_NAME_MAX + 1, "class %zu", i + 1);
	return text;
}

/* ---- shares by a model: Kunkel 2015, table 4 ---- */

static uint64_t count_of(const struct lp_io_judgement *j, unsigned kind)
{
	uint64_t n = j->unclear[kind].n;

	for (size_t i = 0; i < j->classifier.n_classes; i++)
		n += j->by_class[kind][i].n;
	return n;
}

static void shares_text(const struct lp_io_judgement *j, const char *name,
			bool titles)
{
	char text[LP_IO_WORD];

	if (titles) {
		lp_io_cell(stdout, "operation", -9);
		lp_io_cell(stdout, "judged", 10);
		for (size_t i = 0; i < j->classifier.n_classes; i++)
			lp_io_cell(stdout, j->classifier.name[i], 12);
		lp_io_cell(stdout, "unclear", 12);
		fputs("trace\n", stdout);
	}
	for (unsigned kind = 0; kind < 2; kind++) {
		uint64_t n = count_of(j, kind);

		if (n == 0)
			continue;
		lp_io_cell(stdout, lp_io_kind_name(kind), -9);
		snprintf(text, sizeof(text), "%" PRIu64, n);
		lp_io_cell(stdout, text, 10);
		for (size_t i = 0; i < j->classifier.n_classes; i++)
			lp_io_cell(
				stdout,
				lp_io_share_text((double)j->by_class[kind][i].n,
						 (double)n, text),
				12);
		lp_io_cell(stdout,
			   lp_io_share_text((double)j->unclear[kind].n,
					    (double)n, text),
			   12);
		lp_visible_put(stdout, name);
		putchar('\n');
	}
}

/* Causes may have any name, so this stands beside them. */
static void unclear_json(struct lp_json *json, const struct lp_io_judgement *j)
{
	lp_json_key(json, "unclear");
	lp_json_object(json);
	for (unsigned kind = 0; kind < 2; kind++) {
		lp_json_key(json, lp_io_kind_name(kind));
		lp_json_u64(json, j->unclear[kind].n);
	}
	lp_json_end(json);
}

static void shares_json(struct lp_json *json, const struct lp_io_judgement *j)
{
	for (unsigned kind = 0; kind < 2; kind++) {
		lp_json_key(json, lp_io_kind_name(kind));
		lp_json_object(json);
		for (size_t i = 0; i < j->classifier.n_classes; i++) {
			lp_json_key(json, j->classifier.name[i]);
			lp_json_u64(json, j->by_class[kind][i].n);
		}
		lp_json_end(json);
	}
}

/* ---- classes of the density ---- */

static void classes_text(const struct lp_io_judgement *j, const char *name,
			 const char *names)
{
	char text[LP_IO_WORD], from[LP_IO_WORD], own[LP_IO_NAME_MAX + 1];
	int64_t resolution = j->trace->resolution_ns;
	double peak;

	lp_visible_put(stdout, name);
	puts(":");
	if (resolution > 1)
		printf("  the clock has a resolution of %s: nothing below it "
		       "is judged\n",
		       lp_io_clock_text(resolution, text));
	for (size_t g = 0; g < j->n_groups; g++) {
		const struct lp_io_clusters *c = &j->group[g].clusters;
		const struct lp_io_series *s = j->group[g].series;

		printf("  %s of %s: %zu %s, unexpectedly slow over "
		       "%s: %zu\n",
		       lp_io_kind_name(s->kind),
		       lp_io_size_text(s->bytes, from), s->n,
		       lp_plural(s->n, "operation", "operations"),
		       lp_io_time_text((double)j->group[g].limit_ns, text),
		       c->n_slow);
		for (size_t i = 0; i < c->n; i++) {
			lp_io_cell(stdout, "   ", 3);
			lp_io_cell(stdout, class_name(names, i, own), -16);
			lp_io_cell(stdout,
				   lp_io_share_text((double)c->cluster[i].n,
						    (double)s->n, text),
				   7);
			peak = exp(c->cluster[i].peak);
			printf("%s%s, from %s\n",
			       lp_io_is_below(peak, resolution) ? ""
								: "around ",
			       lp_io_duration_text(peak, resolution, text),
			       i ? lp_io_time_text(exp(c->cluster[i].from),
						   from)
				 : "0");
		}
	}
}

static void group_json(struct lp_json *json, const struct lp_io_group *g,
		       const char *names)
{
	char own[LP_IO_NAME_MAX + 1];

	lp_json_object(json);
	lp_json_key(json, "operation");
	lp_json_string(json, lp_io_kind_name(g->series->kind));
	lp_json_key(json, "bytes");
	lp_json_i64(json, g->series->bytes);
	lp_json_key(json, "bandwidth");
	lp_json_double(json, g->clusters.density.bandwidth);
	lp_json_key(json, "slow_over_ns");
	lp_json_double(json, exp(g->clusters.limit));
	lp_json_key(json, "slow");
	lp_json_u64(json, g->clusters.n_slow);
	lp_json_key(json, "classes");
	lp_json_array(json);
	for (size_t i = 0; i < g->clusters.n; i++) {
		const struct lp_io_cluster *c = &g->clusters.cluster[i];

		lp_json_object(json);
		lp_json_key(json, "name");
		lp_json_string(json, class_name(names, i, own));
		lp_json_key(json, "count");
		lp_json_u64(json, c->n);
		lp_json_key(json, "from_ns");
		lp_json_double(json, i ? exp(c->from) : 0);
		lp_json_key(json, "peak_ns");
		lp_json_double(json, exp(c->peak));
		lp_json_end(json);
	}
	lp_json_end(json);
	lp_json_end(json);
}

/* ---- CSV ---- */

/* Its own class, by the density of its kind and size; "" where there are too
   few. */
static const char *own_class(const struct lp_io_judgement *j,
			     const struct lp_io_operation *o, const char *names,
			     char text[LP_IO_NAME_MAX + 1])
{
	double d = lp_io_log_coarse(o->duration_ns, j->trace->resolution_ns);
	const struct lp_io_group *group;

	if (!lp_io_is_compared(o))
		return "";
	group = lp_io_group_of(j, o);
	if (!group)
		return "";
	if (d > group->clusters.limit)
		return "slow";
	return class_name(names, lp_io_cluster_of(&group->clusters, d), text);
}

static const char *cause(const struct lp_io_judgement *j, uint8_t class)
{
	return class == LP_IO_NOT_JUDGED ? ""
	       : class == LP_IO_UNCLEAR  ? "unclear"
					 : j->classifier.name[class];
}

static void put_csv(const struct lp_io_judgement *j, const char *names)
{
	const struct lp_io_trace *t = j->trace;
	char own[LP_IO_NAME_MAX + 1];

	puts("start_ns,duration_ns,operation,offset,result,process,thread,"
	     "class,file");
	for (size_t i = 0; i < t->n_operations; i++) {
		const struct lp_io_operation *o = &t->operation[i];
		const char *class = !j->class ? own_class(j, o, names, own)
					      : cause(j, j->class[i]);

		printf("%" PRId64 ",%" PRId64 ",%s,", o->start_ns,
		       o->duration_ns, lp_io_kind_name(o->kind));
		if (o->offset != LP_IO_NO_OFFSET)
			printf("%" PRId64, o->offset);
		printf(",%" PRId64 ",%" PRId64 ",%" PRId64 ",%s,", o->result,
		       t->task[o->task].process, t->task[o->task].thread,
		       class);
		lp_io_csv_text(t->file[o->file].path, stdout);
		putchar('\n');
	}
}

/* ---- all ---- */

static void put_json(const struct lp_io_judgement *j, const char *name,
		     const char *names)
{
	struct lp_json json;

	lp_json_init(&json, stdout);
	lp_json_object(&json);
	lp_json_key(&json, "trace");
	lp_json_string(&json, name);
	lp_json_key(&json, "resolution_ns");
	lp_json_i64(&json,
		    j->trace->resolution_ns > 1 ? j->trace->resolution_ns : 1);
	if (j->model) {
		shares_json(&json, j);
		unclear_json(&json, j);
	} else {
		lp_json_key(&json, "groups");
		lp_json_array(&json);
		for (size_t i = 0; i < j->n_groups; i++)
			group_json(&json, &j->group[i], names);
		lp_json_end(&json);
	}
	lp_json_end(&json);
	putchar('\n');
}

static void put_one(const struct options *o, const struct lp_io_judgement *j,
		    const char *path, bool first)
{
	if (o->csv)
		put_csv(j, o->names);
	else if (o->json)
		put_json(j, path, o->names);
	else if (j->model)
		shares_text(j, path, first);
	else
		classes_text(j, path, o->names);
}

static int classify(const struct options *o, const char *path,
		    const struct lp_io_model *model, bool first,
		    struct lp_error *err)
{
	struct lp_io_trace *trace = NULL;
	struct lp_io_judgement j;
	char doubt[512], shown[1024];
	int status = lp_io_load(&usage, path, &trace, err);

	if (status < 0)
		return status;
	if (model && *lp_io_model_doubt(model, trace, doubt, sizeof(doubt)))
		fprintf(stderr, "%s: warning: %s: %s\n", usage.command, path,
			lp_visible_text(shown, sizeof(shown), doubt));
	if (lp_io_judge(&j, trace, model) < 0) {
		lp_io_trace_free(trace);
		return lp_fail_memory(err);
	}
	if (lp_io_is_unseen(&j.coverage))
		fprintf(stderr,
			"%s: warning: %s: most of its I/O was not timed; see "
			"limpid io report\n",
			usage.command,
			lp_visible_text(shown, sizeof(shown), path));
	put_one(o, &j, path, first);
	lp_io_judgement_done(&j);
	lp_io_trace_free(trace);
	return 0;
}

static int run(int argc, char **argv)
{
	struct lp_io_model model = { .n_factors = 0 };
	struct options options = { 0 };
	struct lp_error err;
	int first, exit_code, status;

	if (!lp_command_begin(&usage, argc, argv, &options, &first, &exit_code))
		return exit_code;
	if (options.csv && argc - first > 1) {
		lp_fail(&err, EINVAL, "--csv takes one trace");
		return lp_command_misuse(&usage, &err);
	}
	status = options.model ? lp_io_model_read(options.model, &model, &err)
			       : 0;
	for (int i = first; i < argc && status == 0; i++)
		status = classify(&options, argv[i],
				  options.model ? &model : NULL, i == first,
				  &err);
	lp_io_model_done(&model);
	return status < 0 ? lp_command_fail(&usage, &err)
			  : lp_command_finish(&usage);
}

const struct lp_word lp_io_word_classify = { "classify", &usage, run };
