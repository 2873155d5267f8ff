/* SPDX-License-Identifier: Apache-2.0 */
#include "logs.h"

#include "base/visible.h"

#include <errno.h>
#include <stdlib.h>

static int read_rules(struct lp_log_study *study,
		      const struct lp_logs_common *common, struct lp_error *err)
{
	int status = 0;

	for (size_t i = 0; i < common->rules.count && status == 0; i++)
		status = lp_log_rules_read(&study->rules, common->rules.text[i],
					   err);
	return status < 0 ? status : lp_log_rules_shipped(&study->rules, err);
}

static int read_onset(struct lp_log_study *study,
		      const struct lp_logs_common *common, struct lp_error *err)
{
	struct lp_when_frame frame = { .zone = study->zone,
				       .now_ns = lp_time_now() };

	study->onset_ns = LP_LOG_NO_TIME;
	if (common->onset.kind == LP_WHEN_UNSET)
		return 0;
	if (lp_when_needs_recording(&common->onset))
		return lp_fail(err, EINVAL,
			       "--onset: say the day, too: '2026-11-18 10:00'");
	return lp_when_resolve(&common->onset, &frame, &study->onset_ns, err);
}

static int add_sources(struct lp_log_study *study, char **paths, size_t n,
		       struct lp_error *err)
{
	int status = 0;

	for (size_t i = 0; i < n && status == 0; i++)
		status = lp_log_sources_add(&study->sources, paths[i], err);
	if (status == 0 && study->sources.n == 0)
		return lp_fail(err, ENOENT, "there is no file in %s", paths[0]);
	return status;
}

int lp_logs_prepare(struct lp_log_study *study,
		    const struct lp_logs_common *common, char **paths, size_t n,
		    struct lp_error *err)
{
	int status;

	*study = (struct lp_log_study){ .without_rules = common->no_rules };
	if ((status = lp_zone_find(common->zone ? common->zone : "local",
				   &study->zone, err)) < 0 ||
	    (status = read_onset(study, common, err)) < 0 ||
	    (common->model &&
	     (status = lp_log_model_read(&study->model, common->model, err)) <
		     0) ||
	    (status = read_rules(study, common, err)) < 0 ||
	    (status = add_sources(study, paths, n, err)) < 0) {
		lp_log_study_done(study);
		return status;
	}
	study->has_model = common->model != NULL;
	return 0;
}

/* What was said before the onset is what is healthy. */
static int learn_before(struct lp_log_study *study, struct lp_error *err)
{
	int status;

	study->before_ns = study->onset_ns;
	study->onset_ns = LP_LOG_NO_TIME;
	status = lp_log_study_run(study, LP_LOG_LEARN, err);
	study->onset_ns = study->before_ns;
	if (status == 0 && lp_log_study_freeze(study) < 0)
		status = lp_fail_memory(err);
	return status;
}

int lp_logs_study(struct lp_log_study *study,
		  const struct lp_logs_common *common, struct lp_error *err)
{
	int status = 0;

	if (study->onset_ns != LP_LOG_NO_TIME && !common->model)
		status = learn_before(study, err);
	if (status == 0)
		status = lp_log_study_run(study, LP_LOG_CLASSIFY, err);
	if (status == 0 && lp_log_study_resolve(study) < 0)
		status = lp_fail_memory(err);
	return status;
}

void lp_logs_print_notes(const struct lp_usage *usage,
			 const struct lp_log_study *study)
{
	for (size_t i = 0; i < study->n_notes; i++)
		fprintf(stderr, "%s: %s: %s\n", usage->command,
			lp_shown(study->notes[i].path),
			lp_shown(study->notes[i].text));
	if (study->gave_up)
		fprintf(stderr,
			"%s: rules gave up on %llu lines: a pattern "
			"backtracks too much\n",
			usage->command, (unsigned long long)study->gave_up);
	if (study->crowded)
		fprintf(stderr,
			"%s: more than %zu different lines of evidence; the "
			"rest is not counted\n",
			usage->command, LP_LOG_MOST_EVIDENCE);
}
