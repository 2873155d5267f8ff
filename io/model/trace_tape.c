/* SPDX-License-Identifier: Apache-2.0 */
#include "io/model/trace_write.h"

#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>

#define TAPE_BLOCK (256u * 1024)
/* A record of a benchmark, at most in the mean: random offsets. */
#define BYTES_EACH 20u

void lp_io_tape_init(struct lp_io_tape *tape, int64_t process, int64_t thread)
{
	*tape = (struct lp_io_tape){ .process = process, .thread = thread };
}

static int add_block(struct lp_io_tape *tape)
{
	uint8_t *block;

	if (lp_grow(&tape->block, &tape->block_capacity, tape->n_blocks + 1,
		    sizeof(*tape->block)) < 0)
		return -ENOMEM;
	block = malloc(TAPE_BLOCK);
	if (!block)
		return -ENOMEM;
	/* Touched now, so that no page fault falls between operations. */
	memset(block, 0, TAPE_BLOCK);
	tape->block[tape->n_blocks++] = block;
	return 0;
}

int lp_io_tape_reserve(struct lp_io_tape *tape, uint64_t operations)
{
	uint64_t n = operations * BYTES_EACH / TAPE_BLOCK + 1;

	if (operations > UINT64_MAX / BYTES_EACH)
		return -ENOMEM;
	while (n-- > 0)
		if (add_block(tape) < 0)
			return -ENOMEM;
	return 0;
}

static void note_used(struct lp_io_tape *tape)
{
	uint8_t *bytes = tape->block[tape->next_block - 1];
	struct lp_io_block *block = (struct lp_io_block *)bytes;

	block->used = (uint32_t)((size_t)(tape->at - bytes) - sizeof(*block));
}

static bool begin_block(struct lp_io_tape *tape, int64_t now_ns)
{
	struct lp_io_block head = { .magic = LP_IO_BLOCK_MAGIC,
				    .base_ns = now_ns,
				    .process = tape->process,
				    .thread = tape->thread };
	uint8_t *bytes;

	if (tape->next_block == tape->n_blocks && add_block(tape) < 0)
		return false;
	bytes = tape->block[tape->next_block++];
	memcpy(bytes, &head, sizeof(head));
	tape->state = (struct lp_io_state){ .last_ns = now_ns };
	tape->at = bytes + sizeof(head);
	tape->end = bytes + TAPE_BLOCK;
	return true;
}

static bool make_room(struct lp_io_tape *tape, size_t n)
{
	if (tape->at && (size_t)(tape->end - tape->at) >= n)
		return true;
	if (n > TAPE_BLOCK - sizeof(struct lp_io_block))
		return false;
	return begin_block(tape, tape->at ? tape->state.last_ns : 0);
}

void lp_io_tape_name(struct lp_io_tape *tape, uint32_t file, const char *path)
{
	size_t n = strlen(path);

	if (!make_room(tape, lp_io_name_room(n)))
		return;
	tape->at = lp_io_encode_name(tape->at, file, path, n);
	note_used(tape);
}

void lp_io_tape_put(struct lp_io_tape *tape, const struct lp_io_operation *op)
{
	if (!make_room(tape, LP_IO_RECORD_MAX)) {
		tape->lost++;
		return;
	}
	tape->at = lp_io_encode(&tape->state, tape->at, op);
	note_used(tape);
}

void lp_io_tape_done(struct lp_io_tape *tape)
{
	for (size_t i = 0; i < tape->n_blocks; i++)
		free(tape->block[i]);
	free(tape->block);
	*tape = (struct lp_io_tape){ 0 };
}
