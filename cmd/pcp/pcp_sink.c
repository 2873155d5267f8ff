/* SPDX-License-Identifier: Apache-2.0 */
#include "pcp_sink.h"

#include "pcp_series.h"

#include "archive/archive.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Values fetched within this time of each other make one tick. */
#define SAME_TICK_NS (5 * LP_NS_PER_MS)
/* A block: as the archive compresses best, and bounded in memory. */
#define BLOCK_TICKS 600
#define BLOCK_VALUES (4u << 20)
/* Series of sockets that went are forgotten beyond this number. */
#define SOCKETS_KEPT 4096
#define MAX_PANELS 8

struct lp_pcp_sink {
	struct lp_archive_writer *writer;
	struct lp_builder *builder;
	char *host;
	struct lp_pcp_panel panels[MAX_PANELS];
	size_t n_panels;
	/* The series with a value in this tick, in the order they came. */
	struct lp_pcp_series **touched;
	size_t n_touched, touched_capacity;
	int64_t tick_ns;  /* of the current tick */
	uint64_t tick;    /* 0: none yet */
	uint64_t values;  /* since the beginning */
	uint64_t written; /* of these, in the archive */
	uint64_t generation;
	struct lp_pcp_labels labels; /* of the host */
	bool survey;                 /* the inventory changed */
	bool lost;                   /* out of memory */
	/* A mark, written as an event when it is known what it was. */
	bool marked;
	int64_t mark_ns, before_mark_ns;
	uint64_t marks;
	size_t compared, fell; /* series before and after the mark */
	enum { UNKNOWN, SAME_BOOT, NEW_BOOT } boot;
	int64_t boot_ns; /* when the host booted; 0: not known */
	bool tell_boot;
};

static int put_event(struct lp_pcp_sink *sink, enum lp_event_kind kind,
		     int64_t time_ns, const char *text, struct lp_error *err)
{
	const struct lp_label pair = { "text", text };
	struct lp_event event = {
		.host = sink->host,
		.time_ns = time_ns,
		.kind = kind,
		.source = "pmlogger",
		.severity = lp_event_kind_severity(kind),
		.pairs = &pair,
		.n_pairs = text != NULL,
	};

	return lp_archive_put_event(sink->writer, &event, err);
}

int lp_pcp_sink_open(int fd, const char *host, int64_t start_ns,
		     struct lp_pcp_sink **sink, struct lp_error *err)
{
	struct lp_pcp_sink *made = calloc(1, sizeof(*made));
	int status;

	if (!made)
		return lp_fail_memory(err);
	status = lp_archive_create_fd(fd, "the output", &made->writer, err);
	if (status < 0) {
		free(made);
		return status;
	}
	made->host = strdup(host);
	made->builder = lp_builder_new(host);
	if (!made->host || !made->builder) {
		lp_pcp_sink_abandon(made);
		return lp_fail_memory(err);
	}
	status = put_event(made, LP_EVENT_START, start_ns, NULL, err);
	if (status < 0) {
		lp_pcp_sink_abandon(made);
		return status;
	}
	*sink = made;
	return 0;
}

void lp_pcp_sink_abandon(struct lp_pcp_sink *sink)
{
	if (!sink)
		return;
	lp_archive_abandon(sink->writer);
	lp_builder_free(sink->builder);
	for (size_t i = 0; i < sink->n_panels; i++)
		lp_pcp_panel_done(&sink->panels[i]);
	lp_pcp_labels_done(&sink->labels);
	free(sink->touched);
	free(sink->host);
	free(sink);
}

static struct lp_pcp_panel *panel_of(struct lp_pcp_sink *sink,
				     const struct lp_class *class)
{
	for (size_t i = 0; i < sink->n_panels; i++)
		if (sink->panels[i].class == class)
			return &sink->panels[i];
	if (sink->n_panels == MAX_PANELS ||
	    lp_pcp_panel_init(&sink->panels[sink->n_panels], class,
			      sink->builder) < 0)
		return NULL;
	return &sink->panels[sink->n_panels++];
}

int lp_pcp_sink_column(struct lp_pcp_sink *sink,
		       const struct lp_pcp_family *family, int column,
		       uint8_t width)
{
	struct lp_pcp_panel *panel = panel_of(sink, family->class);
	struct lp_column described = family->class->columns[column];
	size_t c;

	if (!panel)
		return -ENOMEM;
	described.width = width;
	if (family->accumulated && described.kind == LP_SATURATING)
		described.kind = LP_COUNTER;
	c = lp_builder_column(sink->builder, panel->number, &described);
	if (c == LP_BUILDER_NONE)
		return -ENOMEM;
	panel->columns[column] = c;
	return 0;
}

