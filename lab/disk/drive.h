/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A virtual disk without its files: which request is answered when, and how.
 * Times come in (CLOCK_MONOTONIC, ns); all that a request waits for stands in
 * the disk's own time, see struct lab_clock.
 */
#ifndef LAB_DISK_DRIVE_H
#define LAB_DISK_DRIVE_H

#include "disk/bus.h"
#include "disk/control.h"
#include "disk/settings.h"
#include "disk/spindle.h"
#include "disk/unflushed.h"

enum lab_request_kind {
	LAB_READ,
	LAB_WRITE,
	LAB_DISCARD, /* moves no data: no spindle time, fails as a write does */
	LAB_FLUSH,   /* the same; writes are on the platter when it is
			answered, and before that unless the cache is
			volatile */
};

struct lab_request {
	void *owner; /* the caller's: how to answer it */
	enum lab_request_kind kind;
	bool beneath;  /* by the second door */
	bool over_bus; /* the bus is still before it */
	int error;     /* 0 or an errno to answer with */
	uint64_t offset, bytes;
	uint64_t covers;   /* a flush: writes up to this one */
	uint64_t extra_ns; /* latency and jitter, behind everything else */
	int64_t due_ns;    /* in the disk's time */
	uint64_t number;   /* equal times: first come, first answered */
};

/* Requests by the time they are due. Begin with zeros. */
struct lab_queue {
	struct lab_request *heap;
	size_t count, capacity;
};

/* 0 or -ENOMEM. */
int lab_queue_push(struct lab_queue *queue, const struct lab_request *request);
/* Take the one that is due first; there must be one. */
struct lab_request lab_queue_pop(struct lab_queue *queue);

struct lab_drive_counters {
	uint64_t reads, read_bytes, writes, write_bytes;
	uint64_t under_requests, under_bytes; /* of the second door, apart */
	uint64_t flushes, discards, failed;
	uint64_t answered, late_ns; /* how late answers were, in all */
};

struct lab_drive {
	uint64_t size;
	struct lab_disk_settings settings, initial;
	struct lab_spindle spindle;
	struct lab_clock clock;
	struct lab_queue queue;
	struct lab_bus *bus;
	struct lab_unflushed *unflushed; /* the caller's; NULL: no store */
	struct lab_drive_counters counters;
	uint64_t chance; /* state of the random series */
	uint64_t moved;  /* bytes since the command `errors` */
	uint64_t requests;
};

/* settings are what `reset` goes back to. */
int lab_drive_init(struct lab_drive *drive, uint64_t size,
		   const struct lab_disk_settings *settings,
		   struct lp_error *err);
/* Requests that still wait are the caller's to take out before. */
void lab_drive_done(struct lab_drive *drive);

/*
 * A request has come. Filled by the caller: owner, kind, beneath, offset,
 * bytes. First decide whether it shall fail: request->error.
 */
void lab_drive_judge(struct lab_drive *drive, struct lab_request *request);
/* Then when it is answered. 0, or -ENOMEM: answer it yourself. */
int lab_drive_submit(struct lab_drive *drive, struct lab_request *request,
		     int64_t now_ns);

/* One that is due now; false: none is. */
bool lab_drive_take(struct lab_drive *drive, int64_t now_ns,
		    struct lab_request *request);
/* How long until one is due: 0, nanoseconds, or -1: nothing to wait for. */
int64_t lab_drive_wait_ns(const struct lab_drive *drive, int64_t now_ns);

/* Do a command; reply is "ok ..." or "error ...", without a newline. */
void lab_drive_command(struct lab_drive *drive, const char *line, size_t n,
		       int64_t now_ns, char reply[LAB_DISK_LINE]);

#endif
