/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Readers: what this machine's kernel counts, one file of it each.
 *
 * A reader works in two steps, so that one that hangs never stops the others:
 * `fetch` may block and touches nothing but its own state; `parse` never
 * blocks and puts what was fetched into the builder. The recorder runs fetch
 * without its lock, and leaves a thread that does not come back behind.
 *
 * Code and memory that were last used a second ago are not in the processor's
 * cache any more, so ten texts one after the other are parsed for much less
 * than ten times one text: a reader may `hold` what it fetched.
 *
 * To add one: a file named after the kernel's file with its struct lp_reader,
 * one line in readers.c, its columns in the catalogue, and a recorded tree in
 * tests/trees.
 */
#ifndef LP_SOURCE_READER_H
#define LP_SOURCE_READER_H

#include "base/error.h"
#include "model/builder.h"

/* Which instances are kept: --include and --exclude CLASS:GLOB. */
struct lp_filter {
	const char *const
		*include; /* "disk:sd*"; may be NULL when count is 0 */
	size_t n_include;
	const char *const *exclude;
	size_t n_exclude;
};

/* No include of the class, or one that matches; and no exclude that does. */
bool lp_filter_wants(const struct lp_filter *filter, const char *class_name,
		     const char *name, size_t name_length);
/* False: no instance of the class can be wanted ("CLASS:*" is excluded). */
bool lp_filter_wants_class(const struct lp_filter *filter,
			   const char *class_name);

struct lp_reader_context {
	const char *root; /* "" or a directory that holds proc/ and sys/ */
	const struct lp_filter *filter;
	int netns_fd;      /* namespace of net and tcp; -1: our own */
	bool each_socket;  /* --sockets */
	size_t max_series; /* bound on instances a reader may add (tcp) */
};

struct lp_reader {
	const char *name; /* "diskstats" */
	const struct lp_class *class;
	/* Allocate the state; opens nothing that could block. 0 or -errno. */
	int (*open)(const struct lp_reader_context *context, void **state);
	/*
	 * Read. 0; -ENOENT when this kernel has no such file (the reader is
	 * then asked again only now and then); another -errno is a failure.
	 */
	int (*fetch)(void *state, struct lp_error *err);
	/*
	 * Put the fetched sample into the builder's current tick. -EINVAL: a
	 * line was not understood (err names it), the others were put;
	 * -ENOSPC: a bound of the reader was met (err says how), what fits was
	 * put.
	 */
	int (*parse)(void *state, struct lp_builder *builder,
		     struct lp_error *err);
	/*
	 * Instead of parse: keep what was fetched, which is of this sample of
	 * the builder, for later. False: that much cannot be kept; parse now.
	 * NULL: this reader does not.
	 */
	bool (*hold)(void *state, size_t sample);
	/*
	 * Put all that is held into its samples; as parse, which does the same
	 * first. May be called while a fetch goes on.
	 */
	int (*catch_up)(void *state, struct lp_builder *builder,
			struct lp_error *err);
	void (*close)(void *state);
	/*
	 * A number that changes when the instances parsed last are others than
	 * before, so that the inventory is read anew. NULL: does not matter.
	 */
	uint64_t (*instances)(const void *state);
};

extern const struct lp_reader lp_reader_diskstats, lp_reader_net_dev,
	lp_reader_stat, lp_reader_meminfo, lp_reader_pressure, lp_reader_snmp,
	lp_reader_netstat, lp_reader_infiniband, lp_reader_sockdiag;

/* All readers, ended by NULL. */
extern const struct lp_reader *const lp_readers[];

#endif
