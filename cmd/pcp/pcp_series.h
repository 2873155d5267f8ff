/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The series of a class: their values in the current tick, and what is known
 * of their components. Used by pcp_sink.c only.
 */
#ifndef LP_CMD_PCP_SERIES_H
#define LP_CMD_PCP_SERIES_H

#include "pcp_mapping.h"

#include "base/names.h"
#include "model/builder.h"
#include "model/inventory.h"

/* Zero-initialise; owns its strings. */
struct lp_pcp_labels {
	struct lp_pcp_label {
		char *key, *value;
	} * items;
	size_t count, capacity;
};

/* 1: changed; 0: was so before; -ENOMEM. */
int lp_pcp_labels_set(struct lp_pcp_labels *labels, const char *key,
		      const char *value);
void lp_pcp_labels_done(struct lp_pcp_labels *labels);

enum { LP_PCP_NOW = 1, LP_PCP_BEFORE = 2 };

struct lp_pcp_series {
	const struct lp_pcp_family *family;
	char *instance;
	uint64_t *values; /* by column of the catalogue; the last one set */
	uint8_t *set;     /* LP_PCP_NOW: in this tick; LP_PCP_BEFORE */
	uint64_t tick;    /* the last one with a value */
	uint64_t marks;   /* how many there were by then */
	struct lp_pcp_labels labels;
	char *socket; /* "LOCAL>PEER" */
	bool closed;  /* a socket that is not established */
};

struct lp_pcp_panel {
	const struct lp_class *class;
	size_t number;   /* of the builder's panel */
	size_t *columns; /* the builder's, by column of the catalogue */
	struct lp_names names;
	struct lp_pcp_series **series; /* by number of the name */
	size_t count, capacity;
};

/* 0 or -ENOMEM. */
int lp_pcp_panel_init(struct lp_pcp_panel *panel, const struct lp_class *class,
		      struct lp_builder *builder);
void lp_pcp_panel_done(struct lp_pcp_panel *panel);

/* NULL: out of memory; *made says whether it is new. */
struct lp_pcp_series *lp_pcp_panel_series(struct lp_pcp_panel *panel,
					  const struct lp_pcp_family *family,
					  const char *instance, bool *made);
/* Free the series without a value since this tick. 0 or -ENOMEM. */
int lp_pcp_panel_forget(struct lp_pcp_panel *panel, uint64_t tick);

/* Put what was set in this tick into the builder's row, and begin anew. */
void lp_pcp_series_emit(struct lp_pcp_series *series,
			const struct lp_pcp_panel *panel,
			struct lp_builder *builder);

/* Add the components and their labels. 0 or -ENOMEM. */
int lp_pcp_panel_survey(const struct lp_pcp_panel *panel,
			struct lp_inventory *inventory);

#endif
