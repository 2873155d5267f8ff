/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who a disk is, whatever the kernel calls it today.
 */
#include "source/identity.h"
#include "source/probe.h"
#include "source/sysfs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define UDEV_BYTES (32 * 1024)

static bool has(const struct lp_probe *probe, const char *key)
{
	return *lp_probe_get(probe, key) != '\0';
}

/* A label unless it is there already. */
static void label_once(struct lp_probe *probe, const char *key,
		       const char *value)
{
	if (!has(probe, key))
		lp_probe_label(probe, key, value);
}

static void file_once(struct lp_probe *probe, const char *key,
		      const char *entry, const char *file)
{
	if (!has(probe, key))
		lp_probe_file(probe, key, "sys/block/%s/%s", entry, file);
}

const char *lp_identity_wwid(const char *text, char wwid[LP_IDENTITY_TEXT])
{
	if (lp_sysfs_begins(text, "0x"))
		snprintf(wwid, LP_IDENTITY_TEXT, "naa.%s", text + 2);
	else if (text[0] == '3' && strspn(text, "0123456789abcdef") > 16)
		snprintf(wwid, LP_IDENTITY_TEXT, "naa.%s", text + 1);
	else if (text[0] == '2' && strspn(text, "0123456789abcdef") > 16)
		snprintf(wwid, LP_IDENTITY_TEXT, "eui.%s", text + 1);
	else
		snprintf(wwid, LP_IDENTITY_TEXT, "%s", text);
	return wwid;
}

static void label_wwid(struct lp_probe *probe, const char *text)
{
	char wwid[LP_IDENTITY_TEXT];

	label_once(probe, "wwid", lp_identity_wwid(text, wwid));
}

static void read_wwid(struct lp_probe *probe, const char *entry)
{
	char text[LP_PROBE_TEXT];

	if (lp_sysfs_line(text, sizeof(text), "%s/sys/block/%s/device/wwid",
			  probe->root, entry) ||
	    lp_sysfs_line(text, sizeof(text), "%s/sys/block/%s/wwid",
			  probe->root, entry))
		label_wwid(probe, text);
	lp_probe_file(probe, "uuid", "sys/block/%s/uuid", entry);
	lp_probe_file(probe, "nguid", "sys/block/%s/nguid", entry);
}

/*
 * SCSI vital product data, page 0x80: type, page, length (2 bytes), serial
 *
 *   00 80 00 14 'Z' '1' 'X' ...
 */
static void read_page80(struct lp_probe *probe, const char *entry)
{
	char text[LP_PROBE_TEXT];
	uint8_t page[256];
	ptrdiff_t n = lp_sysfs_bytes(page, sizeof(page),
				     "%s/sys/block/%s/device/vpd_pg80",
				     probe->root, entry);
	size_t length;

	if (n < 5 || page[1] != 0x80)
		return;
	length = (size_t)page[2] << 8 | page[3];
	if (length > (size_t)n - 4)
		length = (size_t)n - 4;
	lp_sysfs_clean(text, sizeof(text), (char *)page + 4, length);
	label_once(probe, "serial", text);
}

/* "2:0:1:0": host, channel, target, LUN. */
static void read_hctl(struct lp_probe *probe, const char *entry)
{
	char text[LP_PROBE_TEXT];
	unsigned h, c, t, l;
	int end = 0;

	if (lp_sysfs_link(text, sizeof(text), "%s/sys/block/%s/device",
			  probe->root, entry) &&
	    sscanf(text, "%u:%u:%u:%u%n", &h, &c, &t, &l, &end) == 4 &&
	    text[end] == '\0')
		lp_probe_label(probe, "hctl", text);
}

/*
 * Where sys/block/vda leads: ../devices/pci0000:00/0000:00:02.0/virtio1/
 * block/vda. The bus address behind "devices/" outlives a boot, the number of
 * virtio1 or host2 does not. Behind one HBA, channel:target:LUN tells apart.
 */
static void read_bus_path(struct lp_probe *probe, const char *entry)
{
	char path[LP_PROBE_TEXT * 4], target[LP_PROBE_TEXT * 4];
	char *part, *save, *bus = NULL;
	const char *hctl;
	ssize_t n;

	snprintf(path, sizeof(path), "%s/sys/block/%s", probe->root, entry);
	n = readlink(path, target, sizeof(target) - 1);
	if (n <= 0)
		return;
	target[n] = '\0';
	for (part = strtok_r(target, "/", &save); part;
	     part = strtok_r(NULL, "/", &save)) {
		unsigned domain, b, slot, function;

		if (sscanf(part, "%x:%x:%x.%x", &domain, &b, &slot,
			   &function) == 4)
			bus = part;
	}
	if (!bus)
		return;
	hctl = strchr(lp_probe_get(probe, "hctl"), ':');
	snprintf(path, sizeof(path), "pci-%s%s%s", bus, hctl ? "-scsi" : "",
		 hctl ? hctl : "");
	label_once(probe, "path", path);
}

