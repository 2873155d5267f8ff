/* SPDX-License-Identifier: Apache-2.0 */
#include "disk/drive.h"

#include "disk/chance.h"
#include "disk/store.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int lab_drive_init(struct lab_drive *drive, uint64_t size,
		   const struct lab_disk_settings *settings,
		   struct lp_error *err)
{
	struct lab_bus *bus = NULL;

	if (settings->bus[0]) {
		int status = lab_bus_open(settings->bus, settings->bus_rate,
					  &bus, err);

		if (status < 0)
			return status;
	}
	*drive = (struct lab_drive){ .size = size,
				     .settings = *settings,
				     .initial = *settings,
				     .bus = bus,
				     .chance = settings->seed };
	return 0;
}

void lab_drive_done(struct lab_drive *drive)
{
	lab_bus_close(drive->bus);
	free(drive->queue.heap);
	*drive = (struct lab_drive){ .size = 0 };
}

/* No request can reach it. */
static bool is_dead(const struct lab_drive *drive)
{
	return drive->settings.off || drive->settings.gone;
}

static bool moves_data(const struct lab_request *request)
{
	return request->kind == LAB_READ || request->kind == LAB_WRITE;
}

/* A flush is of the whole disk: it fails when writing fails everywhere. */
static bool hits_region(const struct lab_drive *drive,
			const struct lab_request *request)
{
	const struct lab_disk_settings *s = &drive->settings;

	if (request->kind == LAB_FLUSH)
		return s->errors_from == 0 && s->errors_to >= drive->size;
	return request->offset < s->errors_to &&
	       request->offset + request->bytes > s->errors_from;
}

static bool fails(struct lab_drive *drive, const struct lab_request *request)
{
	const struct lab_disk_settings *s = &drive->settings;
	const unsigned kind =
		request->kind == LAB_READ ? LAB_ERRORS_READ : LAB_ERRORS_WRITE;

	if (!(s->errors & kind) || !hits_region(drive, request))
		return false;
	if (drive->moved >= s->errors_after)
		return true;
	if (moves_data(request))
		drive->moved += request->bytes;
	return false;
}

void lab_drive_judge(struct lab_drive *drive, struct lab_request *request)
{
	request->error = is_dead(drive) || fails(drive, request) ? EIO : 0;
}

static void count(struct lab_drive_counters *c, const struct lab_request *r)
{
	if (r->error)
		c->failed++;
	if (r->kind == LAB_FLUSH) {
		c->flushes++;
	} else if (r->kind == LAB_DISCARD) {
		c->discards++;
	} else if (r->beneath) {
		c->under_requests++;
		c->under_bytes += r->bytes;
	} else if (r->kind == LAB_READ) {
		c->reads++;
		c->read_bytes += r->bytes;
	} else {
		c->writes++;
		c->write_bytes += r->bytes;
	}
}

int lab_drive_submit(struct lab_drive *drive, struct lab_request *request,
		     int64_t now_ns)
{
	const struct lab_disk_settings *s = &drive->settings;
	int64_t due = lab_clock_read(&drive->clock, now_ns);

	request->number = drive->requests++;
	request->extra_ns = s->latency_ns;
	if (s->jitter_ns)
		request->extra_ns +=
			lab_chance(&drive->chance) % (s->jitter_ns + 1);
	if (moves_data(request)) {
		drive->spindle.rate = s->rate;
		drive->spindle.seek_ns = s->seek_ns;
		due = lab_spindle_book(&drive->spindle, due, request->offset,
				       request->bytes);
	}
	request->over_bus = drive->bus && moves_data(request);
	request->due_ns =
		due + (request->over_bus ? 0 : (int64_t)request->extra_ns);
	if (request->kind == LAB_FLUSH && drive->unflushed)
		request->covers = drive->unflushed->numbered;
	count(&drive->counters, request);
	return lab_queue_push(&drive->queue, request);
}

/*
 * What the spindle has done goes over the bus only then: a long queue on one
 * disk does not occupy the bus before its data are there.
 */
