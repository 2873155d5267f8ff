/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate/host_parts.h"

#include <math.h>

#define RX_BYTES 0
#define RX_PACKETS 1
#define TX_BYTES 8
#define TX_PACKETS 9
#define OVERHEAD 1.05     /* headers, control messages */
#define PACKET_BYTES 1448 /* of a full packet */
#define ACKS 0.02         /* bytes, of what is acknowledged */

/* What a server did goes to the clients' recordings. */
static void note_traffic(struct lp_sim_host *h, size_t first, size_t n)
{
	struct lp_sim_traffic *t = &h->world->traffic;
	size_t at = lp_sim_host_number(h) * t->ticks + first;

	for (size_t k = 0; t->in && k < n; k++) {
		t->in[at + k] = (float)h->rx[k];
		t->out[at + k] = (float)h->tx[k];
	}
}

/* A client sends what its servers receive, and the other way round. */
static void take_traffic(struct lp_sim_host *h, size_t first, size_t n)
{
	const struct lp_sim_traffic *t = &h->world->traffic;
	double share = lp_sim_client_share(h->scenario, h->client);

	for (size_t i = 0; i < h->n_sockets; i++)
		for (size_t k = 0; k < n; k++) {
			h->rx[k] += share * t->out[i * t->ticks + first + k];
			h->tx[k] += share * t->in[i * t->ticks + first + k];
		}
}

/* Server i of a client, or the host itself. */
static void loss_at(const struct lp_sim_host *h, size_t i, double at_s,
		    double *receive, double *send)
{
	const struct lp_scenario *s = h->scenario;

	if (h->is_client)
		lp_sim_loss(s, (unsigned)i / s->servers,
			    (unsigned)i % s->servers, at_s, send, receive);
	else
		lp_sim_loss(s, h->array, h->server, at_s, receive, send);
}

static void run_socket(struct lp_sim_host *h, size_t i, size_t first, size_t n)
{
	const struct lp_sim_traffic *t = &h->world->traffic;
	double interval = h->scenario->interval_s;
	size_t at =
		(h->is_client ? i : lp_sim_host_number(h)) * t->ticks + first;
	double share = lp_sim_client_share(
		h->scenario, h->is_client ? h->client : (unsigned)i);
	const float *sent = h->is_client ? t->in : t->out;
	const float *received = h->is_client ? t->out : t->in;
	uint64_t *bits[LP_SIM_TCP_COLUMNS];

	for (size_t c = 0; c < LP_SIM_TCP_COLUMNS; c++)
		bits[c] = h->tcp->series[i].values[c].bits;
	for (size_t k = 0; k < n; k++) {
		double receive, send;

		loss_at(h, i, (double)(first + k) * interval, &receive, &send);
		lp_sim_socket_run(&h->sockets[i], interval,
				  share * sent[at + k],
				  share * received[at + k], send, bits, k);
	}
}

/*
 * What clients write comes in, what they read goes out, each with ACKs. Of
 * two packets in order one is acknowledged, of those out of order each (thesis
 * 4.8); what got lost is sent again.
 */
static void run_net(struct lp_sim_host *h, size_t first, size_t n)
{
	struct lp_values *values = h->net_panel->series[0].values;
	double s = h->scenario->interval_s;

	for (size_t k = 0; k < n; k++) {
		double rx = 0, tx = 0, receive = 0, send = 0, in, out;
		double at_s = (double)(first + k) * s;

		if (!h->is_client) {
			lp_sim_network(h->scenario, h->array, h->server, at_s,
				       &rx, &tx);
			loss_at(h, 0, at_s, &receive, &send);
		}
		in = (h->rx[k] + rx * s) * OVERHEAD + 2000 * s;
		out = (h->tx[k] * (1 + send) + tx * s) * OVERHEAD + 2000 * s;
		h->net[0] += floor(in + out * ACKS * (send > 0 ? 2 : 1));
		h->net[1] += floor(in / PACKET_BYTES + out / PACKET_BYTES / 2);
		h->net[2] += floor(out + in * ACKS * (receive > 0 ? 2 : 1));
		h->net[3] += floor(out / PACKET_BYTES + in / PACKET_BYTES / 2);
		values[RX_BYTES].bits[k] = (uint64_t)h->net[0];
		values[RX_PACKETS].bits[k] = (uint64_t)h->net[1];
		values[TX_BYTES].bits[k] = (uint64_t)h->net[2];
		values[TX_PACKETS].bits[k] = (uint64_t)h->net[3];
	}
}

void lp_sim_host_network(struct lp_sim_host *h, size_t first, size_t n)
{
	if (h->is_client)
		take_traffic(h, first, n);
	else
		note_traffic(h, first, n);
	for (size_t i = 0; i < h->n_sockets; i++)
		run_socket(h, i, first, n);
	run_net(h, first, n);
}
