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
#include "driver/ceph_call.h"
#include "driver/common.h"
#include "driver/driver.h"
#include "site/exec.h"
#include "site/machine.h"
#include "site/node.h"
#include "site/nodes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define OSD_UUID "6c696d70-6964-4c61-8b00-0000000001%02zx"
#define START_S 120.0
/* Placement groups: enough that servers are alike within a tenth. */
#define DATA_GROUPS "64"
#define META_GROUPS "8"

static const char *const layouts[] = { "dispersed", "replicated", NULL };
static const char *const private_dirs[] = { "/var/lib/ceph", "/var/log/ceph",
					    NULL };
/* Where of these the logs are. */
#define LOGS "private/1"

#define CALL(lab, node, output, err, ...)                                      \
	lab_ceph_call(lab, node, (const char *const[]){ __VA_ARGS__, NULL },   \
		      output, err)
/* The administrator's word. */
#define ORDER(lab, output, err, ...)                                           \
	CALL(lab, lab_ceph_manager(lab), output, err, "ceph", __VA_ARGS__)
#define DAEMON(lab, node, log, err, ...)                                       \
	lab_ceph_start(lab, node, (const char *const[]){ __VA_ARGS__, NULL },  \
		       log, err)

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
	int status = 0;

	for (size_t i = 0; status == 0 && i < lp_array_size(programs); i++)
		status = lab_need_program(programs[i][0], programs[i][1], err);
	return status;
}

static int version(char *text, size_t room, struct lp_error *err)
{
	lp_auto_free char *output = NULL;
	char number[32];
	int status = lab_ask_version("ceph", "ceph-common", &output, err);

	/* ceph version 16.2.15 (618f44...) pacific (stable) */
	if (status == 0 && sscanf(output, "ceph version %31s", number) != 1)
		status = lp_fail(err, EIO, "the version of ceph is unknown");
	if (status == 0)
		snprintf(text, room, "ceph %s", number);
	return status;
}

/* ---- monitor and manager ---- */

static int make_monitor(struct lab *lab, struct lp_error *err)
{
	const struct lab_node *node = lab_ceph_manager(lab);
	char keys[PATH_MAX], map[PATH_MAX], address[80];
	int status = lab_ceph_path(lab, "keyring", keys, err);

	snprintf(address, sizeof(address), "[v2:%s:3300,v1:%s:6789]",
		 node->address, node->address);
	if (status == 0)
		status = lab_ceph_path(lab, "monmap", map, err);
	if (status == 0)
		status = CALL(lab, node, NULL, err, "ceph-authtool", keys,
			      "--create-keyring", "--gen-key", "-n", "mon.",
			      "--cap", "mon", "allow *");
	if (status == 0)
		status = CALL(lab, node, NULL, err, "monmaptool", "--create",
			      "--fsid", LAB_CEPH_FSID, "--addv", "a", address,
			      map);
	if (status == 0)
		status = CALL(lab, node, NULL, err, "ceph-mon", "--mkfs", "-i",
			      "a", "--monmap", map, "--keyring", keys);
	return status;
}

static bool has_monitor(struct lab_question *q)
{
	return ORDER(q->lab, NULL, &q->why, "--connect-timeout", "5", "mon",
		     "stat") == 0;
}

static int start_monitor(struct lab *lab, struct lp_error *err)
{
	struct lab_question q = { .lab = lab };
	int status = DAEMON(lab, lab_ceph_manager(lab), "ceph-mon.log", err,
			    "ceph-mon", "-i", "a");

	if (status == 0)
		status = lab_ask(&q, has_monitor, START_S, "the monitor", err);
	return status < 0 ? status
			  : DAEMON(lab, lab_ceph_manager(lab), "ceph-mgr.log",
				   err, "ceph-mgr", "-i", "a");
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
	int status = name_osd(lab, i, &osd, err);

	snprintf(uuid, sizeof(uuid), OSD_UUID, i);
	if (status == 0)
		status = ORDER(lab, &output, err, "osd", "new", uuid);
	if (status == 0 && strtoul(output, NULL, 10) != i)
		status = lp_fail(err, EIO, "%s should be OSD %s, but is %.20s",
				 osd.server->name, osd.id, output);
	return status < 0
		       ? status
		       : CALL(lab, osd.server, NULL, err, "ceph-osd", "--mkfs",
			      "-i", osd.id, "--osd-uuid", uuid, osd.data);
}

static int start_osd(struct lab *lab, size_t i, struct lp_error *err)
{
	struct osd osd;
	int status = name_osd(lab, i, &osd, err);

	return status < 0 ? status
			  : DAEMON(lab, osd.server, "ceph-osd.log", err,
				   "ceph-osd", "-i", osd.id, osd.data);
}

/* 6 osds: 6 up (since 2s), 6 in (since 5s); epoch: e9 */
static bool all_serve(struct lab_question *q)
{
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
	struct lab_question q = { .lab = lab };
	int status = 0;

	for (size_t i = 0; status == 0 && i < lab->spec.servers; i++) {
		status = make_osd(lab, i, err);
		if (status == 0)
			status = start_osd(lab, i, err);
	}
	return status < 0 ? status
			  : lab_ask(&q, all_serve, START_S, "the servers", err);
}

/* ---- the file system ---- */

