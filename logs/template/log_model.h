/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What healthy logs say: templates with rates, and the names of nodes. The
 * format of the file is limpid-logs-model(5).
 */
#ifndef LP_LOGS_LOG_MODEL_H
#define LP_LOGS_LOG_MODEL_H

#include "base/error.h"
#include "logs/template/templates.h"

#include <stdio.h>

/* Another name of a node, as others call it: an address, a target. */
struct lp_log_alias {
	const char *node, *name;
};

/* Zero-initialise to begin. */
struct lp_log_model {
	struct lp_log_templates templates;
	struct lp_arena arena;
	struct lp_log_alias *aliases;
	size_t n_aliases, aliases_capacity;
	uint64_t lines; /* that it was learnt from */
	uint64_t nodes;
	uint64_t hours; /* of all nodes */
};

#define LP_LOG_MODEL_MAGIC "limpid-logs-model 1"

/* -ENOMEM. A name that is there is left as it is. */
int lp_log_model_name(struct lp_log_model *model, const char *node,
		      const char *name);
void lp_log_model_write(const struct lp_log_model *model, FILE *out);
/* All of it or nothing; what is wrong is said with its line. */
int lp_log_model_parse(struct lp_log_model *model, const char *name,
		       const char *text, size_t n, struct lp_error *err);
int lp_log_model_read(struct lp_log_model *model, const char *path,
		      struct lp_error *err);
void lp_log_model_done(struct lp_log_model *model);

#endif
