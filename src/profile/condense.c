/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A recorded minute repeats the names of its functions, so that a crash costs
 * no more than a minute. A finished file needs them once an hour.
 */
#include "profile/daybook.h"

#include "base/memory.h"
#include "record/naming.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SUFFIX ".profile" LP_ARCHIVE_SUFFIX
#define HOUR_NS (LP_PROFILE_MOST_SLOTS * LP_PROFILE_SLOT_NS)

char *lp_profile_path(const char *dir, const char *host, int64_t time_ns)
{
	char name[NAME_MAX], stamp[LP_TIME_TEXT], *path;

	lp_host_for_file(host, name);
	lp_time_format_compact(time_ns, stamp);
	if (asprintf(&path, "%s/%s-%s" SUFFIX, dir, name, stamp) < 0)
		return NULL;
	return path;
}

bool lp_profile_is_of(const char *name, const char *host)
{
	char plain[NAME_MAX + 8];
	size_t n = strlen(name), cut = strlen(SUFFIX);

	if (n < cut || n >= sizeof(plain) ||
	    strcmp(name + n - cut, SUFFIX) != 0)
		return false;
	snprintf(plain, sizeof(plain), "%.*s" LP_ARCHIVE_SUFFIX, (int)(n - cut),
		 name);
	return lp_archive_is_of(plain, host);
}

/* ---- hours ---- */

struct condensing {
	struct lp_archive_writer *writer;
	struct lp_profile_sheet *sheets;
	char **names; /* kind and host of each; what the sheet points to */
	int64_t *to_ns;
	size_t n, capacity, names_capacity, to_capacity;
	int64_t hour;
};

static int64_t hour_of(int64_t time_ns)
{
	int64_t rest = time_ns % HOUR_NS;

	return time_ns - (rest < 0 ? rest + HOUR_NS : rest);
}

static int flush(struct condensing *c, struct lp_error *err)
{
	int status = 0;

	for (size_t i = 0; i < c->n; i++) {
		struct lp_profile_sheet *s = &c->sheets[i];
		struct lp_arena arena = { 0 };
		struct lp_counts counts;

		if (status == 0 &&
		    lp_profile_sheet_counts(s, &arena, &counts) < 0)
			status = lp_fail_memory(err);
		if (status == 0) {
			counts.to_ns = c->to_ns[i];
			status = lp_archive_put_counts(c->writer, &counts, err);
		}
		lp_arena_done(&arena);
		lp_profile_sheet_done(s);
		free(c->names[i]);
	}
	c->n = 0;
	return status;
}

static struct lp_profile_sheet *sheet_of(struct condensing *c,
					 const struct lp_counts *counts)
{
	const char *kind = strcmp(counts->kind, LP_PROFILE_SAMPLES) == 0
				   ? LP_PROFILE_SAMPLES
			   : strcmp(counts->kind, LP_PROFILE_WAITS) == 0
				   ? LP_PROFILE_WAITS
				   : LP_PROFILE_STACKS;
	bool stacks = strcmp(kind, LP_PROFILE_STACKS) == 0;
	size_t i = 0;

	while (i < c->n && (strcmp(c->sheets[i].kind, kind) != 0 ||
			    strcmp(c->names[i], counts->host) != 0))
		i++;
	if (i < c->n)
		return &c->sheets[i];
	if (lp_grow(&c->sheets, &c->capacity, i + 1, sizeof(*c->sheets)) < 0 ||
	    lp_grow(&c->names, &c->names_capacity, i + 1, sizeof(*c->names)) <
		    0 ||
	    lp_grow(&c->to_ns, &c->to_capacity, i + 1, sizeof(*c->to_ns)) < 0)
		return NULL;
	c->names[i] = strdup(counts->host);
	if (!c->names[i])
		return NULL;
	c->to_ns[i] = counts->from_ns;
	c->sheets[i] = (struct lp_profile_sheet){
		.kind = kind,
		.host = c->names[i],
		.from_ns = stacks ? counts->from_ns : c->hour,
		.n_slots = stacks ? 1 : LP_PROFILE_MOST_SLOTS,
	};
	c->n++;
	return &c->sheets[i];
}

