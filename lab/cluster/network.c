/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/network.h"

#include "base/memory.h"
#include "cluster/exec.h"
#include "cluster/machine.h"
#include "cluster/nodes.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define IPROUTE "iproute2"
/* What a switch keeps: 50 ms of the link's rate. */
#define QUEUE "50ms"
#define BURST "32kb"
#define LIMIT_S 20

int lab_network_check(struct lp_error *err)
{
	int r = lab_need_program("ip", IPROUTE, err);

	if (r == 0)
		r = lab_need_program("tc", IPROUTE, err);
	if (r == 0)
		r = lab_need_program("ethtool", "ethtool", err);
	if (r == 0)
		r = lab_need_program("iptables", "iptables", err);
	return r;
}

static int netns_path(const struct lab_node *node, char path[PATH_MAX],
		      struct lp_error *err)
{
	return lab_path(path, err, "/run/netns/%s", node->netns);
}

/* Run a function in a child; what it returns, 0 or -errno. */
static int in_child(int (*body)(void *context), void *context)
{
	int status;
	pid_t pid = fork();

	if (pid < 0)
		return -errno;
	if (pid == 0)
		_exit(-body(context) & 0xff);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return WIFEXITED(status) ? -WEXITSTATUS(status) : -EIO;
}

/*
 * `ip netns add` would also leave a mount of /run/netns behind, so this does
 * what it does by itself: a name for the namespace of a child.
 */
static int make_namespace(void *context)
{
	const char *path = context;
	int fd = open(path, O_RDONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0444);

	if (fd < 0)
		return -errno;
	close(fd);
	if (unshare(CLONE_NEWNET) < 0)
		return -errno;
	if (mount("/proc/self/ns/net", path, NULL, MS_BIND, NULL) < 0)
		return -errno;
	return 0;
}

int lab_network_namespace(struct lab *lab, const struct lab_node *node,
			  struct lp_error *err)
{
	char path[PATH_MAX];
	int r = netns_path(node, path, err);

	if (r < 0)
		return r;
	if (mkdir("/run/netns", 0755) < 0 && errno != EEXIST)
		return lp_fail_errno(err, errno, "cannot make /run/netns");
	if (access(path, F_OK) == 0)
		return lp_fail(err, EADDRINUSE,
			       "the network namespace %s is there already and "
			       "is not this lab's; remove it: ip netns delete "
			       "%s",
			       node->netns, node->netns);
	r = lab_journal_note(lab->journal, LAB_NETNS, node->netns, NULL, err);
	if (r < 0)
		return r;
	r = in_child(make_namespace, path);
	if (r < 0)
		return lp_fail_errno(err, -r,
				     "cannot make the network namespace %s",
				     node->netns);
	return LAB_RUN(IPROUTE, err, "ip", "-n", node->netns, "link", "set",
		       "lo", "up");
}

int lab_enter_netns(const void *path)
{
	lp_auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);

	return fd < 0 || setns(fd, CLONE_NEWNET) < 0 ? -errno : 0;
}

struct setting {
	const char *netns, *file, *value;
};

static int write_setting(void *context)
{
	const struct setting *setting = context;
	int r = lab_enter_netns(setting->netns);

	return r < 0 ? r : lab_write_line(setting->file, setting->value);
}

/* A file of /proc/sys/net as the namespace has it. */
static int set_in_netns(const char *netns, const char *file, const char *value)
{
	struct setting setting = { netns, file, value };

	return in_child(write_setting, &setting);
}

