/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GlusterFS: glusterd on every server, one brick each, the native client.
 *
 * Dispersed volumes have a power of two of data bricks, so that a stripe is
 * not read before it is written; replicated ones have three whole copies of
 * each file; sharded ones place whole pieces of 4 MiB by a
 * hash, so that healthy servers differ: a negative control.
 */
#include "base/memory.h"
#include "base/timestamp.h"
#include "driver/common.h"
#include "driver/driver.h"
#include "driver/gluster_heal.h"
#include "site/exec.h"
#include "site/machine.h"
#include "site/node.h"
#include "site/nodes.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define SERVER_PACKAGE "glusterfs-server"
#define VOLUME "lab"
#define VOLFILE_ID "--volfile-id=lab"
/* gluster can block half a minute while servers come and go. */
#define CALL_S 120.0
/* What takes a second or two, where many others compute. */
#define START_S 90.0
/* Until what clients have written is marked as whole on all bricks. */
#define GRACE_S 5.0
#define MOST_WORDS (LAB_MAX_SERVERS + 16)

static const char *const layouts[] = { "dispersed", "replicated", "sharded",
				       NULL };
#define REPLICAS_TEXT "3"
static const char *const private_dirs[] = { "/var/lib/glusterd",
					    "/var/log/glusterfs", NULL };
/* Where of these the logs are. */
#define LOGS "private/1"

/* ---- what can be made ---- */

static int fits(const struct lab_spec *spec, struct lp_error *err)
{
	if (strcmp(spec->layout, "replicated") == 0 &&
	    spec->servers % LAB_GLUSTER_REPLICAS != 0)
		return lp_fail(err, EINVAL,
			       "%lu servers: a replicated volume needs a "
			       "multiple of " REPLICAS_TEXT,
			       spec->servers);
	return lab_check_dispersed(spec, err);
}

static int check(struct lp_error *err)
{
	int status = lab_need_program("glusterd", SERVER_PACKAGE, err);

	if (status == 0)
		status = lab_need_program("gluster", "glusterfs-cli", err);
	if (status == 0)
		status = lab_need_program("glusterfs", "glusterfs-client", err);
	return status;
}

static int version(char *text, size_t room, struct lp_error *err)
{
	lp_auto_free char *output = NULL;
	int status =
		lab_ask_version("glusterfs", "glusterfs-client", &output, err);

	if (status == 0)
		snprintf(text, room, "%.*s", (int)strcspn(output, "\n"),
			 output);
	return status;
}

/* ---- servers ---- */

/* gluster WORDS... on a server; `output` may be NULL. */
static int call(const struct lab_node *server, const char *const *words,
		char **output, struct lp_error *err)
{
	const char *argv[MOST_WORDS + 4] = { "gluster", "--mode=script" };

	for (size_t i = 0; words[i]; i++)
		argv[i + 2] = words[i];
	return lab_node_run(server, argv, CALL_S, output, err);
}
#define CALL(server, output, err, ...)                                         \
	call(server, (const char *const[]){ __VA_ARGS__, NULL }, output, err)

static int format(struct lab *lab, const struct lab_node *server,
		  struct lp_error *err)
{
	(void)lab;
	return lab_make_on_disk(server, "data", err);
}

static int start_daemon(struct lab *lab, const struct lab_node *server,
			struct lp_error *err)
{
	static const char *const argv[] = { "glusterd", "-N", NULL };
	char log[PATH_MAX];
	int status = lab_node_path(lab, server, "glusterd.log", log, err);

	return status < 0 ? status
			  : lab_node_spawn(lab, server, argv, log, NULL, NULL,
					   err);
}

/*
 * Does glusterd listen? Its socket is in the node's own /run. The command line
 * tool would ask the same, and wait for minutes when it comes too early.
 */
static bool answers(struct lab_question *q)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	lp_auto_close int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(address.sun_path, sizeof(address.sun_path),
		 "/proc/%d/root/run/glusterd.socket", (int)q->server->holder);
	snprintf(q->why.text, sizeof(q->why.text),
		 "it does not start; see glusterd.log and " LOGS " of %s",
		 q->server->name);
	return fd >= 0 && connect(fd, (const struct sockaddr *)&address,
				  sizeof(address)) == 0;
}

