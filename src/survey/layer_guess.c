/* SPDX-License-Identifier: Apache-2.0 */
#include "survey/roster.h"

#include <assert.h>
#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

/* Names of one layer, as in a shell; the first that matches counts. */
struct pattern {
	const char *name, *layer;
};

static const struct pattern disks[] = {
	{ "md[0-9]*", "array" },
	{ "md_*", "array" },
	{ "md/*", "array" },
	{ "dm-[0-9]*", "logical" },
	{ "drbd[0-9]*", "logical" },
	{ "bcache[0-9]*", "logical" },
	{ "zd[0-9]*", "logical" }, /* a volume of ZFS */
	/* It may stand on sdb and sdc, as dm-3 does that it is another name
	   of: which of them are its paths, no name tells. */
	{ "mpath*", "logical" },
	{ "sr[0-9]*", "optical" },
	{ "scd[0-9]*", "optical" },
	{ "zram[0-9]*", "memory" },
};

/* What container engines, hypervisors and tunnels call theirs. */
static const struct pattern interfaces[] = {
	{ "lo", "virtual" },
	{ "lo[0-9]*", "virtual" },
	{ "lo:*", "virtual" },
	{ "br[0-9]*", "bridge" },
	{ "br-*", "bridge" },
	{ "br_*", "bridge" },
	{ "brq*", "bridge" },
	{ "bridge[0-9]*", "bridge" },
	{ "vmbr[0-9]*", "bridge" },
	{ "xenbr[0-9]*", "bridge" },
	{ "lxcbr[0-9]*", "bridge" },
	{ "lxdbr[0-9]*", "bridge" },
	{ "veth*", "virtual" },
	{ "vnet[0-9]*", "virtual" },
	{ "vif[0-9]*", "virtual" },
	{ "virbr*", "virtual" },
	{ "docker*", "virtual" },
	{ "podman*", "virtual" },
	{ "cni*", "virtual" },
	{ "cali*", "virtual" },
	{ "flannel*", "virtual" },
	{ "cilium*", "virtual" },
	{ "kube-*", "virtual" },
	{ "tun[0-9]*", "virtual" },
	{ "tap*", "virtual" },
	{ "qbr*", "virtual" },
	{ "qv[bo]*", "virtual" },
	{ "fw[bpl][rn]*", "virtual" },
	{ "ovs-*", "virtual" },
	{ "dummy*", "virtual" },
	{ "ifb[0-9]*", "virtual" },
	{ "wg[0-9]*", "virtual" },
	{ "vxlan*", "virtual" },
	{ "geneve*", "virtual" },
	{ "gre*", "virtual" },
	{ "erspan*", "virtual" },
	{ "sit[0-9]*", "virtual" },
	{ "tunl[0-9]*", "virtual" },
	{ "ip6tnl*", "virtual" },
	{ "macv*", "virtual" },
	{ "ipvl*", "virtual" },
	{ "tailscale*", "virtual" },
	/* Behind flannel.1 and vxlan.calico, before bond0.7. */
	{ "*.*", "vlan" },
	{ "vlan[0-9]*", "vlan" },
	{ "bond*", "bond" },
	{ "team[0-9]*", "bond" },
};

static const char *look_up(const struct pattern *list, size_t n,
			   const char *name, const char *otherwise)
{
	for (size_t i = 0; i < n; i++)
		if (fnmatch(list[i].name, name, 0) == 0)
			return list[i].layer;
	return otherwise;
}

/* Where the digits at the end begin. */
static size_t before_digits(const char *name)
{
	size_t n = strlen(name);

	while (n > 0 && isdigit((unsigned char)name[n - 1]))
		n--;
	return n;
}

/* Whether the first n characters end so; *rest is what comes before. */
static bool ends(const char *name, size_t n, const char *tail, size_t *rest)
{
	size_t length = strlen(tail);

	if (n <= length || strncmp(name + n - length, tail, length) != 0)
		return false;
	*rest = n - length;
	return true;
}

/*
 * sda1 is of sda, nvme0n1p2 of nvme0n1, mmcblk0p1 and mmcblk0boot0 of mmcblk0,
 * mpatha-part1 of mpatha; a disk whose own name ends with a digit has a p
 * between. 0: no partition.
 */
static size_t partition_of(const char *name)
{
	static const char *const lettered[] = { "sd", "vd", "xvd", "hd",
						"dasd" };
	size_t n = before_digits(name), rest;

	if (!name[n])
		return 0;
	if (ends(name, n, "p", &rest) && isdigit((unsigned char)name[rest - 1]))
		return rest;
	if (ends(name, n, "-part", &rest) ||
	    (strncmp(name, "mmcblk", strlen("mmcblk")) == 0 &&
	     ends(name, n, "boot", &rest)))
		return rest;
	for (size_t i = 0; i < lp_array_size(lettered); i++) {
		size_t head = strlen(lettered[i]);

		if (strncmp(name, lettered[i], head) == 0 && n > head)
			return n;
	}
	return 0;
}

static const char *guess_disk(const char *name, size_t *parent_length)
{
	unsigned subsystem, controller, space;

	if (sscanf(name, "nvme%uc%un%u", &subsystem, &controller, &space) == 3)
		return "path";
	*parent_length = partition_of(name);
	if (*parent_length > 0)
		return "partition";
	return look_up(disks, lp_array_size(disks), name, "disk");
}

const char *lp_layer_guess(const struct lp_class *class, const char *name,
			   size_t *parent_length)
{
	*parent_length = 0;
	if (!class)
		return "";
	if (class->layer)
		return class->layer;
	if (class->kin == LP_KIN_DISKS)
		return guess_disk(name, parent_length);
	assert(class->kin == LP_KIN_LINKS);
	return look_up(interfaces, lp_array_size(interfaces), name, "port");
}
