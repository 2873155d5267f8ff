/* SPDX-License-Identifier: Apache-2.0 */
#include "table/socket_name.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define MAPPED "::ffff:"

static bool is_port(const char *text, size_t n)
{
	return n > 0 && n <= 5 && strspn(text, "0123456789") >= n;
}

/* "fe80::1%eth0" without the zone, "::ffff:10.0.0.1" as IPv4. */
static bool set_address(struct lp_socket_end *end, const char *text, size_t n)
{
	const char *zone = memchr(text, '%', n);
	size_t skip = strlen(MAPPED);

	n = zone ? (size_t)(zone - text) : n;
	if (n > skip && strncmp(text, MAPPED, skip) == 0 &&
	    memchr(text, '.', n)) {
		text += skip;
		n -= skip;
	}
	if (n >= sizeof(end->address))
		return false;
	memcpy(end->address, text, n);
	end->address[n] = '\0';
	return true;
}

/* "10.0.0.1", "10.0.0.1:2049", "fd00::1", "[fd00::1]:2049" */
static bool split(struct lp_socket_end *end, const char *text, size_t n)
{
	const char *close = *text == '[' ? memchr(text, ']', n) : NULL;
	const char *colon = memchr(text, ':', n);
	size_t address = n;

	end->port = -1;
	if (close) {
		text++;
		address = (size_t)(close - text);
		n--;
		colon = address + 1 < n && close[1] == ':' ? close + 1 : NULL;
	} else if (colon &&
		   memchr(colon + 1, ':', n - (size_t)(colon + 1 - text))) {
		/* Several: an IPv6 address alone. */
		colon = NULL;
	}
	if (colon && is_port(colon + 1, n - (size_t)(colon + 1 - text))) {
		end->port = strtol(colon + 1, NULL, 10);
		address = close ? address : (size_t)(colon - text);
	}
	return set_address(end, text, address);
}

static bool split_local(struct lp_socket_end *end, const char *text, size_t n)
{
	*end = (struct lp_socket_end){ .port = -1 };
	if (n == 0 || (n == 1 && *text == '-'))
		return true;
	if (!is_port(text, n))
		return split(end, text, n);
	end->port = strtol(text, NULL, 10);
	return true;
}

bool lp_socket_name_parse(const char *text, struct lp_socket_name *name)
{
	const char *arrow = strchr(text, '>');
	struct lp_socket_name parsed;

	if (!arrow || !arrow[1] ||
	    !split_local(&parsed.local, text, (size_t)(arrow - text)) ||
	    !split(&parsed.peer, arrow + 1, strlen(arrow + 1)))
		return false;
	*name = parsed;
	return true;
}

bool lp_address_is_loopback(const char *address)
{
	return strncmp(address, "127.", 4) == 0 || strcmp(address, "::1") == 0;
}

bool lp_socket_name_is_loop(const struct lp_socket_name *name)
{
	return lp_address_is_loopback(name->peer.address) ||
	       (*name->local.address &&
		strcmp(name->local.address, name->peer.address) == 0);
}
