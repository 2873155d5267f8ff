/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Alerts: findings that differ enough, and last long enough, told to an
 * Alertmanager, a webhook and a command.
 *
 * What was told is in the store, of each receiver: who was away is told once
 * when it is back, also what is over by then.
 */
#ifndef LP_SERVE_SENDER_H
#define LP_SERVE_SENDER_H

#include "serve/service.h"

struct lp_sender;

/* port: where the service answers. NULL: out of memory. */
struct lp_sender *lp_sender_new(struct lp_service *service, uint16_t port);
void lp_sender_free(struct lp_sender *sender);

/* Tell what is to be told now. The service is not locked while sending. */
void lp_sender_send(struct lp_sender *sender, int64_t now_ns);

#endif
