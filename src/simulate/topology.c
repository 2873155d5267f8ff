/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate/topology.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#define LUN_BYTES "4000787030016"

unsigned lp_sim_server(const struct lp_scenario *s, unsigned lun,
		       unsigned priority)
{
	return (lun + priority) % s->servers;
}

unsigned lp_sim_priority(const struct lp_scenario *s, unsigned lun,
			 unsigned server)
{
	unsigned p = (server + s->servers - lun % s->servers) % s->servers;

	return p < s->attachments ? p : s->attachments;
}

unsigned lp_sim_controller(const struct lp_scenario *s, unsigned server)
{
	return server >= (s->servers + 1) / 2;
}

static unsigned host_number(const struct lp_scenario *s, unsigned array,
			    unsigned server)
{
	return array * s->servers + server + 1;
}

const char *lp_sim_host_name(const struct lp_scenario *s, unsigned array,
			     unsigned server, char text[LP_SIM_NAME])
{
	snprintf(text, LP_SIM_NAME, "%s%u", s->server_prefix,
		 host_number(s, array, server));
	return text;
}

const char *lp_sim_client_name(unsigned client, char text[LP_SIM_NAME])
{
	snprintf(text, LP_SIM_NAME, "client%u", client + 1);
	return text;
}

const char *lp_sim_client_address(unsigned client, char text[LP_SIM_NAME])
{
	snprintf(text, LP_SIM_NAME, "10.1.0.%u", client + 1);
	return text;
}

const char *lp_sim_server_address(const struct lp_scenario *s, unsigned array,
				  unsigned server, char text[LP_SIM_NAME])
{
	unsigned number = host_number(s, array, server);

	snprintf(text, LP_SIM_NAME, "10.0.%u.%u", number / 250,
		 number % 250 + 1);
	return text;
}

/* Clients are alike, but not equal. */
static double weight(unsigned client)
{
	return 1 + 0.2 * sin(client + 1);
}

double lp_sim_client_share(const struct lp_scenario *s, unsigned client)
{
	double sum = 0;

	for (unsigned c = 0; c < s->clients; c++)
		sum += weight(c);
	return weight(client) / sum;
}

/*
 * Multipath devices are numbered differently on every server, as in life: the
 * same LUN must be known by its identity.
 */
const char *lp_sim_device_name(const struct lp_scenario *s, unsigned server,
			       unsigned lun, char text[LP_SIM_NAME])
{
	if (s->local)
		snprintf(text, LP_SIM_NAME, "sd%c",
			 (char)('b' + lun / s->servers % 25));
	else
		snprintf(text, LP_SIM_NAME, "dm-%u",
			 (lun + 7 * server) % s->luns);
	return text;
}

const char *lp_sim_device(const struct lp_scenario *s, unsigned array,
			  unsigned server, unsigned lun, char text[LP_SIM_NAME])
{
	char host[LP_SIM_NAME], device[LP_SIM_NAME];

	lp_sim_host_name(s, array, server, host);
	lp_sim_device_name(s, server, lun, device);
	snprintf(text, LP_SIM_NAME, "%.40s/%.20s", host, device);
	return text;
}

/* The controller is the one that owns the LUN, whatever the server. */
static char owner(const struct lp_scenario *s, unsigned lun)
{
	return lp_sim_controller(s, lp_sim_server(s, lun, 0)) ? 'b' : 'a';
}

const char *lp_sim_component(const struct lp_scenario *s, unsigned array,
			     unsigned server, unsigned lun,
			     char text[LP_SIM_NAME])
{
	char host[LP_SIM_NAME];

	if (s->local)
		return lp_sim_device(s, array, server, lun, text);
	snprintf(text, LP_SIM_NAME, "ddn%u%c.%u.%.30s", s->first_array + array,
		 owner(s, lun), lun, lp_sim_host_name(s, array, server, host));
	return text;
}

/* Labels of one inventory; the first failure is kept. */
struct labels {
	struct lp_inventory *inventory;
	struct lp_labels *labels;
	int result;
};

__attribute__((format(printf, 3, 4))) static void label(struct labels *l,
							const char *key,
							const char *format, ...)
{
	char text[2 * LP_SIM_NAME];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (lp_inventory_label(l->inventory, l->labels, key, text) < 0)
		l->result = -1;
}