/* E:KEY=VALUE of /run/udev/data/b8:0 and what it is to us. */
static const struct {
	const char *key, *label;
} udev_keys[] = {
	{ "ID_PATH=", "path" },
	{ "ID_SERIAL_SHORT=", "serial" },
	{ "ID_SCSI_SERIAL=", "serial" },
	{ "ID_SERIAL=", "serial" },
	{ "ID_WWN_WITH_EXTENSION=", "wwid" },
	{ "ID_WWN=", "wwid" },
	{ "ID_MODEL=", "model" },
	{ "MD_NAME=", "alias" },
	{ "ID_PART_ENTRY_UUID=", "partuuid" },
};

static void apply_udev(struct lp_probe *probe, const char *bytes, size_t k)
{
	char value[LP_PROBE_TEXT], search[64];
	const char *at;

	snprintf(search, sizeof(search), "\nE:%s", udev_keys[k].key);
	at = strstr(bytes, search);
	if (!at)
		return;
	at += strlen(search);
	lp_sysfs_clean(value, sizeof(value), at, strlen(at));
	if (strcmp(udev_keys[k].label, "wwid") == 0)
		label_wwid(probe, value);
	else
		label_once(probe, udev_keys[k].label, value);
}

/* udev asked the device when it came; it fills what sysfs does not say. */
static void read_udev(struct lp_probe *probe)
{
	lp_auto_free char *bytes = malloc(UDEV_BYTES + 2);
	ptrdiff_t n;

	if (!bytes) {
		probe->failed = true;
		return;
	}
	n = lp_sysfs_bytes(bytes + 1, UDEV_BYTES, "%s/run/udev/data/b%s",
			   probe->root, lp_probe_get(probe, "dev"));
	if (n <= 0)
		return;
	bytes[0] = '\n';
	bytes[n + 1] = '\0';
	for (size_t k = 0; k < lp_array_size(udev_keys); k++)
		apply_udev(probe, bytes, k);
}

/* "SEAGATE"; virtio's is a bare PCI number, which tells nobody anything. */
static void read_vendor(struct lp_probe *probe, const char *entry)
{
	char text[LP_PROBE_TEXT];

	if (lp_sysfs_line(text, sizeof(text), "%s/sys/block/%s/device/vendor",
			  probe->root, entry) &&
	    !lp_sysfs_begins(text, "0x"))
		lp_probe_label(probe, "vendor", text);
}

void lp_probe_identity(struct lp_probe *probe, const char *entry)
{
	const char *dm_uuid = lp_probe_get(probe, "dm_uuid");

	if (lp_sysfs_begins(dm_uuid, "mpath-"))
		label_wwid(probe, dm_uuid + strlen("mpath-"));
	read_wwid(probe, entry);
	file_once(probe, "serial", entry, "device/serial");
	file_once(probe, "serial", entry, "serial");
	read_page80(probe, entry);
	read_vendor(probe, entry);
	file_once(probe, "model", entry, "device/model");
	file_once(probe, "firmware", entry, "device/firmware_rev");
	file_once(probe, "firmware", entry, "device/rev");
	read_hctl(probe, entry);
	if (has(probe, "dev"))
		read_udev(probe);
	read_bus_path(probe, entry);
}

/* The best of these that is known; the label and how its id begins. */
static const struct {
	const char *label, *prefix;
} id_order[] = {
	{ "dm_uuid", "dm:" },    { "md_uuid", "md:" },
	{ "wwid", "wwid:" },     { "backing_file", "file:" },
	{ "serial", "serial:" }, { "path", "path:" },
	{ "hctl", "path:" },
};

static void best_id(const struct lp_probe *probe, char *id, size_t size)
{
	for (size_t i = 0; i < lp_array_size(id_order); i++) {
		const char *v = lp_probe_get(probe, id_order[i].label);

		if (*v) {
			snprintf(id, size, "%s%s", id_order[i].prefix, v);
			return;
		}
	}
	snprintf(
		id, size, "name:%s",
		probe->inventory->components[probe->inventory->n_components - 1]
			.name);
}

void lp_probe_id(struct lp_probe *probe, const char *parent)
{
	char id[LP_PROBE_TEXT * 2];
	const char *wwid = lp_probe_get(probe, "wwid");

	if (parent)
		snprintf(id, sizeof(id), "%s:part%s", parent,
			 lp_probe_get(probe, "partition"));
	else if (*wwid &&
		 lp_sysfs_begins(lp_probe_get(probe, "dm_uuid"), "mpath-"))
		snprintf(id, sizeof(id), "wwid:%s", wwid);
	else
		best_id(probe, id, sizeof(id));
	lp_probe_label(probe, "id", id);
}
