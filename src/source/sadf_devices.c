/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The disks of a file, and the inventory that is made of them.
 */
#include "source/sadf.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void look_up(const struct lp_sadf_devices *devices,
		    struct lp_sadf_device *device,
		    const struct lp_sadf_row *row, const char *shown)
{
	device->major = row->major;
	device->minor = row->minor;
	lp_sadf_device_name(devices->sysfs, row->major, row->minor,
			    device->name);
	if (!lp_sadf_device_id(shown, strlen(shown), device->id,
			       &device->partition))
		device->id[0] = '\0';
}

/* A number may get another disk, with another identity: the last counts. */
static void list(struct lp_sadf_devices *devices, struct lp_sadf_device *device)
{
	for (size_t i = 0; i < devices->count; i++)
		if (strcmp(devices->items[i].name, device->name) == 0)
			devices->items[i].listed = false;
	device->listed = true;
	devices->changed = true;
}

const struct lp_sadf_device *lp_sadf_devices_find(
	struct lp_sadf_devices *devices, const struct lp_sadf_row *row,
	const char *shown)
{
	struct lp_sadf_device *device;

	if (lp_grow(&devices->items, &devices->capacity, row->key + 1,
		    sizeof(*devices->items)) < 0)
		return NULL;
	for (; devices->count <= row->key; devices->count++)
		devices->items[devices->count] = (struct lp_sadf_device){ 0 };
	device = &devices->items[row->key];
	if (!device->known) {
		look_up(devices, device, row, shown);
		device->known = true;
		list(devices, device);
	}
	return device;
}

void lp_sadf_devices_forget(struct lp_sadf_devices *devices)
{
	for (size_t i = 0; i < devices->count; i++) {
		devices->items[i].known = false;
		devices->items[i].listed = false;
	}
}

static int add_disk(struct lp_inventory *inventory,
		    const struct lp_sadf_device *device)
{
	struct lp_component *component =
		lp_inventory_add(inventory, "disk", device->name);
	char number[32];
	int status;

	if (!component)
		return -ENOMEM;
	snprintf(number, sizeof(number), "%u:%u", device->major, device->minor);
	status = lp_inventory_label(inventory, &component->labels, "id",
				    device->id);
	if (status == 0)
		status = lp_inventory_label(inventory, &component->labels,
					    "number", number);
	if (status == 0 && device->partition)
		status = lp_inventory_label(inventory, &component->labels,
					    "layer", "partition");
	return status;
}

int lp_sadf_devices_list(struct lp_sadf_devices *devices,
			 struct lp_inventory *inventory)
{
	int status = 0;

	for (size_t i = 0; status == 0 && i < devices->count; i++)
		if (devices->items[i].listed)
			status = add_disk(inventory, &devices->items[i]);
	devices->changed = false;
	return status;
}

void lp_sadf_devices_done(struct lp_sadf_devices *devices)
{
	free(devices->items);
}