static size_t count(const char *text, const char *word)
{
	size_t n = 0;

	for (const char *at = strstr(text, word); at;
	     at = strstr(at + strlen(word), word))
		n++;
	return n;
}

static bool all_connected(struct lab_question *q)
{
	lp_auto_free char *output = NULL;

	/* UUID  Hostname  State: one line each, "localhost" is one of them */
	if (CALL(q->server, &output, &q->why, "pool", "list") < 0)
		return false;
	snprintf(q->why.text, sizeof(q->why.text),
		 "not all servers see each other");
	return count(output, "\tConnected") == q->lab->spec.servers;
}

static int probe_all(struct lab *lab, const struct lab_node *first,
		     struct lp_error *err)
{
	const struct lab_node *server;
	struct lab_question q = { .lab = lab };
	int status = 0;

	for (size_t i = 1;
	     status == 0 && (server = lab_nth(lab, LAB_SERVER, i)); i++) {
		q.server = server;
		status = lab_ask(&q, answers, START_S, server->name, err);
		if (status == 0)
			status = CALL(first, NULL, err, "peer", "probe",
				      server->address);
	}
	/* Each of them: the first knows all before they know each other. */
	for (size_t i = 0;
	     status == 0 && (server = lab_nth(lab, LAB_SERVER, i)); i++) {
		q.server = server;
		status = lab_ask(&q, all_connected, START_S, server->name, err);
	}
	return status;
}

/* ---- the volume ---- */

static bool is_replicated(const struct lab_spec *spec)
{
	return strcmp(spec->layout, "replicated") == 0;
}

static int create_volume(struct lab *lab, const struct lab_node *first,
			 struct lp_error *err)
{
	char brick[LAB_MAX_SERVERS][PATH_MAX], data[24], redundancy[24];
	const char *words[MOST_WORDS + 1] = { "volume", "create", VOLUME };
	unsigned long n = lab->spec.servers, d = lab_data_parts(n);
	size_t used = 3;
	int status = 0;

	if (strcmp(lab->spec.layout, "dispersed") == 0) {
		snprintf(data, sizeof(data), "%lu", d);
		snprintf(redundancy, sizeof(redundancy), "%lu", n - d);
		words[used++] = "disperse-data";
		words[used++] = data;
		words[used++] = "redundancy";
		words[used++] = redundancy;
	} else if (is_replicated(&lab->spec)) {
		words[used++] = "replica";
		words[used++] = REPLICAS_TEXT;
	}
	for (size_t i = 0; i < n && status == 0; i++) {
		const struct lab_node *server = lab_nth(lab, LAB_SERVER, i);

		status = lab_path(brick[i], err, "%s:%s/data", server->address,
				  server->brick);
		words[used++] = brick[i];
	}
	words[used++] = "force";
	words[used] = NULL;
	return status < 0 ? status : call(first, words, NULL, err);
}

static int set_options(const struct lab *lab, const struct lab_node *first,
		       struct lp_error *err)
{
	if (strcmp(lab->spec.layout, "sharded") == 0)
		return CALL(first, NULL, err, "volume", "set", VOLUME,
			    "features.shard", "on", "features.shard-block-size",
			    "4MB", "network.ping-timeout", "10",
			    "storage.health-check-interval", "5");
	if (is_replicated(&lab->spec))
		return CALL(first, NULL, err, "volume", "set", VOLUME,
			    "network.ping-timeout", "10",
			    "storage.health-check-interval", "5");
	/* Without round-robin reads use a fixed subset of the bricks. */
	return CALL(first, NULL, err, "volume", "set", VOLUME,
		    "disperse.read-policy", "round-robin",
		    "network.ping-timeout", "10",
		    "storage.health-check-interval", "5");
}

/* How many bricks serve, in what `volume status --xml` says. */
static size_t bricks_online(const char *xml)
{
	size_t n = 0;

	for (const char *node = strstr(xml, "<node>"); node;) {
		const char *next = strstr(node + 1, "<node>");
		const char *path = strstr(node, "/brick/data</path>");
		const char *status = strstr(node, "<status>1</status>");

		if (path && status && (!next || (path < next && status < next)))
			n++;
		node = next;
	}
	return n;
}

