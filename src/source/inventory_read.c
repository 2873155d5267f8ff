/* SPDX-License-Identifier: Apache-2.0 */
#include "source/inventory_read.h"

#include "base/number.h"
#include "source/netns.h"
#include "source/probe.h"
#include "source/sysfs.h"

#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>

struct lp_component *lp_probe_add(struct lp_probe *probe,
				  const char *class_name, const char *name)
{
	struct lp_component *added =
		lp_inventory_add(probe->inventory, class_name, name);

	if (!added)
		probe->failed = true;
	return added;
}

static struct lp_component *last(const struct lp_probe *probe)
{
	size_t n = probe->inventory->n_components;

	return n ? &probe->inventory->components[n - 1] : NULL;
}

void lp_probe_label(struct lp_probe *probe, const char *key, const char *value)
{
	struct lp_component *c = last(probe);

	if (probe->failed || !c)
		return;
	if (lp_inventory_label(probe->inventory, &c->labels, key, value) < 0)
		probe->failed = true;
}

const char *lp_probe_get(const struct lp_probe *probe, const char *key)
{
	struct lp_component *c = last(probe);
	const char *value = c ? lp_labels_get(&c->labels, key) : NULL;

	return value ? value : "";
}

/* root + "/" + the file, as the first line of it. */
static bool read_below(const struct lp_probe *probe, char text[LP_PROBE_TEXT],
		       const char *format, va_list args)
{
	char file[LP_PROBE_TEXT * 2];

	vsnprintf(file, sizeof(file), format, args);
	return lp_sysfs_line(text, LP_PROBE_TEXT, "%s/%s", probe->root, file);
}

void lp_probe_file(struct lp_probe *probe, const char *key, const char *format,
		   ...)
{
	char text[LP_PROBE_TEXT];
	va_list args;

	va_start(args, format);
	if (read_below(probe, text, format, args))
		lp_probe_label(probe, key, text);
	va_end(args);
}

void lp_probe_number(struct lp_probe *probe, const char *key,
		     const char *format, ...)
{
	char text[LP_PROBE_TEXT];
	uint64_t number;
	va_list args;

	va_start(args, format);
	if (read_below(probe, text, format, args) &&
	    lp_parse_u64(text, strlen(text), &number) == 0)
		lp_probe_label(probe, key, text);
	va_end(args);
}

static int read_all(void *pointer)
{
	struct lp_probe *probe = pointer;

	lp_probe_host(probe);
	lp_probe_disks(probe);
	lp_probe_interfaces(probe);
	lp_probe_infiniband(probe);
	return probe->failed ? -ENOMEM : 0;
}

/*
 * /sys/class/net shows the namespace in which that sysfs was mounted. The
 * thread takes a mount namespace of its own and mounts one of ours over /sys;
 * both end with the thread. Where that is refused, the interfaces shown would
 * be another namespace's: then only disks and addresses are read.
 */
static int read_in_namespace(void *pointer)
{
	struct lp_probe *probe = pointer;
	bool own =
		unshare(CLONE_NEWNS) == 0 &&
		mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
		mount("sysfs", "/sys", "sysfs",
		      MS_RDONLY | MS_NOSUID | MS_NOEXEC | MS_NODEV, NULL) == 0;

	if (own)
		return read_all(probe);
	lp_probe_host(probe);
	lp_probe_disks(probe);
	return probe->failed ? -ENOMEM : 0;
}

int lp_inventory_read(const char *root, const char *host, int netns_fd,
		      int64_t time_ns, struct lp_inventory **out,
		      struct lp_error *err)
{
	struct lp_probe probe = { .root = root };
	int status;

	probe.inventory = lp_inventory_new(host, time_ns);
	if (!probe.inventory)
		return lp_fail_memory(err);
	if (netns_fd >= 0 && !*root)
		status = lp_netns_run(netns_fd, read_in_namespace, &probe, err);
	else
		status = read_all(&probe);
	if (status < 0) {
		lp_inventory_free(probe.inventory);
		return status == -ENOMEM ? lp_fail_memory(err) : status;
	}
	*out = probe.inventory;
	return 0;
}
