/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Groups of TCP sockets, one row a server: what the servers send to their
 * clients, and what the clients send to each server.
 *
 * A component is "PORT>PEER" (accepted on a port) or "->PEER" (opened by the
 * host); with a port behind each address if every socket was recorded alone
 * (table/socket_name.h), and then nobody says who opened it.
 */
#include "cluster/planner.h"

#include "base/number.h"
#include "table/socket_name.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Logins are not the file system's. */
#define SSH_PORT 22

struct addresses {
	struct lp_names names;
	uint32_t *host; /* by number */
	size_t capacity;
	bool any_client;
	size_t *first; /* [hosts]: the first item of each */
};

static int add_address(struct addresses *a, const char *text, size_t n,
		       uint32_t host)
{
	uint32_t number = lp_names_add_n(&a->names, text, n);

	if (number == LP_NAME_NONE ||
	    lp_grow(&a->host, &a->capacity, (size_t)number + 1,
		    sizeof(*a->host)) < 0)
		return -ENOMEM;
	if (number + 1 == a->names.count)
		a->host[number] = host;
	return 0;
}

static int read_inventory(struct addresses *a, const char *at, uint32_t host)
{
	for (; at && *at; at += strspn(at, " ")) {
		size_t n = strcspn(at, " ");

		if (n > 0 && strncmp(at, "127.", 4) != 0 &&
		    add_address(a, at, n, host) < 0)
			return -ENOMEM;
		at += n;
	}
	return 0;
}

static bool is_tcp(const struct lp_planner *p, size_t i)
{
	return lp_kin_of(&p->roster->items[i]) == LP_KIN_SOCKETS &&
	       p->roster->items[i].n_samples > 0 &&
	       p->grouping.left_out[i] != LP_LEFT_LOOPBACK;
}

/* What other tools record has no inventory: the sockets' own ends tell. */
static int read_ends(const struct lp_planner *p, struct addresses *a)
{
	struct lp_socket_name link;

	for (size_t i = 0; i < p->roster->n_items; i++) {
		const char *own = link.local.address;
		uint32_t host = p->roster->items[i].host;

		if (!is_tcp(p, i) ||
		    !lp_socket_name_parse(p->roster->items[i].name, &link) ||
		    !*own || lp_address_is_loopback(own))
			continue;
		if (add_address(a, own, strlen(own), host) < 0)
			return -ENOMEM;
	}
	return 0;
}

/* An address that two hosts have (a floating one) stays with the first. */
static int read_addresses(const struct lp_planner *p, struct addresses *a)
{
	int status = 0;

	for (uint32_t h = 0; h < p->roster->n_hosts && status == 0; h++)
		status = read_inventory(
			a,
			lp_labels_get(&p->roster->hosts[h].labels, "addresses"),
			h);
	if (status == 0)
		status = read_ends(p, a);
	for (uint32_t i = 0; i < a->names.count; i++)
		a->any_client |=
			lp_planner_role(p, a->host[i]) == LP_ROLE_CLIENT;
	return status;
}

/* The host with this address, or UINT32_MAX. */
static uint32_t host_at(const struct addresses *a, const char *peer)
{
	uint32_t number = lp_names_find(&a->names, peer);

	return number < a->capacity ? a->host[number] : UINT32_MAX;
}

static bool is_client_peer(const struct lp_planner *p,
			   const struct addresses *a, const char *peer)
{
	uint32_t host = host_at(a, peer);

	if (host == UINT32_MAX)
		return !a->any_client;
	return lp_planner_role(p, host) == LP_ROLE_CLIENT;
}

/* ---- which ports ---- */

#define PORTS 65536

/* A port of one server's own moves at least this share of its busiest. */
#define OWN_SHARE 0.05

struct ports {
	size_t hosts[PORTS]; /* that have sockets with clients there */
	uint32_t last[PORTS];
	size_t enough;       /* as many must have a port of the file system */
	bool shared;         /* there is such a port */
	double moved[PORTS]; /* with clients, by the server in question */
	double most;
};

static bool is_file_port(long port)
{
	return port >= 0 && port < PORTS && port != SSH_PORT;
}

