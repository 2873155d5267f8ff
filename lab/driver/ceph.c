/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ceph: one OSD on every server, its objects in a file on the server's disk;
 * monitor, manager and metadata server on the third party, so that servers are
 * alike; CephFS through ceph-fuse.
 *
 * Dispersed: 4 MiB objects in an erasure coded pool, k + m as GlusterFS has
 * data and redundancy; replicated: whole objects on three servers each, placed
 * by a hash, so that healthy servers differ more.
 *
 * All of it is in the lab's directory, with a configuration of its own, and
 * without authentication: nobody else is on the lab's net.
 */
#include "base/memory.h"
#include "base/outfile.h"
#include "base/timestamp.h"
#include "driver/common.h"
#include "driver/driver.h"
#include "site/exec.h"
#include "site/machine.h"
#include "site/node.h"
#include "site/nodes.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#define FSID "6c696d70-6964-4c61-8b00-000000000001"
#define OSD_UUID "6c696d70-6964-4c61-8b00-0000000001%02zx"
#define CALL_S 120.0
#define START_S 120.0
#define MOST_WORDS 24
#define NEVER_S "31536000"
/* Placement groups: enough that servers are alike within a tenth. */
#define DATA_GROUPS "64"
#define META_GROUPS "8"
/* Of the disk, for the objects; the file system has the rest. */
#define DISK_PART 0.9

static const char *const layouts[] = { "dispersed", "replicated", NULL };
static const char *const private_dirs[] = { "/var/lib/ceph", "/var/log/ceph",
					    NULL };
/* Where of these the logs are: LAB/NODE/private/1. */
#define LOGS "private/1"

/* ---- what can be made ---- */

static int fits(const struct lab_spec *spec, struct lp_error *err)
{
	if (spec->servers < 3)
		return lp_fail(err, EINVAL,
			       "%lu servers: Ceph needs at least 3",
			       spec->servers);
	return lab_check_dispersed(spec, err);
}

static int check(struct lp_error *err)
{
	static const char *const programs[][2] = {
		{ "ceph", "ceph-common" },
		{ "ceph-authtool", "ceph-common" },
		{ "monmaptool", "ceph-base" },
		{ "ceph-mon", "ceph-mon" },
		{ "ceph-mgr", "ceph-mgr" },
		{ "ceph-osd", "ceph-osd" },
		{ "ceph-mds", "ceph-mds" },
		{ "ceph-fuse", "ceph-fuse" },
	};
	int r = 0;

	for (size_t i = 0; r == 0 && i < lp_array_size(programs); i++)
		r = lab_need_program(programs[i][0], programs[i][1], err);
	return r;
}

static int version(char *text, size_t room, struct lp_error *err)
{
	lp_auto_free char *output = NULL;
	char number[32];
	int r = lab_ask_version("ceph", "ceph-common", &output, err);

	/* ceph version 16.2.15 (618f44...) pacific (stable) */
	if (r == 0 && sscanf(output, "ceph version %31s", number) != 1)
		r = lp_fail(err, EIO, "the version of ceph is unknown");
	if (r == 0)
		snprintf(text, room, "ceph %s", number);
	return r;
}

/* ---- the configuration ---- */

static const struct lab_node *manager(const struct lab *lab)
{
	return lab_nth(lab, LAB_THIRD, 0);
}

/* A file or directory of the manager, which all nodes can read. */
static int manager_path(const struct lab *lab, const char *name,
			char path[PATH_MAX], struct lp_error *err)
{
	return lab_node_path(lab, manager(lab), name, path, err);
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
		"fsid = " FSID "\n"
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
		manager(lab)->address, lab->dir, manager(lab)->name,
		size / 4096 * 4096);
}

static int write_settings(const struct lab *lab, struct lp_error *err)
{
	struct lp_outfile file;
	char path[PATH_MAX];
	int r = manager_path(lab, "ceph.conf", path, err);

	if (r == 0)
		r = lp_outfile_open(&file, path, err);
	if (r < 0)
		return r;
	put_settings(file.out, lab);
	return lp_outfile_commit(&file, err);
}

/* ---- programs ---- */

/* PROGRAM -c CONF WORDS... on a node; `output` may be NULL. */
static int call(const struct lab *lab, const struct lab_node *node,
		const char *const *words, char **output, struct lp_error *err)
{
	char conf[PATH_MAX];
	const char *argv[MOST_WORDS + 4] = { words[0], "-c", conf };
	int r = manager_path(lab, "ceph.conf", conf, err);

	for (size_t i = 1; words[i]; i++)
		argv[i + 2] = words[i];
	return r < 0 ? r : lab_node_run(node, argv, CALL_S, output, err);
}
#define CALL(lab, node, output, err, ...)                                      \
	call(lab, node, (const char *const[]){ __VA_ARGS__, NULL }, output, err)
