/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Raw counters of a sysstat file as a stream.
 *
 * One sadf for each activity prints the same records; they are read side by
 * side, so that a day of many disks needs no memory. sadf prints a record only
 * together with the one before, so each is held until the next was read: the
 * first of a file (or after a restart) stands only there as `before`.
 */
#include "source/sadf.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_SAMPLES 512
#define MAX_EVENTS 4

struct part {
	struct lp_sadf_record held, current;
	bool loaded;  /* current was read and not used yet */
	bool matched; /* and it is of the moment that is looked at */
	bool ended;
	size_t panel;
	size_t columns[LP_SADF_FIELDS];
};

struct sadf_stream {
	struct lp_stream stream;
	struct lp_sadf_input input;
	struct part parts[LP_SADF_ACTIVITIES];
	struct lp_builder *builder;
	struct lp_inventory *inventory;
	struct lp_sadf_devices disks;
	size_t at;                         /* the next moment */
	const struct lp_sadf_moment *held; /* the moment of the held records */
	const struct lp_sadf_moment *boot; /* first behind a boot, to be seen */
	bool chunk_given, flush, ended;
	struct lp_event events[MAX_EVENTS];
	size_t n_events;
	struct lp_event given;
	struct lp_label cut[2]; /* of the event that says so */
};

/* NULL: there is no room for it. */
static struct lp_event *push_event(struct sadf_stream *s,
				   enum lp_event_kind kind, int64_t time_ns)
{
	struct lp_event *event = &s->events[s->n_events];

	if (s->n_events == MAX_EVENTS)
		return NULL;
	*event = (struct lp_event){
		.host = s->input.host,
		.time_ns = time_ns,
		.kind = kind,
		.source = "sysstat",
		.severity = lp_event_kind_severity(kind),
	};
	s->n_events++;
	return event;
}

static void push_cut(struct sadf_stream *s)
{
	struct lp_event *event = push_event(s, LP_EVENT_LOST, s->held->time_ns);

	if (!event)
		return;
	s->cut[0] = (struct lp_label){ "text", s->input.lost };
	s->cut[1] = (struct lp_label){ "why", "cut" };
	event->pairs = s->cut;
	event->n_pairs = lp_array_size(s->cut);
}

/* --- inventory ----------------------------------------------------------- */

static int label_host(struct sadf_stream *s, struct lp_inventory *inventory)
{
	const struct lp_sadf_info *info = &s->input.info;
	int64_t interval = lp_sadf_clock_interval(&s->input.clock);
	char text[64];
	int status;

	snprintf(text, sizeof(text), "%lld", (long long)interval);
	status = lp_inventory_label(inventory, &inventory->labels,
				    "interval_ns", interval > 0 ? text : "");
	if (status == 0)
		status = lp_inventory_label(inventory, &inventory->labels,
					    "kernel", info->kernel);
	snprintf(text, sizeof(text), "sysstat %s", info->version);
	if (status == 0)
		status = lp_inventory_label(inventory, &inventory->labels,
					    "recorder", text);
	return status;
}

static int make_inventory(struct sadf_stream *s)
{
	const struct lp_chunk *chunk = lp_builder_chunk(s->builder);
	struct lp_inventory *inventory =
		lp_inventory_new(s->input.host, chunk->time_ns[0]);
	int status;

	if (!inventory)
		return -ENOMEM;
	status = label_host(s, inventory);
	if (status == 0)
		status = lp_sadf_devices_list(&s->disks, inventory);
	lp_inventory_free(s->inventory);
	s->inventory = inventory;
	return status;
}

static void see_boot(struct sadf_stream *s)
{
	lp_sadf_devices_forget(&s->disks);
	s->boot = NULL;
}

/* --- samples ------------------------------------------------------------- */

/* The row's name in the samples; NULL: out of memory. */
static const char *row_name(struct sadf_stream *s, size_t which,
			    const struct lp_sadf_row *row)
{
	const struct lp_sadf_track *track = &s->input.tracks[which];
	const char *key = track->keys.text[row->key];
	const struct lp_sadf_device *device;

	if (!track->activity->numbered)
		return key;
	device = lp_sadf_devices_find(&s->disks, row, strchr(key, ' ') + 1);
	return device ? device->name : NULL;
}

static int put_row(struct sadf_stream *s, size_t which,
		   const struct lp_sadf_row *row, const uint64_t *values)
{
	const struct part *part = &s->parts[which];
	const char *name = row_name(s, which, row);
	struct lp_row out;

	if (!name ||
	    !lp_builder_row(s->builder, part->panel, name, strlen(name), &out))
		return -ENOMEM;
	/*
	 * Some kernels give several NVMe devices the number 0:0: the first
	 * stands for all, rather than a mixture of them.
	 */
	if (lp_row_has(&out, part->columns[0]))
		return 0;
	for (size_t i = 0; i < LP_SADF_FIELDS; i++)
		if (row->present & (1u << i))
			lp_row_u64(&out, part->columns[i], values[i]);
	return 0;
}