struct lp_pcp_series *lp_pcp_sink_series(struct lp_pcp_sink *sink,
					 const struct lp_pcp_family *family,
					 const char *instance)
{
	struct lp_pcp_panel *panel = panel_of(sink, family->class);
	struct lp_pcp_series *series;
	bool made;

	if (!panel)
		return NULL;
	series = lp_pcp_panel_series(panel, family, instance, &made);
	if (made && !family->sockets)
		sink->survey = true;
	if (made)
		series->marks = sink->marks;
	return series;
}

uint64_t lp_pcp_sink_generation(const struct lp_pcp_sink *sink)
{
	return sink->generation;
}

uint64_t lp_pcp_sink_tick(const struct lp_pcp_sink *sink)
{
	return sink->tick;
}

uint64_t lp_pcp_sink_values(const struct lp_pcp_sink *sink)
{
	return sink->values;
}

/* The first value of a series in this tick. */
static void touch(struct lp_pcp_sink *sink, struct lp_pcp_series *series)
{
	if (lp_grow(&sink->touched, &sink->touched_capacity,
		    sink->n_touched + 1, sizeof(*sink->touched)) < 0) {
		sink->lost = true;
		return;
	}
	sink->touched[sink->n_touched++] = series;
	series->tick = sink->tick;
	if (series->marks != sink->marks && sink->marked)
		sink->compared++;
}

/*
 * After a mark: whether a counter begins anew. Only the wide ones tell, the
 * others could have wrapped; each series is counted once.
 */
static void compare(struct lp_pcp_sink *sink, struct lp_pcp_series *series,
		    int column, uint64_t bits)
{
	const struct lp_column *c = &series->family->class->columns[column];

	if (series->marks == sink->marks || c->kind != LP_COUNTER ||
	    c->width != 64 || !(series->set[column] & LP_PCP_BEFORE) ||
	    bits >= series->values[column])
		return;
	sink->fell++;
	series->marks = sink->marks;
}

void lp_pcp_set(struct lp_pcp_sink *sink, struct lp_pcp_series *series,
		int column, uint64_t bits)
{
	if (series->tick != sink->tick)
		touch(sink, series);
	if (sink->marked)
		compare(sink, series, column, bits);
	series->values[column] = bits;
	series->set[column] |= LP_PCP_NOW;
	sink->values++;
}

int lp_pcp_label(struct lp_pcp_sink *sink, struct lp_pcp_series *series,
		 const char *key, const char *value)
{
	int status = lp_pcp_labels_set(series ? &series->labels : &sink->labels,
				       key, value);

	if (status > 0)
		sink->survey = true;
	return status < 0 ? status : 0;
}

/* The agent calls an instance "tcp/127.0.0.1:44322". */
int lp_pcp_socket_peer(struct lp_pcp_series *series, const char *peer)
{
	const char *slash = strchr(series->instance, '/');
	const char *local = slash ? slash + 1 : series->instance;
	size_t n = strlen(local);
	char *name;

	if (series->socket && strncmp(series->socket, local, n) == 0 &&
	    series->socket[n] == '>' &&
	    strcmp(series->socket + n + 1, peer) == 0)
		return 0;
	if (asprintf(&name, "%s>%s", local, peer) < 0)
		return -ENOMEM;
	free(series->socket);
	series->socket = name;
	return 0;
}

void lp_pcp_socket_state(struct lp_pcp_series *series, const char *state)
{
	series->closed = strcmp(state, "ESTAB") != 0;
}

static int put_inventory(struct lp_pcp_sink *sink, int64_t time_ns,
			 struct lp_error *err)
{
	struct lp_inventory *inventory = lp_inventory_new(sink->host, time_ns);
	int status = inventory ? 0 : -ENOMEM;

	for (size_t i = 0; status == 0 && i < sink->labels.count; i++)
		status = lp_inventory_label(inventory, &inventory->labels,
					    sink->labels.items[i].key,
					    sink->labels.items[i].value);
	for (size_t i = 0; status == 0 && i < sink->n_panels; i++)
		status = lp_pcp_panel_survey(&sink->panels[i], inventory);
	if (status < 0)
		status = lp_fail_memory(err);
	else
		status = lp_archive_put_inventory(sink->writer, inventory, err);
	lp_inventory_free(inventory);
	sink->survey = false;
	return status;
}

/*
 * A mark is a reboot if the host says that it booted since, or, where it does
 * not say, if most counters are lower than before. Otherwise the counters went
 * on, and it is only a gap.
 */
static int put_mark(struct lp_pcp_sink *sink, struct lp_error *err)
{
	sink->marked = false;
	if (sink->boot == NEW_BOOT)
		return put_event(sink, LP_EVENT_BOOT, sink->boot_ns, NULL, err);
	if (sink->boot == UNKNOWN && sink->fell > 0 &&
	    sink->fell * 2 >= sink->compared)
		return put_event(sink, LP_EVENT_BOOT, sink->mark_ns, NULL, err);
	return put_event(sink, LP_EVENT_LOST, sink->mark_ns,
			 "mark: a gap between PCP's recordings", err);
}

