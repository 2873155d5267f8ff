/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a list of TCP sockets costs at least: the recorder's own question, and
 * answers that nobody looks at.
 */
#ifndef LP_BENCH_TCP_FLOOR_H
#define LP_BENCH_TCP_FLOOR_H

/* A netlink socket for the questions. Both end the program if they fail. */
int tcp_floor_open(void);
void tcp_floor_sample(int fd);

#endif
