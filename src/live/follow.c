/* SPDX-License-Identifier: Apache-2.0 */
#include "live/follow.h"

#include "live/chunk_part.h"
#include "live/live_files.h"
#include "record/naming.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct lp_follow {
	struct lp_follow_config config;
	struct lp_query query;
	struct lp_live_files files;
	struct lp_bookmarks *shared;
	struct lp_names names; /* number = host */
	struct lp_follow_host *hosts;
	size_t hosts_capacity;
	struct lp_arena arena; /* of one item */
	/* Of a look: */
	int64_t now_ns;
	struct lp_live_file *file;
	lp_follow_sink *sink;
	void *user;
};

struct lp_follow *lp_follow_new(const struct lp_follow_config *config)
{
	struct lp_follow *f = calloc(1, sizeof(*f));

	if (!f)
		return NULL;
	f->config = *config;
	f->query = *config->query;
	f->shared = lp_bookmarks_new();
	if (!f->shared) {
		free(f);
		return NULL;
	}
	return f;
}

void lp_follow_free(struct lp_follow *f)
{
	if (!f)
		return;
	lp_live_files_done(&f->files);
	lp_bookmarks_free(f->shared);
	lp_names_done(&f->names);
	free(f->hosts);
	lp_arena_done(&f->arena);
	free(f);
}

void lp_follow_rewind(struct lp_follow *f, const struct lp_query *query)
{
	f->query = *query;
	lp_live_files_done(&f->files);
	lp_names_done(&f->names);
	f->names = (struct lp_names){ 0 };
}

static struct lp_follow_host *host_of(struct lp_follow *f, const char *name)
{
	uint32_t known = f->names.count;
	uint32_t number = lp_names_add(&f->names, name);

	if (number == LP_NAME_NONE ||
	    lp_grow(&f->hosts, &f->hosts_capacity, (size_t)number + 1,
		    sizeof(*f->hosts)) < 0)
		return NULL;
	if (number == known)
		f->hosts[number] = (struct lp_follow_host){
			.name = f->names.text[number],
			.newest_ns = LP_TIME_MIN,
			.since_ns = LP_TIME_MAX,
		};
	return &f->hosts[number];
}

/* ---- what counts ---- */

/* How many samples from `from` on do not lie ahead of this machine. */
static size_t not_ahead(const struct lp_follow *f, struct lp_follow_host *host,
			const struct lp_chunk *chunk, size_t from)
{
	int64_t limit = lp_time_add(f->now_ns, f->config.slack_ns);
	size_t to = from;

	while (to < chunk->n_samples && chunk->time_ns[to] <= limit)
		to++;
	host->ahead_ns =
		to < chunk->n_samples
			? chunk->time_ns[chunk->n_samples - 1] - f->now_ns
			: 0;
	return to;
}

/* The first that is newer than all that came of the host. */
static size_t skip_known(const struct lp_follow *f, struct lp_follow_host *host,
			 const struct lp_chunk *chunk, size_t from)
{
	size_t first = from;

	while (first < chunk->n_samples &&
	       chunk->time_ns[first] <= host->newest_ns)
		first++;
	/* Of a file that is read again they are those that were given. */
	if (!f->file->mark.again)
		host->late += first - from;
	return first;
}

static void note_samples(const struct lp_follow *f, struct lp_follow_host *host,
			 const struct lp_chunk *chunk)
{
	for (size_t i = 0; i < chunk->n_samples; i++) {
		int64_t t = chunk->time_ns[i];

		host->newest_ns = t > host->newest_ns ? t : host->newest_ns;
		host->since_ns = t < host->since_ns ? t : host->since_ns;
	}
	host->samples += chunk->n_samples;
	host->grown_ns = f->now_ns;
	host->stopped = false;
}

static int put_chunk(struct lp_follow *f, struct lp_follow_host *host,
		     const struct lp_chunk *chunk, size_t from,
		     struct lp_error *err)
{
	size_t first = skip_known(f, host, chunk, from);
	size_t to = not_ahead(f, host, chunk, first);
	struct lp_item item = { .kind = LP_ITEM_CHUNK };
	struct lp_chunk part;
	int status;

	if (first >= to)
		return 0;
	status = lp_chunk_part(chunk, first, &f->arena, &part);
	if (status < 0)
		return lp_fail_memory(err);
	part.n_samples = to - first;
	item.chunk = &part;
	note_samples(f, host, &part);
	status = f->sink(f->user, &item, err);
	lp_arena_reset(&f->arena);
	return status;
}

