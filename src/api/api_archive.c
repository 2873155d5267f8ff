/* SPDX-License-Identifier: Apache-2.0 */
#include "api/api.h"

#include "archive/archive.h"

#include <stdlib.h>

struct limpid_archive {
	struct lp_archive_writer *writer;
};

int limpid_archive_create(const char *path, struct limpid_archive **archive,
			  struct limpid_error *err)
{
	struct limpid_archive *a = calloc(1, sizeof(*a));
	int status;

	if (!a)
		return lp_fail_memory(lp_api_error(err));
	status = lp_archive_create(path, LP_ARCHIVE_ATOMIC, &a->writer,
				   lp_api_error(err));
	if (status < 0)
		free(a);
	else
		*archive = a;
	return status;
}

int limpid_archive_put(struct limpid_archive *archive,
		       const struct limpid_item *item, struct limpid_error *err)
{
	return lp_archive_put_item(archive->writer, &item->is,
				   lp_api_error(err));
}

int limpid_archive_finish(struct limpid_archive *archive,
			  struct limpid_error *err)
{
	int status = lp_archive_finish(archive->writer, lp_api_error(err));

	free(archive);
	return status;
}

void limpid_archive_abandon(struct limpid_archive *archive)
{
	if (archive)
		lp_archive_abandon(archive->writer);
	free(archive);
}
