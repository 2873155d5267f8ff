/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Block devices: sys/block. Each I/O passes several of them, one above the
 * other; the layer says where a device stands:
 *
 *   partition   sda1; a part of a multipath map made by kpartx
 *   logical     a device-mapper target: LVM, crypt ...
 *   array       md
 *   disk        what holds the data: sda, nvme0n1, a multipath map, loop
 *   path        one of several ways to the same disk: a slave of a multipath
 *               map, an NVMe path (nvme0c1n1)
 */
#include "base/number.h"
#include "source/survey.h"
#include "source/sysfs.h"

#include <stdio.h>
#include <string.h>

static bool begins(const char *text, const char *head)
{
	return strncmp(text, head, strlen(head)) == 0;
}

/* "cciss!c0d0" in sysfs is "cciss/c0d0" in diskstats. */
static void sample_name(char *name, size_t size, const char *entry)
{
	snprintf(name, size, "%s", entry);
	for (char *c = name; *c; c++)
		if (*c == '!')
			*c = '/';
}

static void label_size(struct lp_survey *survey, const char *directory)
{
	char text[LP_SURVEY_TEXT];
	uint64_t sectors;

	if (!lp_sysfs_line(text, sizeof(text), "%s/%s/size", survey->root,
			   directory) ||
	    lp_parse_u64(text, strlen(text), &sectors) < 0 ||
	    sectors > UINT64_MAX / 512)
		return;
	snprintf(text, sizeof(text), "%llu",
		 (unsigned long long)(sectors * 512));
	lp_survey_label(survey, "size_bytes", text);
}

/* "mq-deadline kyber [bfq] none": the one in brackets; or a lone "none". */
static void label_scheduler(struct lp_survey *survey, const char *entry)
{
	char text[LP_SURVEY_TEXT], *open, *close;

	if (!lp_sysfs_line(text, sizeof(text),
			   "%s/sys/block/%s/queue/scheduler", survey->root,
			   entry))
		return;
	open = strchr(text, '[');
	close = open ? strchr(open, ']') : NULL;
	if (close) {
		*close = '\0';
		lp_survey_label(survey, "queue_scheduler", open + 1);
	} else if (!strchr(text, ' ')) {
		lp_survey_label(survey, "queue_scheduler", text);
	}
}

static void label_queue(struct lp_survey *survey, const char *entry)
{
	static const char *const settings[] = { "nr_requests", "read_ahead_kb",
						"max_sectors_kb" };
	char key[64];

	lp_survey_number(survey, "rotational", "sys/block/%s/queue/rotational",
			 entry);
	label_scheduler(survey, entry);
	for (size_t i = 0; i < lp_array_size(settings); i++) {
		snprintf(key, sizeof(key), "queue_%s", settings[i]);
		lp_survey_number(survey, key, "sys/block/%s/queue/%s", entry,
				 settings[i]);
	}
}

/* Names in a directory, those that begin with `head`, without it. */
static void label_names(struct lp_survey *survey, const char *key,
			const char *directory, const char *head)
{
	char text[LP_SURVEY_TEXT * 4] = "";
	struct lp_sysfs_list list;

	if (lp_sysfs_list(&list, "%s/%s", survey->root, directory) < 0)
		survey->failed = true;
	for (size_t i = 0; i < list.count; i++) {
		char name[LP_SURVEY_TEXT];

		if (!begins(list.names[i], head))
			continue;
		sample_name(name, sizeof(name), list.names[i] + strlen(head));
		lp_sysfs_word(text, sizeof(text), name);
	}
	lp_sysfs_list_done(&list);
	lp_survey_label(survey, key, text);
}

static void label_parents(struct lp_survey *survey, const char *entry)
{
	char directory[LP_SURVEY_TEXT * 2];

	snprintf(directory, sizeof(directory), "sys/block/%s/slaves", entry);
	label_names(survey, "parents", directory, "");
	if (*lp_survey_get(survey, "parents"))
		return;
	snprintf(directory, sizeof(directory), "sys/block/%s/md", entry);
	label_names(survey, "parents", directory, "dev-");
}

/* The word before the first '-' of a dm uuid: "LVM", "mpath", "part1" ... */
static const char *dm_layer(const char *uuid)
{
	if (begins(uuid, "mpath-"))
		return "disk";
	if (begins(uuid, "part"))
		return "partition";
	return "logical";
}