static int put_other(struct lp_follow *f, struct lp_follow_host *host,
		     const struct lp_item *item, struct lp_error *err)
{
	int64_t time_ns = lp_item_time(item);

	/* What a file that is read again says was said, but what is new. */
	if (f->file->mark.again && time_ns <= host->newest_ns)
		return 0;
	if (time_ns > lp_time_add(f->now_ns, f->config.slack_ns))
		return 0;
	if (item->kind == LP_ITEM_EVENT &&
	    (item->event->kind == LP_EVENT_STOP ||
	     item->event->kind == LP_EVENT_START))
		host->stopped = item->event->kind == LP_EVENT_STOP;
	return f->sink(f->user, item, err);
}

/* ---- files ---- */

static void say(const struct lp_follow *f, const char *line)
{
	if (f->config.say)
		f->config.say(f->config.say_user, line);
}

/* What the recorder of a host wrote is called after it. */
static bool is_of_another(const struct lp_live_file *file, const char *host)
{
	const char *slash = strrchr(file->path, '/');
	const char *name = slash ? slash + 1 : file->path;
	const char *dash = strrchr(name, '-');
	char other[256];

	if (!dash || (size_t)(dash - name) >= sizeof(other) ||
	    lp_archive_is_of(name, host))
		return false;
	memcpy(other, name, (size_t)(dash - name));
	other[dash - name] = '\0';
	return lp_archive_is_of(name, other);
}

static int put_item(void *user, const struct lp_item *item, size_t from,
		    struct lp_error *err)
{
	struct lp_follow *f = user;
	const char *name = lp_item_host(item);
	struct lp_follow_host *host;

	if (is_of_another(f->file, name))
		return lp_fail(
			err, EXDEV,
			"%s: it holds samples of host %s, whose name the "
			"file does not have",
			f->file->path, name);
	host = host_of(f, name);
	if (!host)
		return lp_fail_memory(err);
	return item->kind == LP_ITEM_CHUNK
		       ? put_chunk(f, host, item->chunk, from, err)
		       : put_other(f, host, item, err);
}

/* What concerns one file only. */
static bool is_of_file(int status)
{
	return status != -ENOMEM && status != -ECANCELED;
}

static int read_file(struct lp_follow *f, struct lp_live_file *file,
		     struct lp_error *err)
{
	uint64_t lost = file->mark.n_lost;
	char line[sizeof(err->text) + 64];
	struct lp_error why;
	int status;

	f->file = file;
	file->due = false;
	status = lp_bookmark_read(f->shared, file->path, &f->query, &file->mark,
				  put_item, f, &why);
	/* It was there a moment ago: it may come back. */
	if (status == -ENOENT)
		return 0;
	if (status != 0 && is_of_file(status)) {
		file->left_out = true;
		snprintf(line, sizeof(line), "left out: %s", why.text);
		say(f, line);
		return 0;
	}
	if (file->mark.n_lost > lost) {
		snprintf(line, sizeof(line),
			 "%.400s: damaged; what is sound is used", file->path);
		say(f, line);
	}
	if (status != 0 && err)
		*err = why;
	return status;
}

int lp_follow_find(struct lp_follow *f, int64_t now_ns, int64_t *newest_ns,
		   struct lp_error *err)
{
	int64_t limit = lp_time_add(now_ns, f->config.slack_ns);

	if (lp_live_files_find(&f->files, f->config.paths, f->config.n) < 0)
		return lp_fail_memory(err);
	*newest_ns = LP_TIME_MIN;
	for (size_t i = 0; i < f->files.n; i++) {
		int64_t last = f->files.items[i].last_ns;

		if (last <= limit && last > *newest_ns)
			*newest_ns = last;
	}
	return 0;
}

int lp_follow_look(struct lp_follow *f, int64_t now_ns, lp_follow_sink *sink,
		   void *user, struct lp_error *err)
{
	int status =
		lp_live_files_find(&f->files, f->config.paths, f->config.n);

	if (status < 0)
		return lp_fail_memory(err);
	f->now_ns = now_ns;
	f->sink = sink;
	f->user = user;
	for (size_t i = 0; i < f->files.n && status == 0; i++) {
		struct lp_live_file *file = &f->files.items[f->files.order[i]];

		if (file->due)
			status = read_file(f, file, err);
	}
	return status;
}

/* ---- what is known ---- */

const struct lp_follow_host *lp_follow_hosts(const struct lp_follow *f,
					     size_t *n)
{
	*n = f->names.count;
	return f->hosts;
}

int64_t lp_follow_newest(const struct lp_follow *f)
{
	int64_t newest = LP_TIME_MIN;

	for (uint32_t i = 0; i < f->names.count; i++)
		if (f->hosts[i].newest_ns > newest)
			newest = f->hosts[i].newest_ns;
	return newest;
}

size_t lp_follow_files(const struct lp_follow *f)
{
	return f->files.n;
}