static int take(void *user, const char *text, int64_t slot_ns, uint64_t count)
{
	struct lp_profile_sheet *s = user;
	uint32_t number = lp_profile_sheet_text(s, text);
	int64_t slot = s->n_slots == 1
			       ? 0
			       : (slot_ns - s->from_ns) / LP_PROFILE_SLOT_NS;

	if (number == LP_NAME_NONE)
		return -ENOMEM;
	lp_profile_sheet_add(s, number, (size_t)slot, count);
	return 0;
}

static int gather(struct condensing *c, const struct lp_counts *counts,
		  struct lp_error *err)
{
	int64_t hour = hour_of(counts->from_ns);
	struct lp_profile_sheet *s;
	int status = 0;

	if (c->n > 0 && hour != c->hour)
		status = flush(c, err);
	c->hour = hour;
	if (status < 0)
		return status;
	s = sheet_of(c, counts);
	if (!s || lp_profile_walk(counts, take, s) == -ENOMEM)
		return lp_fail_memory(err);
	if (counts->to_ns > c->to_ns[s - c->sheets])
		c->to_ns[s - c->sheets] = counts->to_ns;
	return 0;
}

/* What reaches into the next hour stays as it is, with all that is no
   profile. */
static bool is_to_gather(const struct lp_item *item)
{
	const struct lp_counts *c = item->counts;

	return c && lp_profile_is_kind(c->kind) && !c->class_name && c->host &&
	       (strcmp(c->kind, LP_PROFILE_STACKS) == 0 ||
		(hour_of(c->from_ns) == hour_of(c->to_ns) &&
		 c->from_ns % LP_PROFILE_SLOT_NS == 0));
}

static int condense(struct condensing *c, struct lp_stream *stream,
		    struct lp_error *err)
{
	struct lp_item item;
	int status;

	while ((status = lp_stream_next(stream, &item, err)) > 0) {
		status = is_to_gather(&item)
				 ? gather(c, item.counts, err)
				 : lp_archive_put_item(c->writer, &item, err);
		if (status < 0)
			break;
	}
	return status < 0 ? status : flush(c, err);
}

int lp_profile_condense(const char *path, struct lp_error *err)
{
	struct condensing c = { 0 };
	struct lp_stream *stream;
	struct lp_query query;
	int status;

	lp_query_init(&query);
	status = lp_archive_open(path, &query, &stream, err);
	if (status < 0)
		return status;
	status = lp_archive_create(path, LP_ARCHIVE_ATOMIC, &c.writer, err);
	if (status == 0)
		status = condense(&c, stream, err);
	/* What a newer limpid wrote would be lost. */
	if (status == 0 && lp_stream_skipped(stream) > 0)
		status = lp_fail(err, ENOTSUP,
				 "%s has blocks of a newer limpid", path);
	lp_stream_close(stream);
	if (status == 0)
		status = lp_archive_finish(c.writer, err);
	else
		lp_archive_abandon(c.writer);
	c.writer = NULL;
	while (c.n > 0) {
		lp_profile_sheet_done(&c.sheets[--c.n]);
		free(c.names[c.n]);
	}
	free(c.sheets);
	free(c.names);
	free(c.to_ns);
	return status;
}

int lp_profile_remove_old(const char *dir, const char *host, int64_t before_ns,
			  struct lp_error *err)
{
	DIR *entries = opendir(dir);
	const struct dirent *entry;
	int status = 0;

	if (!entries)
		return lp_fail_errno(err, errno, "cannot read %s", dir);
	while ((entry = readdir(entries))) {
		lp_auto_free char *path = NULL;
		struct stat s;

		if (!lp_profile_is_of(entry->d_name, host) ||
		    asprintf(&path, "%s/%s", dir, entry->d_name) < 0 ||
		    stat(path, &s) < 0 ||
		    (int64_t)s.st_mtime >= before_ns / LP_NS_PER_S)
			continue;
		if (unlink(path) < 0)
			status = lp_fail_errno(err, errno, "cannot remove %s",
					       path);
	}
	closedir(entries);
	return status;
}
