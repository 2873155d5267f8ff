/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Block devices: sys/block. Each I/O passes several of them, one above the
 * other; the layer says where a device stands:
 *
 *   partition   sda1; a part of a multipath map made by kpartx
 *   logical     a device-mapper target: LVM, crypt ...; a volume of ZFS,
 *               bcache, DRBD
 *   array       md
 *   disk        what holds the data: sda, nvme0n1, a multipath map, loop
 *   path        one of several ways to the same disk: a slave of a multipath
 *               map, an NVMe path (nvme0c1n1)
 *   optical     a CD or DVD drive: sr0
 *   memory      swap that is compressed in memory: zram0
 */
#include "base/number.h"
#include "source/probe.h"
#include "source/sysfs.h"

#include <stdio.h>
#include <string.h>

/* "cciss!c0d0" in sysfs is "cciss/c0d0" in diskstats. */
static void sample_name(char *name, size_t size, const char *entry)
{
	snprintf(name, size, "%s", entry);
	for (char *c = name; *c; c++)
		if (*c == '!')
			*c = '/';
}

static void label_size(struct lp_probe *probe, const char *directory)
{
	char text[LP_PROBE_TEXT];
	uint64_t sectors;

	if (!lp_sysfs_line(text, sizeof(text), "%s/%s/size", probe->root,
			   directory) ||
	    lp_parse_u64(text, strlen(text), &sectors) < 0 ||
	    sectors > UINT64_MAX / 512)
		return;
	snprintf(text, sizeof(text), "%llu",
		 (unsigned long long)(sectors * 512));
	lp_probe_label(probe, "size_bytes", text);
}

/* "mq-deadline kyber [bfq] none": the one in brackets; or a lone "none". */
static void label_scheduler(struct lp_probe *probe, const char *entry)
{
	char text[LP_PROBE_TEXT], *open, *close;

	if (!lp_sysfs_line(text, sizeof(text),
			   "%s/sys/block/%s/queue/scheduler", probe->root,
			   entry))
		return;
	open = strchr(text, '[');
	close = open ? strchr(open, ']') : NULL;
	if (close) {
		*close = '\0';
		lp_probe_label(probe, "queue_scheduler", open + 1);
	} else if (!strchr(text, ' ')) {
		lp_probe_label(probe, "queue_scheduler", text);
	}
}

static void label_queue(struct lp_probe *probe, const char *entry)
{
	static const char *const settings[] = { "nr_requests", "read_ahead_kb",
						"max_sectors_kb" };
	char key[64];

	lp_probe_number(probe, "rotational", "sys/block/%s/queue/rotational",
			entry);
	label_scheduler(probe, entry);
	for (size_t i = 0; i < lp_array_size(settings); i++) {
		snprintf(key, sizeof(key), "queue_%s", settings[i]);
		lp_probe_number(probe, key, "sys/block/%s/queue/%s", entry,
				settings[i]);
	}
}

/* Names in a directory, those that begin with `head`, without it. */
static void label_names(struct lp_probe *probe, const char *key,
			const char *directory, const char *head)
{
	char text[LP_PROBE_TEXT * 4] = "";
	struct lp_sysfs_list list;

	if (lp_sysfs_list(&list, "%s/%s", probe->root, directory) < 0)
		probe->failed = true;
	for (size_t i = 0; i < list.count; i++) {
		char name[LP_PROBE_TEXT];

		if (!lp_sysfs_begins(list.names[i], head))
			continue;
		sample_name(name, sizeof(name), list.names[i] + strlen(head));
		lp_sysfs_word(text, sizeof(text), name);
	}
	lp_sysfs_list_done(&list);
	lp_probe_label(probe, key, text);
}

static void label_parents(struct lp_probe *probe, const char *entry)
{
	char directory[LP_PROBE_TEXT * 2];

	snprintf(directory, sizeof(directory), "sys/block/%s/slaves", entry);
	label_names(probe, "parents", directory, "");
	if (*lp_probe_get(probe, "parents"))
		return;
	snprintf(directory, sizeof(directory), "sys/block/%s/md", entry);
	label_names(probe, "parents", directory, "dev-");
}

/* The word before the first '-' of a dm uuid: "LVM", "mpath", "part1" ... */
static const char *dm_layer(const char *uuid)
{
	if (lp_sysfs_begins(uuid, "mpath-"))
		return "disk";
	if (lp_sysfs_begins(uuid, "part"))
		return "partition";
	return "logical";
}