static void label_shared(struct labels *l, const struct lp_scenario *s,
			 unsigned array, unsigned server, unsigned lun)
{
	label(l, "id", "wwid:naa.60001ff00000000000000000%04x%04x",
	      s->first_array + array, lun);
	label(l, "alias", "ddn%u_lun%03u", s->first_array + array, lun);
	label(l, "array", "ddn%u", s->first_array + array);
	label(l, "controller", "ddn%u%c", s->first_array + array,
	      owner(s, lun));
	label(l, "lun", "%u", lun);
	label(l, "priority", "%u", lp_sim_priority(s, lun, server) + 1);
	label(l, "cohort", "%s", lun < s->old_luns ? "old" : "new");
	label(l, "model", "S2A 9900");
}

static void label_local(struct labels *l, const struct lp_scenario *s,
			unsigned array, unsigned server, unsigned lun)
{
	label(l, "id", "wwid:naa.5000c500%04x%04x",
	      host_number(s, array, server), lun);
	label(l, "model", "ST4000NM0035");
}

static int add_device(struct lp_inventory *inventory,
		      const struct lp_scenario *s, unsigned array,
		      unsigned server, unsigned lun)
{
	char name[LP_SIM_NAME];
	struct lp_component *c = lp_inventory_add(
		inventory, "disk", lp_sim_device_name(s, server, lun, name));
	struct labels l = { inventory, c ? &c->labels : NULL, 0 };

	if (!c)
		return -1;
	label(&l, "layer", "disk");
	label(&l, "size_bytes", LUN_BYTES);
	if (s->local)
		label_local(&l, s, array, server, lun);
	else
		label_shared(&l, s, array, server, lun);
	return l.result;
}

static void label_host(struct labels *l, const struct lp_scenario *s,
		       const char *address)
{
	l->labels = &l->inventory->labels;
	label(l, "interval_ns", "%.0f", s->interval_s * 1e9);
	label(l, "simulated", "%s, seed %" PRIu64, s->name, s->seed);
	if (s->clients > 0)
		label(l, "addresses", "%s", address);
}

static int add_interface(struct labels *l, unsigned vendor, unsigned number)
{
	struct lp_component *c = lp_inventory_add(l->inventory, "net", "eth0");

	if (!c)
		return -1;
	l->labels = &c->labels;
	label(l, "id", "mac:02:00:00:%02x:%02x:%02x", vendor, number / 256,
	      number % 256);
	label(l, "layer", "port");
	label(l, "speed_mbit", "10000");
	return l->result;
}

static int add_rest(struct lp_inventory *inventory, const struct lp_scenario *s,
		    unsigned array, unsigned server)
{
	struct labels l = { inventory, NULL, 0 };
	char address[LP_SIM_NAME];

	label_host(&l, s, lp_sim_server_address(s, array, server, address));
	return add_interface(&l, 0, host_number(s, array, server));
}

struct lp_inventory *lp_sim_client_inventory(const struct lp_scenario *s,
					     unsigned client)
{
	char text[LP_SIM_NAME];
	struct lp_inventory *inventory =
		lp_inventory_new(lp_sim_client_name(client, text), s->start_ns);
	struct labels l = { inventory, NULL, 0 };

	if (!inventory)
		return NULL;
	label_host(&l, s, lp_sim_client_address(client, text));
	if (add_interface(&l, 1, client) == 0)
		return inventory;
	lp_inventory_free(inventory);
	return NULL;
}

struct lp_inventory *lp_sim_inventory(const struct lp_scenario *s,
				      unsigned array, unsigned server)
{
	char host[LP_SIM_NAME];
	struct lp_inventory *inventory = lp_inventory_new(
		lp_sim_host_name(s, array, server, host), s->start_ns);
	int status = inventory ? add_rest(inventory, s, array, server) : -1;

	for (unsigned lun = 0; status == 0 && lun < s->luns; lun++)
		if (lp_sim_priority(s, lun, server) < s->attachments)
			status = add_device(inventory, s, array, server, lun);
	if (status == 0)
		return inventory;
	lp_inventory_free(inventory);
	return NULL;
}
