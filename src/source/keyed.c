/* SPDX-License-Identifier: Apache-2.0 */
#include "source/keyed.h"

#include "base/number.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int gather_keys(struct lp_keyed *keyed, const char *origin)
{
	const struct lp_class *class = &lp_class_host;
	size_t n = strlen(origin);

	keyed->columns = calloc(class->n_columns, sizeof(*keyed->columns));
	if (!keyed->columns)
		return -ENOMEM;
	for (size_t c = 0; c < class->n_columns; c++) {
		const char *from = class->columns[c].origin;
		uint32_t id;

		if (!from || strncmp(from, origin, n) != 0 || from[n] != ':')
			continue;
		id = lp_names_add(&keyed->keys, from + n + 1);
		if (id == LP_NAME_NONE)
			return -ENOMEM;
		keyed->columns[id] = (uint8_t)c;
	}
	return 0;
}

int lp_keyed_open(const struct lp_keyed_format *format,
		  const struct lp_reader_context *context, void **state)
{
	struct lp_keyed *keyed = calloc(1, sizeof(*keyed));
	int status;

	if (!keyed)
		return -ENOMEM;
	keyed->format = format;
	status = gather_keys(keyed, format->origin);
	while (status == 0 && format->paths[keyed->n_files]) {
		status =
			lp_procfile_init(&keyed->files[keyed->n_files], context,
					 format->paths[keyed->n_files]);
		keyed->n_files += status == 0;
	}
	if (status < 0)
		lp_keyed_close(keyed);
	else
		*state = keyed;
	return status;
}

void lp_keyed_close(void *state)
{
	struct lp_keyed *keyed = state;

	if (!keyed)
		return;
	for (size_t i = 0; i < keyed->n_files; i++)
		lp_procfile_done(&keyed->files[i]);
	lp_names_done(&keyed->keys);
	free(keyed->columns);
	free(keyed);
}

int lp_keyed_fetch(void *state, struct lp_error *err)
{
	struct lp_keyed *keyed = state;
	size_t absent = 0;

	for (size_t i = 0; i < keyed->n_files; i++) {
		int status = lp_procfile_read(&keyed->files[i], err);

		if (status == -ENOENT) {
			keyed->files[i].size = 0;
			absent++;
		} else if (status < 0) {
			return status;
		}
	}
	return absent == keyed->n_files ? -ENOENT : 0;
}

static void parse_file(struct lp_keyed *keyed, size_t index,
		       const struct lp_row *row, size_t *broken,
		       struct lp_error *err)
{
	const struct lp_procfile *file = &keyed->files[index];
	const char *at = file->text, *end = at + file->size, *from, *to;

	keyed->before = keyed->before_end = at;
	while (lp_next_line(&at, end, &from, &to)) {
		if (!keyed->format->understand(keyed, index, from, to, row))
			lp_bad_line(file, from, to, broken, err);
		keyed->before = from;
		keyed->before_end = to;
	}
}

int lp_keyed_parse(void *state, struct lp_builder *builder,
		   struct lp_error *err)
{
	struct lp_keyed *keyed = state;
	size_t panel = lp_builder_panel(builder, &lp_class_host);
	size_t broken = 0;
	struct lp_row row;

	if (panel == LP_BUILDER_NONE ||
	    !lp_builder_row(builder, panel, LP_HOST_INSTANCE,
			    sizeof(LP_HOST_INSTANCE) - 1, &row))
		return lp_fail_memory(err);
	for (size_t i = 0; i < keyed->n_files; i++)
		if (keyed->files[i].size > 0)
			parse_file(keyed, i, &row, &broken, err);
	return broken ? -EINVAL : 0;
}

int lp_keyed_column(const struct lp_keyed *keyed, const char *key, size_t n)
{
	uint32_t id = lp_names_find_n(&keyed->keys, key, n);

	return id == LP_NAME_NONE ? -1 : keyed->columns[id];
}

bool lp_keyed_put(const struct lp_keyed *keyed, const char *key, size_t n,
		  const char *at, const char *end, const struct lp_row *row)
{
	int column = lp_keyed_column(keyed, key, n);
	uint64_t v;

	if (column < 0)
		return true;
	if (!lp_scan_u64(&at, end, &v))
		return false;
	lp_row_u64(row, (size_t)column, v);
	return true;
}