/* Whether the `before` of a row is a value of the held record. */
static bool tells_before(const struct sadf_stream *s, size_t which,
			 const struct lp_sadf_row *row)
{
	if (row->is_back)
		return false;
	if (row->is_new)
		return s->input.tracks[which].activity->from_zero;
	return s->held->after_break;
}

static int put_now(struct sadf_stream *s, size_t which)
{
	const struct lp_sadf_record *record = &s->parts[which].held;
	int status = 0;

	for (size_t i = 0; status == 0 && i < record->n_rows; i++)
		status = put_row(s, which, &record->rows[i],
				 record->rows[i].now);
	return status;
}

static int put_before(struct sadf_stream *s, size_t which)
{
	const struct lp_sadf_record *record = &s->parts[which].current;
	int status = 0;

	for (size_t i = 0; status == 0 && i < record->n_rows; i++)
		if (tells_before(s, which, &record->rows[i]))
			status = put_row(s, which, &record->rows[i],
					 record->rows[i].before);
	return status;
}

/* Whether anything is known of the held records. */
static bool have_rows(const struct sadf_stream *s, bool with_before)
{
	for (size_t i = 0; i < s->input.n_tracks; i++) {
		const struct part *part = &s->parts[i];

		if (part->held.n_rows > 0)
			return true;
		if (with_before && s->held->after_break && part->matched &&
		    part->current.n_rows > 0)
			return true;
	}
	return false;
}

/* Put the held records, and what the current ones tell of them. */
static int put_held(struct sadf_stream *s, bool with_before)
{
	int status;

	if (!s->held || !have_rows(s, with_before))
		return 0;
	status = lp_builder_tick(s->builder, s->held->time_ns);
	for (size_t i = 0; status == 0 && i < s->input.n_tracks; i++) {
		status = put_now(s, i);
		if (status == 0 && with_before && s->parts[i].matched)
			status = put_before(s, i);
	}
	return status;
}

static bool same_head(const struct lp_sadf_head *a,
		      const struct lp_sadf_head *b)
{
	return a->uptime_cs == b->uptime_cs && a->time_s == b->time_s &&
	       a->type == b->type;
}

/* Read the next record with a sample, unless one waits already. */
static int load(struct sadf_stream *s, size_t which,
		const struct lp_sadf_moment *moment, struct lp_error *err)
{
	struct part *part = &s->parts[which];
	int status;

	while (!part->loaded && !part->ended) {
		status = lp_sadf_track_read(&s->input.tracks[which],
					    &part->current, err);
		if (status < 0)
			return status;
		part->ended = status == 0;
		part->loaded =
			status > 0 && lp_sadf_is_sample(&part->current.head);
	}
	part->matched =
		part->loaded && same_head(&part->current.head, &moment->head);
	return 0;
}

static void hold(struct part *part)
{
	struct lp_sadf_record was = part->held;

	part->held.n_rows = 0;
	if (!part->matched)
		return;
	part->held = part->current;
	part->current = was;
	part->current.n_rows = 0;
	part->loaded = part->matched = false;
}

/* What happened between the held sample and this one. */
static void note_break(struct sadf_stream *s,
		       const struct lp_sadf_moment *moment)
{
	bool boot = moment->after_boot;

	push_event(s, boot ? LP_EVENT_BOOT : LP_EVENT_START, moment->time_ns);
	if (boot)
		s->boot = moment;
	s->flush = true;
}

static int take_moment(struct sadf_stream *s,
		       const struct lp_sadf_moment *moment,
		       struct lp_error *err)
{
	bool broken = moment->after_break || moment->after_boot;
	int status = 0;

	for (size_t i = 0; status == 0 && i < s->input.n_tracks; i++)
		status = load(s, i, moment, err);
	if (status < 0)
		return status;
	if (put_held(s, !broken) < 0)
		return lp_fail_memory(err);
	if (broken && s->held)
		note_break(s, moment);
	for (size_t i = 0; i < s->input.n_tracks; i++)
		hold(&s->parts[i]);
	s->held = moment;
	return 0;
}

static int advance(struct sadf_stream *s, struct lp_error *err)
{
	const struct lp_sadf_clock *clock = &s->input.clock;

	while (s->at < clock->count) {
		const struct lp_sadf_moment *moment = &clock->moments[s->at++];

		if (lp_sadf_is_sample(&moment->head))
			return take_moment(s, moment, err);
	}
	if (put_held(s, false) < 0)
		return lp_fail_memory(err);
	if (s->held && s->input.lost[0])
		push_cut(s);
	s->flush = s->ended = true;
	return 0;
}

/* --- the stream ---------------------------------------------------------- */

