/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The host's own labels: kernel, arch, boot_id, product, addresses.
 */
#include "source/probe.h"
#include "source/sysfs.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

/* Enough for a host with some hundred addresses. */
#define ADDRESSES_TEXT 8192
#define PROC_BYTES (256 * 1024)

static void host_label(struct lp_probe *probe, const char *key,
		       const char *value)
{
	if (lp_inventory_label(probe->inventory, &probe->inventory->labels, key,
			       value) < 0)
		probe->failed = true;
}

static void host_file(struct lp_probe *probe, const char *key, const char *file)
{
	char text[LP_PROBE_TEXT];

	if (lp_sysfs_line(text, sizeof(text), "%s/%s", probe->root, file))
		host_label(probe, key, text);
}

/* Addresses that every host has tell nothing of this one. */
static bool is_own(int family, const void *address)
{
	if (family == AF_INET) {
		uint32_t v4;

		memcpy(&v4, address, sizeof(v4));
		v4 = ntohl(v4);
		return v4 >> 24 != 127 && v4 >> 16 != 0xa9fe && v4 != 0;
	}
	return !IN6_IS_ADDR_LOOPBACK((const struct in6_addr *)address) &&
	       !IN6_IS_ADDR_LINKLOCAL((const struct in6_addr *)address);
}

struct addresses {
	char *text[256];
	size_t count;
};

static void add_address(struct addresses *set, int family, const void *address)
{
	char text[INET6_ADDRSTRLEN];

	if (!is_own(family, address) || set->count == lp_array_size(set->text))
		return;
	if (!inet_ntop(family, address, text, sizeof(text)))
		return;
	for (size_t i = 0; i < set->count; i++)
		if (strcmp(set->text[i], text) == 0)
			return;
	set->text[set->count] = strdup(text);
	if (set->text[set->count])
		set->count++;
}

static void live_addresses(struct addresses *set)
{
	struct ifaddrs *all, *a;

	if (getifaddrs(&all) < 0)
		return;
	for (a = all; a; a = a->ifa_next) {
		if (!a->ifa_addr)
			continue;
		if (a->ifa_addr->sa_family == AF_INET)
			add_address(
				set, AF_INET,
				&((struct sockaddr_in *)a->ifa_addr)->sin_addr);
		else if (a->ifa_addr->sa_family == AF_INET6)
			add_address(set, AF_INET6,
				    &((struct sockaddr_in6 *)a->ifa_addr)
					     ->sin6_addr);
	}
	freeifaddrs(all);
}

/*
 * proc/net/fib_trie:
 *
 *            |-- 10.0.0.5
 *               /32 host LOCAL
 */
static void scan_fib_trie(struct addresses *set, char *bytes)
{
	char *save, address[INET_ADDRSTRLEN] = "";
	struct in_addr v4;

	for (char *line = strtok_r(bytes, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		const char *leaf = strstr(line, "|-- ");

		if (leaf)
			snprintf(address, sizeof(address), "%s", leaf + 4);
		else if (strstr(line, "/32 host LOCAL") &&
			 inet_pton(AF_INET, address, &v4) == 1)
			add_address(set, AF_INET, &v4);
	}
}

/*
 * proc/net/if_inet6: address, index, prefix length, scope, flags, interface
 *
 * fd00000000000000000000000000000b 02 40 00 80     eth0
 */
static void scan_if_inet6(struct addresses *set, char *bytes)
{
	char *save;

	for (char *line = strtok_r(bytes, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		struct in6_addr v6;
		size_t i = 0;

		for (; strlen(line) > 32 && i < 16; i++)
			if (sscanf(line + 2 * i, "%2hhx", &v6.s6_addr[i]) != 1)
				break;
		if (i == 16)
			add_address(set, AF_INET6, &v6);
	}
}

static void tree_addresses(struct lp_probe *probe, struct addresses *set)
{
	lp_auto_free char *bytes = malloc(PROC_BYTES + 1);
	ptrdiff_t n;

	if (!bytes) {
		probe->failed = true;
		return;
	}
	n = lp_sysfs_bytes(bytes, PROC_BYTES, "%s/proc/net/fib_trie",
			   probe->root);
	bytes[n > 0 ? n : 0] = '\0';
	scan_fib_trie(set, bytes);
	n = lp_sysfs_bytes(bytes, PROC_BYTES, "%s/proc/net/if_inet6",
			   probe->root);
	bytes[n > 0 ? n : 0] = '\0';
	scan_if_inet6(set, bytes);
}

static void label_addresses(struct lp_probe *probe)
{
	struct addresses set = { .count = 0 };
	char text[ADDRESSES_TEXT] = "";

	if (*probe->root)
		tree_addresses(probe, &set);
	else
		live_addresses(&set);
	if (set.count > 1)
		qsort(set.text, set.count, sizeof(*set.text), lp_sysfs_compare);
	for (size_t i = 0; i < set.count; i++) {
		lp_sysfs_word(text, sizeof(text), set.text[i]);
		free(set.text[i]);
	}
	host_label(probe, "addresses", text);
}

void lp_probe_host(struct lp_probe *probe)
{
	struct utsname self;

	host_file(probe, "kernel", "proc/sys/kernel/osrelease");
	host_file(probe, "arch", "proc/sys/kernel/arch");
	if (!*probe->root && uname(&self) == 0)
		host_label(probe, "arch", self.machine);
	host_file(probe, "boot_id", "proc/sys/kernel/random/boot_id");
	host_file(probe, "product", "sys/class/dmi/id/product_name");
	label_addresses(probe);
}
