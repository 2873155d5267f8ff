/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What recordings do not say of the lab: who serves, with which disk, and on
 * which ports. GlusterFS since version 10 serves on a port by chance, another
 * on each server.
 */
#include "base/memory.h"
#include "base/outfile.h"
#include "campaign/trial.h"
#include "driver/driver.h"
#include "site/machine.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#define MOST_PORTS 64
/* States in /proc/net/tcp. */
#define ESTABLISHED 0x01
#define LISTEN 0x0a

struct ports {
	unsigned port[MOST_PORTS];
	size_t n;
};

struct socket {
	unsigned local, local_port, remote, remote_port, state;
};

static bool has(const struct ports *ports, unsigned port)
{
	for (size_t i = 0; i < ports->n; i++)
		if (ports->port[i] == port)
			return true;
	return false;
}

static void add(struct ports *ports, unsigned port)
{
	if (ports->n < MOST_PORTS && !has(ports, port))
		ports->port[ports->n++] = port;
}

static bool is_client(const struct lab *lab, unsigned address)
{
	const struct lab_node *client;
	struct in_addr own;

	for (size_t i = 0; (client = lab_nth(lab, LAB_CLIENT, i)); i++)
		if (inet_pton(AF_INET, client->address, &own) == 1 &&
		    own.s_addr == address)
			return true;
	return false;
}

/*
 *   sl  local_address rem_address   st tx_queue ...
 *    0: 0B004D0A:C6FA 65004D0A:BFF5 01 00000000:00000000 ...
 */
static bool parse(const char *line, struct socket *s)
{
	return sscanf(line, " %*d: %8X:%4X %8X:%4X %2X", &s->local,
		      &s->local_port, &s->remote, &s->remote_port,
		      &s->state) == 5;
}

/* Ports on which the server listens and clients are connected to it. */
static void find_ports(const struct lab *lab, const struct lab_node *server,
		       unsigned manager, struct ports *ports)
{
	struct ports listening = { .n = 0 }, used = { .n = 0 };
	char path[PATH_MAX], line[256];
	lp_auto_fclose FILE *file = NULL;

	if (lab_path(path, NULL, "/proc/%d/net/tcp", (int)server->holder) == 0)
		file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file)) {
		struct socket s;

		if (!parse(line, &s))
			continue;
		if (s.state == LISTEN)
			add(&listening, s.local_port);
		else if (s.state == ESTABLISHED && is_client(lab, s.remote))
			add(&used, s.local_port);
	}
	for (size_t i = 0; i < used.n; i++)
		if (has(&listening, used.port[i]) && used.port[i] != manager)
			add(ports, used.port[i]);
}

static void put_hosts(FILE *out, const struct lab *lab)
{
	const char *comma = "";

	fputs("hosts = (", out);
	for (size_t i = 0; i < lab->n_nodes; i++) {
		const struct lab_node *node = &lab->node[i];

		if (node->role != LAB_SERVER && node->role != LAB_CLIENT)
			continue;
		fprintf(out, "%s\n  { name = \"%s\"; role = \"%s\"; }", comma,
			node->name,
			node->role == LAB_SERVER ? "server" : "client");
		comma = ",";
	}
	fputs("\n);\n", out);
}

static void put_devices(FILE *out, const struct lab *lab)
{
	const struct lab_node *s;

	fputs("devices = (", out);
	for (size_t i = 0; (s = lab_nth(lab, LAB_SERVER, i)); i++)
		fprintf(out, "%s\n  { host = \"%s\"; name = \"%s\"; }",
			i ? "," : "", s->name, s->device);
	/* Of nodes: the machine itself, if it is recorded, may have one, too.
	 */
	fputs("\n);\ninterfaces = ( { host = \"[cs]*\"; name = \"eth0\"; } "
	      ");\n",
	      out);
}

static void put_ports(FILE *out, const struct lab *lab)
{
	const struct lab_driver *driver = lab_driver_find(lab->spec.driver);
	struct ports ports = { .n = 0 };
	const struct lab_node *s;

	for (size_t i = 0; (s = lab_nth(lab, LAB_SERVER, i)); i++)
		find_ports(lab, s, driver ? driver->manager_port : 0, &ports);
	if (ports.n == 0)
		return;
	fputs("ports = [", out);
	for (size_t i = 0; i < ports.n; i++)
		fprintf(out, "%s %u", i ? "," : "", ports.port[i]);
	fputs(" ];\n", out);
}

int lab_cluster_write(const struct lab *lab, const char *dir,
		      struct lp_error *err)
{
	struct lp_outfile file;
	char path[PATH_MAX];
	int status = lab_path(path, err, "%s/cluster.conf", dir);

	if (status == 0)
		status = lp_outfile_open(&file, path, err);
	if (status < 0)
		return status;
	put_hosts(file.out, lab);
	put_devices(file.out, lab);
	put_ports(file.out, lab);
	return lp_outfile_commit(&file, err);
}
