/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the values go: PCP gives them metric by metric, the archive keeps
 * them series by series, so they are gathered here for one tick.
 */
#ifndef LP_CMD_PCP_SINK_H
#define LP_CMD_PCP_SINK_H

#include "pcp_mapping.h"

#include "base/error.h"

struct lp_pcp_sink;
struct lp_pcp_series;

/*
 * Writes an archive to the descriptor, which the sink now owns; the recording
 * began at start_ns.
 */
int lp_pcp_sink_open(int fd, const char *host, int64_t start_ns,
		     struct lp_pcp_sink **sink, struct lp_error *err);
/* Write what is gathered, and finish the archive; frees the sink. */
int lp_pcp_sink_finish(struct lp_pcp_sink *sink, struct lp_error *err);
/* Accepts NULL. */
void lp_pcp_sink_abandon(struct lp_pcp_sink *sink);

/*
 * The values that follow were fetched at this time. They join the tick before
 * if that is a few milliseconds old at most: pmlogger splits what it logs at
 * the same interval over several fetches. `fresh`: they must not.
 */
int lp_pcp_sink_at(struct lp_pcp_sink *sink, int64_t time_ns, bool fresh,
		   struct lp_error *err);
/* Counts up with every tick. */
uint64_t lp_pcp_sink_tick(const struct lp_pcp_sink *sink);
/* Values gathered since the beginning. */
uint64_t lp_pcp_sink_values(const struct lp_pcp_sink *sink);

/*
 * The series of an instance, made if it is new; NULL: out of memory. Valid as
 * long as lp_pcp_sink_generation says the same.
 */
struct lp_pcp_series *lp_pcp_sink_series(struct lp_pcp_sink *sink,
					 const struct lp_pcp_family *family,
					 const char *instance);
uint64_t lp_pcp_sink_generation(const struct lp_pcp_sink *sink);

/*
 * That a column of the catalogue is recorded, as a counter of this width. 0 or
 * -ENOMEM. Before the first value of it.
 */
int lp_pcp_sink_column(struct lp_pcp_sink *sink,
		       const struct lp_pcp_family *family, int column,
		       uint8_t width);

/* A value of the current tick; bits as the column's type says. */
void lp_pcp_set(struct lp_pcp_sink *sink, struct lp_pcp_series *series,
		int column, uint64_t bits);
/* A label of a series, or of the host (series NULL). 0 or -ENOMEM. */
int lp_pcp_label(struct lp_pcp_sink *sink, struct lp_pcp_series *series,
		 const char *key, const char *value);
/* The other end and the state of a socket. */
int lp_pcp_socket_peer(struct lp_pcp_series *series, const char *peer);
void lp_pcp_socket_state(struct lp_pcp_series *series, const char *state);

/* PCP says that it does not know what happened before this time. */
int lp_pcp_sink_mark(struct lp_pcp_sink *sink, int64_t time_ns,
		     struct lp_error *err);
/* When the host booted, as far as the current record knows. */
void lp_pcp_sink_booted(struct lp_pcp_sink *sink, int64_t boot_ns);

#endif