static void pass_bus(struct lab_drive *drive, struct lab_request *request,
		     int64_t now_ns)
{
	int64_t over = lab_bus_book(drive->bus, now_ns, request->bytes);

	request->over_bus = false;
	request->due_ns =
		over - drive->clock.lost_ns + (int64_t)request->extra_ns;
}

/* Of a disk that is off or unplugged: what waits fails, stuck or not. */
static bool take_failed(struct lab_drive *drive, struct lab_request *request)
{
	if (!drive->queue.count)
		return false;
	*request = lab_queue_pop(&drive->queue);
	drive->counters.failed += !request->error;
	drive->counters.answered++;
	request->error = EIO;
	return true;
}

bool lab_drive_take(struct lab_drive *drive, int64_t now_ns,
		    struct lab_request *request)
{
	const int64_t now = lab_clock_read(&drive->clock, now_ns);

	if (is_dead(drive))
		return take_failed(drive, request);
	while (!drive->clock.stands && drive->queue.count &&
	       drive->queue.heap[0].due_ns <= now) {
		*request = lab_queue_pop(&drive->queue);
		if (request->over_bus && drive->bus) {
			pass_bus(drive, request, now_ns);
			/* There is room: one was just taken out. */
			lab_queue_push(&drive->queue, request);
			continue;
		}
		drive->counters.answered++;
		drive->counters.late_ns += (uint64_t)(now - request->due_ns);
		if (request->kind == LAB_FLUSH && !request->error &&
		    drive->unflushed)
			lab_unflushed_settle(drive->unflushed, request->covers);
		return true;
	}
	return false;
}

int64_t lab_drive_wait_ns(const struct lab_drive *drive, int64_t now_ns)
{
	int64_t wait;

	if (drive->queue.count && is_dead(drive))
		return 0;
	if (drive->clock.stands || !drive->queue.count)
		return -1;
	wait = drive->queue.heap[0].due_ns -
	       lab_clock_read(&drive->clock, now_ns);
	return wait > 0 ? wait : 0;
}

static int status(const struct lab_drive *drive, char *text, size_t room)
{
	static const struct lab_unflushed none = { .n = 0 };
	const struct lab_drive_counters *c = &drive->counters;
	const struct lab_unflushed *u =
		drive->unflushed ? drive->unflushed : &none;
	int n = lab_disk_settings_format(&drive->settings, text, room);

	n += snprintf(
		text + n, room - (size_t)n,
		" bus_rate=%" PRIu64 " size=%" PRIu64 " waiting=%zu"
		" reads=%" PRIu64 " read_bytes=%" PRIu64 " writes=%" PRIu64
		" write_bytes=%" PRIu64 " under_requests=%" PRIu64
		" under_bytes=%" PRIu64 " flushes=%" PRIu64 " discards=%" PRIu64
		" failed=%" PRIu64 " seeks=%" PRIu64 " busy_us=%" PRIu64
		" answered=%" PRIu64 " late_us=%" PRIu64 " unflushed=%" PRIu64
		" unflushed_bytes=%" PRIu64 " lost=%" PRIu64
		" destaged=%" PRIu64 " pid=%d",
		drive->bus ? lab_bus_rate(drive->bus) : 0, drive->size,
		drive->queue.count, c->reads, c->read_bytes, c->writes,
		c->write_bytes, c->under_requests, c->under_bytes, c->flushes,
		c->discards, c->failed, drive->spindle.seeks,
		drive->spindle.busy_ns / 1000, c->answered, c->late_ns / 1000,
		lab_unflushed_writes(u), lab_unflushed_bytes(u), u->lost,
		u->destaged, (int)getpid());
	return n;
}

static void set_clock(struct lab_drive *drive, int64_t now_ns)
{
	if (drive->settings.stuck)
		lab_clock_stop(&drive->clock, now_ns);
	else
		lab_clock_go(&drive->clock, now_ns);
}

