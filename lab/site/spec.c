/* SPDX-License-Identifier: Apache-2.0 */
#include "site/spec.h"

#include "base/conf.h"
#include "base/number.h"
#include "base/timestamp.h"
#include "disk/settings.h"
#include "driver/driver.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define LEAST_DISK ((uint64_t)320 << 20) /* XFS wants 300 MiB */
#define LEAST_LINK 1000000

enum type { TEXT, COUNT, BYTES, DURATION };

/* To add a key: a field, a line here, an option of `lab up`, the page. */
static const struct key {
	const char *name;
	enum type type;
	size_t offset, size;
} keys[] = {
#define KEY(name, type, field)                                                 \
	{                                                                      \
		name, type, offsetof(struct lab_spec, field),                  \
			sizeof(((struct lab_spec *)NULL)->field)               \
	}
	KEY("driver", TEXT, driver),
	KEY("layout", TEXT, layout),
	KEY("servers", COUNT, servers),
	KEY("clients", COUNT, clients),
	KEY("disk-size", BYTES, disk_bytes),
	KEY("disk-rate", BYTES, disk_rate),
	KEY("seek", DURATION, seek_ns),
	KEY("link", BYTES, link_bits),
	KEY("memory", BYTES, memory_bytes),
	KEY("congestion", TEXT, congestion),
	KEY("cache", TEXT, cache),
#undef KEY
};

void lab_spec_default(struct lab_spec *spec)
{
	*spec = (struct lab_spec){
		.driver = "glusterfs",
		.layout = "dispersed",
		.servers = 6,
		.clients = 2,
		.disk_bytes = (uint64_t)2 << 30,
		.disk_rate = 12 * 1000 * 1000,
		.seek_ns = 8 * 1000 * 1000,
		.link_bits = 150 * 1000 * 1000,
		.memory_bytes = LAB_MEMORY_OF_DRIVER,
		.congestion = "reno",
		.cache = "through",
	};
}

/* ---- one value ---- */

static int take_text(char *field, size_t size, const char *value)
{
	size_t n = strlen(value);

	if (n == 0 || n >= size)
		return -EINVAL;
	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)value[i]) &&
		    !strchr("-_", value[i]))
			return -EINVAL;
	memcpy(field, value, n + 1);
	return 0;
}

static int take_count(unsigned long *field, const char *value)
{
	uint64_t v;
	int status = lp_parse_u64(value, strlen(value), &v);

	if (status == 0 && v > 100000)
		status = -ERANGE;
	if (status == 0)
		*field = (unsigned long)v;
	return status;
}

static int take_duration(uint64_t *field, const char *value)
{
	int64_t v;
	int status = lp_duration_parse(value, &v);

	if (status == 0 && v < 0)
		status = -EINVAL;
	if (status == 0)
		*field = (uint64_t)v;
	return status;
}

static int take(const struct key *key, struct lab_spec *spec, const char *value)
{
	void *field = (char *)spec + key->offset;

	switch (key->type) {
	case TEXT:
		return take_text(field, key->size, value);
	case COUNT:
		return take_count(field, value);
	case BYTES:
		return lab_bytes_parse(value, strlen(value), field);
	case DURATION:
		return take_duration(field, value);
	}
	return -EINVAL;
}

static const char *expected(enum type type)
{
	static const char *const texts[] = {
		[TEXT] = "a word",
		[COUNT] = "a whole number",
		[BYTES] = "a number such as 12M (millions) or 2Gi",
		[DURATION] = "a duration such as 8ms",
	};

	return texts[type];
}

static bool same_key(const char *a, const char *b)
{
	for (; *a && *b; a++, b++)
		if (*a != *b && !(*a == '-' && *b == '_'))
			return false;
	return *a == *b;
}

int lab_spec_set(struct lab_spec *spec, const char *key, const char *value,
		 struct lp_error *err)
{
	for (size_t i = 0; i < lp_array_size(keys); i++) {
		if (!same_key(keys[i].name, key))
			continue;
		if (take(&keys[i], spec, value) < 0)
			return lp_fail(err, EINVAL, "%s '%s' is not %s",
				       keys[i].name, value,
				       expected(keys[i].type));
		return 0;
	}
	return lp_fail(err, ENOENT, "a lab has no setting '%s'", key);
}

void lab_spec_each(const struct lab_spec *spec, lab_spec_each_fn *each,
		   void *context)
{
	for (size_t i = 0; i < lp_array_size(keys); i++) {
		const void *field = (const char *)spec + keys[i].offset;
		char text[64];

		switch (keys[i].type) {
		case TEXT:
			snprintf(text, sizeof(text), "%s", (const char *)field);
			break;
		case COUNT:
			snprintf(text, sizeof(text), "%lu",
				 *(const unsigned long *)field);
			break;
		case BYTES:
			snprintf(text, sizeof(text), "%" PRIu64,
				 *(const uint64_t *)field);
			break;
		case DURATION:
			snprintf(text, sizeof(text), "%" PRIu64 ".%09" PRIu64,
				 *(const uint64_t *)field / LP_NS_PER_S,
				 *(const uint64_t *)field % LP_NS_PER_S);
		}
		each(context, keys[i].name, text);
	}
}