static bool all_serve(struct lab_question *q)
{
	lp_auto_free char *xml = NULL;
	size_t n;

	if (CALL(q->server, &xml, &q->why, "--xml", "volume", "status",
		 VOLUME) < 0)
		return false;
	n = bricks_online(xml);
	snprintf(q->why.text, sizeof(q->why.text), "%zu of %lu bricks serve", n,
		 q->lab->spec.servers);
	return n == q->lab->spec.servers;
}

static int start(struct lab *lab, struct lp_error *err)
{
	const struct lab_node *first = lab_nth(lab, LAB_SERVER, 0), *server;
	struct lab_question q = { .lab = lab, .server = first };
	int status = 0;

	for (size_t i = 0;
	     status == 0 && (server = lab_nth(lab, LAB_SERVER, i)); i++)
		status = start_daemon(lab, server, err);
	if (status == 0)
		status = lab_ask(&q, answers, START_S, "glusterd", err);
	if (status == 0)
		status = probe_all(lab, first, err);
	if (status == 0)
		status = create_volume(lab, first, err);
	if (status == 0)
		status = set_options(lab, first, err);
	if (status == 0)
		status = CALL(first, NULL, err, "volume", "start", VOLUME);
	return status < 0 ? status
			  : lab_ask(&q, all_serve, START_S, "the volume", err);
}

static int stop(struct lab *lab, struct lp_error *err)
{
	return CALL(lab_nth(lab, LAB_SERVER, 0), NULL, err, "volume", "stop",
		    VOLUME, "force");
}

static int status(struct lab *lab, char *text, size_t room,
		  struct lp_error *err)
{
	const struct lab_node *server;
	struct lab_question q = { .lab = lab };

	/* The first server may be the one that is ill. */
	for (size_t i = 0; (server = lab_nth(lab, LAB_SERVER, i)); i++) {
		bool all;

		q.server = server;
		q.why.text[0] = '\0';
		all = all_serve(&q);
		if (strstr(q.why.text, "bricks serve")) {
			snprintf(text, room, "%s", q.why.text);
			return all ? 0 : 1;
		}
	}
	return lp_fail(err, EIO, "no server answers: %s", q.why.text);
}

/* ---- clients ---- */

/* What the client itself says of its connection to a server's brick. */
static bool reaches(const struct lab_node *client, size_t server)
{
	char path[PATH_MAX], line[256];
	lp_auto_fclose FILE *file = NULL;

	if (lab_path(path, NULL,
		     "%s/.meta/graphs/active/" VOLUME "-client-%zu/private",
		     client->mount, server) == 0)
		file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file))
		if (strcmp(line, "connected = 1\n") == 0)
			return true;
	return false;
}

/*
 * Mounted, and connected to all bricks: a client is content with the data
 * bricks' number, and what it writes then must be healed on the others.
 */
static bool reaches_all(struct lab_question *q)
{
	size_t servers = q->lab->spec.servers, n = 0;

	snprintf(q->why.text, sizeof(q->why.text), "the volume is not mounted");
	if (!lab_fuse_mounted(q->client))
		return false;
	while (n < servers && reaches(q->client, n))
		n++;
	snprintf(q->why.text, sizeof(q->why.text),
		 "brick %zu of %zu cannot be reached", n + 1, servers);
	return n == servers;
}

static int spawn_client(struct lab *lab, const struct lab_node *client,
			struct lp_error *err)
{
	char volfile[LAB_MAX_SERVERS][48], own[PATH_MAX], path[PATH_MAX];
	const char *argv[LAB_MAX_SERVERS + 6] = { "glusterfs", "-N" };
	const struct lab_node *server;
	size_t used = 2;
	int status;

	/* The first that answers tells what the volume is. */
	for (size_t i = 0; (server = lab_nth(lab, LAB_SERVER, i)); i++) {
		snprintf(volfile[i], sizeof(volfile[i]), "--volfile-server=%s",
			 server->address);
		argv[used++] = volfile[i];
	}
	argv[used++] = VOLFILE_ID;
	argv[used++] = own;
	argv[used] = client->mount;
	status = lab_node_path(lab, client, LOGS "/mnt.log", path, err);
	if (status == 0)
		status = lab_path(own, err, "--log-file=%s", path);
	return status < 0 ? status
			  : lab_fuse_start(lab, client, argv, "glusterfs.log",
					   err);
}

