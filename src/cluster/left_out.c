/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is compared with nothing: each I/O passes several devices, and counts
 * once.
 */
#include "cluster/groups.h"
#include "table/socket_name.h"

#include <string.h>

/* As where disks of the hosts themselves are told from others: what moved less
   than a twentieth beside another device does not carry its load. */
#define CARRIED_SHARE 0.05

static bool is_there(const struct lp_roster *c,
		     const struct lp_roster_item *item, const char *name,
		     size_t n)
{
	const struct lp_roster_item *other =
		lp_roster_find(c, item->host, item->class_name, name, n);

	return other && other->n_samples > 0;
}

/* Whether one of the devices that it stands on has samples too. */
static bool parent_is_there(const struct lp_roster *c,
			    const struct lp_roster_item *item)
{
	const char *at = lp_labels_text(&item->labels, "parents");

	while (*at) {
		size_t n = strcspn(at, " ");

		if (is_there(c, item, at, n))
			return true;
		at += n;
		at += strspn(at, " ");
	}
	return false;
}

/*
 * A path is compared as its disk when any device names it as a parent. Items
 * are sorted: those of a host stand together.
 */
static bool has_map(const struct lp_roster *c,
		    const struct lp_roster_item *path)
{
	const struct lp_roster_item *item = path, *end = c->items + c->n_items;

	while (item > c->items && item[-1].host == path->host)
		item--;
	for (; item < end && item->host == path->host; item++)
		if (item->n_samples > 0 && lp_kin_of(item) == LP_KIN_DISKS &&
		    lp_label_lists(lp_labels_text(&item->labels, "parents"),
				   path->name))
			return true;
	return false;
}

static bool is_layer(const struct lp_roster_item *item, const char *layer)
{
	return strcmp(item->layer, layer) == 0;
}

/*
 * What an inventory of another collector does not tell: whether this device
 * stands on devices of its host that are recorded. It does if these moved
 * anything to speak of beside it; a device that stands on them cannot move much
 * more than they do. Without any amounts, that they moved must do.
 */
typedef bool carries_fn(const struct lp_roster_item *item,
			const struct lp_roster_item *above);

static bool is_carried(const struct lp_roster *c,
		       const struct lp_roster_item *above, carries_fn *carries)
{
	const struct lp_roster_item *item = above, *end = c->items + c->n_items;
	bool moved = false, known = above->has_bytes;
	double bytes = 0;

	while (item > c->items && item[-1].host == above->host)
		item--;
	for (; item < end && item->host == above->host; item++) {
		if (item->class != above->class || !item->moved ||
		    !carries(item, above))
			continue;
		moved = true;
		known = known && item->has_bytes;
		bytes += item->bytes;
	}
	return moved && (!known || bytes >= CARRIED_SHARE * above->bytes);
}

bool lp_left_out_is_loop(const struct lp_roster_item *item)
{
	return lp_kin_of(item) == LP_KIN_DISKS &&
	       strncmp(item->name, "loop", strlen("loop")) == 0;
}

/* Volumes stand on disks or arrays, arrays on disks, loops on no loops. */
static bool disk_carries(const struct lp_roster_item *item,
			 const struct lp_roster_item *above)
{
	if (lp_left_out_is_loop(item) && lp_left_out_is_loop(above))
		return false;
	return is_layer(item, "disk") || is_layer(item, "path") ||
	       (is_layer(item, "array") && is_layer(above, "logical"));
}

static bool port_carries(const struct lp_roster_item *item,
			 const struct lp_roster_item *above)
{
	(void)above;
	return is_layer(item, "port") || is_layer(item, "bond");
}

static bool is_partition(const struct lp_roster *c,
			 const struct lp_roster_item *item)
{
	size_t parent = 0;

	lp_layer_guess(item->class, item->name, &parent);
	return parent_is_there(c, item) ||
	       (parent > 0 &&
		(item->layer_guessed || is_there(c, item, item->name, parent)));
}