/* The administrator's word. */
#define ORDER(lab, output, err, ...)                                           \
	CALL(lab, manager(lab), output, err, "ceph", __VA_ARGS__)

/* A daemon in the foreground, its output in the node's LOG. */
static int start_daemon(struct lab *lab, const struct lab_node *node,
			const char *const *words, const char *log,
			struct lp_error *err)
{
	char conf[PATH_MAX], path[PATH_MAX];
	const char *argv[MOST_WORDS + 5] = { words[0], "-f", "-c", conf };
	int r = manager_path(lab, "ceph.conf", conf, err);

	for (size_t i = 1; words[i]; i++)
		argv[i + 3] = words[i];
	if (r == 0)
		r = lab_node_path(lab, node, log, path, err);
	return r < 0 ? r
		     : lab_node_spawn(lab, node, argv, path, NULL, NULL, err);
}
#define DAEMON(lab, node, log, err, ...)                                       \
	start_daemon(lab, node, (const char *const[]){ __VA_ARGS__, NULL },    \
		     log, err)

/* What is asked again and again until the answer is as wanted. */
struct question {
	struct lab *lab;
	const struct lab_node *client;
	struct lp_error why;
};

static int ask(struct question *q, bool (*yes)(const void *), const char *what,
	       struct lp_error *err)
{
	int r = lab_wait_until(yes, q, START_S, q->lab->stop);

	if (r == -EINTR)
		return lp_fail(err, EINTR, "interrupted");
	return r < 0 ? lp_fail(err, ETIME, "%s: %s", what, q->why.text) : 0;
}

/* ---- monitor and manager ---- */

static int make_monitor(struct lab *lab, struct lp_error *err)
{
	const struct lab_node *node = manager(lab);
	char keys[PATH_MAX], map[PATH_MAX], address[80];
	int r = manager_path(lab, "keyring", keys, err);

	snprintf(address, sizeof(address), "[v2:%s:3300,v1:%s:6789]",
		 node->address, node->address);
	if (r == 0)
		r = manager_path(lab, "monmap", map, err);
	if (r == 0)
		r = CALL(lab, node, NULL, err, "ceph-authtool", keys,
			 "--create-keyring", "--gen-key", "-n", "mon.", "--cap",
			 "mon", "allow *");
	if (r == 0)
		r = CALL(lab, node, NULL, err, "monmaptool", "--create",
			 "--fsid", FSID, "--addv", "a", address, map);
	if (r == 0)
		r = CALL(lab, node, NULL, err, "ceph-mon", "--mkfs", "-i", "a",
			 "--monmap", map, "--keyring", keys);
	return r;
}

static bool has_monitor(const void *context)
{
	struct question *q = (struct question *)context;

	return ORDER(q->lab, NULL, &q->why, "--connect-timeout", "5", "mon",
		     "stat") == 0;
}

static int start_monitor(struct lab *lab, struct lp_error *err)
{
	struct question q = { .lab = lab };
	int r = DAEMON(lab, manager(lab), "ceph-mon.log", err, "ceph-mon", "-i",
		       "a");

	if (r == 0)
		r = ask(&q, has_monitor, "the monitor", err);
	return r < 0 ? r
		     : DAEMON(lab, manager(lab), "ceph-mgr.log", err,
			      "ceph-mgr", "-i", "a");
}

/* ---- servers ---- */

static int format(struct lab *lab, const struct lab_node *server,
		  struct lp_error *err)
{
	(void)lab;
	return lab_make_on_disk(server, "osd", err);
}

/* One OSD: the i-th server's, which is number i. */
struct osd {
	const struct lab_node *server;
	char id[24], data[PATH_MAX];
};

static int name_osd(const struct lab *lab, size_t i, struct osd *osd,
		    struct lp_error *err)
{
	osd->server = lab_nth(lab, LAB_SERVER, i);
	snprintf(osd->id, sizeof(osd->id), "%zu", i);
	return lab_path(osd->data, err, "--osd-data=%s/osd",
			osd->server->brick);
}

/* The monitor gives numbers in their order, from 0. */
static int make_osd(struct lab *lab, size_t i, struct lp_error *err)
{
	lp_auto_free char *output = NULL;
	struct osd osd;
	char uuid[64];
	int r = name_osd(lab, i, &osd, err);

	snprintf(uuid, sizeof(uuid), OSD_UUID, i);
	if (r == 0)
		r = ORDER(lab, &output, err, "osd", "new", uuid);
	if (r == 0 && strtoul(output, NULL, 10) != i)
		r = lp_fail(err, EIO, "%s should be OSD %s, but is %.20s",
			    osd.server->name, osd.id, output);
	return r < 0 ? r
		     : CALL(lab, osd.server, NULL, err, "ceph-osd", "--mkfs",
			    "-i", osd.id, "--osd-uuid", uuid, osd.data);
}