static int make_dispersed_pool(struct lab *lab, struct lp_error *err)
{
	unsigned long data = lab_data_parts(lab->spec.servers);
	char k[24], m[24];
	int status;

	snprintf(k, sizeof(k), "k=%lu", data);
	snprintf(m, sizeof(m), "m=%lu", lab->spec.servers - data);
	status = ORDER(lab, NULL, err, "osd", "erasure-code-profile", "set",
		       "lab", k, m, "crush-failure-domain=host");
	if (status == 0)
		status = ORDER(lab, NULL, err, "osd", "pool", "create", "data",
			       DATA_GROUPS, DATA_GROUPS, "erasure", "lab");
	return status < 0 ? status
			  : ORDER(lab, NULL, err, "osd", "pool", "set", "data",
				  "allow_ec_overwrites", "true");
}

static int make_pools(struct lab *lab, struct lp_error *err)
{
	int status = ORDER(lab, NULL, err, "osd", "pool", "create", "meta",
			   META_GROUPS);

	if (status < 0)
		return status;
	if (strcmp(lab->spec.layout, "dispersed") == 0)
		return make_dispersed_pool(lab, err);
	return ORDER(lab, NULL, err, "osd", "pool", "create", "data",
		     DATA_GROUPS);
}

/* lab:1 {0=a=up:active} */
static bool has_metadata(struct lab_question *q)
{
	lp_auto_free char *output = NULL;

	if (ORDER(q->lab, &output, &q->why, "--connect-timeout", "5", "mds",
		  "stat") < 0)
		return false;
	snprintf(q->why.text, sizeof(q->why.text),
		 "the metadata server is not active");
	return strstr(output, "up:active") != NULL;
}

/* 72 pgs: 72 active+clean; 2.3 KiB data, ... */
static bool is_clean(struct lab_question *q)
{
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
	struct lab_question q = { .lab = lab };
	char data[PATH_MAX], option[PATH_MAX];
	int status = lab_ceph_path(lab, "mds", data, err);

	if (status == 0 && mkdir(data, 0755) < 0)
		status = lp_fail_errno(err, errno, "cannot make %s", data);
	if (status == 0)
		status = lab_path(option, err, "--mds-data=%s", data);
	if (status == 0)
		status = ORDER(lab, NULL, err, "fs", "new", "lab", "meta",
			       "data", "--force");
	if (status == 0)
		status = DAEMON(lab, lab_ceph_manager(lab), "ceph-mds.log", err,
				"ceph-mds", "-i", "a", option);
	if (status == 0)
		status = lab_ask(&q, has_metadata, START_S, "the file system",
				 err);
	return status < 0
		       ? status
		       : lab_ask(&q, is_clean, START_S, "the file system", err);
}

static int start(struct lab *lab, struct lp_error *err)
{
	int status = lab_ceph_configure(lab, err);

	if (status == 0)
		status = make_monitor(lab, err);
	if (status == 0)
		status = start_monitor(lab, err);
	if (status == 0)
		status = start_servers(lab, err);
	if (status == 0)
		status = make_pools(lab, err);
	return status < 0 ? status : start_file_system(lab, err);
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
	struct lab_question q = { .lab = lab };
	bool all = all_serve(&q);

	if (!strstr(q.why.text, "OSDs serve"))
		return lp_fail(err, EIO, "the monitor does not answer: %s",
			       q.why.text);
	snprintf(text, room, "%s", q.why.text);
	return all ? 0 : 1;
}

/* ---- clients ---- */

static bool is_mounted(struct lab_question *q)
{
	return lab_fuse_mounted(q->client);
}

static int mount_client(struct lab *lab, const struct lab_node *client,
			struct lp_error *err)
{
	struct lab_question q = { .lab = lab, .client = client };
	char conf[PATH_MAX];
	const char *const argv[] = { "ceph-fuse", "-f",          "-c",
				     conf,        client->mount, NULL };
	int status = lab_ceph_path(lab, "ceph.conf", conf, err);

	if (status == 0)
		status =
			lab_fuse_start(lab, client, argv, "ceph-fuse.log", err);
	if (status == 0)
		status = lab_ask(&q, is_mounted, START_S, client->name, err);
	if (status == -ETIME)
		return lp_fail(err, ETIME,
			       "the client %s cannot mount the file system; "
			       "see ceph-fuse.log and " LOGS " in %s/%s",
			       client->name, lab->dir, client->name);
	return status;
}

/* ---- logs, recovery ---- */

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
	int status = ORDER(lab, &map, err, "osd", "dump");

	for (size_t i = 0; status == 0 && i < lab->spec.servers; i++) {
		char down[32];

		snprintf(down, sizeof(down), "\nosd.%zu down ", i);
		if (strstr(map, down))
			status = start_osd(lab, i, err);
	}
	return status;
}

/* With all its OSDs there, Ceph recovers by itself. */
static int recover(struct lab *lab, double limit_s, struct lp_error *err)
{
	struct lab_question q = { .lab = lab };
	char what[64];
	int status = start_missing(lab, err);

	if (status == 0)
		status = lab_ask(&q, all_serve, START_S, "the servers", err);
	if (status < 0)
		return status;
	snprintf(what, sizeof(what), "not recovered within %.0f s", limit_s);
	return lab_ask(&q, is_clean, limit_s, what, err);
}

const struct lab_driver lab_driver_ceph = {
	.name = "ceph",
	.package = "ceph-osd",
	.serves = "ceph-osd",
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
	.logs = LOGS,
	.missed = missed,
	.recover = recover,
	.version = version,
};
