/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What systemd is told, sd_notify(3): datagrams to the socket that
 * NOTIFY_SOCKET names. Without that variable nothing is done.
 */
#ifndef LP_SERVE_NOTIFY_H
#define LP_SERVE_NOTIFY_H

/* "READY=1", "STATUS=..." */
void lp_notify(const char *text);

#endif
