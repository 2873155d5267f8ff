/* SPDX-License-Identifier: Apache-2.0 */
#include "source/sa_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Longer names are cut off; the kernel's are shorter than 32 bytes. */
#define KEY_SIZE 128

/* The row's item as a number: by its device number too, where it has one. */
static uint32_t row_key(struct lp_sadf_track *track,
			const struct lp_sadf_row *row)
{
	char key[KEY_SIZE];

	if (track->activity->numbered)
		snprintf(key, sizeof(key), "%u:%u %.*s", row->major, row->minor,
			 (int)row->name_length, row->name);
	else
		snprintf(key, sizeof(key), "%.*s", (int)row->name_length,
			 row->name);
	return lp_names_add(&track->keys, key);
}

/* "1794776790; LINUX-RESTART (2 CPU)", "# name; ...", an empty line. */
static bool is_other_line(const char *line, size_t n)
{
	return n == 0 || line[0] == '#' ||
	       memmem(line, n, "LINUX-RESTART", strlen("LINUX-RESTART"));
}

static int take_row(struct lp_sadf_track *track, struct lp_sadf_record *record,
		    const char *line, size_t n, struct lp_error *err)
{
	struct lp_sadf_row *row;
	const char *expected;

	if (lp_grow(&record->rows, &record->capacity, record->n_rows + 1,
		    sizeof(*record->rows)) < 0)
		return lp_fail_memory(err);
	row = &record->rows[record->n_rows];
	expected = lp_sadf_parse_row(track->activity, line, n, row);
	if (expected)
		return lp_fail(err, EINVAL,
			       "sadf printed in line %llu of %s \"%.60s\": "
			       "expected %s",
			       (unsigned long long)track->line_number,
			       track->activity->name, line, expected);
	row->key = row_key(track, row);
	if (row->key == LP_NAME_NONE)
		return lp_fail_memory(err);
	record->n_rows++;
	return 0;
}

static int next_line(struct lp_sadf_track *track, char **line, size_t *n,
		     struct lp_error *err)
{
	track->line_number++;
	return track->lines.next(track->lines.state, line, n, err);
}

/* The head that begins a record, which was perhaps read already. */
static int begin_record(struct lp_sadf_track *track,
			struct lp_sadf_record *record, struct lp_error *err)
{
	char *line;
	size_t n;
	int status;

	record->n_rows = 0;
	while (!track->has_ahead) {
		status = next_line(track, &line, &n, err);
		if (status <= 0)
			return status;
		if (lp_sadf_parse_head(line, n, &track->ahead))
			track->has_ahead = true;
		else if (!is_other_line(line, n))
			return lp_fail(err, EINVAL,
				       "sadf printed \"%.60s\": expected the "
				       "head of a record",
				       line);
	}
	record->head = track->ahead;
	track->has_ahead = false;
	return 1;
}

int lp_sadf_track_read(struct lp_sadf_track *track,
		       struct lp_sadf_record *record, struct lp_error *err)
{
	char *line;
	size_t n;
	int status;

	if (track->items)
		return lp_sa_items_read(track->items, &track->keys, record,
					err);
	status = begin_record(track, record, err);
	if (status <= 0)
		return status;
	while ((status = next_line(track, &line, &n, err)) > 0) {
		if (lp_sadf_parse_head(line, n, &track->ahead)) {
			track->has_ahead = true;
			return 1;
		}
		if (is_other_line(line, n))
			continue;
		status = take_row(track, record, line, n, err);
		if (status < 0)
			return status;
	}
	return status < 0 ? status : 1;
}

void lp_sadf_track_done(struct lp_sadf_track *track)
{
	lp_sa_items_free(track->items);
	lp_names_done(&track->keys);
}
