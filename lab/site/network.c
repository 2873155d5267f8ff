/* SPDX-License-Identifier: Apache-2.0 */
#include "site/network.h"

#include "site/exec.h"
#include "site/namespace.h"
#include "site/nodes.h"

#include <errno.h>
#include <stdio.h>

#define IPROUTE "iproute2"
/* What a switch keeps: 50 ms of the link's rate. */
#define QUEUE "50ms"
#define BURST "32kb"

int lab_network_check(struct lp_error *err)
{
	int status = lab_need_program("ip", IPROUTE, err);

	if (status == 0)
		status = lab_need_program("tc", IPROUTE, err);
	if (status == 0)
		status = lab_need_program("ethtool", "ethtool", err);
	if (status == 0)
		status = lab_need_program("iptables", "iptables", err);
	return status;
}

int lab_network_namespace(struct lab *lab, const struct lab_node *node,
			  struct lp_error *err)
{
	int status = lab_journal_note(lab->journal, LAB_NETNS, node->netns,
				      NULL, err);

	if (status == 0)
		status = lab_namespace_make(node->netns, err);
	if (status < 0)
		return status;
	return LAB_RUN_IN(node->netns, IPROUTE, err, "ip", "link", "set", "lo",
			  "up");
}

int lab_network_bridge(struct lab *lab, struct lp_error *err)
{
	const struct lab_node *bridge = lab_nth(lab, LAB_BRIDGE, 0);
	int status =
		LAB_RUN_IN(bridge->netns, IPROUTE, err, "ip", "link", "add",
			   "br0", "type", "bridge", "forward_delay", "0");

	if (status == 0)
		status = LAB_RUN_IN(bridge->netns, IPROUTE, err, "ip", "link",
				    "set", "br0", "up");
	/*
	 * So that iptables sees what the bridge forwards, where packets are
	 * dropped. A kernel without it cannot lose packets, that is all.
	 */
	if (status == 0)
		lab_namespace_set(bridge->netns,
				  "/proc/sys/net/bridge/"
				  "bridge-nf-call-iptables",
				  "1");
	return status;
}

/* Both ends of the link, each limits what leaves through it. */
static int limit_rate(const char *netns, const char *device, const char *word,
		      uint64_t bits, struct lp_error *err)
{
	char rate[32];

	snprintf(rate, sizeof(rate), "%llubit", (unsigned long long)bits);
	return LAB_RUN_IN(netns, IPROUTE, err, "tc", "qdisc", word, "dev",
			  device, "root", "tbf", "rate", rate, "burst", BURST,
			  "latency", QUEUE);
}

int lab_network_rate(const char *netns, const char *device, uint64_t bits,
		     struct lp_error *err)
{
	return limit_rate(netns, device, "change", bits, err);
}

/* One packet is one packet: what is counted and dropped is what was sent. */
static int disable_offloads(const char *netns, const char *device,
			    struct lp_error *err)
{
	return LAB_RUN_IN(netns, "ethtool", err, "ethtool", "-K", device, "tso",
			  "off", "gso", "off", "gro", "off");
}

/*
 * Under bbr, which many machines have as default, loss leaves the congestion
 * window alone. A kernel refuses some algorithms in a namespace that it takes
 * as attribute of a route.
 */
static int set_congestion(const struct lab_node *node, const char *algorithm,
			  struct lp_error *err)
{
	struct lp_error why;

	if (lab_namespace_set(node->netns,
			      "/proc/sys/net/ipv4/tcp_congestion_control",
			      algorithm) == 0)
		return 0;
	if (LAB_RUN_IN(node->netns, IPROUTE, &why, "ip", "route", "change",
		       LAB_SUBNET, "dev", "eth0", "src", node->address,
		       "congctl", algorithm) == 0)
		return 0;
	return lp_fail(err, EINVAL,
		       "this kernel has no congestion control '%s' for %s: %s; "
		       "see /proc/sys/net/ipv4/"
		       "tcp_available_congestion_control",
		       algorithm, node->name, why.text);
}

static int connect_link(const struct lab_node *bridge,
			const struct lab_node *node, struct lp_error *err)
{
	char address[32];
	int status;

	snprintf(address, sizeof(address), "%s/24", node->address);
	status = LAB_RUN_IN(node->netns, IPROUTE, err, "ip", "link", "add",
			    "eth0", "type", "veth", "peer", "name", node->port,
			    "netns", bridge->netns);
	if (status == 0)
		status = LAB_RUN_IN(bridge->netns, IPROUTE, err, "ip", "link",
				    "set", node->port, "master", "br0", "up");
	if (status == 0)
		status = LAB_RUN_IN(node->netns, IPROUTE, err, "ip", "addr",
				    "add", address, "dev", "eth0");
	if (status == 0)
		status = LAB_RUN_IN(node->netns, IPROUTE, err, "ip", "link",
				    "set", "eth0", "up");
	return status;
}

/*
 * A client sends one and a half times what it writes (4+2), and there are
 * fewer clients than servers: by a link like a server's it would hold up all.
 */
uint64_t lab_network_bits(const struct lab *lab, const struct lab_node *node)
{
	return lab->spec.link_bits * (node->role == LAB_CLIENT ? 2 : 1);
}

int lab_network_link(struct lab *lab, const struct lab_node *node,
		     struct lp_error *err)
{
	const struct lab_node *bridge = lab_nth(lab, LAB_BRIDGE, 0);
	const uint64_t bits = lab_network_bits(lab, node);
	int status = connect_link(bridge, node, err);

	if (status == 0)
		status = limit_rate(node->netns, "eth0", "add", bits, err);
	if (status == 0)
		status =
			limit_rate(bridge->netns, node->port, "add", bits, err);
	if (status == 0)
		status = disable_offloads(node->netns, "eth0", err);
	if (status == 0)
		status = disable_offloads(bridge->netns, node->port, err);
	if (status == 0)
		status = set_congestion(node, lab->spec.congestion, err);
	return status;
}