/* Whether a client opened it, to this port, and not to log in. */
static bool is_of_client(const struct lp_planner *p, const struct addresses *a,
			 size_t i, long *port)
{
	struct lp_socket_name link;

	if (!is_tcp(p, i) ||
	    !lp_socket_name_parse(p->roster->items[i].name, &link) ||
	    !is_file_port(link.local.port) ||
	    !is_client_peer(p, a, link.peer.address))
		return false;
	*port = link.local.port;
	return true;
}

static void count_ports(const struct lp_planner *p, const struct addresses *a,
			enum lp_role role, struct ports *ports)
{
	long port;

	for (size_t i = 0; i < p->roster->n_items; i++) {
		const struct lp_roster_item *item = &p->roster->items[i];

		if (!lp_planner_is(p, item->host, role) ||
		    !is_of_client(p, a, i, &port))
			continue;
		ports->hosts[port] += ports->hosts[port] == 0 ||
				      ports->last[port] != item->host;
		ports->last[port] = item->host;
	}
}

static size_t count_role(const struct lp_planner *p, enum lp_role role)
{
	size_t n = 0;

	for (uint32_t h = 0; h < p->roster->n_hosts; h++)
		n += lp_planner_is(p, h, role);
	return n;
}

/* A port of the file system is one that at least half of the servers have. */
static void find_shared(const struct lp_planner *p, enum lp_role role,
			struct ports *ports)
{
	ports->enough = (count_role(p, role) + 1) / 2;
	for (size_t i = 0; i < PORTS; i++)
		ports->shared |=
			ports->hosts[i] > 0 && ports->hosts[i] >= ports->enough;
}

/* The items of a host stand together, from a->first of it on. */
static bool is_of(const struct lp_planner *p, size_t i, uint32_t host)
{
	return i < p->roster->n_items && p->roster->items[i].host == host;
}

static void add_moved(const struct lp_planner *p, const struct addresses *a,
		      uint32_t host, struct ports *ports)
{
	long port;

	memset(ports->moved, 0, sizeof(ports->moved));
	ports->most = 0;
	for (size_t i = a->first[host]; is_of(p, i, host); i++) {
		const struct lp_roster_item *item = &p->roster->items[i];

		if (!is_of_client(p, a, i, &port))
			continue;
		ports->moved[port] += item->bytes;
		if (ports->moved[port] > ports->most)
			ports->most = ports->moved[port];
	}
}

/*
 * Where servers share none (the bricks of GlusterFS choose theirs at random),
 * it is what carries the data of this one.
 */
static bool wants_port(const struct lp_planner *p, const struct ports *ports,
		       long port)
{
	if (p->cluster && lp_cluster_has_ports(p->cluster))
		return lp_cluster_port(p->cluster, port);
	if (ports->shared)
		return ports->hosts[port] >= ports->enough;
	return ports->moved[port] >= OWN_SHARE * ports->most;
}

/* ---- the groups ---- */

/* A server's row: "oss1>clients" or "clients>oss1". */
struct row {
	uint32_t host;
	const char *before, *after;
};

/* Make the connections of the item part of the row, which begins with it. */
static int join_row(struct lp_planner *p, struct lp_draft *draft,
		    struct lp_draft_peer **peer, const struct row *row,
		    size_t item)
{
	if (!*peer)
		*peer = lp_draft_peer(
			draft,
			lp_planner_text(p, "%s%s%s", row->before,
					p->roster->hosts[row->host].name,
					row->after),
			row->host);
	if (!*peer || !(*peer)->label || lp_draft_part(*peer, item) < 0)
		return -ENOMEM;
	p->choices[item].counts = true;
	return 0;
}

static int add_to_clients(struct lp_planner *p, const struct addresses *a,
			  struct ports *ports, uint32_t host,
			  struct lp_draft *draft)
{
	const struct row row = { host, "", ">clients" };
	struct lp_draft_peer *peer = NULL;
	long port;

	add_moved(p, a, host, ports);
	for (size_t i = a->first[host]; is_of(p, i, host); i++) {
		if (!is_of_client(p, a, i, &port) ||
		    !wants_port(p, ports, port))
			continue;
		if (join_row(p, draft, &peer, &row, i) < 0)
			return -ENOMEM;
	}
	return 0;
}

