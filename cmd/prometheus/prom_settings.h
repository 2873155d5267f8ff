/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How to ask a Prometheus: NAME=VALUE, as --prometheus takes them.
 *
 * To add one: a field, a row of the table in prom_settings.c, a paragraph in
 * limpid-prometheus(7).
 */
#ifndef LP_CMD_PROM_SETTINGS_H
#define LP_CMD_PROM_SETTINGS_H

#include "base/error.h"
#include "base/option.h"

#include <stdbool.h>

struct lp_prom_settings {
	char *host;           /* the label that names hosts */
	char *match;          /* job="node": in every selector; "": nothing */
	uint64_t max_queries; /* at once */
	uint64_t max_bytes;   /* of one answer */
	int64_t timeout_ns;   /* of one query */
	char *token, *user, *password;
	char *cert, *key, *ca;
	bool insecure, redirects;
	char **headers; /* "NAME: VALUE" */
	size_t n_headers, headers_capacity;
};

/*
 * The defaults, what the environment says (LIMPID_PROMETHEUS_TOKEN,
 * LIMPID_PROMETHEUS_PASSWORD), then the list. Secrets stand in files.
 * lp_prom_settings_done in any case.
 */
int lp_prom_settings_init(struct lp_prom_settings *settings,
			  const struct lp_option_list *list,
			  struct lp_error *err);
void lp_prom_settings_done(struct lp_prom_settings *settings);

#endif