static int change_bus(struct lab_drive *drive,
		      const struct lab_disk_settings *wanted,
		      struct lp_error *err)
{
	struct lab_bus *bus = NULL;
	int status = 0;

	if (wanted->bus[0])
		status = lab_bus_open(wanted->bus, wanted->bus_rate, &bus, err);
	if (status < 0)
		return status;
	lab_bus_close(drive->bus);
	drive->bus = bus;
	return 0;
}

/* Back to how it was started, but for the rate of a bus that others use. */
static int reset(struct lab_drive *drive, struct lab_disk_settings *wanted,
		 struct lp_error *err)
{
	*wanted = drive->initial;
	wanted->bus_rate = 0;
	drive->moved = 0;
	drive->chance = wanted->seed;
	if (drive->unflushed)
		lab_unflushed_keep(drive->unflushed, wanted->is_volatile);
	return change_bus(drive, wanted, err);
}

/* Once: a disk without power has nothing more to lose. */
static int cut_power(struct lab_drive *drive,
		     const struct lab_disk_settings *wanted,
		     struct lp_error *err)
{
	int status = 0;

	if (wanted->off && !drive->settings.off && drive->unflushed)
		status = lab_unflushed_cut(drive->unflushed, &wanted->cut);
	return status < 0 ? lp_fail_errno(err, -status,
					  "cannot take back what is lost")
			  : 0;
}

/* "ok flipped=2 offsets=4097,819200" */
static void flip(struct lab_drive *drive, const struct lab_disk_flip *flip,
		 char reply[LAB_DISK_LINE])
{
	uint64_t at[LAB_FLIPS_MOST];
	struct lp_error err = { "this disk has no bytes" };
	int used;

	if (!drive->unflushed ||
	    lab_store_flip(drive->unflushed->store, flip, at, &err) < 0) {
		snprintf(reply, LAB_DISK_LINE, "error %s", err.text);
		return;
	}
	used = snprintf(reply, LAB_DISK_LINE,
			"ok flipped=%" PRIu64 " offsets=", flip->n);
	for (uint64_t i = 0; i < flip->n; i++)
		used += snprintf(reply + used, LAB_DISK_LINE - (size_t)used,
				 "%s%" PRIu64, i ? "," : "", at[i]);
}

static int act(struct lab_drive *drive, int verb,
	       struct lab_disk_settings *wanted, struct lp_error *err)
{
	switch (verb) {
	case LAB_DISK_JITTER:
		drive->chance = wanted->seed;
		return 0;
	case LAB_DISK_ERRORS:
		drive->moved = 0;
		return 0;
	case LAB_DISK_BUS:
		return change_bus(drive, wanted, err);
	case LAB_DISK_CACHE:
		if (drive->unflushed)
			lab_unflushed_keep(drive->unflushed,
					   wanted->is_volatile);
		return 0;
	case LAB_DISK_POWER:
		return cut_power(drive, wanted, err);
	case LAB_DISK_RESET:
		return reset(drive, wanted, err);
	default:
		return 0;
	}
}

void lab_drive_command(struct lab_drive *drive, const char *line, size_t n,
		       int64_t now_ns, char reply[LAB_DISK_LINE])
{
	struct lab_disk_settings wanted = drive->settings;
	struct lp_error err;
	size_t used;
	int verb = lab_disk_settings_take(&wanted, line, n, &err);

	if (verb < 0 || act(drive, verb, &wanted, &err) < 0) {
		snprintf(reply, LAB_DISK_LINE, "error %s", err.text);
		return;
	}
	if (verb == LAB_DISK_FLIP) {
		flip(drive, &wanted.flip, reply);
		return;
	}
	drive->settings = wanted;
	set_clock(drive, now_ns);
	used = (size_t)snprintf(reply, LAB_DISK_LINE, "ok ");
	if (verb == LAB_DISK_STATUS)
		status(drive, reply + used, LAB_DISK_LINE - used - 1);
	else
		lab_disk_settings_format(&drive->settings, reply + used,
					 LAB_DISK_LINE - used - 1);
}
