/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that people write in libconfig's syntax. libconfig parses them; this
 * compares them with tables of keys. What is wrong is one line with its place:
 *
 *     cluster.conf:12: unknown key 'rol'; did you mean role?
 *
 * A library of its own, limpid-conf: the recorder does without libconfig.
 */
#ifndef LP_BASE_CONF_H
#define LP_BASE_CONF_H

#include "base/error.h"
#include "base/memory.h"

#include <libconfig.h>
#include <stdbool.h>
#include <stddef.h>

struct lp_conf {
	const char *name; /* of the file, for messages */
	struct lp_error *err;
	void *whole;            /* the caller's: what the file becomes */
	struct lp_arena *arena; /* the caller's: where texts are kept */
	config_t config;
};

/*
 * The file at path, or a text; name is for messages and stays the caller's.
 * @include is refused: libconfig would end the program if it cannot read. On
 * failure there is nothing to close.
 */
int lp_conf_open(struct lp_conf *conf, const char *path, struct lp_error *err);
int lp_conf_parse(struct lp_conf *conf, const char *name, const char *text,
		  struct lp_error *err);
void lp_conf_close(struct lp_conf *conf);

/* "one.conf:12: ...", -EINVAL. */
int lp_conf_bad(const struct lp_conf *conf, const config_setting_t *setting,
		const char *format, ...) __attribute__((format(printf, 3, 4)));

/*
 * "no fault 'disk-bsy'; did you mean disk-busy?" of the words "no fault", or
 * all names, which NULL ends.
 */
int lp_conf_unknown(const struct lp_conf *conf, const config_setting_t *setting,
		    const char *words, const char *wrong,
		    const char *const *names);
/* What a setting is called in messages: an element of a list by its list. */
const char *lp_conf_label(const config_setting_t *setting);

/* ---- keys ---- */

struct lp_conf_key;
/* Reads the setting into the field, which is at the key's offset. */
typedef int lp_conf_read_fn(struct lp_conf *conf, const struct lp_conf_key *key,
			    const config_setting_t *setting, void *field);

struct lp_conf_key {
	const char *name; /* NULL ends a table */
	lp_conf_read_fn *read;
	size_t offset;    /* in what the group becomes */
	double low, high; /* of numbers */
};

#define LP_CONF_MOST_KEYS 32

/* One setting of a group, by a table of its keys. */
int lp_conf_read(struct lp_conf *conf, const struct lp_conf_key *keys,
		 const config_setting_t *setting, void *into);
/* All settings of a group. */
int lp_conf_read_group(struct lp_conf *conf, const struct lp_conf_key *keys,
		       const config_setting_t *group, void *into);
/* Calls `read` for each element of an array or list, or for a single value. */
int lp_conf_each(struct lp_conf *conf, const struct lp_conf_key *key,
		 const config_setting_t *setting, void *field,
		 lp_conf_read_fn *read);

/* Readers of a bool; a double; an unsigned; a const char * in the arena. */
lp_conf_read_fn lp_conf_bool;
lp_conf_read_fn lp_conf_number;
lp_conf_read_fn lp_conf_count;
lp_conf_read_fn lp_conf_text;

#endif
