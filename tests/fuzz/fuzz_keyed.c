/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes as each of the kernel's files that describe the host. */
#include "source/keyed.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct lp_reader *const readers[] = {
	&lp_reader_stat, &lp_reader_meminfo, &lp_reader_pressure,
	&lp_reader_snmp, &lp_reader_netstat,
};

/* The reader's files hold the bytes as if they had been fetched. */
static void parse(const struct lp_reader *reader, const uint8_t *data,
		  size_t size)
{
	const struct lp_reader_context context = { .root = "", .netns_fd = -1 };
	struct lp_builder *builder = lp_builder_new("h");
	struct lp_keyed *keyed;
	struct lp_error err;
	void *state;

	if (reader->open(&context, &state) < 0)
		abort();
	keyed = state;
	for (size_t i = 0; i < keyed->n_files; i++) {
		keyed->files[i].text = malloc(size + 1);
		memcpy(keyed->files[i].text, data, size);
		keyed->files[i].size = size;
	}
	lp_builder_tick(builder, 1);
	reader->parse(state, builder, &err);
	lp_builder_chunk(builder);
	lp_builder_free(builder);
	reader->close(state);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	for (size_t i = 0; i < lp_array_size(readers); i++)
		parse(readers[i], data, size);
	return 0;
}
