/* SPDX-License-Identifier: Apache-2.0 */
#include "campaign/recorder.h"

#include "base/helper.h"
#include "base/memory.h"
#include "site/machine.h"
#include "site/node.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* A recorder writes what it has and goes; a second is plenty. */
#define STOP_S 10.0

struct recorder {
	const struct lab_node *node; /* NULL: the machine */
	pid_t pid;                   /* 0: not running */
	size_t mark;
	bool told; /* to end; twice would end it at once, with what it has */
};

struct lab_recorders {
	struct lab *lab;
	char dir[PATH_MAX];
	char program[PATH_MAX];
	size_t n;
	struct recorder each[LAB_MAX_SERVERS + LAB_MAX_CLIENTS + 1];
};

static const char *name_of(const struct recorder *r)
{
	return r->node ? r->node->name : LAB_MACHINE;
}

/* ---- one ---- */

static void log_path(const struct lab_recorders *all, const struct recorder *r,
		     char path[PATH_MAX])
{
	if (lab_path(path, NULL, "%s/%s.log", all->dir, name_of(r)) < 0)
		path[0] = '\0';
}

#define MOST_WORDS 96

/* The command line of a recorder; texts that are made are the arena's. */
struct words {
	const char *argv[MOST_WORDS + 1];
	size_t n;
	struct lp_arena arena;
};

static void say(struct words *w, const char *word)
{
	if (w->n < MOST_WORDS)
		w->argv[w->n++] = word;
}

/* Of a class only what matches. */
static void keep_only(struct words *w, const char *class, const char *glob)
{
	char text[128];

	snprintf(text, sizeof(text), "%s:%s", class, glob);
	say(w, "--include");
	say(w, lp_arena_string(&w->arena, text));
}

/*
 * Connections that carry data: with the clients, and with the third party; of
 * a client, with the servers. Servers have dozens more among themselves.
 */
static void keep_connections(struct words *w, const struct lab *lab,
			     const struct lab_node *node)
{
	for (size_t i = 0; i < lab->n_nodes; i++) {
		const struct lab_node *peer = &lab->node[i];
		char glob[32];

		if (peer->role == LAB_BRIDGE ||
		    (peer->role == LAB_SERVER) == (node->role == LAB_SERVER))
			continue;
		snprintf(glob, sizeof(glob), "*>%s", peer->address);
		keep_only(w, "tcp", glob);
	}
}

static void say_node(struct words *w, const struct lab *lab,
		     const struct lab_node *node)
{
	const char *begin[] = { "--netns", node->netns, "--exclude",
				"host:*",  "--exclude", "ib:*" };

	for (size_t i = 0; i < lp_array_size(begin); i++)
		say(w, begin[i]);
	keep_only(w, "net", "eth0");
	/* A client has no disk; a name that none has leaves out all. */
	keep_only(w, "disk", node->role == LAB_SERVER ? node->device : "none");
	keep_connections(w, lab, node);
}

/* All but what is of no node alone: processors, memory, pressure. */
static void say_machine(struct words *w)
{
	static const char *const words[] = { "--no-tcp", "--exclude",
					     "disk:*",   "--exclude",
					     "net:*",    "--exclude",
					     "ib:*" };

	for (size_t i = 0; i < lp_array_size(words); i++)
		say(w, words[i]);
}

static int start_one(struct lab_recorders *all, struct recorder *r,
		     struct lp_error *err)
{
	const char *begin[] = { all->program, "-o", all->dir, "--host",
				name_of(r) };
	struct words w = { .n = 0 };
	char log[PATH_MAX];
	int status;

	for (size_t i = 0; i < lp_array_size(begin); i++)
		say(&w, begin[i]);
	if (r->node)
		say_node(&w, all->lab, r->node);
	else
		say_machine(&w);
	log_path(all, r, log);
	r->told = false;
	status = lab_spawn(all->lab->journal, w.argv, log, &r->pid, &r->mark,
			   err);
	lp_arena_done(&w.arena);
	return status;
}

/* The last line of its log. */
static int said(const struct lab_recorders *all, const struct recorder *r,
		int status, struct lp_error *err)
{
	char path[PATH_MAX], line[256] = "", last[256] = "";
	lp_auto_fclose FILE *log = NULL;

	log_path(all, r, path);
	log = fopen(path, "re");
	while (log && fgets(line, sizeof(line), log)) {
		line[strcspn(line, "\n")] = '\0';
		memcpy(last, line, sizeof(last));
	}
	return lp_fail(err, EIO, "the recorder of %s ended with %d: %s",
		       name_of(r),
		       WIFEXITED(status) ? WEXITSTATUS(status)
					 : 128 + WTERMSIG(status),
		       *last ? last : "it printed nothing");
}

