/* SPDX-License-Identifier: Apache-2.0 */
#include "site/nodes.h"

#include "base/crc32c.h"
#include "base/memory.h"
#include "driver/driver.h"
#include "site/machine.h"
#include "site/namespace.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A socket's path has 107 bytes: LAB/s16/control. */
#define DIR_MOST 90

static const struct {
	const char *letter;
	unsigned first; /* the last byte of the first one's address */
} roles[] = {
	[LAB_SERVER] = { "s", 11 },
	[LAB_CLIENT] = { "c", 101 },
	[LAB_THIRD] = { "x", 201 },
};

int lab_node_path(const struct lab *lab, const struct lab_node *node,
		  const char *name, char path[PATH_MAX], struct lp_error *err)
{
	return lab_path(path, err, "%s/%s/%s", lab->dir, node->name, name);
}

/* "limpid", or "limpid-3fa2" for a lab elsewhere than usual. */
static void prefix(const char *dir, char text[16])
{
	uint32_t sum = lp_crc32c(0, dir, strlen(dir));

	if (strcmp(dir, LAB_DIR) == 0)
		snprintf(text, 16, "limpid");
	else
		snprintf(text, 16, "limpid-%04x", (unsigned)(sum & 0xffff));
}

static void name_node(struct lab *lab, struct lab_node *node,
		      enum lab_role role, unsigned i)
{
	char first[16];

	prefix(lab->dir, first);
	node->role = role;
	if (role == LAB_BRIDGE)
		snprintf(node->name, sizeof(node->name), "bridge");
	else
		snprintf(node->name, sizeof(node->name), "%s%u",
			 roles[role].letter, i + 1);
	snprintf(node->group, sizeof(node->group), "%s-%.14s", first,
		 node->name);
	if (role == LAB_BRIDGE)
		return;
	snprintf(node->port, sizeof(node->port), "%s", node->name);
	snprintf(node->address, sizeof(node->address), LAB_NET ".%u",
		 roles[role].first + i);
}

/* The first of its private directories is on the disk. */
static int place_state(const struct lab *lab, struct lab_node *node,
		       struct lp_error *err)
{
	const struct lab_driver *driver = lab_driver_find(lab->spec.driver);
	int status;

	if (!driver || !driver->keeps_state || !driver->keeps_state(node))
		return 0;
	status = lab_node_path(lab, node, "private/0", node->state, err);
	if (status == 0)
		status = lab_node_path(lab, node, "state-door/disk",
				       node->state_disk, err);
	/* A socket's path is short. */
	return status < 0 ? status
			  : lab_node_path(lab, node, "state",
					  node->state_control, err);
}

static int place_node(const struct lab *lab, struct lab_node *node,
		      struct lp_error *err)
{
	int status = lab_node_path(lab, node, LAB_NETNS_FILE, node->netns, err);

	if (status == 0)
		status = place_state(lab, node, err);
	if (status < 0)
		return status;
	if (node->role == LAB_CLIENT)
		return lab_node_path(lab, node, "mnt", node->mount, err);
	if (node->role != LAB_SERVER)
		return 0;
	status = lab_node_path(lab, node, "brick", node->brick, err);
	if (status == 0)
		status = lab_node_path(lab, node, "door/disk", node->disk, err);
	if (status == 0)
		status = lab_node_path(lab, node, "door/under", node->under,
				       err);
	if (status == 0)
		status =
			lab_node_path(lab, node, "control", node->control, err);
	return status;
}

static int make_nodes(struct lab *lab, struct lp_error *err)
{
	const unsigned long counts[] = {
		[LAB_SERVER] = lab->spec.servers,
		[LAB_CLIENT] = lab->spec.clients,
		[LAB_THIRD] = 1,
		[LAB_BRIDGE] = 1,
	};
	size_t n = lab->spec.servers + lab->spec.clients + 2;

	lab->node = calloc(n, sizeof(*lab->node));
	if (!lab->node)
		return lp_fail_memory(err);
	for (size_t role = 0; role < lp_array_size(counts); role++)
		for (unsigned i = 0; i < counts[role]; i++) {
			struct lab_node *node = &lab->node[lab->n_nodes++];
			int status;

			name_node(lab, node, (enum lab_role)role, i);
			status = place_node(lab, node, err);
			if (status < 0)
				return status;
		}
	return 0;
}

int lab_new(const char *dir, const struct lab_spec *spec, struct lab **lab,
	    struct lp_error *err)
{
	struct lab *made;
	int status;

	if (strlen(dir) > DIR_MOST || strpbrk(dir, " \n\t,"))
		return lp_fail(err, EINVAL,
			       "%s: a lab's directory has no blanks and at "
			       "most %d bytes in its name",
			       dir, DIR_MOST);
	made = calloc(1, sizeof(*made));
	if (!made)
		return lp_fail_memory(err);
	made->spec = *spec;
	memcpy(made->dir, dir, strlen(dir) + 1);
	status = make_nodes(made, err);
	if (status < 0) {
		lab_close(made);
		return status;
	}
	*lab = made;
	return 0;
}

void lab_close(struct lab *lab)
{
	if (!lab)
		return;
	lab_journal_close(lab->journal);
	free(lab->node);
	free(lab);
}

int lab_find(const struct lab *lab, const char *name,
	     const struct lab_node **node, struct lp_error *err)
{
	char names[256] = "";
	size_t used = 0;

	for (size_t i = 0; i < lab->n_nodes; i++) {
		if (strcmp(lab->node[i].name, name) == 0) {
			*node = &lab->node[i];
			return 0;
		}
		if (used < sizeof(names))
			used += (size_t)snprintf(names + used,
						 sizeof(names) - used, " %s",
						 lab->node[i].name);
	}
	return lp_fail(err, ENOENT, "the lab has no node '%s'; it has%s", name,
		       names);
}

const struct lab_node *lab_nth(const struct lab *lab, enum lab_role role,
			       size_t i)
{
	for (size_t k = 0; k < lab->n_nodes; k++)
		if (lab->node[k].role == role && i-- == 0)
			return &lab->node[k];
	return NULL;
}
