/* SPDX-License-Identifier: Apache-2.0 */
#include "driver/common.h"

#include "base/memory.h"
#include "site/exec.h"
#include "site/machine.h"
#include "site/node.h"
#include "site/nodes.h"
#include "workload/draw.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>

#define FUSE_MAGIC 0x65735546
#define VERSION_S 120.0

unsigned long lab_data_parts(unsigned long servers)
{
	unsigned long data = 2;

	while (data * 2 < servers)
		data *= 2;
	return data < servers && 2 * data > servers ? data : 0;
}

int lab_check_dispersed(const struct lab_spec *spec, struct lp_error *err)
{
	if (strcmp(spec->layout, "dispersed") != 0 ||
	    lab_data_parts(spec->servers) > 0)
		return 0;
	return lp_fail(err, EINVAL,
		       "%lu servers: a dispersed volume needs a power of two "
		       "for data and less for redundancy: 3 (2+1), 5, 6 (4+2), "
		       "7, 9, 10 (8+2) to 15",
		       spec->servers);
}

int lab_ask_version(const char *program, const char *package, char **output,
		    struct lp_error *err)
{
	const char *const argv[] = { program, "--version", NULL };
	struct lab_exec exec = {
		.argv = argv,
		.package = package,
		.limit_s = VERSION_S,
		.output = output,
	};

	return lab_exec_run(&exec, err);
}

struct asking {
	struct lab_question *question;
	lab_question_fn *yes;
};

static bool is_yes(const void *context)
{
	const struct asking *asking = context;

	return asking->yes(asking->question);
}

int lab_ask(struct lab_question *question, lab_question_fn *yes, double limit_s,
	    const char *what, struct lp_error *err)
{
	const struct asking asking = { question, yes };
	int status =
		lab_wait_until(is_yes, &asking, limit_s, question->lab->stop);

	if (status == -EINTR)
		return lp_fail(err, EINTR, "interrupted");
	if (status < 0)
		return lp_fail(err, ETIME, "%s: %s", what, question->why.text);
	return 0;
}

int lab_make_on_disk(const struct lab_node *server, const char *name,
		     struct lp_error *err)
{
	char path[PATH_MAX];
	int status = lab_path(path, err, "%s/%s", server->brick, name);

	if (status == 0 && mkdir(path, 0755) < 0)
		status = lp_fail_errno(err, errno, "cannot make %s", path);
	return status;
}

const char *const lab_server_sets[] = { "server", "redundancy", "beyond", "all",
					NULL };

const char *lab_tool_word(enum lab_tool_end end)
{
	static const char *const words[] = {
		[LAB_TOOL_NORMAL] = "normal",
		[LAB_TOOL_INCOMPLETE] = "incomplete",
		[LAB_TOOL_ERROR] = "error",
		[LAB_TOOL_HANG] = "hang",
	};

	return words[end];
}

int lab_draw_servers(const struct lab_spec *spec, unsigned long spare,
		     const char *set, uint64_t seed,
		     struct lab_members *members, struct lp_error *err)
{
	const unsigned long sizes[] = { 1, spare, spare + 1, spec->servers };
	unsigned card[LAB_MAX_SERVERS];
	struct lab_draw draw;
	size_t which = 0;

	while (lab_server_sets[which] &&
	       strcmp(lab_server_sets[which], set) != 0)
		which++;
	if (!lab_server_sets[which])
		return lp_fail(err, ENOENT, "there is no set '%s' of servers",
			       set);
	members->n =
		sizes[which] < spec->servers ? sizes[which] : spec->servers;
	for (unsigned i = 0; i < spec->servers; i++)
		card[i] = i + 1;
	lab_draw_init(&draw, seed, 0);
	for (size_t i = 0; i < members->n; i++) {
		size_t k = i + lab_draw_below(&draw, spec->servers - i);
		unsigned drawn = card[k];

		card[k] = card[i];
		card[i] = drawn;
		snprintf(members->node[i], sizeof(members->node[i]), "s%u",
			 drawn);
	}
	return 0;
}

bool lab_fuse_mounted(const struct lab_node *client)
{
	struct statfs fs;
	struct stat st;

	return statfs(client->mount, &fs) == 0 && fs.f_type == FUSE_MAGIC &&
	       stat(client->mount, &st) == 0 && st.st_ino == 1;
}

int lab_fuse_start(struct lab *lab, const struct lab_node *client,
		   const char *const *argv, const char *log,
		   struct lp_error *err)
{
	char path[PATH_MAX];
	int status;

	if (mkdir(client->mount, 0755) < 0 && errno != EEXIST)
		return lp_fail_errno(err, errno, "cannot make %s",
				     client->mount);
	status = lab_node_path(lab, client, log, path, err);
	if (status == 0)
		status = lab_journal_note(lab->journal, LAB_MOUNT,
					  client->mount, NULL, err);
	return status < 0 ? status
			  : lab_node_spawn(lab, client, argv, path, NULL, NULL,
					   err);
}

/* Whether a noted process is the one that serves this mount. */
static bool serves(const char *noted, const char *mounted)
{
	char path[64], words[8192];
	const char *last = "";
	lp_auto_fclose FILE *file = NULL;
	size_t n;

	snprintf(path, sizeof(path), "/proc/%.*s/cmdline",
		 (int)strcspn(noted, " "), noted);
	file = fopen(path, "re");
	n = file ? fread(words, 1, sizeof(words) - 1, file) : 0;
	words[n] = '\0';
	for (size_t at = 0; at < n; at += strlen(words + at) + 1)
		last = words + at;
	return strcmp(last, mounted) == 0;
}

int lab_fuse_unmount(struct lab *lab, const struct lab_node *client,
		     struct lp_error *err)
{
	struct lab_entry *entries = NULL;
	size_t n = 0;
	int status = lab_journal_list(lab->dir, &entries, &n, err);

	/* The process, noted later, comes first. */
	for (size_t i = n; i-- > 0 && status == 0;) {
		const struct lab_entry *e = &entries[i];

		if ((e->thing == LAB_PROCESS &&
		     serves(e->text, client->mount)) ||
		    (e->thing == LAB_MOUNT &&
		     strcmp(e->text, client->mount) == 0))
			status = lab_journal_undo(lab->journal, e->mark, err);
	}
	lab_entries_free(entries, n);
	return status;
}

int lab_copy_logs(const struct lab *lab, const char *place, const char *to,
		  struct lp_error *err)
{
	int status = 0;

	for (size_t i = 0; i < lab->n_nodes && status == 0; i++) {
		const struct lab_node *node = &lab->node[i];
		char from[PATH_MAX], into[PATH_MAX];

		if (node->role == LAB_BRIDGE)
			continue;
		status = lab_node_path(lab, node, place, from, err);
		if (status == 0)
			status = lab_path(into, err, "%s/%s", to, node->name);
		if (status == 0)
			status = LAB_RUN("coreutils", err, "cp", "-rT", "--",
					 from, into);
	}
	return status;
}
