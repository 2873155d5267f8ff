/* SPDX-License-Identifier: Apache-2.0 */
#include "case/case_metrics.h"

#include "base/nearest.h"
#include "cluster/cluster.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Above this, metrics that do not accuse are left in the files. */
#define MATRIX_BYTES_MAX 0x1p29
/* Of the machine's memory: more than this is refused. */
#define MEMORY_PART 0.5

static bool is_named(const struct lp_option_list *list,
		     const struct lp_metric *metric)
{
	for (size_t i = 0; i < list->count; i++)
		if (lp_metric_is_listed(metric, list->text[i]))
			return true;
	return false;
}

static size_t add_metric(struct lp_matrix_metric *list, size_t n,
			 const struct lp_class *class,
			 const struct lp_metric *metric)
{
	for (size_t i = 0; i < n; i++)
		if (list[i].class == class && list[i].metric == metric)
			return n;
	list[n] = (struct lp_matrix_metric){ class, metric };
	return n + 1;
}

/* What pools need: weights of the mean, who works, and what was lost. */
static size_t add_needs(struct lp_matrix_metric *list, size_t n,
			const struct lp_class *class,
			const struct lp_metric *metric)
{
	const struct lp_metric *weight = lp_peer_weight(class, metric);
	const char *const *active = class->active_by;

	if (weight)
		n = add_metric(list, n, class, weight);
	for (; active && *active; active++)
		n = add_metric(list, n, class, lp_class_metric(class, *active));
	for (size_t i = 0; class->pooled && i < class->n_metrics; i++)
		if (class->metrics[i].role == LP_LOSS)
			return add_metric(list, n, class, &class->metrics[i]);
	return n;
}

static void add_totals(struct lp_matrix_metric *list, size_t n)
{
	for (size_t c = 0; lp_classes[c]; c++)
		for (size_t i = 0; i < lp_classes[c]->n_metrics; i++)
			if (lp_classes[c]->metrics[i].total)
				n = add_metric(list, n, lp_classes[c],
					       &lp_classes[c]->metrics[i]);
}

bool lp_case_is_joint(const struct lp_detector *const *methods)
{
	const struct lp_detector *const *m = methods ? methods : lp_detectors;

	while (*m && !((*m)->joint && (methods || (*m)->usual)))
		m++;
	return *m;
}

/* Whether one of them judges metrics one by one. */
static bool any_single(const struct lp_detector *const *methods)
{
	const struct lp_detector *const *m = methods ? methods : lp_detectors;

	while (*m && ((*m)->joint || !(methods || (*m)->usual)))
		m++;
	return *m;
}

/* What the quantities are shown by, and all that they are made of. */
static size_t add_quantities(struct lp_matrix_metric *list, size_t n,
			     const struct lp_class *class,
			     const struct lp_option_list *wanted)
{
	bool any = false;

	for (size_t i = 0; i < class->n_quantities; i++) {
		const struct lp_metric *q = &class->quantities[i];

		if (wanted->count && !is_named(wanted, q))
			continue;
		any = true;
		n = add_metric(list, n, class,
			       lp_class_metric(class, q->shown_by));
	}
	for (size_t i = 0; any && i < class->n_metrics; i++)
		if (class->metrics[i].input != LP_INPUT_NONE)
			n = add_metric(list, n, class, &class->metrics[i]);
	return n;
}

/* What accuses (of what was asked for), what it needs, then the rest. */
static void list_metrics(struct lp_matrix_metric *list,
			 const struct lp_option_list *wanted,
			 const struct lp_detector *const *methods, bool rest)
{
	bool single = any_single(methods), joint = lp_case_is_joint(methods);
	size_t n = 0;

	for (size_t c = 0; lp_classes[c]; c++) {
		const struct lp_class *class = lp_classes[c];

		if (!lp_class_is_compared(class))
			continue;
		if (joint)
			n = add_quantities(list, n, class, wanted);
		for (size_t i = 0; i < class->n_metrics; i++) {
			const struct lp_metric *m = &class->metrics[i];
			bool accuses = single && m->indicts &&
				       (!wanted->count || is_named(wanted, m));

			if (!accuses && !(rest && !(single && m->indicts) &&
					  i < class->n_usual))
				continue;
			n = add_metric(list, n, class, m);
			n = add_needs(list, n, class, m);
		}
	}
	/* Who shares a load with whom; reads and writes tell as well. */
	if (rest || wanted->count)
		add_totals(list, n);
}

/* As floats: of every component all metrics of its class, on the grid. */
static double matrix_bytes(const struct lp_matrix_metric *metrics,
			   const struct lp_survey *recording, int64_t step_ns)
{
	const struct lp_roster *roster = &recording->roster;
	double points = (double)lp_survey_span(recording) / (double)step_ns + 1;
	double series = 0;

	for (size_t i = 0; i < roster->n_items; i++)
		for (size_t m = 0; metrics[m].class; m++)
			series += roster->items[i].n_samples > 0 &&
				  metrics[m].class == roster->items[i].class;
	return points * series * sizeof(float);
}

/* Better one line than a machine without memory: a clock may be years off. */
static int check_size(double need, const struct lp_survey *recording,
		      struct lp_error *err)
{
	double room = MEMORY_PART * (double)sysconf(_SC_PHYS_PAGES) *
		      (double)sysconf(_SC_PAGESIZE);
	char span[LP_TIME_TEXT], first[LP_TIME_TEXT];

	if (need <= room)
		return 0;
	return lp_fail(err, EFBIG,
		       "comparing %s from %s on would take %.0f GiB of memory",
		       lp_duration_format(lp_survey_span(recording), span),
		       lp_time_format(recording->roster.first_ns, first),
		       need / 0x1p30);
}