static const char *label_dm(struct lp_survey *survey, const char *entry)
{
	char kind[LP_SURVEY_TEXT];

	lp_survey_file(survey, "dm_name", "sys/block/%s/dm/name", entry);
	lp_survey_file(survey, "dm_uuid", "sys/block/%s/dm/uuid", entry);
	lp_survey_file(survey, "dm_suspended", "sys/block/%s/dm/suspended",
		       entry);
	lp_survey_label(survey, "alias", lp_survey_get(survey, "dm_name"));
	snprintf(kind, sizeof(kind), "%s", lp_survey_get(survey, "dm_uuid"));
	kind[strcspn(kind, "-")] = '\0';
	lp_survey_label(survey, "dm_kind", kind);
	return dm_layer(lp_survey_get(survey, "dm_uuid"));
}

static const char *label_md(struct lp_survey *survey, const char *entry)
{
	static const char *const files[] = { "level",       "raid_disks",
					     "degraded",    "array_state",
					     "sync_action", "uuid" };
	char key[64];

	for (size_t i = 0; i < lp_array_size(files); i++) {
		snprintf(key, sizeof(key), "md_%s", files[i]);
		lp_survey_file(survey, key, "sys/block/%s/md/%s", entry,
			       files[i]);
	}
	return "array";
}

/* nvme0c1n1: controller 1's path to namespace 1 of subsystem 0. */
static bool is_nvme_path(const char *name, unsigned *subsystem, unsigned *space)
{
	unsigned controller;
	int end = 0;

	return sscanf(name, "nvme%uc%un%u%n", subsystem, &controller, space,
		      &end) == 3 &&
	       name[end] == '\0';
}

static const char *label_kind(struct lp_survey *survey, const char *entry)
{
	unsigned subsystem, space;

	if (lp_sysfs_exists("%s/sys/block/%s/dm", survey->root, entry))
		return label_dm(survey, entry);
	if (lp_sysfs_exists("%s/sys/block/%s/md", survey->root, entry))
		return label_md(survey, entry);
	lp_survey_file(survey, "backing_file", "sys/block/%s/loop/backing_file",
		       entry);
	lp_survey_file(survey, "state", "sys/block/%s/device/state", entry);
	lp_survey_file(survey, "transport", "sys/block/%s/device/transport",
		       entry);
	return is_nvme_path(entry, &subsystem, &space) ? "path" : "disk";
}

/* sys/block/sda/sda1/partition: "1" */
static void read_partition(struct lp_survey *survey, const char *entry,
			   const char *part, const char *disk_id)
{
	char name[LP_SURVEY_TEXT], directory[LP_SURVEY_TEXT * 2];

	snprintf(directory, sizeof(directory), "sys/block/%s/%s", entry, part);
	if (!lp_sysfs_exists("%s/%s/partition", survey->root, directory))
		return;
	sample_name(name, sizeof(name), part);
	if (!lp_survey_add(survey, "disk", name))
		return;
	lp_survey_label(survey, "layer", "partition");
	lp_survey_number(survey, "partition", "%s/partition", directory);
	lp_survey_file(survey, "dev", "%s/dev", directory);
	label_size(survey, directory);
	sample_name(name, sizeof(name), entry);
	lp_survey_label(survey, "parents", name);
	lp_survey_id(survey, disk_id);
}

static void read_partitions(struct lp_survey *survey, const char *entry)
{
	char disk_id[LP_SURVEY_TEXT * 2];
	struct lp_sysfs_list list;

	snprintf(disk_id, sizeof(disk_id), "%s", lp_survey_get(survey, "id"));
	if (lp_sysfs_list(&list, "%s/sys/block/%s", survey->root, entry) < 0)
		survey->failed = true;
	for (size_t i = 0; i < list.count; i++)
		if (begins(list.names[i], entry))
			read_partition(survey, entry, list.names[i], disk_id);
	lp_sysfs_list_done(&list);
}

/* Loop devices that are bound to nothing are no components. */
static bool is_unbound_loop(const struct lp_survey *survey, const char *entry)
{
	return begins(entry, "loop") &&
	       lp_sysfs_exists("%s/sys/block/%s/size", survey->root, entry) &&
	       !lp_sysfs_exists("%s/sys/block/%s/loop", survey->root, entry);
}

static void read_disk(struct lp_survey *survey, const char *entry)
{
	char name[LP_SURVEY_TEXT], directory[LP_SURVEY_TEXT * 2];

	if (is_unbound_loop(survey, entry))
		return;
	sample_name(name, sizeof(name), entry);
	if (!lp_survey_add(survey, "disk", name))
		return;
	lp_survey_label(survey, "layer", label_kind(survey, entry));
	lp_survey_file(survey, "dev", "sys/block/%s/dev", entry);
	snprintf(directory, sizeof(directory), "sys/block/%s", entry);
	label_size(survey, directory);
	label_queue(survey, entry);
	label_parents(survey, entry);
	lp_survey_identity(survey, entry);
	lp_survey_id(survey, NULL);
	read_partitions(survey, entry);
}

