/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Answers over HTTP, on loopback, by a thread of its own. What a client may
 * take is bounded: connections of an address, the size of headers and bodies,
 * and the time of a request as a whole, which libmicrohttpd does not bound (its
 * timeout counts silence only).
 */
#ifndef LP_SERVE_SERVER_H
#define LP_SERVE_SERVER_H

#include "serve/service.h"

struct lp_server;

/* Of the service's settings; port 0: any that is free. */
int lp_server_open(struct lp_service *service, struct lp_server **server,
		   struct lp_error *err);
/* Accepts NULL. */
void lp_server_close(struct lp_server *server);
uint16_t lp_server_port(const struct lp_server *server);

/* End connections whose request takes too long. Call it every second or so. */
void lp_server_tidy(struct lp_server *server);

#endif