/* ---- what was asked for ---- */

/* Whether any of the methods judges it; NULL: the usual ones. */
static bool is_judged(const struct lp_detector *const *methods,
		      const struct lp_metric *metric)
{
	const struct lp_detector *const *m = methods ? methods : lp_detectors;

	for (; *m; m++)
		if ((methods || (*m)->usual) && lp_detector_applies(*m, metric))
			return true;
	return false;
}

/* The first that does. */
static const struct lp_detector *judge_of(const struct lp_metric *metric)
{
	const struct lp_detector *const *d = lp_detectors;

	while (d[1] && !lp_detector_applies(*d, metric))
		d++;
	return *d;
}

/* What is known of a name. */
struct naming {
	const char *name;
	const struct lp_detector *const *methods;
	struct lp_nearest nearest;
	bool known, judged;
	const struct lp_detector *other; /* that judges it */
};

static void compare_name(struct naming *naming, const struct lp_metric *list,
			 size_t n)
{
	for (const struct lp_metric *m = list; m < list + n; m++) {
		if (!m->indicts)
			continue;
		lp_nearest_offer(&naming->nearest, m->name);
		if (m->sar_name)
			lp_nearest_offer(&naming->nearest, m->sar_name);
		if (!lp_metric_is_named(m, naming->name, strlen(naming->name)))
			continue;
		naming->known = true;
		naming->other = judge_of(m);
		naming->judged =
			naming->judged || is_judged(naming->methods, m);
	}
}

/* "service, latency": what the methods judge, by name, each once. */
#define NAMES_TEXT 256
static void add_judged(const struct lp_detector *const *methods,
		       const struct lp_metric *list, size_t n,
		       char text[NAMES_TEXT])
{
	for (const struct lp_metric *m = list; m < list + n; m++) {
		size_t used = strlen(text);

		/* Interfaces and ports share names, and no name is a part of
		   another. */
		if (m->indicts && is_judged(methods, m) &&
		    !strstr(text, m->name))
			snprintf(text + used, NAMES_TEXT - used, "%s%s",
				 used ? ", " : "", m->name);
	}
}

static void name_judged(const struct lp_detector *const *methods,
			char text[NAMES_TEXT])
{
	text[0] = '\0';
	for (size_t c = 0; lp_classes[c]; c++) {
		add_judged(methods, lp_classes[c]->quantities,
			   lp_classes[c]->n_quantities, text);
		add_judged(methods, lp_classes[c]->metrics,
			   lp_classes[c]->n_metrics, text);
	}
}

static int check_name(const char *option, const char *name,
		      const struct lp_detector *const *methods,
		      struct lp_error *err)
{
	struct naming naming = { .name = name,
				 .methods = methods,
				 .nearest = lp_nearest_begin(name) };
	const char *best;
	char names[NAMES_TEXT];

	for (size_t c = 0; lp_classes[c]; c++) {
		compare_name(&naming, lp_classes[c]->metrics,
			     lp_classes[c]->n_metrics);
		compare_name(&naming, lp_classes[c]->quantities,
			     lp_classes[c]->n_quantities);
	}
	if (naming.judged)
		return 0;
	name_judged(methods, names);
	if (naming.known)
		return lp_fail(err, EINVAL,
			       "%s %s: the method does not judge it; it judges "
			       "%s%s%s",
			       option, name, names,
			       methods ? "" : ". Or add --method ",
			       methods ? "" : naming.other->name);
	best = naming.nearest.best;
	return lp_fail(err, EINVAL,
		       "%s: '%s' cannot accuse a component; expected one "
		       "of %s%s%s%s",
		       option, name, names, best ? "; did you mean '" : "",
		       best ? best : "", best ? "'?" : "");
}

int lp_case_check_metrics(const char *option,
			  const struct lp_option_list *names,
			  const struct lp_detector *const *methods,
			  struct lp_error *err)
{
	for (size_t i = 0; i < names->count; i++)
		for (const char *at = names->text[i];;) {
			size_t n = strcspn(at, ",");
			char name[64];
			int status;

			snprintf(name, sizeof(name), "%.*s",
				 (int)(n < 63 ? n : 63), at);
			status = check_name(option, name, methods, err);
			if (status < 0)
				return status;
			if (!at[n])
				break;
			at += n + 1;
		}
	return 0;
}

struct lp_matrix_metric *lp_case_metrics(
	const struct lp_option_list *names,
	const struct lp_detector *const *methods, bool rest)
{
	struct lp_matrix_metric *list;
	size_t most = 1;

	for (size_t i = 0; lp_classes[i]; i++)
		most += lp_classes[i]->n_metrics;
	list = calloc(most, sizeof(*list));
	if (list)
		list_metrics(list, names, methods, rest);
	return list;
}

int lp_case_metrics_choose(const struct lp_option_list *names,
			   const struct lp_detector *const *methods,
			   const struct lp_survey *recording, int64_t step_ns,
			   struct lp_matrix_metric **metrics,
			   struct lp_error *err)
{
	struct lp_matrix_metric *list = lp_case_metrics(names, methods, true);
	double bytes = list ? matrix_bytes(list, recording, step_ns) : 0;
	int status;

	if (bytes > MATRIX_BYTES_MAX) {
		free(list);
		list = lp_case_metrics(names, methods, false);
		bytes = list ? matrix_bytes(list, recording, step_ns) : 0;
	}
	status = list ? check_size(bytes, recording, err) : lp_fail_memory(err);
	if (status == 0)
		*metrics = list;
	else
		free(list);
	return status;
}
