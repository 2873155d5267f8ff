/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Repair: every sound block as it is, byte by byte, into a file that is closed
 * in order. A tail that was still growing is kept as far as it had come.
 */
#include "archive/inspect.h"
#include "archive/writer.h"

static int copy_block(void *context, const struct block *block,
		      struct lp_error *err)
{
	if (block->header.type == BLOCK_END)
		return 0;
	return lp_writer_put_block(context, block, err);
}

int lp_archive_repair(const char *path, const char *out,
		      const struct lp_damage_sink *sink,
		      struct lp_archive_state *verdict, struct lp_error *err)
{
	struct lp_archive_writer *writer;
	struct inspection inspection = { .sink = sink, .block = copy_block };
	struct lp_archive_state unused;
	struct inspection look = { 0 };
	bool same = strcmp(path, out) == 0;
	int code;

	/* What is no archive must be refused before anything is created. */
	code = lp_inspect(path, &look, &unused, err);
	if (code < 0)
		return code;
	code = lp_writer_create(out, same, &writer, err);
	if (code < 0)
		return code;
	inspection.context = writer;
	code = lp_inspect(path, &inspection, verdict, err);
	if (code < 0) {
		lp_archive_abandon(writer);
		return code;
	}
	return lp_archive_finish(writer, err);
}