int lab_network_bridge(struct lab *lab, struct lp_error *err)
{
	const struct lab_node *bridge = lab_nth(lab, LAB_BRIDGE, 0);
	char path[PATH_MAX];
	int r = netns_path(bridge, path, err);

	if (r == 0)
		r = LAB_RUN(IPROUTE, err, "ip", "-n", bridge->netns, "link",
			    "add", "br0", "type", "bridge", "forward_delay",
			    "0");
	if (r == 0)
		r = LAB_RUN(IPROUTE, err, "ip", "-n", bridge->netns, "link",
			    "set", "br0", "up");
	/*
	 * So that iptables sees what the bridge forwards, where packets are
	 * dropped. A kernel without it cannot lose packets, that is all.
	 */
	if (r == 0)
		set_in_netns(path,
			     "/proc/sys/net/bridge/"
			     "bridge-nf-call-iptables",
			     "1");
	return r;
}

/* Both ends of the link, each limits what leaves through it. */
static int limit_rate(const char *netns, const char *device, const char *word,
		      uint64_t bits, struct lp_error *err)
{
	char rate[32];

	snprintf(rate, sizeof(rate), "%llubit", (unsigned long long)bits);
	return LAB_RUN(IPROUTE, err, "tc", "-n", netns, "qdisc", word, "dev",
		       device, "root", "tbf", "rate", rate, "burst", BURST,
		       "latency", QUEUE);
}

int lab_network_rate(const char *netns, const char *device, uint64_t bits,
		     struct lp_error *err)
{
	return limit_rate(netns, device, "change", bits, err);
}

/* One packet is one packet: what is counted and dropped is what was sent. */
static int disable_offloads(const char *netns_file, const char *device,
			    struct lp_error *err)
{
	const char *const argv[] = { "ethtool", "-K",  device, "tso", "off",
				     "gso",     "off", "gro",  "off", NULL };
	struct lab_exec exec = {
		.argv = argv,
		.package = "ethtool",
		.limit_s = LIMIT_S,
		.enter = lab_enter_netns,
		.context = netns_file,
	};

	return lab_exec_run(&exec, err);
}

/*
 * Under bbr, which many machines have as default, loss leaves the congestion
 * window alone. A kernel refuses some algorithms in a namespace that it takes
 * as attribute of a route.
 */
static int set_congestion(const char *netns_file, const struct lab_node *node,
			  const char *algorithm, struct lp_error *err)
{
	struct lp_error why;

	if (set_in_netns(netns_file,
			 "/proc/sys/net/ipv4/tcp_congestion_control",
			 algorithm) == 0)
		return 0;
	if (LAB_RUN(IPROUTE, &why, "ip", "-n", node->netns, "route", "change",
		    LAB_SUBNET, "dev", "eth0", "src", node->address, "congctl",
		    algorithm) == 0)
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
	int r;

	snprintf(address, sizeof(address), "%s/24", node->address);
	r = LAB_RUN(IPROUTE, err, "ip", "-n", node->netns, "link", "add",
		    "eth0", "type", "veth", "peer", "name", node->port, "netns",
		    bridge->netns);
	if (r == 0)
		r = LAB_RUN(IPROUTE, err, "ip", "-n", bridge->netns, "link",
			    "set", node->port, "master", "br0", "up");
	if (r == 0)
		r = LAB_RUN(IPROUTE, err, "ip", "-n", node->netns, "addr",
			    "add", address, "dev", "eth0");
	if (r == 0)
		r = LAB_RUN(IPROUTE, err, "ip", "-n", node->netns, "link",
			    "set", "eth0", "up");
	return r;
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
	char own[PATH_MAX], switched[PATH_MAX];
	int r = netns_path(node, own, err);

	if (r == 0)
		r = netns_path(bridge, switched, err);
	if (r == 0)
		r = connect_link(bridge, node, err);
	if (r == 0)
		r = limit_rate(node->netns, "eth0", "add", bits, err);
	if (r == 0)
		r = limit_rate(bridge->netns, node->port, "add", bits, err);
	if (r == 0)
		r = disable_offloads(own, "eth0", err);
	if (r == 0)
		r = disable_offloads(switched, node->port, err);
	if (r == 0)
		r = set_congestion(own, node, lab->spec.congestion, err);
	return r;
}
