/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of sockets. Ends that were found, put together again, are the same
 * ends.
 */
#include "table/socket_name.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void check(const struct lp_socket_end *end)
{
	require(memchr(end->address, '\0', sizeof(end->address)));
	require(end->port >= -1 && end->port <= 99999);
	lp_address_is_loopback(end->address);
}

/* Addresses in brackets: those of the other forms have no port then. */
static void try_again(const struct lp_socket_name *name)
{
	char text[2 * LP_ADDRESS_TEXT + 64];
	struct lp_socket_name again;

	if (name->local.port < 0 || name->peer.port < 0 ||
	    strpbrk(name->local.address, "[]>:%") ||
	    strpbrk(name->peer.address, "[]:%"))
		return;
	snprintf(text, sizeof(text), "[%s]:%ld>[%s]:%ld", name->local.address,
		 name->local.port, name->peer.address, name->peer.port);
	require(lp_socket_name_parse(text, &again));
	require(strcmp(again.local.address, name->local.address) == 0);
	require(strcmp(again.peer.address, name->peer.address) == 0);
	require(again.local.port == name->local.port);
	require(again.peer.port == name->peer.port);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	struct lp_socket_name name;

	require(text);
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	if (lp_socket_name_parse(text, &name)) {
		check(&name.local);
		check(&name.peer);
		lp_socket_name_is_loop(&name);
		try_again(&name);
	}
	free(text);
	return 0;
}