/* Nothing in it is looked at: it may not answer. */
static bool is_there(struct lab_question *q)
{
	snprintf(q->why.text, sizeof(q->why.text), "the volume is not mounted");
	return lab_is_mounted(q->client->mount);
}

static int mount_client(struct lab *lab, const struct lab_node *client,
			struct lp_error *err)
{
	struct lab_question q = { .lab = lab, .client = client };
	int status = spawn_client(lab, client, err);

	if (status == 0 && lab->mount_s > 0)
		return lab_ask(&q, is_there, lab->mount_s, client->name, err);
	if (status == 0)
		status = lab_ask(&q, reaches_all, START_S, client->name, err);
	if (status == -ETIME)
		return lp_fail(err, ETIME,
			       "the client %s cannot use the volume: %s; see "
			       "%s/%s/" LOGS "/mnt.log",
			       client->name, q.why.text, lab->dir,
			       client->name);
	return status;
}

/* ---- logs, recovery ---- */

/*
 * What clients say when a brick's answer was missing or other than those of
 * its peers, "Operation failed on 1 of 6 subvolumes", when they lose a brick,
 * "disconnected from client", and when they give one up. Of what they write
 * while a brick is away they say nothing until it is back, which may be after
 * the fault has begun. Not what the heal daemons say, which meet files that
 * just go.
 */
static const struct lab_log_mark missed[] = {
	{ "c*/mnt.log", "[MSGID: 122053]" },
	{ "c*/mnt.log", "[MSGID: 114018]" },
	{ "c*/mnt.log", "has not responded in the last" },
	{ NULL, NULL },
};

/* 0 when nothing is left to be healed, -ETIME when something is. */
static int await_healed(const struct lab *lab, double limit_s,
			struct lp_error *err)
{
	const struct lab_node *first = lab_nth(lab, LAB_SERVER, 0);
	static const struct timespec pause = { .tv_sec = 1 };
	int64_t end = lp_monotonic_now() + (int64_t)(limit_s * 1e9);

	for (;; nanosleep(&pause, NULL)) {
		lp_auto_free char *text = NULL;
		long left = -1;

		if (CALL(first, &text, err, "volume", "heal", VOLUME, "info") ==
		    0)
			left = lab_gluster_entries(text);
		if (left == 0)
			return 0;
		if (lab->stop && *lab->stop)
			return lp_fail(err, EINTR, "interrupted");
		if (lp_monotonic_now() > end)
			return lp_fail(err, ETIME,
				       "not healed within %.0f s: %ld entries "
				       "are left",
				       limit_s, left);
	}
}

/* What was written a moment ago looks like something to heal: a few seconds. */
static int recover(struct lab *lab, double limit_s, struct lp_error *err)
{
	const struct lab_node *first = lab_nth(lab, LAB_SERVER, 0);
	int status = CALL(first, NULL, err, "volume", "start", VOLUME, "force");

	/* A sharded volume has nothing to be healed from. */
	if (status < 0 || strcmp(lab->spec.layout, "sharded") == 0)
		return status;
	status = await_healed(lab, GRACE_S, err);
	if (status != -ETIME)
		return status;
	status = CALL(first, NULL, err, "volume", "heal", VOLUME, "full");
	return status < 0 ? status : await_healed(lab, limit_s, err);
}

const struct lab_driver lab_driver_glusterfs = {
	.name = "glusterfs",
	.package = SERVER_PACKAGE,
	.serves = "glusterfsd",
	.memory_bytes = (uint64_t)256 << 20,
	.manager_port = 24007,
	.layouts = layouts,
	.private_dirs = private_dirs,
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
	.keeps_state = lab_gluster_keeps_state,
	.sets = lab_server_sets,
	.members = lab_gluster_members,
	.tools = lab_gluster_tools,
	.daemons = lab_gluster_daemons,
	.node_start = start_daemon,
	.backend = "data",
	.backend_own = ".glusterfs",
	.orders = lab_gluster_orders,
	.version = version,
};
