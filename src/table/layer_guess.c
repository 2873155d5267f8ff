/* SPDX-License-Identifier: Apache-2.0 */
#include "table/roster.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static bool begins(const char *text, const char *head)
{
	return strncmp(text, head, strlen(head)) == 0;
}

/* Where the digits at the end begin. */
static size_t before_digits(const char *name)
{
	size_t n = strlen(name);

	while (n > 0 && isdigit((unsigned char)name[n - 1]))
		n--;
	return n;
}

/*
 * sda1 is of sda, nvme0n1p2 of nvme0n1, mmcblk0p1 of mmcblk0; a disk whose own
 * name ends with a digit has a p between. 0: no partition.
 */
static size_t partition_of(const char *name)
{
	static const char *const lettered[] = { "sd", "vd", "xvd", "hd" };
	size_t n = before_digits(name);

	if (!name[n])
		return 0;
	if (n > 1 && name[n - 1] == 'p' && isdigit((unsigned char)name[n - 2]))
		return n - 1;
	for (size_t i = 0; i < lp_array_size(lettered); i++)
		if (begins(name, lettered[i]) && n > strlen(lettered[i]))
			return n;
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
	if (begins(name, "md"))
		return "array";
	return begins(name, "dm-") ? "logical" : "disk";
}

static const char *guess_net(const char *name)
{
	static const char *const virtual[] = { "lo",  "veth", "docker", "virbr",
					       "tun", "tap",  "dummy",  "ifb" };

	if (begins(name, "bond"))
		return "bond";
	if (begins(name, "br"))
		return "bridge";
	if (strchr(name, '.'))
		return "vlan";
	for (size_t i = 0; i < lp_array_size(virtual); i++)
		if (begins(name, virtual[i]))
			return "virtual";
	return "port";
}

const char *lp_layer_guess(const char *class_name, const char *name,
			   size_t *parent_length)
{
	*parent_length = 0;
	if (strcmp(class_name, "disk") == 0)
		return guess_disk(name, parent_length);
	if (strcmp(class_name, "net") == 0)
		return guess_net(name);
	if (strcmp(class_name, "ib") == 0)
		return "port";
	if (strcmp(class_name, "tcp") == 0)
		return "peer";
	return strcmp(class_name, "host") == 0 ? "host" : "";
}
