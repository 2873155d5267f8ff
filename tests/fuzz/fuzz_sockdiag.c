/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes as if from NETLINK_SOCK_DIAG, through the parser and the table. */
#include "source/socktable.h"

#include <stdlib.h>

static void visit(void *table, const struct lp_socket *socket)
{
	if (socket->state == LP_TCP_LISTEN)
		lp_socktable_listens(table, socket->local_port);
	else if (socket->state == 7)
		lp_socktable_bury(table, socket);
	else
		lp_socktable_see(table, socket);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct lp_socktable_options options = {
		.max_groups = 3,
		.max_sockets = 5,
		.each_socket = size > 0 && data[size - 1] & 1,
		.has_deaths = size > 0 && data[size - 1] & 2,
	};
	struct lp_socktable *table = lp_socktable_new(&options);
	struct lp_builder *builder = lp_builder_new("h");

	if (!table || !builder)
		abort();
	for (int64_t round = 0; round < 3; round++) {
		lp_socktable_ports_begin(table);
		lp_socktable_begin(table, round * LP_SOCKTABLE_KEEP_NS / 2);
		lp_sockdiag_scan(data, size, LP_SOCKDIAG_ANY, visit, table);
		lp_socktable_ports_end(table);
		lp_socktable_end(table);
		lp_builder_tick(builder, round);
		lp_socktable_put(table, builder, NULL);
	}
	lp_builder_chunk(builder);
	lp_builder_free(builder);
	lp_socktable_free(table);
	return 0;
}