static const char *label_dm(struct lp_probe *probe, const char *entry)
{
	char kind[LP_PROBE_TEXT];

	lp_probe_file(probe, "dm_name", "sys/block/%s/dm/name", entry);
	lp_probe_file(probe, "dm_uuid", "sys/block/%s/dm/uuid", entry);
	lp_probe_file(probe, "dm_suspended", "sys/block/%s/dm/suspended",
		      entry);
	lp_probe_label(probe, "alias", lp_probe_get(probe, "dm_name"));
	snprintf(kind, sizeof(kind), "%s", lp_probe_get(probe, "dm_uuid"));
	kind[strcspn(kind, "-")] = '\0';
	lp_probe_label(probe, "dm_kind", kind);
	return dm_layer(lp_probe_get(probe, "dm_uuid"));
}

static const char *label_md(struct lp_probe *probe, const char *entry)
{
	static const char *const files[] = { "level",       "raid_disks",
					     "degraded",    "array_state",
					     "sync_action", "uuid" };
	char key[64];

	for (size_t i = 0; i < lp_array_size(files); i++) {
		snprintf(key, sizeof(key), "md_%s", files[i]);
		lp_probe_file(probe, key, "sys/block/%s/md/%s", entry,
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

/* What sysfs tells by the name of the driver's devices only. */
static const char *named_layer(const char *entry)
{
	static const struct {
		const char *head, *layer;
	} names[] = {
		{ "zd", "logical" },   { "bcache", "logical" },
		{ "drbd", "logical" }, { "sr", "optical" },
		{ "zram", "memory" },
	};

	for (size_t i = 0; i < lp_array_size(names); i++) {
		size_t n = strlen(names[i].head);

		if (lp_sysfs_begins(entry, names[i].head) &&
		    strspn(entry + n, "0123456789") == strlen(entry + n))
			return names[i].layer;
	}
	return "disk";
}

static const char *label_kind(struct lp_probe *probe, const char *entry)
{
	unsigned subsystem, space;

	if (lp_sysfs_exists("%s/sys/block/%s/dm", probe->root, entry))
		return label_dm(probe, entry);
	if (lp_sysfs_exists("%s/sys/block/%s/md", probe->root, entry))
		return label_md(probe, entry);
	lp_probe_file(probe, "backing_file", "sys/block/%s/loop/backing_file",
		      entry);
	lp_probe_file(probe, "state", "sys/block/%s/device/state", entry);
	lp_probe_file(probe, "transport", "sys/block/%s/device/transport",
		      entry);
	return is_nvme_path(entry, &subsystem, &space) ? "path"
						       : named_layer(entry);
}

/* sys/block/sda/sda1/partition: "1" */
static void read_partition(struct lp_probe *probe, const char *entry,
			   const char *part, const char *disk_id)
{
	char name[LP_PROBE_TEXT], directory[LP_PROBE_TEXT * 2];

	snprintf(directory, sizeof(directory), "sys/block/%s/%s", entry, part);
	if (!lp_sysfs_exists("%s/%s/partition", probe->root, directory))
		return;
	sample_name(name, sizeof(name), part);
	if (!lp_probe_add(probe, "disk", name))
		return;
	lp_probe_label(probe, "layer", "partition");
	lp_probe_number(probe, "partition", "%s/partition", directory);
	lp_probe_file(probe, "dev", "%s/dev", directory);
	label_size(probe, directory);
	sample_name(name, sizeof(name), entry);
	lp_probe_label(probe, "parents", name);
	lp_probe_id(probe, disk_id);
}

static void read_partitions(struct lp_probe *probe, const char *entry)
{
	char disk_id[LP_PROBE_TEXT * 2];
	struct lp_sysfs_list list;

	snprintf(disk_id, sizeof(disk_id), "%s", lp_probe_get(probe, "id"));
	if (lp_sysfs_list(&list, "%s/sys/block/%s", probe->root, entry) < 0)
		probe->failed = true;
	for (size_t i = 0; i < list.count; i++)
		if (lp_sysfs_begins(list.names[i], entry))
			read_partition(probe, entry, list.names[i], disk_id);
	lp_sysfs_list_done(&list);
}

/* Loop devices that are bound to nothing are no components. */
static bool is_unbound_loop(const struct lp_probe *probe, const char *entry)
{
	return lp_sysfs_begins(entry, "loop") &&
	       lp_sysfs_exists("%s/sys/block/%s/size", probe->root, entry) &&
	       !lp_sysfs_exists("%s/sys/block/%s/loop", probe->root, entry);
}

static void read_disk(struct lp_probe *probe, const char *entry)
{
	char name[LP_PROBE_TEXT], directory[LP_PROBE_TEXT * 2];

	if (is_unbound_loop(probe, entry))
		return;
	sample_name(name, sizeof(name), entry);
	if (!lp_probe_add(probe, "disk", name))
		return;
	lp_probe_label(probe, "layer", label_kind(probe, entry));
	lp_probe_file(probe, "dev", "sys/block/%s/dev", entry);
	snprintf(directory, sizeof(directory), "sys/block/%s", entry);
	label_size(probe, directory);
	label_queue(probe, entry);
	label_parents(probe, entry);
	lp_probe_identity(probe, entry);
	lp_probe_id(probe, NULL);
	read_partitions(probe, entry);
}

/* A path's id says which way it is; all paths of a disk share its WWID. */
static void make_path(struct lp_probe *probe, struct lp_component *c)
{
	char id[LP_PROBE_TEXT * 2];
	const char *way = lp_labels_get(&c->labels, "path");
	const char *wwid = lp_labels_get(&c->labels, "wwid");

	if (!way)
		way = lp_labels_get(&c->labels, "hctl");
	if (!way)
		way = c->name;
	snprintf(id, sizeof(id), "path:%s%s%s", way, wwid ? "@" : "",
		 wwid ? wwid : "");
	if (lp_inventory_label(probe->inventory, &c->labels, "layer", "path") <
		    0 ||
	    lp_inventory_label(probe->inventory, &c->labels, "id", id) < 0)
		probe->failed = true;
}

static bool is_multipath(const struct lp_component *c)
{
	const char *kind = lp_labels_get(&c->labels, "dm_kind");

	return kind && strcmp(kind, "mpath") == 0;
}

static void find_paths(struct lp_probe *probe)
{
	struct lp_inventory *inventory = probe->inventory;

	for (size_t m = 0; m < inventory->n_components; m++) {
		struct lp_component *map = &inventory->components[m];
		const char *parents = lp_labels_get(&map->labels, "parents");

		if (!parents || !is_multipath(map))
			continue;
		for (size_t i = 0; i < inventory->n_components; i++)
			if (lp_label_lists(parents,
					   inventory->components[i].name))
				make_path(probe, &inventory->components[i]);
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
static void link_nvme_head(struct lp_probe *probe, struct lp_component *path)
{
	char name[64], parents[LP_PROBE_TEXT * 4];
	struct lp_component *head;
	unsigned subsystem, space;
	const char *before;

	if (!is_nvme_path(path->name, &subsystem, &space))
		return;
	make_path(probe, path);
	snprintf(name, sizeof(name), "nvme%un%u", subsystem, space);
	head = find_disk(probe->inventory, name);
	if (!head)
		return;
	before = lp_labels_get(&head->labels, "parents");
	snprintf(parents, sizeof(parents), "%s%s%s", before ? before : "",
		 before ? " " : "", path->name);
	if (lp_inventory_label(probe->inventory, &head->labels, "parents",
			       parents) < 0)
		probe->failed = true;
}

/*
 * Two devices with one id: a WWID that two cheap disks share, or two paths
 * that no multipath map joins. Each gets its name behind it.
 */
static void tell_apart(struct lp_probe *probe, size_t i)
{
	struct lp_component *c = &probe->inventory->components[i];
	const char *id = lp_labels_get(&c->labels, "id");
	char longer[LP_PROBE_TEXT * 3];

	for (size_t j = 0; id && j < i; j++) {
		const char *other = lp_labels_get(
			&probe->inventory->components[j].labels, "id");

		if (!other || strcmp(other, id) != 0)
			continue;
		snprintf(longer, sizeof(longer), "%s@%s", id, c->name);
		if (lp_inventory_label(probe->inventory, &c->labels, "id",
				       longer) < 0)
			probe->failed = true;
		return;
	}
}

void lp_probe_disks(struct lp_probe *probe)
{
	struct lp_sysfs_list list;
	struct lp_inventory *inventory = probe->inventory;

	if (lp_sysfs_list(&list, "%s/sys/block", probe->root) < 0)
		probe->failed = true;
	for (size_t i = 0; i < list.count; i++)
		read_disk(probe, list.names[i]);
	lp_sysfs_list_done(&list);
	find_paths(probe);
	for (size_t i = 0; i < inventory->n_components; i++)
		link_nvme_head(probe, &inventory->components[i]);
	for (size_t i = 0; i < inventory->n_components; i++)
		tell_apart(probe, i);
}
