/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of class tcp, taken apart:
 *
 *     2049>10.0.0.5                  accepted on a port
 *     ->10.0.0.5                     opened by the host
 *     10.0.0.1:2049>10.0.0.5:1021    one socket: nobody says who opened it
 *     [fd00::1]:2049>[fd00::5]:1021
 */
#ifndef LP_TABLE_SOCKET_NAME_H
#define LP_TABLE_SOCKET_NAME_H

#include <stdbool.h>

#define LP_ADDRESS_TEXT 64

/* One end; addresses without brackets, zone, or the prefix of mapped IPv4. */
struct lp_socket_end {
	char address[LP_ADDRESS_TEXT]; /* "": the name does not say */
	long port;                     /* -1: the name does not say */
};

struct lp_socket_name {
	struct lp_socket_end local, peer;
};

/* False, nothing changed: it is no such name. */
bool lp_socket_name_parse(const char *text, struct lp_socket_name *name);

/* Whether the address is one of this host to itself: 127.0.0.1, ::1. */
bool lp_address_is_loopback(const char *address);

/* Whether the host talks to itself: both ends have the same address. */
bool lp_socket_name_is_loop(const struct lp_socket_name *name);

#endif