static int start_osd(struct lab *lab, size_t i, struct lp_error *err)
{
	struct osd osd;
	int r = name_osd(lab, i, &osd, err);

	return r < 0 ? r
		     : DAEMON(lab, osd.server, "ceph-osd.log", err, "ceph-osd",
			      "-i", osd.id, osd.data);
}

/* 6 osds: 6 up (since 2s), 6 in (since 5s); epoch: e9 */
static bool all_serve(const void *context)
{
	struct question *q = (struct question *)context;
	lp_auto_free char *output = NULL;
	unsigned long all = 0, up = 0;

	if (ORDER(q->lab, &output, &q->why, "--connect-timeout", "5", "osd",
		  "stat") < 0)
		return false;
	if (sscanf(output, "%lu osds: %lu up", &all, &up) != 2)
		all = up = 0;
	snprintf(q->why.text, sizeof(q->why.text), "%lu of %lu OSDs serve", up,
		 q->lab->spec.servers);
	return up == q->lab->spec.servers;
}

static int start_servers(struct lab *lab, struct lp_error *err)
{
	struct question q = { .lab = lab };
	int r = 0;

	for (size_t i = 0; r == 0 && i < lab->spec.servers; i++) {
		r = make_osd(lab, i, err);
		if (r == 0)
			r = start_osd(lab, i, err);
	}
	return r < 0 ? r : ask(&q, all_serve, "the servers", err);
}

/* ---- the file system ---- */

static int make_dispersed_pool(struct lab *lab, struct lp_error *err)
{
	unsigned long data = lab_data_parts(lab->spec.servers);
	char k[24], m[24];
	int r;

	snprintf(k, sizeof(k), "k=%lu", data);
	snprintf(m, sizeof(m), "m=%lu", lab->spec.servers - data);
	r = ORDER(lab, NULL, err, "osd", "erasure-code-profile", "set", "lab",
		  k, m, "crush-failure-domain=host");
	if (r == 0)
		r = ORDER(lab, NULL, err, "osd", "pool", "create", "data",
			  DATA_GROUPS, DATA_GROUPS, "erasure", "lab");
	return r < 0 ? r
		     : ORDER(lab, NULL, err, "osd", "pool", "set", "data",
			     "allow_ec_overwrites", "true");
}

static int make_pools(struct lab *lab, struct lp_error *err)
{
	int r = ORDER(lab, NULL, err, "osd", "pool", "create", "meta",
		      META_GROUPS);

	if (r < 0)
		return r;
	if (strcmp(lab->spec.layout, "dispersed") == 0)
		return make_dispersed_pool(lab, err);
	return ORDER(lab, NULL, err, "osd", "pool", "create", "data",
		     DATA_GROUPS);
}

/* lab:1 {0=a=up:active} */
static bool has_metadata(const void *context)
{
	struct question *q = (struct question *)context;
	lp_auto_free char *output = NULL;

	if (ORDER(q->lab, &output, &q->why, "--connect-timeout", "5", "mds",
		  "stat") < 0)
		return false;
	snprintf(q->why.text, sizeof(q->why.text),
		 "the metadata server is not active");
	return strstr(output, "up:active") != NULL;
}

/* 72 pgs: 72 active+clean; 2.3 KiB data, ... */
static bool is_clean(const void *context)
{
	struct question *q = (struct question *)context;
	lp_auto_free char *output = NULL;
	unsigned long all = 0, clean = 0;
	char end = '\0';

	if (ORDER(q->lab, &output, &q->why, "--connect-timeout", "5", "pg",
		  "stat") < 0)
		return false;
	if (sscanf(output, "%lu pgs: %lu active+clean%c", &all, &clean, &end) !=
		    3 ||
	    end != ';')
		clean = 0;
	snprintf(q->why.text, sizeof(q->why.text),
		 "not all placement groups are clean: %.100s", output);
	return all > 0 && clean == all;
}

