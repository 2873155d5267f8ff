/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Looking after archives: verify, repair, compact, and what is in one.
 */
#ifndef LP_ARCHIVE_MAINTAIN_H
#define LP_ARCHIVE_MAINTAIN_H

#include "archive/archive.h"
#include "base/names.h"

enum lp_loss {
	LP_LOSS_UNKNOWN, /* something between these times, each LP_TIME_MIN or
			    LP_TIME_MAX where nothing sound is on that side */
	LP_LOSS_SAMPLES, /* so many samples, with this span */
	LP_LOSS_INVENTORY,
	LP_LOSS_EVENT,
	LP_LOSS_COUNTS,  /* with this span */
	LP_LOSS_NOTHING, /* the head of the file, or bytes behind its end */
};

/* Bytes that are no sound block. */
struct lp_damage {
	uint64_t offset, bytes;
	const char *what; /* "its checksum differs" */
	enum lp_loss loss;
	int64_t first_ns, last_ns;
	uint32_t samples;
};

struct lp_damage_sink {
	void (*damage)(void *context, const struct lp_damage *damage);
	void *context;
};

struct lp_archive_state {
	uint64_t bytes;                   /* of the file */
	uint64_t blocks, samples, values; /* sound */
	uint64_t skipped; /* of the blocks: only a newer limpid knows them */
	uint64_t damages, damaged_bytes;
	bool closed;    /* the file was closed in order */
	bool open_tail; /* it ends with a block that was still growing */
};

/*
 * Read every block and decode all of it. 0, with the verdict (sound when
 * damages is 0), or -errno when the file cannot be read or is no archive.
 * Damages come in the order of the file; sink may be NULL.
 */
int lp_archive_verify(const char *path, const struct lp_damage_sink *sink,
		      struct lp_archive_state *verdict, struct lp_error *err);

/*
 * Copy every sound block to `out`, which appears when it is whole and closed
 * in order. `out` may be `path` itself. The verdict is of `path`.
 */
int lp_archive_repair(const char *path, const char *out,
		      const struct lp_damage_sink *sink,
		      struct lp_archive_state *verdict, struct lp_error *err);

struct lp_compact_options {
	int64_t block_ns; /* how long a block may be; 0: an hour */
};

/* Sizes in bytes, before and after. */
struct lp_compact_result {
	uint64_t before, after;
};

/*
 * Merge the files, by time, into long blocks in `out`, which may be one of
 * them and is replaced when the new one is whole. options and result may be
 * NULL. A damaged file is an error, and so is one with blocks that only a
 * newer limpid knows, which would be lost; nothing is changed then.
 */
int lp_archive_compact(const char *const *paths, size_t n_paths,
		       const char *out,
		       const struct lp_compact_options *options,
		       struct lp_compact_result *result, struct lp_error *err);

struct lp_info_class {
	char *name;
	uint64_t values;
	struct lp_names instances; /* "host/instance" */
	struct lp_names columns;
};

/* Zero-initialise; lp_archive_info_done frees. */
struct lp_info {
	uint64_t bytes, blocks, samples, values, events, inventories;
	uint64_t counts;  /* blocks of them */
	uint64_t skipped; /* further blocks, which only a newer limpid knows */
	int64_t first_ns, last_ns;          /* of samples; first > last: none */
	int64_t interval_ns;                /* the usual one; 0: not known */
	uint64_t damaged_at, damaged_bytes; /* behind the last sound block */
	bool closed;
	struct lp_names hosts;
	struct lp_names counted; /* the kinds of counts */
	struct lp_info_class *classes;
	size_t n_classes, classes_capacity;
};

/* Damage with sound blocks behind it is an error that names the offset. */
int lp_archive_info(const char *path, struct lp_info *info,
		    struct lp_error *err);
void lp_archive_info_done(struct lp_info *info);

#endif