/* A client's socket with the server; who opened it may not be known. */
static bool leads_to(const struct lp_planner *p, const struct addresses *a,
		     const struct ports *ports, size_t i, uint32_t server)
{
	struct lp_socket_name link;

	if (!is_tcp(p, i) ||
	    !lp_socket_name_parse(p->roster->items[i].name, &link) ||
	    host_at(a, link.peer.address) != server)
		return false;
	if (link.peer.port < 0)
		return link.local.port < 0;
	return is_file_port(link.peer.port) &&
	       wants_port(p, ports, link.peer.port);
}

static int add_to_servers(struct lp_planner *p, const struct addresses *a,
			  struct ports *ports, uint32_t host,
			  struct lp_draft *draft)
{
	const struct row row = { host, "clients>", "" };
	struct lp_draft_peer *peer = NULL;

	add_moved(p, a, host, ports);
	for (size_t i = 0; i < p->roster->n_items; i++) {
		uint32_t from = p->roster->items[i].host;

		if (lp_planner_role(p, from) != LP_ROLE_CLIENT ||
		    !leads_to(p, a, ports, i, host))
			continue;
		if (join_row(p, draft, &peer, &row, i) < 0)
			return -ENOMEM;
	}
	return 0;
}

typedef int add_fn(struct lp_planner *p, const struct addresses *a,
		   struct ports *ports, uint32_t host, struct lp_draft *draft);

static int plan_direction(struct lp_planner *p, const struct addresses *a,
			  struct ports *ports, enum lp_role role,
			  enum lp_sockets sockets)
{
	struct lp_draft draft = { .class = lp_class_of_kin(LP_KIN_SOCKETS),
				  .role = role,
				  .sockets = sockets };
	add_fn *add = sockets == LP_SOCKETS_TO_CLIENTS ? add_to_clients
						       : add_to_servers;
	int status = 0;

	draft.noun = sockets == LP_SOCKETS_TO_CLIENTS ? "sockets to clients"
						      : "sockets of clients";
	for (uint32_t h = 0; h < p->roster->n_hosts && status == 0; h++)
		if (lp_planner_is(p, h, role))
			status = add(p, a, ports, h, &draft);
	if (status == 0)
		status = lp_planner_close(p, &draft, NULL);
	lp_draft_done(&draft);
	return status;
}

static int plan_role(struct lp_planner *p, const struct addresses *a,
		     enum lp_role role)
{
	lp_auto_free struct ports *ports = calloc(1, sizeof(*ports));
	int status;

	if (!ports)
		return -ENOMEM;
	count_ports(p, a, role, ports);
	find_shared(p, role, ports);
	status = plan_direction(p, a, ports, role, LP_SOCKETS_TO_CLIENTS);
	if (status == 0)
		status = plan_direction(p, a, ports, role,
					LP_SOCKETS_TO_SERVERS);
	return status;
}

/* Sockets are many: they are left out in one sentence. */
static int note_left_out(struct lp_planner *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->roster->n_items; i++)
		if (lp_kin_of(&p->roster->items[i]) == LP_KIN_SOCKETS) {
			n += !p->choices[i].counts;
			p->choices[i].reason = NULL;
		}
	return n == 0 ? 0
		      : lp_planner_note(p,
					"%zu TCP %s left out: not between a "
					"server and its clients, or on a port "
					"that few servers use",
					n, lp_plural(n, "peer", "peers"));
}

static bool any_socket(const struct lp_planner *p)
{
	for (size_t i = 0; i < p->roster->n_items; i++)
		if (is_tcp(p, i))
			return true;
	return false;
}

static int find_first(const struct lp_planner *p, struct addresses *a)
{
	a->first = calloc(p->roster->n_hosts + 1, sizeof(*a->first));
	for (size_t i = p->roster->n_items; a->first && i-- > 0;)
		a->first[p->roster->items[i].host] = i;
	return a->first ? 0 : -ENOMEM;
}

int lp_plan_sockets(struct lp_planner *p)
{
	struct addresses a = { 0 };
	int status;

	if (!any_socket(p))
		return note_left_out(p);
	status = find_first(p, &a);
	if (status == 0)
		status = read_addresses(p, &a);

	if (status == 0)
		status = plan_role(p, &a, LP_ROLE_SERVER);
	if (status == 0)
		status = plan_role(p, &a, LP_ROLE_METADATA);
	if (status == 0)
		status = note_left_out(p);
	lp_names_done(&a.names);
	free(a.host);
	free(a.first);
	return status;
}