static int start_file_system(struct lab *lab, struct lp_error *err)
{
	struct question q = { .lab = lab };
	char data[PATH_MAX], option[PATH_MAX];
	int r = manager_path(lab, "mds", data, err);

	if (r == 0 && mkdir(data, 0755) < 0)
		r = lp_fail_errno(err, errno, "cannot make %s", data);
	if (r == 0)
		r = lab_path(option, err, "--mds-data=%s", data);
	if (r == 0)
		r = ORDER(lab, NULL, err, "fs", "new", "lab", "meta", "data",
			  "--force");
	if (r == 0)
		r = DAEMON(lab, manager(lab), "ceph-mds.log", err, "ceph-mds",
			   "-i", "a", option);
	if (r == 0)
		r = ask(&q, has_metadata, "the file system", err);
	return r < 0 ? r : ask(&q, is_clean, "the file system", err);
}

static int start(struct lab *lab, struct lp_error *err)
{
	int r = write_settings(lab, err);

	if (r == 0)
		r = make_monitor(lab, err);
	if (r == 0)
		r = start_monitor(lab, err);
	if (r == 0)
		r = start_servers(lab, err);
	if (r == 0)
		r = make_pools(lab, err);
	return r < 0 ? r : start_file_system(lab, err);
}

/* Daemons that are ended lose nothing: the journal does it. */
static int stop(struct lab *lab, struct lp_error *err)
{
	(void)lab;
	(void)err;
	return 0;
}

static int status(struct lab *lab, char *text, size_t room,
		  struct lp_error *err)
{
	struct question q = { .lab = lab };
	bool all = all_serve(&q);

	if (!strstr(q.why.text, "OSDs serve"))
		return lp_fail(err, EIO, "the monitor does not answer: %s",
			       q.why.text);
	snprintf(text, room, "%s", q.why.text);
	return all ? 0 : 1;
}

/* ---- clients ---- */

static bool is_mounted(const void *context)
{
	const struct question *q = context;

	return lab_fuse_mounted(q->client);
}

static int mount_client(struct lab *lab, const struct lab_node *client,
			struct lp_error *err)
{
	struct question q = { .lab = lab, .client = client };
	char conf[PATH_MAX];
	const char *const argv[] = { "ceph-fuse", "-f",          "-c",
				     conf,        client->mount, NULL };
	int r = manager_path(lab, "ceph.conf", conf, err);

	if (r == 0)
		r = lab_fuse_start(lab, client, argv, "ceph-fuse.log", err);
	if (r == 0)
		r = lab_wait_until(is_mounted, &q, START_S, lab->stop);
	if (r == -EINTR)
		return lp_fail(err, EINTR, "interrupted");
	if (r == -ETIME)
		return lp_fail(err, ETIME,
			       "the client %s cannot mount the file system; "
			       "see ceph-fuse.log and " LOGS " in %s/%s",
			       client->name, lab->dir, client->name);
	return r;
}

/* ---- logs, recovery ---- */

static int copy_logs(struct lab *lab, const char *to, struct lp_error *err)
{
	return lab_copy_logs(lab, LOGS, to, err);
}

/* [WRN] : Health check failed: 1 osds down (OSD_DOWN) */
static const struct lab_log_mark missed[] = {
	{ "x*/mon.*.log", "(OSD_DOWN)" },
	{ "x*/mon.*.log", "(PG_DEGRADED)" },
	{ NULL, NULL },
};

/* Start the OSDs that the monitor knows to be down: "osd.3 down in weight" */
static int start_missing(struct lab *lab, struct lp_error *err)
{
	lp_auto_free char *map = NULL;
	int r = ORDER(lab, &map, err, "osd", "dump");

	for (size_t i = 0; r == 0 && i < lab->spec.servers; i++) {
		char down[32];

		snprintf(down, sizeof(down), "\nosd.%zu down ", i);
		if (strstr(map, down))
			r = start_osd(lab, i, err);
	}
	return r;
}

/* With all its OSDs there, Ceph recovers by itself. */
static int recover(struct lab *lab, double limit_s, struct lp_error *err)
{
	struct question q = { .lab = lab };
	int r = start_missing(lab, err);

	if (r == 0)
		r = ask(&q, all_serve, "the servers", err);
	if (r == 0)
		r = lab_wait_until(is_clean, &q, limit_s, lab->stop);
	if (r == -EINTR)
		return lp_fail(err, EINTR, "interrupted");
	if (r != -ETIME)
		return r;
	return lp_fail(err, ETIME, "not recovered within %.0f s: %s", limit_s,
		       q.why.text);
}

const struct lab_driver lab_driver_ceph = {
	.name = "ceph",
	.package = "ceph-osd",
	.layouts = layouts,
	.private_dirs = private_dirs,
	.memory_bytes = (uint64_t)512 << 20,
	.fits = fits,
	.check = check,
	.format = format,
	.start = start,
	.mount = mount_client,
	.unmount = lab_fuse_unmount,
	.stop = stop,
	.status = status,
	.logs = copy_logs,
	.missed = missed,
	.recover = recover,
	.version = version,
};