static bool has_word(const char *words, const char *word)
{
	size_t n = strlen(word);

	for (const char *at = words; (at = strstr(at, word)) != NULL; at += n)
		if ((at == words || at[-1] == ' ') &&
		    (at[n] == '\0' || at[n] == ' '))
			return true;
	return false;
}

/* A path's id says which way it is; all paths of a disk share its WWID. */
static void make_path(struct lp_survey *survey, struct lp_component *c)
{
	char id[LP_SURVEY_TEXT * 2];
	const char *way = lp_labels_get(&c->labels, "path");
	const char *wwid = lp_labels_get(&c->labels, "wwid");

	if (!way)
		way = lp_labels_get(&c->labels, "hctl");
	if (!way)
		way = c->name;
	snprintf(id, sizeof(id), "path:%s%s%s", way, wwid ? "@" : "",
		 wwid ? wwid : "");
	if (lp_inventory_label(survey->inventory, &c->labels, "layer", "path") <
		    0 ||
	    lp_inventory_label(survey->inventory, &c->labels, "id", id) < 0)
		survey->failed = true;
}

static bool is_multipath(const struct lp_component *c)
{
	const char *kind = lp_labels_get(&c->labels, "dm_kind");

	return kind && strcmp(kind, "mpath") == 0;
}

static void find_paths(struct lp_survey *survey)
{
	struct lp_inventory *inventory = survey->inventory;

	for (size_t m = 0; m < inventory->n_components; m++) {
		struct lp_component *map = &inventory->components[m];
		const char *parents = lp_labels_get(&map->labels, "parents");

		if (!parents || !is_multipath(map))
			continue;
		for (size_t i = 0; i < inventory->n_components; i++)
			if (has_word(parents, inventory->components[i].name))
				make_path(survey, &inventory->components[i]);
	}
}

static struct lp_component *find_disk(struct lp_inventory *inventory,
				      const char *name)
{
	for (size_t i = 0; i < inventory->n_components; i++)
		if (strcmp(inventory->components[i].name, name) == 0)
			return &inventory->components[i];
	return NULL;
}

/* The head nvme0n1 of the paths nvme0c0n1 nvme0c1n1. */
static void link_nvme_head(struct lp_survey *survey, struct lp_component *path)
{
	char name[64], parents[LP_SURVEY_TEXT * 4];
	struct lp_component *head;
	unsigned subsystem, space;
	const char *before;

	if (!is_nvme_path(path->name, &subsystem, &space))
		return;
	make_path(survey, path);
	snprintf(name, sizeof(name), "nvme%un%u", subsystem, space);
	head = find_disk(survey->inventory, name);
	if (!head)
		return;
	before = lp_labels_get(&head->labels, "parents");
	snprintf(parents, sizeof(parents), "%s%s%s", before ? before : "",
		 before ? " " : "", path->name);
	if (lp_inventory_label(survey->inventory, &head->labels, "parents",
			       parents) < 0)
		survey->failed = true;
}

/*
 * Two devices with one id: a WWID that two cheap disks share, or two paths
 * that no multipath map joins. Each gets its name behind it.
 */
static void tell_apart(struct lp_survey *survey, size_t i)
{
	struct lp_component *c = &survey->inventory->components[i];
	const char *id = lp_labels_get(&c->labels, "id");
	char longer[LP_SURVEY_TEXT * 3];

	for (size_t j = 0; id && j < i; j++) {
		const char *other = lp_labels_get(
			&survey->inventory->components[j].labels, "id");

		if (!other || strcmp(other, id) != 0)
			continue;
		snprintf(longer, sizeof(longer), "%s@%s", id, c->name);
		if (lp_inventory_label(survey->inventory, &c->labels, "id",
				       longer) < 0)
			survey->failed = true;
		return;
	}
}

void lp_survey_disks(struct lp_survey *survey)
{
	struct lp_sysfs_list list;
	struct lp_inventory *inventory = survey->inventory;

	if (lp_sysfs_list(&list, "%s/sys/block", survey->root) < 0)
		survey->failed = true;
	for (size_t i = 0; i < list.count; i++)
		read_disk(survey, list.names[i]);
	lp_sysfs_list_done(&list);
	find_paths(survey);
	for (size_t i = 0; i < inventory->n_components; i++)
		link_nvme_head(survey, &inventory->components[i]);
	for (size_t i = 0; i < inventory->n_components; i++)
		tell_apart(survey, i);
}
