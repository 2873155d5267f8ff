/* SPDX-License-Identifier: Apache-2.0 */
#include "source/sa_file.h"

#include "base/bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WINDOW 65536
#define MAGIC_SIZE 76
#define HEADER_LEAST 327 /* up to the machine's name */
#define HEADER_MOST 8192
#define ACTIVITY_SIZE 36
#define RECORD_SIZE 24
#define COMMENT_SIZE 64
/* More is damage. */
#define ACTIVITIES_MOST 256
#define ITEMS_MOST (1u << 20)
#define ITEM_MOST 4096
#define TIME_MOST UINT64_C(7258118400) /* the year 2200 */

/* Offsets in the header. */
enum {
	HEADER_ACTIVITIES = 20,
	HEADER_ACTIVITY_SHAPE = 28,
	HEADER_RECORD_SHAPE = 40,
	HEADER_ACTIVITY_SIZE = 52,
	HEADER_RECORD_SIZE = 56,
	HEADER_EXTRA = 60,
	HEADER_LONG = 66,
	HEADER_SYSTEM = 67,
	HEADER_HOST = 132,
	HEADER_KERNEL = 197,
	NAME_SIZE = 65,
};

/* Which of our activities; LP_SADF_ACTIVITIES: none of them. */
struct activity {
	uint32_t n, n_sub, size;
	bool counted;
	size_t which;
};

struct activities {
	struct activity items[ACTIVITIES_MOST];
	size_t n;
};

static bool wake(struct lp_sa_file *f)
{
	if (f->fd < 0)
		f->fd = open(f->path, O_RDONLY | O_CLOEXEC);
	if (!f->window)
		f->window = malloc(WINDOW);
	return f->fd >= 0 && f->window;
}

void lp_sa_file_rest(struct lp_sa_file *f)
{
	if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
	free(f->window);
	f->window = NULL;
	f->window_n = 0;
}

const uint8_t *lp_sa_file_bytes(struct lp_sa_file *f, uint64_t offset, size_t n)
{
	ssize_t got;

	if (offset > f->size || n > f->size - offset || !wake(f))
		return NULL;
	if (offset < f->window_at || offset - f->window_at > f->window_n ||
	    n > f->window_n - (size_t)(offset - f->window_at)) {
		got = pread(f->fd, f->window, WINDOW, (off_t)offset);
		f->window_at = offset;
		f->window_n = got > 0 ? (size_t)got : 0;
		if (n > f->window_n)
			return NULL;
	}
	return f->window + (offset - f->window_at);
}

static bool is_shape(const uint8_t *at, uint32_t a, uint32_t b, uint32_t c)
{
	return lp_load_u32(at) == a && lp_load_u32(at + 4) == b &&
	       lp_load_u32(at + 8) == c;
}

static void copy_name(char *to, size_t room, const uint8_t *from)
{
	snprintf(to, room, "%.*s", NAME_SIZE, (const char *)from);
}

/* The size of the header; 0: it is not as it should be. */
static uint32_t read_magic(struct lp_sa_file *f)
{
	const uint8_t *p = lp_sa_file_bytes(f, 0, MAGIC_SIZE);
	uint32_t size;
	int n;

	if (!p || memcmp(p, "\x96\xd5\x75\x21", 4) != 0 ||
	    !is_shape(p + 16, 1, 1, 12))
		return 0;
	size = lp_load_u32(p + 8);
	if (size < HEADER_LEAST || size > HEADER_MOST)
		return 0;
	n = snprintf(f->info.version, sizeof(f->info.version), "%u.%u.%u", p[4],
		     p[5], p[6]);
	if (p[7])
		snprintf(f->info.version + n,
			 sizeof(f->info.version) - (size_t)n, ".%u", p[7]);
	return size;
}

static bool read_header(struct lp_sa_file *f, size_t *n_activities)
{
	const uint8_t *p = lp_sa_file_bytes(f, MAGIC_SIZE, HEADER_LEAST);

	if (!p || !is_shape(p + HEADER_ACTIVITY_SHAPE, 0, 0, 9) ||
	    !is_shape(p + HEADER_RECORD_SHAPE, 2, 0, 1) ||
	    lp_load_u32(p + HEADER_ACTIVITY_SIZE) != ACTIVITY_SIZE ||
	    lp_load_u32(p + HEADER_RECORD_SIZE) != RECORD_SIZE ||
	    lp_load_u32(p + HEADER_EXTRA) != 0 || p[HEADER_LONG] != 8 ||
	    memcmp(p + HEADER_SYSTEM, "Linux", sizeof("Linux")) != 0)
		return false;
	copy_name(f->info.host, sizeof(f->info.host), p + HEADER_HOST);
	copy_name(f->info.kernel, sizeof(f->info.kernel), p + HEADER_KERNEL);
	*n_activities = lp_load_u32(p + HEADER_ACTIVITIES);
	return *n_activities <= ACTIVITIES_MOST;
}

