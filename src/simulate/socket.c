/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The model: the window of a connection that sends moves towards what its
 * losses allow, 1.22 / sqrt(loss) packets (Mathis et al. 1997), upwards slowly
 * and downwards at once; what the network allows without a fault are about a
 * hundred packets with some scatter, as FAST'10 observation 7 saw it. One that
 * does not send keeps its window.
 */
#include "simulate/socket.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

#define MSS 1448.0
#define USUAL_WINDOW 100.0
#define SCATTER 0.25 /* of the window, from tick to tick */
#define MATHIS 1.22
#define GROWS_S 4.0
#define SHRINKS_S 0.5
#define RTT_MS 0.3
/* A lost segment costs a round trip, or a timeout. */
#define RTT_LOSS_MS 20.0
/* Loss without a fault: the queues of the network. */
#define USUAL_LOSS 1e-5

void lp_sim_socket_init(struct lp_sim_socket *s, uint64_t seed, uint64_t stream)
{
	*s = (struct lp_sim_socket){ .window = 10 };
	lp_random_init(&s->random, seed, stream);
}

void lp_sim_socket_reset(struct lp_sim_socket *s)
{
	s->window = 10;
	memset(s->total, 0, sizeof(s->total));
}

static void move_window(struct lp_sim_socket *s, double interval_s, double loss)
{
	double goal = USUAL_WINDOW, pace;

	if (loss > 0)
		goal = fmin(goal, MATHIS / sqrt(loss));
	goal *= lp_random_lognormal(&s->random, SCATTER);
	pace = goal < s->window ? SHRINKS_S : GROWS_S;
	s->window += (goal - s->window) * (1 - exp(-interval_s / pace));
	s->window = fmax(s->window, 1);
}

static uint64_t bits_of(double v)
{
	uint64_t bits;

	memcpy(&bits, &v, sizeof(bits));
	return bits;
}

static void store(const struct lp_sim_socket *s, bool active, double rtt_ms,
		  uint64_t *const *bits, size_t k)
{
	bits[LP_SIM_SOCKETS][k] = 1;
	bits[LP_SIM_ACTIVE][k] = active;
	bits[LP_SIM_CWND][k] = bits_of(floor(s->window));
	bits[LP_SIM_CWND_ACTIVE][k] = bits_of(floor(s->window));
	bits[LP_SIM_SSTHRESH][k] = bits_of(floor(fmax(2, s->window / 2)));
	bits[LP_SIM_RTT_MS][k] = bits_of(rtt_ms);
	bits[LP_SIM_RTTVAR_MS][k] = bits_of(rtt_ms / 4);
	for (int c = LP_SIM_RETRANS; c < LP_SIM_TCP_COLUMNS; c++)
		bits[c][k] = (uint64_t)s->total[c];
}

void lp_sim_socket_run(struct lp_sim_socket *s, double interval_s, double sent,
		       double received, double loss, uint64_t *const *bits,
		       size_t k)
{
	double packets = ceil(sent / MSS), *total = s->total;
	double again =
		lp_random_poisson(&s->random, packets * (loss + USUAL_LOSS));
	double rtt_ms = RTT_MS * lp_random_lognormal(&s->random, 0.2) +
			RTT_LOSS_MS * loss;

	if (sent > 0)
		move_window(s, interval_s, loss);
	total[LP_SIM_RETRANS] += again;
	total[LP_SIM_BYTES_SENT] += floor(sent) + again * MSS;
	total[LP_SIM_BYTES_ACKED] += floor(sent);
	total[LP_SIM_BYTES_RECEIVED] += floor(received);
	total[LP_SIM_BYTES_RETRANS] += again * MSS;
	total[LP_SIM_SEGS_OUT] += packets + again + ceil(received / MSS / 2);
	total[LP_SIM_SEGS_IN] += ceil(received / MSS) + ceil(packets / 2);
	store(s, sent > 0, rtt_ms, bits, k);
}