/* ---- a file ---- */

/* A number without quotes or a text: as text. */
static bool setting_text(const config_setting_t *setting, char text[64])
{
	switch (config_setting_type(setting)) {
	case CONFIG_TYPE_STRING:
		return snprintf(text, 64, "%s",
				config_setting_get_string(setting)) < 64;
	case CONFIG_TYPE_INT:
	case CONFIG_TYPE_INT64:
		snprintf(text, 64, "%lld", config_setting_get_int64(setting));
		return true;
	default:
		return false;
	}
}

int lab_spec_take(const struct lp_conf *conf, const config_setting_t *group,
		  struct lab_spec *spec)
{
	struct lab_spec taken = *spec;

	for (int i = 0; i < config_setting_length(group); i++) {
		const config_setting_t *setting =
			config_setting_get_elem(group, (unsigned)i);
		struct lp_error why = { "expected a number or a text" };
		char text[64];

		if (!setting_text(setting, text) ||
		    lab_spec_set(&taken, config_setting_name(setting), text,
				 &why) < 0)
			return lp_conf_bad(conf, setting, "%s: %s",
					   config_setting_name(setting),
					   why.text);
	}
	*spec = taken;
	return 0;
}

int lab_spec_read(const char *path, struct lab_spec *spec, struct lp_error *err)
{
	struct lp_conf conf;
	int status = lp_conf_open(&conf, path, err);

	if (status < 0)
		return status;
	status = lab_spec_take(&conf, config_root_setting(&conf.config), spec);
	lp_conf_close(&conf);
	return status;
}

/* ---- can it be made? ---- */

static int check_numbers(const struct lab_spec *spec, struct lp_error *err)
{
	if (spec->servers < 1 || spec->servers > LAB_MAX_SERVERS)
		return lp_fail(err, EINVAL,
			       "%lu servers: a lab has 1 to %d of them",
			       spec->servers, LAB_MAX_SERVERS);
	if (spec->clients < 1 || spec->clients > LAB_MAX_CLIENTS)
		return lp_fail(err, EINVAL,
			       "%lu clients: a lab has 1 to %d of them",
			       spec->clients, LAB_MAX_CLIENTS);
	if (spec->disk_bytes < LEAST_DISK || spec->disk_bytes % 4096 != 0)
		return lp_fail(err, EINVAL,
			       "disk-size: a disk is a multiple of 4096 bytes, "
			       "and at least 320Mi");
	if (spec->disk_rate == 0)
		return lp_fail(err, EINVAL, "disk-rate: must be above 0");
	if (strcmp(spec->cache, "through") != 0 &&
	    strcmp(spec->cache, "volatile") != 0)
		return lp_fail(err, EINVAL,
			       "cache: must be through or volatile, not '%s'",
			       spec->cache);
	if (spec->link_bits < LEAST_LINK)
		return lp_fail(err, EINVAL, "link: must be at least 1M");
	if (spec->memory_bytes > 0 && spec->memory_bytes < (64 << 20))
		return lp_fail(
			err, EINVAL,
			"memory: must be at least 64Mi, or 0 for no limit");
	return 0;
}

static int no_driver(const char *name, struct lp_error *err)
{
	char names[128] = "";
	size_t used = 0;

	for (size_t i = 0; lab_drivers[i] && used < sizeof(names); i++)
		used += (size_t)snprintf(names + used, sizeof(names) - used,
					 " %s", lab_drivers[i]->name);
	return lp_fail(err, EINVAL, "there is no driver '%s'; there are%s",
		       name, names);
}

int lab_spec_check(const struct lab_spec *spec, struct lp_error *err)
{
	const struct lab_driver *driver = lab_driver_find(spec->driver);
	int status = check_numbers(spec, err);

	if (status < 0)
		return status;
	if (!driver)
		return no_driver(spec->driver, err);
	for (size_t i = 0; driver->layouts[i]; i++)
		if (strcmp(driver->layouts[i], spec->layout) == 0)
			return driver->fits(spec, err);
	return lp_fail(err, EINVAL, "%s has no layout '%s'; its first is '%s'",
		       driver->name, spec->layout, driver->layouts[0]);
}

void lab_spec_settle(struct lab_spec *spec)
{
	if (spec->memory_bytes == LAB_MEMORY_OF_DRIVER)
		spec->memory_bytes =
			lab_driver_find(spec->driver)->memory_bytes;
}
