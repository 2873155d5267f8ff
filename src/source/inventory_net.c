/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Interfaces: sys/class/net, and InfiniBand ports: sys/class/infiniband.
 *
 * Layers: port (a device beneath), bond, bridge, vlan, virtual (veth, dummy,
 * tunnels, lo).
 */
#include "base/number.h"
#include "source/probe.h"
#include "source/sysfs.h"

#include <stdio.h>
#include <string.h>

static bool net_has(const struct lp_probe *probe, const char *name,
		    const char *file)
{
	return lp_sysfs_exists("%s/sys/class/net/%s/%s", probe->root, name,
			       file);
}

/*
 * sys/class/net/bond0.7/uevent:
 *
 * DEVTYPE=vlan
 * INTERFACE=bond0.7
 */
static bool is_vlan(const struct lp_probe *probe, const char *name)
{
	char bytes[1024];
	ptrdiff_t n =
		lp_sysfs_bytes(bytes, sizeof(bytes) - 1,
			       "%s/sys/class/net/%s/uevent", probe->root, name);

	bytes[n > 0 ? n : 0] = '\0';
	return strstr(bytes, "DEVTYPE=vlan") != NULL ||
	       lp_sysfs_exists("%s/proc/net/vlan/%s", probe->root, name);
}

static const char *net_layer(const struct lp_probe *probe, const char *name)
{
	char target[LP_PROBE_TEXT];

	if (net_has(probe, name, "bonding"))
		return "bond";
	if (net_has(probe, name, "bridge"))
		return "bridge";
	if (is_vlan(probe, name))
		return "vlan";
	/* The link counts; a tree may have lost what it leads to. */
	if (net_has(probe, name, "device") ||
	    lp_sysfs_link(target, sizeof(target), "%s/sys/class/net/%s/device",
			  probe->root, name))
		return "port";
	return "virtual";
}

/* The link "master" leads to the bond or bridge above. */
static void label_master(struct lp_probe *probe, const char *name)
{
	char master[LP_PROBE_TEXT];

	if (!lp_sysfs_link(master, sizeof(master), "%s/sys/class/net/%s/master",
			   probe->root, name))
		return;
	lp_probe_label(probe, "master", master);
	if (net_has(probe, master, "bonding") ||
	    net_has(probe, name, "bonding_slave"))
		lp_probe_label(probe, "bond", master);
}

/* Links lower_eth0, lower_eth1: what a bond or vlan stands on. */
static void label_lower(struct lp_probe *probe, const char *name)
{
	char text[LP_PROBE_TEXT * 4] = "";
	struct lp_sysfs_list list;

	if (lp_sysfs_list(&list, "%s/sys/class/net/%s", probe->root, name) < 0)
		probe->failed = true;
	for (size_t i = 0; i < list.count; i++)
		if (strncmp(list.names[i], "lower_", strlen("lower_")) == 0)
			lp_sysfs_word(text, sizeof(text),
				      list.names[i] + strlen("lower_"));
	lp_sysfs_list_done(&list);
	lp_probe_label(probe, "parents", text);
	lp_probe_file(probe, "parents", "sys/class/net/%s/bonding/slaves",
		      name);
}

/* What stands for none: "00:00:00:00:00:00". */
static bool is_zero(const char *text)
{
	return strspn(text, "0:") == strlen(text);
}

/* A bond gives its slaves its own address; they keep the true one aside. */
static void label_mac(struct lp_probe *probe, const char *name)
{
	char mac[LP_PROBE_TEXT];

	if (!lp_sysfs_line(mac, sizeof(mac),
			   "%s/sys/class/net/%s/bonding_slave/perm_hwaddr",
			   probe->root, name))
		lp_sysfs_line(mac, sizeof(mac), "%s/sys/class/net/%s/address",
			      probe->root, name);
	if (!is_zero(mac))
		lp_probe_label(probe, "mac", mac);
}

static void label_net_id(struct lp_probe *probe, const char *name)
{
	const char *layer = lp_probe_get(probe, "layer");
	const char *mac = lp_probe_get(probe, "mac");
	char id[LP_PROBE_TEXT * 2];

	if (strcmp(layer, "port") == 0 && *mac)
		snprintf(id, sizeof(id), "mac:%s", mac);
	else if (strcmp(layer, "virtual") == 0 || strcmp(layer, "port") == 0)
		snprintf(id, sizeof(id), "name:%s", name);
	else
		snprintf(id, sizeof(id), "%s:%s", layer, name);
	lp_probe_label(probe, "id", id);
}