/*
 * The boot before the recording is told as well: read together with the
 * archive of the day before, it may stand between the two.
 */
static int put_boot(struct lp_pcp_sink *sink, struct lp_error *err)
{
	sink->tell_boot = false;
	return put_event(sink, LP_EVENT_BOOT, sink->boot_ns, NULL, err);
}

static int forget_sockets(struct lp_pcp_sink *sink)
{
	for (size_t i = 0; i < sink->n_panels; i++) {
		struct lp_pcp_panel *panel = &sink->panels[i];

		if (!panel->class->pooled || panel->count <= SOCKETS_KEPT)
			continue;
		if (lp_pcp_panel_forget(panel, sink->tick) < 0)
			return -ENOMEM;
		sink->generation++;
	}
	return 0;
}

static int put_block(struct lp_pcp_sink *sink, struct lp_error *err)
{
	const struct lp_chunk *chunk = lp_builder_chunk(sink->builder);
	int status = 0;

	if (chunk->n_samples == 0)
		return 0;
	if (sink->tell_boot)
		status = put_boot(sink, err);
	if (status == 0 && sink->marked)
		status = put_mark(sink, err);
	if (status == 0 && sink->survey)
		status = put_inventory(sink, chunk->time_ns[0], err);
	if (status == 0)
		status = lp_archive_put_chunk(sink->writer, chunk, err);
	if (status < 0)
		return status;
	lp_builder_clear(sink->builder);
	sink->written = sink->values;
	return forget_sockets(sink) < 0 ? lp_fail_memory(err) : 0;
}

/* Move the current tick into the builder. */
static int end_tick(struct lp_pcp_sink *sink, struct lp_error *err)
{
	if (sink->n_touched == 0)
		return 0;
	if (lp_builder_tick(sink->builder, sink->tick_ns) < 0 || sink->lost)
		return lp_fail_memory(err);
	for (size_t i = 0; i < sink->n_touched; i++) {
		struct lp_pcp_series *series = sink->touched[i];

		lp_pcp_series_emit(series,
				   panel_of(sink, series->family->class),
				   sink->builder);
		series->marks = sink->marks;
	}
	sink->n_touched = 0;
	if (lp_builder_samples(sink->builder) >= BLOCK_TICKS ||
	    sink->values - sink->written >= BLOCK_VALUES)
		return put_block(sink, err);
	return 0;
}

int lp_pcp_sink_at(struct lp_pcp_sink *sink, int64_t time_ns, bool fresh,
		   struct lp_error *err)
{
	int status;

	if (sink->tick && !fresh && time_ns >= sink->tick_ns &&
	    time_ns - sink->tick_ns <= SAME_TICK_NS)
		return 0;
	status = end_tick(sink, err);
	sink->tick++;
	sink->tick_ns = time_ns;
	return status;
}

int lp_pcp_sink_mark(struct lp_pcp_sink *sink, int64_t time_ns,
		     struct lp_error *err)
{
	int64_t before_ns = sink->tick_ns;
	int status;

	/* Nothing before it, or only another mark: nothing to tell. */
	if (sink->tick == 0 || (sink->marked && sink->n_touched == 0 &&
				lp_builder_samples(sink->builder) == 0))
		return 0;
	status = end_tick(sink, err);
	if (status == 0)
		status = put_block(sink, err);
	sink->marked = true;
	sink->marks++;
	sink->mark_ns = time_ns;
	sink->before_mark_ns = before_ns;
	sink->compared = sink->fell = 0;
	sink->boot = UNKNOWN;
	/* What follows never joins the tick before. */
	sink->tick++;
	sink->tick_ns = INT64_MAX;
	return status;
}

void lp_pcp_sink_booted(struct lp_pcp_sink *sink, int64_t boot_ns)
{
	if (boot_ns <= 0 || boot_ns > sink->tick_ns)
		return;
	if (sink->marked && sink->boot == UNKNOWN) {
		sink->boot =
			boot_ns > sink->before_mark_ns ? NEW_BOOT : SAME_BOOT;
		if (sink->boot == NEW_BOOT)
			sink->boot_ns = boot_ns;
	} else if (!sink->marked && sink->boot_ns == 0) {
		sink->boot_ns = boot_ns;
		sink->tell_boot = true;
	}
}

int lp_pcp_sink_finish(struct lp_pcp_sink *sink, struct lp_error *err)
{
	int status = end_tick(sink, err);

	if (status == 0)
		status = put_block(sink, err);
	if (status == 0) {
		status = lp_archive_finish(sink->writer, err);
		sink->writer = NULL;
	}
	lp_pcp_sink_abandon(sink);
	return status;
}
