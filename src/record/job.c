/* SPDX-License-Identifier: Apache-2.0 */
#include "record/job.h"

#include "base/timestamp.h"

#include <errno.h>

/* An absent file may come with a module, an unreadable one with a chmod. */
#define RETRY_ABSENT_NS (60 * LP_NS_PER_S)
#define RETRY_FAILED_NS (10 * LP_NS_PER_S)
/* A reader that flaps may say this much at once, then a line a minute. */
#define MOST_SPOKEN 6
#define QUIET_NS (60 * LP_NS_PER_S)

bool lp_job_due(const struct lp_job *job, int64_t now_ns)
{
	return job->health != LP_HEALTH_STUCK && now_ns >= job->retry_ns;
}

void lp_job_fetched(struct lp_job *job, int64_t now_ns, int status,
		    const struct lp_error *err)
{
	job->fetched = status == 0;
	if (status == 0)
		return;
	job->trouble = *err;
	if (status == -ENOENT && !job->worked) {
		job->health = LP_HEALTH_ABSENT;
		job->retry_ns = now_ns + RETRY_ABSENT_NS;
	} else {
		job->health = LP_HEALTH_FAILED;
		job->retry_ns = now_ns + RETRY_FAILED_NS;
	}
}

void lp_job_parsed(struct lp_job *job, int status, const struct lp_error *err)
{
	job->worked = true;
	job->health = status == -ENOSPC ? LP_HEALTH_FULL
		      : status < 0      ? LP_HEALTH_BROKEN
					: LP_HEALTH_GOOD;
	if (status < 0)
		job->trouble = *err;
}

void lp_job_stuck(struct lp_job *job, int64_t after_ns)
{
	char text[LP_TIME_TEXT];

	job->fetched = false;
	job->health = LP_HEALTH_STUCK;
	lp_fail(&job->trouble, ETIMEDOUT, "no answer for %s",
		lp_duration_format(after_ns, text));
}

void lp_job_freed(struct lp_job *job)
{
	job->health = LP_HEALTH_GOOD;
	job->retry_ns = 0;
}

static bool may_speak(struct lp_job *job, int64_t now_ns)
{
	if (now_ns - job->said_ns >= QUIET_NS)
		job->spoken = 0;
	if (job->spoken >= MOST_SPOKEN)
		return false;
	job->spoken++;
	job->said_ns = now_ns;
	return true;
}

/* Good and absent are both silence. */
static bool is_fine(enum lp_health health)
{
	return health == LP_HEALTH_GOOD || health == LP_HEALTH_ABSENT;
}

/* What becomes of a recording whose reader fails. */
static const char *consequence(enum lp_health health)
{
	if (health == LP_HEALTH_FULL)
		return "";
	return health == LP_HEALTH_BROKEN ? "; this line is left out"
					  : "; recording continues without it";
}

static void tell(const struct lp_job *job, struct lp_notices *notices)
{
	bool fine = is_fine(job->health);
	const char *name = job->reader->name;
	struct lp_notice *notice =
		lp_notice_add(notices, LP_EVENT_READER, "%s: %s%s", name,
			      fine ? "works again" : job->trouble.text,
			      fine ? "" : consequence(job->health));

	if (notice && fine)
		notice->severity = LP_SEVERITY_INFO;
	lp_notice_pair(notice, "reader", "%s", name);
	lp_notice_pair(notice, "state", fine ? "works" : "fails");
}

void lp_job_report(struct lp_job *job, int64_t now_ns,
		   struct lp_notices *notices)
{
	if (job->health == job->said)
		return;
	if (is_fine(job->health) && is_fine(job->said)) {
		job->said = job->health;
		return;
	}
	if (!may_speak(job, now_ns))
		return;
	job->said = job->health;
	tell(job, notices);
}
