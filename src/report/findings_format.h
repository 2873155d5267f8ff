/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What both sides of the format know: which member of which struct has which
 * key. The order is that of the file.
 */
#ifndef LP_REPORT_FINDINGS_FORMAT_H
#define LP_REPORT_FINDINGS_FORMAT_H

#include "report/findings_json.h"
#include "report/members.h"

#define LP_FINDINGS_FORMAT "limpid-findings"

struct lp_member_table {
	const struct lp_member *members;
	size_t n;
};

extern const struct lp_member_table lp_members_findings, /* of all of it */
	lp_members_method, lp_members_comparison, lp_members_hourly,
	lp_members_left_out, lp_members_finding, lp_members_bounds,
	lp_members_evidence,
	lp_members_metric, /* of evidence that is about one */
	lp_members_picture, lp_members_map;

/* "stated", "load", "names" */
extern const char *const lp_peers_by_names[LP_PEERS_BYS];

static inline void lp_table_write(struct lp_json *json,
				  const struct lp_member_table *table,
				  const void *fields)
{
	lp_members_write(json, table->members, table->n, fields);
}

static inline int lp_table_read(struct lp_member_reader *r,
				const json_t *object,
				const struct lp_member_table *table,
				void *fields)
{
	return lp_members_read(r, object, table->members, table->n, fields);
}

/* The members "picture" and "map", null if there is none. */
void lp_picture_write(struct lp_json *json, const struct lp_picture *picture);
int lp_picture_read(struct lp_member_reader *r, const json_t *object,
		    const struct lp_picture **picture);
void lp_map_write(struct lp_json *json, const struct lp_map *map);
int lp_map_read(struct lp_member_reader *r, const json_t *object,
		const struct lp_map **map);

#endif
