/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which of PCP's metrics are which of limpid's columns and labels, as data.
 *
 * A family is a part of PCP's name space whose metrics have the same
 * instances: disk.dev, network.interface. Its rules name the metrics in it.
 *
 * To add a metric: one line in its family's rules. To add a family: its rules,
 * and one line in lp_pcp_families.
 */
#ifndef LP_CMD_PCP_MAPPING_H
#define LP_CMD_PCP_MAPPING_H

#include "model/catalogue.h"

enum lp_pcp_dimension { LP_PCP_COUNT, LP_PCP_SPACE, LP_PCP_TIME };

/* What 1 in a column stands for: 512 bytes, 1,000,000 ns, 1 request. */
struct lp_pcp_unit {
	enum lp_pcp_dimension dimension;
	uint64_t size; /* bytes or nanoseconds; 1 for counts */
};

enum lp_pcp_target {
	LP_PCP_COLUMN, /* a value of a series */
	LP_PCP_LABEL,  /* what the inventory says of a component or the host */
	/* What limpid-pcp itself goes by: */
	LP_PCP_BOOTTIME, /* when the host booted */
	LP_PCP_UPTIME,   /* how long ago that was */
	LP_PCP_PEER,     /* the other end of a socket; the column gets 1 */
	LP_PCP_STATE,    /* of a socket */
	LP_PCP_VIRTUAL,  /* 1: the interface has no hardware */
};

struct lp_pcp_rule {
	const char *name; /* behind the family's prefix */
	enum lp_pcp_target target;
	const char *to; /* the column's or the label's name */
	struct lp_pcp_unit unit;
	const char *better; /* left out where this metric is recorded as well */
	const char *prefix; /* of a label's text; NULL: none */
};

struct lp_pcp_family {
	const char *prefix;           /* with its dot */
	const struct lp_class *class; /* NULL: the host's labels only */
	const char *layer;            /* of its components; NULL: its names
					 must tell */
	bool sockets;                 /* instances are named after both ends */
	bool accumulated;             /* the agent counts on where the hardware
					 saturates */
	bool aliased; /* instances have names that operators gave */
	const struct lp_pcp_rule *rules;
	size_t n_rules;
};

/* Ended by one without a prefix. */
extern const struct lp_pcp_family lp_pcp_families[];

/* The rule of a metric and its family; NULL: limpid has no use for it. */
const struct lp_pcp_rule *lp_pcp_find(const char *metric,
				      const struct lp_pcp_family **family);

#endif