/* 1: it has ended, and *status says how. */
static int poll_one(struct recorder *r, int *status)
{
	if (r->pid == 0 || waitpid(r->pid, status, WNOHANG) != r->pid)
		return 0;
	r->pid = 0;
	return 1;
}

struct waiting {
	struct recorder *recorder;
	int *status;
};

static bool has_ended(const void *context)
{
	const struct waiting *w = context;

	return poll_one(w->recorder, w->status) == 1;
}

static void tell(struct recorder *r)
{
	if (r->pid > 0 && !r->told)
		kill(r->pid, SIGTERM);
	r->told = true;
}

static int stop_one(struct lab_recorders *all, struct recorder *r,
		    struct lp_error *err)
{
	int status = 0, result = 0;
	struct waiting w = { r, &status };

	if (r->pid == 0)
		return 0;
	tell(r);
	if (lab_wait_until(has_ended, &w, STOP_S, NULL) < 0)
		result = lp_fail(err, ETIME, "the recorder of %s does not end",
				 name_of(r));
	else if (status != 0)
		result = said(all, r, status, err);
	/* Ends it by force if it must, and notes that it is gone. */
	lab_journal_undo(all->lab->journal, r->mark, NULL);
	if (r->pid != 0)
		waitpid(r->pid, &status, 0);
	r->pid = 0;
	return result;
}

/* ---- all ---- */

static int add_one(struct lab_recorders *all, const struct lab_node *node,
		   struct lp_error *err)
{
	all->each[all->n].node = node;
	return start_one(all, &all->each[all->n++], err);
}

int lab_recorders_start(struct lab *lab, const char *dir, bool machine,
			struct lab_recorders **recorders, struct lp_error *err)
{
	struct lab_recorders *all = calloc(1, sizeof(*all));
	int status =
		all ? lab_path(all->dir, err, "%s", dir) : lp_fail_memory(err);

	if (status == 0 && lp_helper_path("record", all->program) < 0)
		status = lp_fail(err, ENOENT,
				 "%s is missing; it is part of limpid",
				 all->program);
	for (size_t i = 0; status == 0 && i < lab->n_nodes; i++) {
		const struct lab_node *node = &lab->node[i];

		all->lab = lab;
		if (node->role == LAB_SERVER || node->role == LAB_CLIENT)
			status = add_one(all, node, err);
	}
	if (status == 0 && machine)
		status = add_one(all, NULL, err);
	if (status < 0) {
		lab_recorders_stop(all, NULL);
		return status;
	}
	*recorders = all;
	return 0;
}

int lab_recorders_alive(struct lab_recorders *recorders, struct lp_error *err)
{
	int status;

	for (size_t i = 0; i < recorders->n; i++)
		if (poll_one(&recorders->each[i], &status) == 1)
			return said(recorders, &recorders->each[i], status,
				    err);
	return 0;
}

static struct recorder *find(struct lab_recorders *all, const char *node)
{
	for (size_t i = 0; i < all->n; i++)
		if (strcmp(name_of(&all->each[i]), node) == 0)
			return &all->each[i];
	return NULL;
}

int lab_recorders_pause(struct lab_recorders *recorders, const char *node,
			struct lp_error *err)
{
	struct recorder *r = find(recorders, node);

	return r ? stop_one(recorders, r, err)
		 : lp_fail(err, ENOENT, "no recorder of %s", node);
}

int lab_recorders_resume(struct lab_recorders *recorders, const char *node,
			 struct lp_error *err)
{
	struct recorder *r = find(recorders, node);

	return r ? start_one(recorders, r, err)
		 : lp_fail(err, ENOENT, "no recorder of %s", node);
}

int lab_recorders_stop(struct lab_recorders *recorders, struct lp_error *err)
{
	int status = 0;

	/* All are told first, so that they end at the same time. */
	for (size_t i = 0; recorders && i < recorders->n; i++)
		tell(&recorders->each[i]);
	for (size_t i = 0; recorders && i < recorders->n; i++) {
		int one = stop_one(recorders, &recorders->each[i],
				   status == 0 ? err : NULL);

		status = status < 0 ? status : one;
	}
	free(recorders);
	return status;
}
