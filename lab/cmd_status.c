/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limpid lab status: what there is, and how it does.
 */
#include "word.h"

#include "base/json.h"
#include "base/memory.h"
#include "disk/control.h"
#include "driver/driver.h"
#include "site/lab.h"
#include "site/machine.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

struct options {
	const char *dir;
	bool json;
};

static const struct lp_option option_table[] = {
	LAB_OPTION_DIR(struct options),
	{ .long_name = "json",
	  .type = LP_OPTION_FLAG,
	  .offset = offsetof(struct options, json),
	  .help = "print one JSON object" },
};

static const struct lp_usage usage = {
	.command = "limpid lab status",
	.summary = "Shows the lab's nodes, disks, volume and active faults.",
	.operands = "",
	.options = option_table,
	.n_options = lp_array_size(option_table),
};

struct status {
	struct lab *lab;
	char volume[512];
	bool serves;
	struct lab_entry *entries; /* of the journal: faults among them */
	size_t n_entries;
};

static bool lives(const struct lab_node *node)
{
	uint64_t start;

	return lab_process_start(node->holder, &start) == 0 &&
	       start == node->holder_start;
}

/* What the node's virtual disk says of itself, or why it does not. */
static bool disk_says(const struct lab_node *node, char text[LAB_DISK_LINE])
{
	struct lp_error err;

	if (lab_disk_control(node->control, "status", text, &err) == 0)
		return true;
	snprintf(text, LAB_DISK_LINE, "%s", err.text);
	return false;
}

/* ---- text ---- */

static void print_node(const struct lab_node *node)
{
	char says[LAB_DISK_LINE];
	uint64_t rate, seek;

	printf("%-7s %-13s %s", node->name,
	       node->address[0] ? node->address : "-",
	       lives(node) ? "up  " : "GONE");
	if (node->role == LAB_CLIENT)
		printf("  %s", node->mount);
	if (node->role == LAB_SERVER && !disk_says(node, says))
		printf("  %s: %s", node->device, says);
	else if (node->role == LAB_SERVER &&
		 lab_disk_figure(says, "rate", &rate) &&
		 lab_disk_figure(says, "seek_us", &seek))
		printf("  %s, %.1f MB/s, seek %.1f ms", node->device,
		       (double)rate / 1e6, (double)seek / 1e3);
	putchar('\n');
}

static void print_text(const struct status *s)
{
	bool any = false;

	printf("lab in %s: %s %s, %s\n", s->lab->dir, s->lab->spec.layout,
	       s->lab->spec.driver, s->volume);
	for (size_t i = 0; i < s->lab->n_nodes; i++)
		print_node(&s->lab->node[i]);
	for (size_t i = 0; i < s->n_entries; i++)
		if (s->entries[i].thing == LAB_FAULT) {
			printf("fault   %s\n", s->entries[i].text);
			any = true;
		}
	if (!any)
		puts("no fault is active");
}

/* ---- JSON ---- */

static void put_spec(void *json, const char *key, const char *value)
{
	lp_json_put_string(json, key, value);
}

static void put_disk(struct lp_json *json, const struct lab_node *node)
{
	char says[LAB_DISK_LINE];
	bool answers = disk_says(node, says);

	lp_json_put_string(json, "device", node->device);
	lp_json_put_string(json, "brick", node->brick);
	lp_json_put_string(json, "control", node->control);
	lp_json_put_string(json, answers ? "disk" : "disk_error", says);
}

static void put_node(struct lp_json *json, const struct lab_node *node)
{
	static const char *const roles[] = {
		[LAB_SERVER] = "server",
		[LAB_CLIENT] = "client",
		[LAB_THIRD] = "third",
		[LAB_BRIDGE] = "bridge",
	};

	lp_json_object(json);
	lp_json_put_string(json, "name", node->name);
	lp_json_put_string(json, "role", roles[node->role]);
	lp_json_put_string(json, "netns", node->netns);
	if (node->address[0])
		lp_json_put_string(json, "address", node->address);
	lp_json_key(json, "pid");
	lp_json_i64(json, node->holder);
	lp_json_key(json, "up");
	lp_json_bool(json, lives(node));
	if (node->role == LAB_CLIENT)
		lp_json_put_string(json, "mount", node->mount);
	if (node->role == LAB_SERVER)
		put_disk(json, node);
	lp_json_end(json);
}

static void print_json(const struct status *s)
{
	struct lp_json json;

	lp_json_init(&json, stdout);
	lp_json_object(&json);
	lp_json_put_string(&json, "dir", s->lab->dir);
	lp_json_key(&json, "spec");
	lp_json_object(&json);
	lab_spec_each(&s->lab->spec, put_spec, &json);
	lp_json_end(&json);
	lp_json_key(&json, "serves");
	lp_json_bool(&json, s->serves);
	lp_json_put_string(&json, "volume", s->volume);
	lp_json_key(&json, "nodes");
	lp_json_array(&json);
	for (size_t i = 0; i < s->lab->n_nodes; i++)
		put_node(&json, &s->lab->node[i]);
	lp_json_end(&json);
	lp_json_key(&json, "faults");
	lp_json_array(&json);
	for (size_t i = 0; i < s->n_entries; i++)
		if (s->entries[i].thing == LAB_FAULT)
			lp_json_string(&json, s->entries[i].text);
	lp_json_end(&json);
	lp_json_end(&json);
	putchar('\n');
}

static void ask_driver(struct status *s)
{
	const struct lab_driver *driver = lab_driver_find(s->lab->spec.driver);
	struct lp_error err;

	s->serves =
		driver->status(s->lab, s->volume, sizeof(s->volume), &err) >= 0;
	if (!s->serves)
		snprintf(s->volume, sizeof(s->volume), "%s", err.text);
}

static int run(int argc, char **argv)
{
	struct options options = { .dir = LAB_DIR };
	struct status s = { 0 };
	struct lp_error err;
	int first, status;

	if (!lp_command_begin(&usage, argc, argv, &options, &first, &status))
		return status;
	if (lab_open(options.dir, true, &s.lab, &err) < 0)
		return lp_command_fail(&usage, &err);
	if (lab_journal_list(s.lab->dir, &s.entries, &s.n_entries, &err) < 0) {
		lab_close(s.lab);
		return lp_command_fail(&usage, &err);
	}
	ask_driver(&s);
	if (options.json)
		print_json(&s);
	else
		print_text(&s);
	lab_entries_free(s.entries, s.n_entries);
	lab_close(s.lab);
	return lp_command_finish(&usage);
}

const struct lp_word lab_word_status = {
	.name = "status",
	.usage = &usage,
	.run = run,
};