static int give_chunk(struct sadf_stream *s, struct lp_item *item,
		      struct lp_error *err)
{
	if (s->disks.changed) {
		if (make_inventory(s) < 0)
			return lp_fail_memory(err);
		item->kind = LP_ITEM_INVENTORY;
		item->inventory = s->inventory;
		return 1;
	}
	item->kind = LP_ITEM_CHUNK;
	item->chunk = lp_builder_chunk(s->builder);
	s->chunk_given = true;
	return 1;
}

static void give_event(struct sadf_stream *s, struct lp_item *item)
{
	s->given = s->events[0];
	s->n_events--;
	memmove(&s->events[0], &s->events[1],
		s->n_events * sizeof(s->events[0]));
	item->kind = LP_ITEM_EVENT;
	item->event = &s->given;
}

static int sadf_next(struct lp_stream *stream, struct lp_item *item,
		     struct lp_error *err)
{
	struct sadf_stream *s = (struct sadf_stream *)stream;
	size_t samples;
	int status = 0;

	memset(item, 0, sizeof(*item));
	if (s->chunk_given)
		lp_builder_clear(s->builder);
	s->chunk_given = false;
	while (status == 0) {
		samples = lp_builder_samples(s->builder);
		if (samples >= CHUNK_SAMPLES || (s->flush && samples > 0))
			return give_chunk(s, item, err);
		s->flush = false;
		if (s->boot)
			see_boot(s);
		if (s->n_events > 0) {
			give_event(s, item);
			return 1;
		}
		if (s->ended)
			return 0;
		status = advance(s, err);
	}
	return status;
}

static double sadf_progress(const struct lp_stream *stream)
{
	const struct sadf_stream *s = (const struct sadf_stream *)stream;

	if (s->input.clock.count == 0)
		return 1;
	return (double)s->at / (double)s->input.clock.count;
}

void lp_sadf_input_done(struct lp_sadf_input *input)
{
	if (input->close)
		input->close(input->state);
	for (size_t i = 0; i < input->n_tracks; i++)
		lp_sadf_track_done(&input->tracks[i]);
	lp_sadf_clock_done(&input->clock);
	free(input->path);
	free(input->host);
	memset(input, 0, sizeof(*input));
}

static void sadf_close(struct lp_stream *stream)
{
	struct sadf_stream *s = (struct sadf_stream *)stream;

	for (size_t i = 0; i < LP_SADF_ACTIVITIES; i++) {
		free(s->parts[i].held.rows);
		free(s->parts[i].current.rows);
	}
	lp_sadf_devices_done(&s->disks);
	lp_sadf_input_done(&s->input);
	lp_builder_free(s->builder);
	lp_inventory_free(s->inventory);
	free(s);
}

static const char *sadf_lost(const struct lp_stream *stream)
{
	const struct sadf_stream *s = (const struct sadf_stream *)stream;

	return s->input.lost[0] ? s->input.lost : NULL;
}

static const struct lp_stream_ops sadf_ops = {
	.next = sadf_next,
	.close = sadf_close,
	.progress = sadf_progress,
	.lost = sadf_lost,
};

static int prepare_part(struct sadf_stream *s, size_t which)
{
	const struct lp_sadf_activity *activity =
		s->input.tracks[which].activity;
	struct part *part = &s->parts[which];

	part->panel = lp_builder_panel(s->builder, activity->class);
	if (part->panel == LP_BUILDER_NONE)
		return -ENOMEM;
	for (size_t i = 0; i < activity->n_fields; i++)
		part->columns[i] = (size_t)lp_class_column(
			activity->class, activity->fields[i].column);
	return 0;
}

/*
 * Known before any counter was read: who merges many files need not have them
 * all at work.
 */
static void announce(struct sadf_stream *s)
{
	for (size_t i = 0; i < s->input.clock.count; i++) {
		const struct lp_sadf_moment *m = &s->input.clock.moments[i];

		if (!lp_sadf_is_sample(&m->head))
			continue;
		push_event(s, LP_EVENT_START, m->time_ns);
		s->boot = m;
		return;
	}
}

int lp_sadf_stream_open(struct lp_sadf_input *input, struct lp_stream **stream,
			struct lp_error *err)
{
	struct sadf_stream *s = calloc(1, sizeof(*s));
	int status = 0;

	if (!s) {
		lp_sadf_input_done(input);
		return lp_fail_memory(err);
	}
	s->stream.ops = &sadf_ops;
	s->input = *input;
	memset(input, 0, sizeof(*input));
	s->builder = lp_builder_new(s->input.host);
	if (!s->builder)
		status = -ENOMEM;
	for (size_t i = 0; status == 0 && i < s->input.n_tracks; i++)
		status = prepare_part(s, i);
	if (status < 0) {
		sadf_close(&s->stream);
		return lp_fail_memory(err);
	}
	s->disks.sysfs = s->input.sysfs;
	announce(s);
	*stream = &s->stream;
	return 0;
}
