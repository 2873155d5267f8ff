/* SPDX-License-Identifier: Apache-2.0 */
#include "driver/gluster_heal.h"

#include "base/memory.h"
#include "base/timestamp.h"
#include "driver/common.h"
#include "site/machine.h"
#include "site/node.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define VOLUME "lab"
/* Of one call, where the tool has that long. */
#define CALL_S 40.0

/* "<entries>" or "Number of entries: N" of all bricks; -1: not known. */
long lab_gluster_entries(const char *text)
{
	static const char word[] = "Number of entries: ";
	long sum = 0;
	bool any = false;

	for (const char *at = strstr(text, word); at; at = strstr(at, word)) {
		at += sizeof(word) - 1;
		if (*at == '-') /* the brick does not answer */
			return -1;
		sum += strtol(at, NULL, 10);
		any = true;
	}
	return any ? sum : -1;
}

struct healing {
	const struct lab_node *from;
	int64_t begun_ns, end_ns;
	FILE *said;
	struct lab_tool_result *result;
};

static double left_s(const struct healing *h)
{
	double left = (double)(h->end_ns - lp_monotonic_now()) / 1e9;

	return left < CALL_S ? (left > 1 ? left : 1) : CALL_S;
}

/*
 * What a call that was ended in its middle leaves for a while: whoever sees
 * this tries again.
 */
static bool is_busy(const struct lp_error *err)
{
	return strstr(err->text, "Another transaction is in progress") != NULL;
}

static int call_until_free(struct healing *h, const char *const *argv,
			   char **output, struct lp_error *err)
{
	static const struct timespec pause = { .tv_sec = 2 };
	int status = lab_node_run(h->from, argv, left_s(h), output, err);

	while (status < 0 && is_busy(err) && lp_monotonic_now() < h->end_ns) {
		nanosleep(&pause, NULL);
		status = lab_node_run(h->from, argv, left_s(h), output, err);
	}
	return status;
}

/* gluster volume WORDS: what it says is kept; -ETIME, or -EIO. */
static int call(struct healing *h, char **output, const char *const *words)
{
	const char *argv[12] = { "gluster", "--mode=script", "volume" };
	lp_auto_free char *own = NULL;
	struct lp_error err = { "" };
	int status;

	for (size_t i = 0; words[i]; i++)
		argv[i + 3] = words[i];
	status = call_until_free(h, argv, output ? output : &own, &err);
	fprintf(h->said, "$ gluster volume");
	for (size_t i = 0; words[i]; i++)
		fprintf(h->said, " %s", words[i]);
	fprintf(h->said, "\n%s",
		status < 0 ? err.text
		: output   ? *output
			   : own);
	fputc('\n', h->said);
	if (status < 0) {
		h->result->end =
			status == -ETIME ? LAB_TOOL_HANG : LAB_TOOL_ERROR;
		snprintf(h->result->why, sizeof(h->result->why), "%.250s",
			 err.text);
	}
	return status;
}
#define CALL(h, output, ...)                                                   \
	call(h, output, (const char *const[]){ __VA_ARGS__, NULL })

/*
 * Until nothing is left, or the limit: then how much is. That a question is
 * cut short by the limit means nothing where one was answered before.
 */
static void await_nothing(struct healing *h)
{
	static const struct timespec pause = { .tv_sec = 1 };
	bool answered = false;
	long left = -1;

	while (lp_monotonic_now() < h->end_ns) {
		lp_auto_free char *text = NULL;

		if (CALL(h, &text, "heal", VOLUME, "info") == 0) {
			answered = true;
			left = lab_gluster_entries(text);
		}
		if (left == 0) {
			h->result->end = LAB_TOOL_NORMAL;
			h->result->why[0] = '\0';
			return;
		}
		nanosleep(&pause, NULL);
	}
	if (!answered)
		return;
	h->result->end = LAB_TOOL_INCOMPLETE;
	if (left > 0)
		snprintf(h->result->why, sizeof(h->result->why),
			 "%ld entries are left", left);
	else
		snprintf(h->result->why, sizeof(h->result->why),
			 "a brick does not say what is left");
}

/* Start what is not running, heal all, wait until nothing is left. */
static void heal(struct lab *lab, const struct lab_node *from, double limit_s,
		 struct lab_tool_result *result)
{
	size_t size = 0;
	struct healing h = {
		.from = from,
		.begun_ns = lp_monotonic_now(),
		.result = result,
	};

	(void)lab;
	*result = (struct lab_tool_result){ .end = LAB_TOOL_ERROR };
	h.end_ns = h.begun_ns + (int64_t)(limit_s * 1e9);
	h.said = open_memstream(&result->output, &size);
	if (!h.said)
		return;
	if (CALL(&h, NULL, "start", VOLUME, "force") == 0 &&
	    CALL(&h, NULL, "heal", VOLUME, "full") == 0)
		await_nothing(&h);
	fclose(h.said);
	result->seconds = (double)(lp_monotonic_now() - h.begun_ns) / 1e9;
}

const struct lab_tool lab_gluster_tools[] = {
	{ "heal", heal },
	{ NULL, NULL },
};

/* ---- who can be lost ---- */

/* glusterd keeps the volume's files there: bricks start from them. */
bool lab_gluster_keeps_state(const struct lab_node *node)
{
	return node->role == LAB_SERVER;
}

int lab_gluster_members(const struct lab_spec *spec, const char *set,
			uint64_t seed, struct lab_members *members,
			struct lp_error *err)
{
	unsigned long spare = 0;

	if (strcmp(spec->layout, "dispersed") == 0)
		spare = spec->servers - lab_data_parts(spec->servers);
	else if (strcmp(spec->layout, "replicated") == 0)
		spare = LAB_GLUSTER_REPLICAS - 1;
	return lab_draw_servers(spec, spare, set, seed, members, err);
}

const struct lab_daemon lab_gluster_daemons[] = {
	{ "brick", "glusterfsd" },
	{ "manager", "glusterd" },
	{ "heal", "glusterfs" },
	{ NULL, NULL },
};

/* "lab.10.77.0.13.var-lib-limpid-lab-s3-brick-data.vol" */
int lab_gluster_orders(const struct lab_node *server, char path[PATH_MAX],
		       struct lp_error *err)
{
	int status = lab_path(path, err,
			      "/var/lib/glusterd/vols/" VOLUME "/" VOLUME
			      ".%s.%s/data.vol",
			      server->address, server->brick + 1);

	if (status < 0)
		return status;
	for (char *at = strstr(path, server->address); *at; at++)
		if (*at == '/')
			*at = '-';
	return 0;
}