/* By the number in sysstat's list. */
static size_t which_activity(uint32_t id)
{
	static const uint32_t ids[LP_SADF_ACTIVITIES] = { 11, 12, 13 };
	size_t i = 0;

	while (i < LP_SADF_ACTIVITIES && ids[i] != id)
		i++;
	return i;
}

static bool read_activity(struct lp_sa_file *f, const uint8_t *p,
			  struct activity *a)
{
	const uint32_t shape[3] = { lp_load_u32(p + 24), lp_load_u32(p + 28),
				    lp_load_u32(p + 32) };

	a->which = which_activity(lp_load_u32(p));
	a->n = lp_load_u32(p + 8);
	a->n_sub = lp_load_u32(p + 12);
	a->counted = lp_load_u32(p + 16) != 0;
	a->size = lp_load_u32(p + 20);
	if (a->n > ITEMS_MOST || a->n_sub > ITEMS_MOST || a->size > ITEM_MOST)
		return false;
	if (a->which == LP_SADF_ACTIVITIES)
		return true;
	f->info.activities |= 1u << a->which;
	f->item_size[a->which] = a->size;
	return a->n_sub == 1 &&
	       lp_sa_items_known(a->which, lp_load_u32(p + 4), a->size, shape);
}

static bool read_activities(struct lp_sa_file *f, uint64_t *at,
			    struct activities *all)
{
	for (size_t i = 0; i < all->n; i++, *at += ACTIVITY_SIZE) {
		const uint8_t *p = lp_sa_file_bytes(f, *at, ACTIVITY_SIZE);

		if (!p || !read_activity(f, p, &all->items[i]))
			return false;
	}
	return true;
}

/* Note where the sample's items are. */
static bool read_sample(struct lp_sa_file *f, uint64_t *at,
			const struct activities *all,
			struct lp_sa_record *record)
{
	for (size_t i = 0; i < all->n; i++) {
		const struct activity *a = &all->items[i];
		uint64_t n = a->n, size;

		if (a->counted) {
			const uint8_t *p = lp_sa_file_bytes(f, *at, 4);

			if (!p)
				return false;
			n = lp_load_u32(p);
			*at += 4;
		}
		size = n * a->n_sub * a->size;
		if (n > ITEMS_MOST || *at > f->size || size > f->size - *at)
			return false;
		if (a->which < LP_SADF_ACTIVITIES) {
			record->items[a->which].offset = *at;
			record->items[a->which].n = (uint32_t)n;
		}
		*at += size;
	}
	return true;
}

static bool read_head(struct lp_sa_file *f, uint64_t *at,
		      struct lp_sadf_head *head)
{
	const uint8_t *p = lp_sa_file_bytes(f, *at, RECORD_SIZE);
	uint64_t time_s;

	if (!p)
		return false;
	time_s = lp_load_u64(p + 8);
	*head = (struct lp_sadf_head){ .uptime_cs = lp_load_u64(p),
				       .time_s = (int64_t)time_s,
				       .type = p[20] };
	*at += RECORD_SIZE;
	return head->uptime_cs <= TIME_MOST * 100 && time_s <= TIME_MOST &&
	       lp_load_u32(p + 16) == 0;
}

static bool read_record(struct lp_sa_file *f, uint64_t *at,
			const struct activities *all)
{
	struct lp_sa_record record = { 0 };

	if (!read_head(f, at, &record.head) ||
	    lp_grow(&f->records, &f->capacity, f->n_records + 1,
		    sizeof(record)) < 0)
		return false;
	if (lp_sadf_is_sample(&record.head)) {
		if (!read_sample(f, at, all, &record))
			return false;
	} else if (record.head.type == LP_SADF_RESTART) {
		*at += 4;
	} else if (record.head.type == LP_SADF_COMMENT) {
		*at += COMMENT_SIZE;
	} else {
		return false;
	}
	f->records[f->n_records++] = record;
	return *at <= f->size;
}

static bool read_all(struct lp_sa_file *f)
{
	struct activities all = { .n = 0 };
	uint32_t header = read_magic(f);
	uint64_t at = MAGIC_SIZE + header;

	if (!header || !read_header(f, &all.n) ||
	    !read_activities(f, &at, &all))
		return false;
	while (at < f->size)
		if (!read_record(f, &at, &all))
			return false;
	return true;
}

bool lp_sa_file_read(struct lp_sa_file *f)
{
	struct stat st;
	bool known = false;

	if (wake(f) && fstat(f->fd, &st) == 0 && S_ISREG(st.st_mode)) {
		f->size = (uint64_t)st.st_size;
		known = read_all(f);
	}
	lp_sa_file_rest(f);
	return known;
}

int lp_sa_file_clock(const struct lp_sa_file *f, struct lp_sadf_clock *clock)
{
	for (size_t i = 0; i < f->n_records; i++)
		if (lp_sadf_clock_add(clock, &f->records[i].head) < 0)
			return -ENOMEM;
	return 0;
}

void lp_sa_file_done(struct lp_sa_file *f)
{
	lp_sa_file_rest(f);
	free(f->records);
	*f = (struct lp_sa_file){ .fd = -1 };
}