static enum lp_left_out disk_left_out(const struct lp_roster *c,
				      const struct lp_roster_item *item)
{
	if (is_layer(item, "optical") || is_layer(item, "memory"))
		return LP_LEFT_NO_DISK;
	if (is_layer(item, "partition") && is_partition(c, item))
		return LP_LEFT_PARTITION;
	if (is_layer(item, "path") && has_map(c, item))
		return LP_LEFT_PATH;
	/* A recording with an inventory may well be of servers on loops. */
	if (!is_layer(item, "array") && !is_layer(item, "logical") &&
	    !(item->layer_guessed && lp_left_out_is_loop(item)))
		return LP_LEFT_NOT;
	if (parent_is_there(c, item))
		return LP_LEFT_MADE_OF;
	return !*lp_labels_text(&item->labels, "parents") &&
			       is_carried(c, item, disk_carries)
		       ? LP_LEFT_STACKED
		       : LP_LEFT_NOT;
}

static enum lp_left_out net_left_out(const struct lp_roster *c,
				     const struct lp_roster_item *item)
{
	const char *bond = lp_labels_text(&item->labels, "bond");
	bool above = is_layer(item, "vlan") || is_layer(item, "bridge");

	if (strcmp(item->name, "lo") == 0)
		return LP_LEFT_LOOPBACK;
	if (*bond && is_there(c, item, bond, strlen(bond)))
		return LP_LEFT_SLAVE;
	if (above && parent_is_there(c, item))
		return LP_LEFT_ABOVE;
	if (!above && !is_layer(item, "virtual"))
		return LP_LEFT_NOT;
	return is_carried(c, item, port_carries) ? LP_LEFT_VIRTUAL
						 : LP_LEFT_NOT;
}

/* Whether `word` is one of the words of a label of the host. */
static bool is_own_address(const struct lp_roster_host *host, const char *word)
{
	const char *at = lp_labels_get(&host->labels, "addresses");
	size_t n = strlen(word);

	for (; at && *at; at += strspn(at, " ")) {
		size_t length = strcspn(at, " ");

		if (length == n && strncmp(at, word, n) == 0)
			return true;
		at += length;
	}
	return false;
}

static enum lp_left_out tcp_left_out(const struct lp_roster *c,
				     const struct lp_roster_item *item)
{
	struct lp_socket_name name;

	if (lp_socket_name_parse(item->name, &name) &&
	    (lp_socket_name_is_loop(&name) ||
	     is_own_address(&c->hosts[item->host], name.peer.address)))
		return LP_LEFT_LOOPBACK;
	return LP_LEFT_NOT;
}

enum lp_left_out lp_left_out_why(const struct lp_roster *c,
				 const struct lp_roster_item *item)
{
	enum lp_left_out reason = LP_LEFT_NOT;

	if (item->n_samples == 0)
		return LP_LEFT_NO_SAMPLES;
	if (lp_kin_of(item) == LP_KIN_DISKS)
		reason = disk_left_out(c, item);
	else if (lp_kin_of(item) == LP_KIN_LINKS)
		reason = net_left_out(c, item);
	else if (lp_kin_of(item) == LP_KIN_SOCKETS)
		reason = tcp_left_out(c, item);
	if (reason == LP_LEFT_NOT && !item->moved)
		return LP_LEFT_IDLE;
	return reason;
}

const char *lp_left_out_text(enum lp_left_out reason)
{
	static const char *const texts[LP_LEFT_REASONS] = {
		[LP_LEFT_NOT] = "compared",
		[LP_LEFT_NO_SAMPLES] = "in the inventory, but not recorded",
		[LP_LEFT_IDLE] = "idle during the whole recording",
		[LP_LEFT_PARTITION] = "partition of a disk that is recorded",
		[LP_LEFT_PATH] = "path of a multipath disk that is recorded",
		[LP_LEFT_MADE_OF] = "made of devices that are recorded",
		[LP_LEFT_STACKED] = ("probably a volume, array or loop "
				     "device on disks that are recorded"),
		[LP_LEFT_NO_DISK] = "not a disk: a CD drive, or memory",
		[LP_LEFT_SLAVE] = "port of a bond that is recorded",
		[LP_LEFT_ABOVE] = "on an interface that is recorded",
		[LP_LEFT_VIRTUAL] =
			"not a network port; ports of its host are recorded",
		[LP_LEFT_LOOPBACK] = "traffic of the host with itself",
	};

	return texts[reason];
}
