/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What sadf, of sysstat, prints: the parts of the sysstat source, which are
 * tested one by one.
 *
 *   sadf -H FILE                      lp_sadf_info      whose file, what is in
 *   sadf -r -U -O debug FILE -- -u    lp_sadf_clock_*   when its records are
 *   ... -- -d -j SID                  lp_sadf_track_*   disks
 *   ... -- -n DEV, -n EDEV            lp_sadf_track_*   interfaces
 *   sadf -j FILE -- ...               lp_sadf_json_*    where the above fails
 *
 * Files of today's format are read without sadf into the same records; see
 * sa_file.h.
 */
#ifndef LP_SOURCE_SADF_H
#define LP_SOURCE_SADF_H

#include "base/names.h"
#include "base/process.h"
#include "model/builder.h"
#include "model/stream.h"

#define LP_SADF_ACTIVITIES 3

struct lp_sa_file;
struct lp_sa_items;

/* Lines of a running sadf, or of a text in a test. As lp_process_line. */
struct lp_sadf_lines {
	int (*next)(void *state, char **line, size_t *n, struct lp_error *err);
	void *state;
};

/* --- sadf_run.c: sadf itself ---------------------------------------------- */

#define LP_SADF_ARGS 16
/* What to do about a file that only the sadf of its own host can read. */
#define LP_SADF_ADVICE                                                         \
	"convert it on the host that wrote it: 'sadf -c FILE > NEW'"

/*
 * One sadf as a source of lines. It starts when the first is asked for, and is
 * gone after the last: many files can be open at once.
 */
struct lp_sadf_run {
	const char *argv[LP_SADF_ARGS];
	struct lp_process *process;
	bool started;
	bool cut; /* it will fail at the end: the file is cut off */
	const char *path;
};

/* What the streams hold open. */
struct lp_sadf_session {
	char *path;     /* as the user gave it */
	char *readable; /* what sadf gets */
	int converted;  /* -1, or the nameless file that `readable` means */
	struct lp_sa_file *file; /* NULL: sadf reads it */
	struct lp_sadf_run runs[LP_SADF_ACTIVITIES];
};

/* content: where the bytes are, NULL: at the path. NULL: out of memory. */
struct lp_sadf_session *lp_sadf_session_new(const char *path,
					    const char *content);
/* Ends what still runs. Takes a void pointer to be a callback. */
void lp_sadf_session_close(void *session);
/* Have a file of an older format converted; runs read that from then on. */
int lp_sadf_session_convert(struct lp_sadf_session *session,
			    struct lp_error *err);

/* words: before the file's name; options: sar's, behind "--", or NULL. */
void lp_sadf_run_set(struct lp_sadf_run *run,
		     const struct lp_sadf_session *session,
		     const char *const *words, const char *const *options);
/* As lp_process_line; at the end sadf's own verdict counts. */
int lp_sadf_run_line(void *run, char **line, size_t *n, struct lp_error *err);
void lp_sadf_run_close(struct lp_sadf_run *run);

/* --- sadf_info.c: sadf -H ----------------------------------------------- */

struct lp_sadf_info {
	char host[256];
	char kernel[128];
	char version[32];
	unsigned activities; /* bit i: lp_sadf_activities[i] is in the file */
};

/* Take in one line of it. Lines that say nothing of interest are fine. */
void lp_sadf_info_line(struct lp_sadf_info *info, const char *line, size_t n);

/* --- sadf_debug.c: one line of sadf -r -U -O debug ----------------------- */

enum lp_sadf_type {
	LP_SADF_STATS = 1,
	LP_SADF_RESTART = 2,
	LP_SADF_LAST_STATS = 3, /* the last sample before a rotation */
	LP_SADF_COMMENT = 4,
};

struct lp_sadf_head {
	uint64_t uptime_cs; /* hundredths of a second since boot */
	int64_t time_s;     /* since the epoch, cut off to a whole second */
	unsigned type;
};

/* A pair of raw values of a row, and the column it belongs to. */
struct lp_sadf_field {
	const char *label; /* as sadf names it, though it is no rate here */
	const char *older; /* what older versions call it; NULL: the same */
	const char *column;
};

#define LP_SADF_FIELDS 9

struct lp_sadf_activity {
	const char *name;           /* in sadf -H */
	const char *const *options; /* of sar, ended by NULL */
	const char *item;           /* what stands before the item's name */
	bool numbered;              /* major and minor stand before that */
	/*
	 * A new item was at zero before: true of disks, since sadc leaves out
	 * those that were never used.
	 */
	bool from_zero;
	const struct lp_class *class;
	const struct lp_sadf_field *fields;
	size_t n_fields;
};

extern const struct lp_sadf_activity lp_sadf_activities[LP_SADF_ACTIVITIES];

struct lp_sadf_row {
	const char *name; /* in the line */
	size_t name_length;
	unsigned major, minor;
	uint32_t key;     /* for the track: which item */
	uint32_t present; /* bit i: fields[i] was there */
	bool is_new;      /* `before` is not a sample: all 0 */
	bool is_back;     /* the same: it went and came again */
	uint64_t before[LP_SADF_FIELDS], now[LP_SADF_FIELDS];
};

/* Whether the line begins a record, and which. */
bool lp_sadf_parse_head(const char *line, size_t n, struct lp_sadf_head *head);
/* Whether it is a row of the activity: NULL, or what was expected. */
const char *lp_sadf_parse_row(const struct lp_sadf_activity *activity,
			      const char *line, size_t n,
			      struct lp_sadf_row *row);