static void read_interface(struct lp_probe *probe, const char *name)
{
	char text[LP_PROBE_TEXT];

	/* bonding_masters is a file among the interfaces. */
	if (!net_has(probe, name, ".") || !lp_probe_add(probe, "net", name))
		return;
	lp_probe_label(probe, "layer", net_layer(probe, name));
	label_mac(probe, name);
	lp_probe_file(probe, "operstate", "sys/class/net/%s/operstate", name);
	lp_probe_number(probe, "speed_mbit", "sys/class/net/%s/speed", name);
	lp_probe_file(probe, "duplex", "sys/class/net/%s/duplex", name);
	lp_probe_number(probe, "mtu", "sys/class/net/%s/mtu", name);
	lp_probe_file(probe, "bond_mode", "sys/class/net/%s/bonding/mode",
		      name);
	if (lp_sysfs_link(text, sizeof(text),
			  "%s/sys/class/net/%s/device/driver", probe->root,
			  name))
		lp_probe_label(probe, "driver", text);
	if (lp_sysfs_link(text, sizeof(text), "%s/sys/class/net/%s/device",
			  probe->root, name))
		lp_probe_label(probe, "path", text);
	label_master(probe, name);
	label_lower(probe, name);
	label_net_id(probe, name);
}

void lp_probe_interfaces(struct lp_probe *probe)
{
	struct lp_sysfs_list list;

	if (lp_sysfs_list(&list, "%s/sys/class/net", probe->root) < 0)
		probe->failed = true;
	for (size_t i = 0; i < list.count; i++)
		read_interface(probe, list.names[i]);
	lp_sysfs_list_done(&list);
}

/*
 * ports/1/gids/0: fe80:0000:0000:0000:0002:c903:0033:1001, of which the last
 * half is the port's own GUID.
 */
static void label_guid(struct lp_probe *probe, const char *device,
		       const char *port)
{
	char gid[LP_PROBE_TEXT], id[LP_PROBE_TEXT * 2];
	const char *node;

	if (lp_sysfs_line(gid, sizeof(gid),
			  "%s/sys/class/infiniband/%s/ports/%s/gids/0",
			  probe->root, device, port) &&
	    strlen(gid) == 39 && !is_zero(gid + 20))
		lp_probe_label(probe, "port_guid", gid + 20);
	node = lp_probe_get(probe, "node_guid");
	if (*lp_probe_get(probe, "port_guid"))
		snprintf(id, sizeof(id), "guid:%s",
			 lp_probe_get(probe, "port_guid"));
	else if (!is_zero(node))
		snprintf(id, sizeof(id), "guid:%s:%s", node, port);
	else
		snprintf(id, sizeof(id), "name:%s:%s", device, port);
	lp_probe_label(probe, "id", id);
}

static void read_ib_port(struct lp_probe *probe, const char *device,
			 const char *port)
{
	static const char *const of_port[] = { "rate", "state", "phys_state",
					       "link_layer" };
	static const char *const of_device[] = { "node_guid", "hca_type",
						 "fw_ver", "board_id" };
	char name[LP_PROBE_TEXT];

	snprintf(name, sizeof(name), "%s:%s", device, port);
	if (!lp_probe_add(probe, "ib", name))
		return;
	lp_probe_label(probe, "layer", "port");
	for (size_t i = 0; i < lp_array_size(of_port); i++)
		lp_probe_file(probe, of_port[i],
			      "sys/class/infiniband/%s/ports/%s/%s", device,
			      port, of_port[i]);
	for (size_t i = 0; i < lp_array_size(of_device); i++)
		lp_probe_file(probe, of_device[i], "sys/class/infiniband/%s/%s",
			      device, of_device[i]);
	label_guid(probe, device, port);
}

void lp_probe_infiniband(struct lp_probe *probe)
{
	struct lp_sysfs_list devices, ports;

	if (lp_sysfs_list(&devices, "%s/sys/class/infiniband", probe->root) < 0)
		probe->failed = true;
	for (size_t d = 0; d < devices.count; d++) {
		if (lp_sysfs_list(&ports, "%s/sys/class/infiniband/%s/ports",
				  probe->root, devices.names[d]) < 0)
			probe->failed = true;
		for (size_t p = 0; p < ports.count; p++)
			read_ib_port(probe, devices.names[d], ports.names[p]);
		lp_sysfs_list_done(&ports);
	}
	lp_sysfs_list_done(&devices);
}
