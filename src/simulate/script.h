/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A script while it is read: what script.c and its script_event.c share.
 */
#ifndef LP_SIMULATE_SCRIPT_H
#define LP_SIMULATE_SCRIPT_H

#include "base/conf.h"
#include "simulate/scenario.h"

enum lp_script_type {
	LP_SCRIPT_NUMBER,
	LP_SCRIPT_COUNT,
	LP_SCRIPT_FLAG,
	LP_SCRIPT_TEXT,
	LP_SCRIPT_TIME,
};

struct lp_script_key {
	const char *name;
	enum lp_script_type type;
	size_t offset;
	double factor; /* of numbers, 0: 1 */
};

struct lp_script {
	struct lp_conf conf;
	struct lp_scenario *scenario;
};

/* "test:2: lun: no such key", -EINVAL. */
int lp_script_bad(const struct lp_script *script, const config_setting_t *at,
		  const char *wanted);
int lp_script_count(const struct lp_script *script, const config_setting_t *s,
		    unsigned *field);
/* 1: the setting is none of these keys. */
int lp_script_one_of(const struct lp_script *script,
		     const struct lp_script_key *keys, size_t n,
		     const config_setting_t *s, void *into);

/* The list of events; the topology is known. */
int lp_script_events(const struct lp_script *script, const config_setting_t *s);

#endif