/* --- sadf_track.c: one activity, record by record ------------------------ */

struct lp_sadf_record {
	struct lp_sadf_head head;
	struct lp_sadf_row *rows; /* their names are not valid any more */
	size_t n_rows, capacity;
};

struct lp_sadf_track {
	const struct lp_sadf_activity *activity;
	struct lp_sadf_lines lines;
	struct lp_sa_items *items; /* of the file itself, without lines */
	struct lp_names keys;      /* "7:0 loop0", "eth0" */
	struct lp_sadf_head ahead;
	bool has_ahead;
	uint64_t line_number;
};

/* 1: a record; 0: the end; below 0: -errno. The record is yours to reuse. */
int lp_sadf_track_read(struct lp_sadf_track *track,
		       struct lp_sadf_record *record, struct lp_error *err);
void lp_sadf_track_done(struct lp_sadf_track *track);

/* --- sadf_clock.c: when the records were taken --------------------------- */

struct lp_sadf_moment {
	struct lp_sadf_head head;
	int64_t time_ns;  /* of a sample; of a restart its whole second */
	int64_t boot_s;   /* about when the host booted */
	bool after_boot;  /* first sample, or the first after a boot */
	bool after_break; /* first sample, or sadf gives no `before` here */
};

struct lp_sadf_clock {
	struct lp_sadf_moment *moments;
	size_t count, capacity;
};

/* Add a record. 0 or -ENOMEM. */
int lp_sadf_clock_add(struct lp_sadf_clock *clock,
		      const struct lp_sadf_head *head);
/* All are there: give each its time. */
void lp_sadf_clock_set(struct lp_sadf_clock *clock);
/* Whether all samples are of the boot at about this time. */
bool lp_sadf_clock_one_boot(const struct lp_sadf_clock *clock, int64_t boot_s);
/* The usual distance of two samples; 0: not known. */
int64_t lp_sadf_clock_interval(const struct lp_sadf_clock *clock);
void lp_sadf_clock_done(struct lp_sadf_clock *clock);

static inline bool lp_sadf_is_sample(const struct lp_sadf_head *head)
{
	return head->type == LP_SADF_STATS || head->type == LP_SADF_LAST_STATS;
}

/* --- sadf_device.c, sadf_devices.c: what the numbers of a disk say
 * ------------------------ */

#define LP_SADF_NAME 64

/*
 * The kernel's name of a block device at the time of the recording: from sysfs
 * (a directory such as "/sys") if it is not NULL, which must be that of the
 * same boot; else from the number, where its meaning is fixed (sd, loop, md
 * ...); else "dev254-0".
 */
void lp_sadf_device_name(const char *sysfs, unsigned major, unsigned minor,
			 char name[LP_SADF_NAME]);
/*
 * The identity in a stable name such as 0x5000c500a1b2c3d4 or
 * 0x600508b1001c3ab4deadbeef0badcafe-1 (partition 1); false: it is none.
 */
bool lp_sadf_device_id(const char *shown, size_t n, char id[LP_SADF_NAME],
		       unsigned *partition);

struct lp_sadf_device {
	char name[LP_SADF_NAME];
	char id[LP_SADF_NAME]; /* or "" */
	unsigned major, minor, partition;
	bool known;  /* was looked up in this boot */
	bool listed; /* is the one of its name in the inventory */
};

/* The disks of one host, by the track's keys. Zero-initialise. */
struct lp_sadf_devices {
	struct lp_sadf_device *items;
	size_t count, capacity;
	const char *sysfs;
	bool changed; /* since the last inventory */
};

/* The row's disk; shown: what sadf calls it. NULL: out of memory. */
const struct lp_sadf_device *lp_sadf_devices_find(
	struct lp_sadf_devices *devices, const struct lp_sadf_row *row,
	const char *shown);
/* After a boot the numbers may mean other devices. */
void lp_sadf_devices_forget(struct lp_sadf_devices *devices);
/* Add them to the inventory. 0 or -ENOMEM. */
int lp_sadf_devices_list(struct lp_sadf_devices *devices,
			 struct lp_inventory *inventory);
void lp_sadf_devices_done(struct lp_sadf_devices *devices);

/* --- sadf_stream.c: the raw counters as a stream -------------------------- */

struct lp_sadf_input {
	char *path;        /* of the file, for messages; free() gets it */
	char *host;        /* the same */
	const char *sysfs; /* see lp_sadf_device_name */
	struct lp_sadf_info info;
	struct lp_sadf_clock clock;
	struct lp_sadf_track tracks[LP_SADF_ACTIVITIES];
	size_t n_tracks;
	char lost[256]; /* why the file is not whole; "": it is */
	/* At the end, to close what the lines come from; gets `state`. */
	void (*close)(void *state);
	void *state;
};

/* Takes the input over, whether it succeeds or not. */
int lp_sadf_stream_open(struct lp_sadf_input *input, struct lp_stream **stream,
			struct lp_error *err);

/* What is in it; accepts one that is half-made. */
void lp_sadf_input_done(struct lp_sadf_input *input);

/* --- sadf_json.c: sadf -j, rates as sadf rounded them, as a stream -------- */

struct lp_sadf_json_input {
	char *path, *host; /* as above */
	struct lp_sadf_lines lines;
	void (*close)(void *state);
	void *state;
};

/* The same. */
int lp_sadf_json_open(struct lp_sadf_json_input *input,
		      struct lp_stream **stream, struct lp_error *err);

#endif
