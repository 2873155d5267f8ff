/* SPDX-License-Identifier: Apache-2.0 */
#include "driver/ceph_call.h"

#include "base/outfile.h"
#include "site/node.h"
#include "site/nodes.h"

#include <inttypes.h>
#include <stdio.h>

#define CALL_S 120.0
#define MOST_WORDS 24
#define NEVER_S "31536000"
/* Of the disk, for the objects; the file system has the rest. */
#define DISK_PART 0.9

const struct lab_node *lab_ceph_manager(const struct lab *lab)
{
	return lab_nth(lab, LAB_THIRD, 0);
}

int lab_ceph_path(const struct lab *lab, const char *name, char path[PATH_MAX],
		  struct lp_error *err)
{
	return lab_node_path(lab, lab_ceph_manager(lab), name, path, err);
}

/*
 * Small caches: a server's memory is small, and objects that stay in it are
 * never read from its disk. Nothing works in the background: no scrubbing.
 */
static void put_settings(FILE *out, const struct lab *lab)
{
	uint64_t size = (uint64_t)(DISK_PART * (double)lab->spec.disk_bytes);

	fprintf(out,
		"[global]\n"
		"fsid = " LAB_CEPH_FSID "\n"
		"mon host = %s\n"
		"public network = " LAB_SUBNET "\n"
		"auth cluster required = none\n"
		"auth service required = none\n"
		"auth client required = none\n"
		"run dir = /run\n"
		"log file = /var/log/ceph/$name.log\n"
		"log max recent = 100\n"
		"mon data = %s/%s/mon\n"
		"mon allow pool delete = true\n"
		"osd crush chooseleaf type = 1\n"
		"osd objectstore = bluestore\n"
		"osd op queue = wpq\n"
		"osd pool default pg autoscale mode = off\n"
		"osd scrub min interval = " NEVER_S "\n"
		"osd scrub max interval = " NEVER_S "\n"
		"osd deep scrub interval = " NEVER_S "\n"
		"osd max pg log entries = 200\n"
		"osd min pg log entries = 100\n"
		"bluestore block size = %" PRIu64 "\n"
		"bluestore cache autotune = false\n"
		"bluestore cache size = 33554432\n"
		"bluestore rocksdb options = compression=kNoCompression,"
		"max_write_buffer_number=2,min_write_buffer_number_to_merge=1,"
		"recycle_log_file_num=2,write_buffer_size=8388608\n",
		lab_ceph_manager(lab)->address, lab->dir,
		lab_ceph_manager(lab)->name, size / 4096 * 4096);
}

int lab_ceph_configure(const struct lab *lab, struct lp_error *err)
{
	struct lp_outfile file;
	char path[PATH_MAX];
	int status = lab_ceph_path(lab, "ceph.conf", path, err);

	if (status == 0)
		status = lp_outfile_open(&file, path, err);
	if (status < 0)
		return status;
	put_settings(file.out, lab);
	return lp_outfile_commit(&file, err);
}

int lab_ceph_call(const struct lab *lab, const struct lab_node *node,
		  const char *const *words, char **output, struct lp_error *err)
{
	char conf[PATH_MAX];
	const char *argv[MOST_WORDS + 4] = { words[0], "-c", conf };
	int status = lab_ceph_path(lab, "ceph.conf", conf, err);

	for (size_t i = 1; words[i]; i++)
		argv[i + 2] = words[i];
	return status < 0 ? status
			  : lab_node_run(node, argv, CALL_S, output, err);
}

int lab_ceph_start(struct lab *lab, const struct lab_node *node,
		   const char *const *words, const char *log,
		   struct lp_error *err)
{
	char conf[PATH_MAX], path[PATH_MAX];
	const char *argv[MOST_WORDS + 5] = { words[0], "-f", "-c", conf };
	int status = lab_ceph_path(lab, "ceph.conf", conf, err);

	for (size_t i = 1; words[i]; i++)
		argv[i + 3] = words[i];
	if (status == 0)
		status = lab_node_path(lab, node, log, path, err);
	return status < 0
		       ? status
		       : lab_node_spawn(lab, node, argv, path, NULL, NULL, err);
}
