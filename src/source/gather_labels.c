/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What labels say: who a disk is, and what else people attached to a target.
 */
#include "source/gather_parts.h"
#include "source/identity.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A name of a host may be that long. */
#define HOST_BYTES 255

/* Set a label, and note whether that changed anything. */
static int set(struct lp_gather_host *host, struct lp_labels *labels,
	       const char *key, const char *value)
{
	const char *old = lp_labels_get(labels, key);

	if (!*value || (old && strcmp(old, value) == 0))
		return 0;
	host->changed = true;
	return lp_inventory_label(host->inventory, labels, key, value);
}

/* Keys that limpid itself goes by; a site may mean something else by them. */
static bool is_taken(const char *key)
{
	static const char *const taken[] = { "id",      "layer",  "alias",
					     "parents", "wwid",   "serial",
					     "path",    "kernel", "mac" };

	for (size_t i = 0; i < lp_array_size(taken); i++)
		if (strcmp(key, taken[i]) == 0)
			return true;
	return false;
}

/* Of a series of values: what is not its name. */
static int keep_label(struct lp_gather_host *host, struct lp_labels *labels,
		      const struct lp_label *label)
{
	char key[128];

	snprintf(key, sizeof(key), "%s%s", is_taken(label->key) ? "label_" : "",
		 label->key);
	return set(host, labels, key, label->value);
}

/* The best of these that is known, as in the inventory of a running host. */
static int set_id(struct lp_gather_host *host, struct lp_labels *labels)
{
	static const struct {
		const char *label, *prefix;
	} order[] = {
		{ "dm_uuid", "dm:" },    { "wwid", "wwid:" },
		{ "serial", "serial:" }, { "path", "path:" },
		{ "mac", "mac:" },
	};
	char id[512];

	for (size_t i = 0; i < lp_array_size(order); i++) {
		const char *value = lp_labels_get(labels, order[i].label);

		if (!value)
			continue;
		snprintf(id, sizeof(id), "%s%s", order[i].prefix, value);
		return set(host, labels, "id", id);
	}
	return 0;
}

static int set_info(struct lp_gather_host *host, struct lp_labels *labels,
		    const struct lp_class *class,
		    const struct lp_metric_series *series)
{
	char wwid[LP_IDENTITY_TEXT];
	int status = 0;

	for (size_t i = 0; status == 0 && i < series->n_labels; i++) {
		const char *value = series->labels[i].value;
		const char *key =
			lp_exported_label(class, series->labels[i].key);

		if (key && strcmp(key, "wwid") == 0)
			value = lp_identity_wwid(value, wwid);
		if (key && strcmp(key, "mac") == 0 &&
		    strspn(value, "0:") == strlen(value))
			continue; /* of the loopback */
		if (key)
			status = set(host, labels, key, value);
	}
	return status == 0 && class ? set_id(host, labels) : status;
}

int lp_gather_labels(struct lp_gather *g, uint32_t number,
		     const struct lp_gather_component *component,
		     const struct lp_exported *exported,
		     const struct lp_metric_series *series)
{
	struct lp_gather_host *host = &g->hosts[number];
	struct lp_labels *labels = &host->inventory->labels;
	int status = 0;

	if (component && component->listed == LP_GATHER_NONE)
		return 0;
	if (component)
		labels = &host->inventory->components[component->listed].labels;
	if (exported->kind == LP_EXPORTED_INFO ||
	    exported->kind == LP_EXPORTED_HOST)
		return set_info(host, labels, exported->class, series);
	for (size_t i = 0; status == 0 && i < series->n_labels; i++)
		if (!lp_exported_names(exported, series->labels[i].key) &&
		    strcmp(series->labels[i].key, g->host_label) != 0)
			status = keep_label(host, labels, &series->labels[i]);
	return status;
}

/* Interfaces without a link say -125000 or 0. */
int lp_gather_speed(struct lp_gather *g,
		    const struct lp_gather_component *component, double speed)
{
	struct lp_gather_host *host = &g->hosts[component->host];
	char text[32];

	if (component->listed == LP_GATHER_NONE || !(speed >= 125000) ||
	    speed > 1e15)
		return 0;
	snprintf(text, sizeof(text), "%.0f", speed * 8 / 1e6);
	return set(host, &host->inventory->components[component->listed].labels,
		   "speed_mbit", text);
}

/* ---- names of hosts ---- */

/* "oss1:9100" -> "oss1", "[2001:db8::7]:9100" -> "2001:db8::7" */
static size_t without_port(const char **raw)
{
	size_t n = strlen(*raw), at = n;

	while (at > 0 && isdigit((unsigned char)(*raw)[at - 1]))
		at--;
	if (at < 2 || at == n || (*raw)[at - 1] != ':')
		return n;
	at--;
	if ((*raw)[0] == '[' && (*raw)[at - 1] == ']') {
		(*raw)++;
		return at - 2;
	}
	/* An address without brackets has no port. */
	return memchr(*raw, ':', at) ? n : at;
}

/* Of one component nobody could tell a slash from that behind the host. */
static char *clean(const char *text, size_t n)
{
	char *name = strndup(text, n < HOST_BYTES ? n : HOST_BYTES);

	for (char *p = name; p && *p; p++)
		if (iscntrl((unsigned char)*p) || *p == '/' || *p == '>')
			*p = '_';
	return name;
}

static bool is_used(const struct lp_gather *g, const char *name)
{
	for (uint32_t i = 0; i < g->n_hosts; i++)
		if (g->hosts[i].name && strcmp(g->hosts[i].name, name) == 0)
			return true;
	return false;
}

static char *name_of(const struct lp_gather *g,
		     const struct lp_gather_host *host)
{
	const char *raw = host->raw;
	size_t n = without_port(&raw);
	char *name;

	if (!*host->raw) {
		raw = lp_labels_get(&host->inventory->labels, "nodename");
		if (g->firm || !raw)
			raw = g->default_host;
		return clean(raw, strlen(raw));
	}
	name = clean(raw, n);
	if (!name || !is_used(g, name))
		return name;
	free(name);
	return clean(host->raw, strlen(host->raw));
}

/* In the order of their labels, so that it is always the same one that keeps
 * its port. */
int lp_gather_name_hosts(struct lp_gather *g)
{
	for (;;) {
		struct lp_gather_host *least = NULL;

		for (uint32_t i = 0; i < g->n_hosts; i++)
			if (!g->hosts[i].name &&
			    (!least || strcmp(g->hosts[i].raw, least->raw) < 0))
				least = &g->hosts[i];
		if (!least)
			return 0;
		least->name = name_of(g, least);
		if (!least->name)
			return -ENOMEM;
		least->inventory->host =
			lp_arena_string(&least->inventory->arena, least->name);
		if (!least->inventory->host)
			return -ENOMEM;
	}
}
