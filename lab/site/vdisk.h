/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A server's disk: a file served like one spindle, a loop device with direct
 * I/O on it, and a file system on that.
 */
#ifndef LAB_SITE_VDISK_H
#define LAB_SITE_VDISK_H

#include "site/lab.h"

/* FUSE, loop devices, programs. */
int lab_vdisk_check(struct lp_error *err);
/* Room for all disks at dir. */
int lab_vdisk_room(const char *dir, const struct lab_spec *spec,
		   struct lp_error *err);

/*
 * Make the server's disk and mount it at its brick; fills its device. It is
 * fast until lab_vdisk_slow: nobody learns from a slow mkfs.
 */
int lab_vdisk_make(struct lab *lab, struct lab_node *server,
		   struct lp_error *err);
/*
 * The same for the disk of what its daemons keep, which is always fast. Nodes
 * without one are left alone.
 */
int lab_vdisk_make_state(struct lab *lab, struct lab_node *node,
			 struct lp_error *err);
int lab_vdisk_slow(const struct lab_node *server, struct lp_error *err);

#endif
