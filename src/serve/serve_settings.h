/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a live service is told, by its file and its command line.
 *
 *     directories = [ "/srv/limpid" ];
 *     listen = "127.0.0.1:8765";
 *     alert_after = "10m";
 *     alertmanager = "http://127.0.0.1:9093";
 */
#ifndef LP_SERVE_SERVE_SETTINGS_H
#define LP_SERVE_SERVE_SETTINGS_H

#include "base/error.h"
#include "base/memory.h"
#include "detect/budget.h"
#include "detect/detector.h"

#include <stdint.h>

#define LP_SERVE_PORT 8765
#define LP_SERVE_PATHS 64

/* Texts as they were given; NULL: not given. */
struct lp_settings {
	const char *paths[LP_SERVE_PATHS + 1];
	size_t n_paths;
	const char *listen, *state, *period, *step, *keep, *false_alarms;
	const char *calibration, *cluster, *quiet, *url, *method;
	const char *alert_after, *alertmanager, *webhook, *command;
	/* Of these, by lp_settings_check: */
	char host[64]; /* "127.0.0.1", "::1" */
	uint16_t port; /* 0: any that is free */
	int64_t period_ns, step_ns, keep_ns, quiet_ns, alert_after_ns;
	struct lp_budget budget; /* of alerts */
	/* Ended by NULL. */
	const struct lp_detector *methods[2];
	struct lp_arena arena;
};

/*
 * Read a file into settings: what is set already stays. -EINVAL: one line with
 * the place.
 */
int lp_settings_read(struct lp_settings *settings, const char *path,
		     struct lp_error *err);
int lp_settings_parse(struct lp_settings *settings, const char *name,
		      const char *text, struct lp_error *err);
/* Fill in the defaults, and see that all makes sense. 0 or -EINVAL. */
int lp_settings_check(struct lp_settings *settings, struct lp_error *err);
void lp_settings_done(struct lp_settings *settings);

#endif
