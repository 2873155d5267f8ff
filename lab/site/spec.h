/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a lab is made of: the numbers a user may choose, before anything is
 * made. Options of `limpid lab up` and the lab file fill it.
 */
#ifndef LAB_SITE_SPEC_H
#define LAB_SITE_SPEC_H

#include "base/error.h"

#include <limits.h>
#include <stdint.h>

#define LAB_MAX_SERVERS 16
#define LAB_MAX_CLIENTS 8
#define LAB_MEMORY_OF_DRIVER UINT64_MAX

struct lab_spec {
	char driver[32]; /* "glusterfs" */
	char layout[32]; /* of the driver's volume: "dispersed", "sharded" */
	unsigned long servers, clients;
	uint64_t disk_bytes; /* size of one virtual disk */
	uint64_t disk_rate;  /* bytes a second of its spindle */
	uint64_t seek_ns;    /* of a request that is not sequential */
	uint64_t link_bits;  /* bits a second, each direction */
	/*
	 * Of one server, with the cached part of its disk; 0: no limit. Without
	 * one the machine's memory holds all files and no disk is ever read.
	 * LAB_MEMORY_OF_DRIVER until lab_spec_settle, if the user says nothing.
	 */
	uint64_t memory_bytes;
	char congestion[16]; /* TCP's congestion control: "reno" */
	/* Of the disks: "through", or "volatile": a power cut loses what no
	 * flush was answered for. */
	char cache[16];
};

/* What a 4+2 GlusterFS on two cores bears: 6 disks of 12 MB/s. */
void lab_spec_default(struct lab_spec *spec);

/*
 * Read a lab file (libconfig) over what *spec holds. 0 or -errno.
 *
 *     servers = 6; clients = 2; layout = "dispersed"; disk_rate = "12M";
 */
int lab_spec_read(const char *path, struct lab_spec *spec,
		  struct lp_error *err);

/*
 * The same from a group of a file that was read already: the group `cluster`
 * of a campaign file.
 */
struct lp_conf;
struct config_setting_t;
int lab_spec_take(const struct lp_conf *conf,
		  const struct config_setting_t *group, struct lab_spec *spec);

/* One value by its key, as text: "disk-rate", "12M". -EINVAL, -ENOENT. */
int lab_spec_set(struct lab_spec *spec, const char *key, const char *value,
		 struct lp_error *err);

/* Every key with its value, as lab_spec_set takes it. */
typedef void lab_spec_each_fn(void *context, const char *key,
			      const char *value);
void lab_spec_each(const struct lab_spec *spec, lab_spec_each_fn *each,
		   void *context);

/* What cannot be made: too many servers, a layout the driver lacks, ... */
int lab_spec_check(const struct lab_spec *spec, struct lp_error *err);

/* Fill in what is left to the driver, in a spec that was checked. */
void lab_spec_settle(struct lab_spec *spec);

#endif
