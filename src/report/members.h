/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The members of a struct as those of a JSON object: each is described once, in
 * a table, and written and read by it.
 */
#ifndef LP_REPORT_MEMBERS_H
#define LP_REPORT_MEMBERS_H

#include "base/error.h"
#include "base/json.h"
#include "model/findings.h"

#include <jansson.h>

enum lp_member_type {
	LP_MEMBER_TEXT,    /* const char *; never null */
	LP_MEMBER_TEXT_OR, /* the same, may be null */
	LP_MEMBER_NUMBER,  /* double; null is NaN */
	LP_MEMBER_COUNT,   /* size_t, up to LP_COUNT_MOST */
	LP_MEMBER_FLAG,    /* bool */
	LP_MEMBER_TIME,    /* int64_t, ISO 8601 */
	LP_MEMBER_NS,      /* int64_t, nanoseconds, 0 or more */
	LP_MEMBER_TEXTS,   /* const char *const *, with a size_t for how many */
};

struct lp_member {
	const char *key;
	enum lp_member_type type;
	size_t offset;
	size_t count; /* of texts: where their number is */
};

#define LP_MEMBER(key_, type_, fields, field)                                  \
	{                                                                      \
		.key = key_, .type = LP_MEMBER_##type_,                        \
		.offset = offsetof(fields, field)                              \
	}
#define LP_MEMBER_LIST(key_, fields, field, count_)                            \
	{                                                                      \
		.key = key_, .type = LP_MEMBER_TEXTS,                          \
		.offset = offsetof(fields, field),                             \
		.count = offsetof(fields, count_)                              \
	}

/* Enough for everything that is counted, and products of two stay in 64 bits.
 */
#define LP_COUNT_MOST INT32_MAX
/* Times are between 1824 and 2116, durations as long: sums stay in 64 bits. */
#define LP_READ_TIME_MOST (INT64_C(1) << 62)

/* Into the object that is open. */
void lp_members_write(struct lp_json *json, const struct lp_member *members,
		      size_t n, const void *fields);

#define LP_WHERE_TEXT 160

struct lp_member_reader {
	const char *name;          /* of the file, for messages */
	char where[LP_WHERE_TEXT]; /* "findings[3].evidence[0]" */
	struct lp_findings *into;  /* owns all that is read */
	struct lp_error *err;
};

/* Of an object; keys that are not in the table are passed over. -EINVAL. */
int lp_members_read(struct lp_member_reader *r, const json_t *object,
		    const struct lp_member *members, size_t n, void *fields);

/* "FILE: findings[3].since: TEXT"; -EINVAL. key may be NULL. */
int lp_member_bad(struct lp_member_reader *r, const char *key,
		  const char *text);

/* Go to a member of what is being read, and back to where that was. */
size_t lp_member_enter(struct lp_member_reader *r, const char *key);
size_t lp_member_enter_item(struct lp_member_reader *r, size_t i);
void lp_member_leave(struct lp_member_reader *r, size_t before);

/* The member that must be such; NULL with a message: it is not. */
const json_t *lp_member_array(struct lp_member_reader *r, const json_t *object,
			      const char *key);
/* A text that is kept; NULL with a message. */
const char *lp_member_text(struct lp_member_reader *r, const json_t *object,
			   const char *key);
/* Room in what is read; NULL with a message. */
void *lp_member_room(struct lp_member_reader *r, size_t n, size_t size);

/* Called for each item of an array; 0 or -errno. */
typedef int lp_member_each(struct lp_member_reader *r, const json_t *item,
			   size_t i, void *user);
int lp_members_each(struct lp_member_reader *r, const json_t *object,
		    const char *key, lp_member_each *each, void *user);

/*
 * Any value as one line of JSON, as limpid writes it; NULL with a message: it
 * is nested too deeply, or there is no memory.
 */
const char *lp_member_raw(struct lp_member_reader *r, const json_t *value);

#endif
