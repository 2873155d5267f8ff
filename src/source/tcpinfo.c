/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One datagram holds several messages:
 *
 *   nlmsghdr (16)   length, type, flags, sequence, port
 *   inet_diag_msg (72)
 *      0 family  1 state  2 timer  3 retrans
 *      4 local port (network order)  6 peer port
 *      8 local address (16)         24 peer address (16)
 *     40 interface                  44 cookie (2 x 32 bits)
 *     52 expires, rqueue, wqueue, uid, inode
 *   attributes, each: length (16 bits), type (16 bits), bytes, padding to 4
 *      2 INET_DIAG_INFO: struct tcp_info, whose length tells its age
 *      4 INET_DIAG_CONG: "cubic"
 */
#include "source/tcpinfo.h"

#include "base/memory.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <stdio.h>
#include <string.h>

/*
 * Where the numbers stand in struct tcp_info. Given here, not taken from
 * <linux/tcp.h>: the header of an older system lacks the younger fields, and
 * the offsets are the kernel's promise to every program.
 */
struct field {
	uint16_t offset;
	uint8_t bytes;
};

static const struct field counter_fields[LP_TCP_COUNTERS] = {
	[LP_TCP_RETRANS] = { 100, 4 },
	[LP_TCP_BYTES_SENT] = { 200, 8 }, /* since 4.19 */
	[LP_TCP_BYTES_ACKED] = { 120, 8 },
	[LP_TCP_BYTES_RECEIVED] = { 128, 8 },
	[LP_TCP_BYTES_RETRANS] = { 208, 8 }, /* since 4.19 */
	[LP_TCP_SEGS_OUT] = { 136, 4 },
	[LP_TCP_SEGS_IN] = { 140, 4 },
};

static const struct field level_fields[LP_TCP_LEVELS] = {
	[LP_TCP_CWND] = { 80, 4 },      [LP_TCP_SSTHRESH] = { 76, 4 },
	[LP_TCP_RTT_US] = { 68, 4 },    [LP_TCP_RTTVAR_US] = { 72, 4 },
	[LP_TCP_UNACKED] = { 24, 4 },   [LP_TCP_LOST] = { 32, 4 },
	[LP_TCP_DELIVERY] = { 160, 8 }, /* since 4.9 */
};

/* TCP_INFINITE_SSTHRESH: still in the first slow start. */
#define NO_SSTHRESH 0x7fffffff

bool lp_tcp_counter_is_narrow(enum lp_tcp_counter counter)
{
	return counter_fields[counter].bytes == 4;
}

/* The numbers are in the byte order of this machine. */
static bool load(const uint8_t *info, size_t n, struct field field, uint64_t *v)
{
	uint32_t narrow;

	if ((size_t)field.offset + field.bytes > n)
		return false;
	if (field.bytes == 8) {
		memcpy(v, info + field.offset, 8);
	} else {
		memcpy(&narrow, info + field.offset, 4);
		*v = narrow;
	}
	return true;
}

static void load_info(const uint8_t *info, size_t n, struct lp_socket *s)
{
	for (size_t i = 0; i < LP_TCP_COUNTERS; i++)
		if (load(info, n, counter_fields[i], &s->counters[i]))
			s->counters_known |= (uint8_t)(1U << i);
	for (size_t i = 0; i < LP_TCP_LEVELS; i++)
		if (load(info, n, level_fields[i], &s->levels[i]))
			s->levels_known |= (uint8_t)(1U << i);
	if (s->levels[LP_TCP_SSTHRESH] >= NO_SSTHRESH)
		s->levels_known &= (uint8_t) ~(1U << LP_TCP_SSTHRESH);
	if (s->levels[LP_TCP_DELIVERY] == 0)
		s->levels_known &= (uint8_t) ~(1U << LP_TCP_DELIVERY);
}

static void load_name(const uint8_t *bytes, size_t n, struct lp_socket *s)
{
	size_t length = strnlen((const char *)bytes, n);

	if (length >= sizeof(s->congestion))
		length = sizeof(s->congestion) - 1;
	memcpy(s->congestion, bytes, length);
	s->congestion[length] = '\0';
}

static void load_attributes(const uint8_t *at, const uint8_t *end,
			    struct lp_socket *s)
{
	uint16_t length, type;

	while ((size_t)(end - at) >= 4) {
		memcpy(&length, at, 2);
		memcpy(&type, at + 2, 2);
		if (length < 4 || length > end - at)
			return;
		if (type == INET_DIAG_INFO)
			load_info(at + 4, length - 4U, s);
		else if (type == INET_DIAG_CONG)
			load_name(at + 4, length - 4U, s);
		if (NLMSG_ALIGN(length) > (size_t)(end - at))
			return;
		at += NLMSG_ALIGN(length);
	}
}

static void load_address(const uint8_t *bytes, uint8_t family,
			 struct lp_address *address)
{
	if (family == AF_INET6) {
		memcpy(address->bytes, bytes, 16);
		return;
	}
	memset(address->bytes, 0, 10);
	memset(address->bytes + 10, 0xff, 2);
	memcpy(address->bytes + 12, bytes, 4);
}

/* False: no TCP socket. */
static bool load_socket(const uint8_t *bytes, size_t n, struct lp_socket *s)
{
	uint8_t family;

	if (n < sizeof(struct inet_diag_msg))
		return false;
	family = bytes[0];
	if (family != AF_INET && family != AF_INET6)
		return false;
	memset(s, 0, sizeof(*s));
	s->state = bytes[1];
	s->local_port = (uint16_t)(bytes[4] << 8 | bytes[5]);
	s->peer_port = (uint16_t)(bytes[6] << 8 | bytes[7]);
	load_address(bytes + 8, family, &s->local);
	load_address(bytes + 24, family, &s->peer);
	memcpy(&s->interface, bytes + 40, 4);
	memcpy(&s->cookie, bytes + 44, 8);
	load_attributes(bytes + sizeof(struct inet_diag_msg), bytes + n, s);
	return true;
}

/* NLMSG_ERROR holds -errno, or 0 for an acknowledgement. */
static int answer_of(const uint8_t *body, size_t n)
{
	int32_t code;

	if (n < sizeof(code))
		return -EBADMSG;
	memcpy(&code, body, sizeof(code));
	return code < 0 && code > -4096 ? code : -EBADMSG;
}

static int scan_message(const struct nlmsghdr *header, const uint8_t *body,
			lp_socket_visit *visit, void *argument)
{
	size_t n = header->nlmsg_len - NLMSG_HDRLEN;
	struct lp_socket socket;

	switch (header->nlmsg_type) {
	case NLMSG_DONE:
		return 1;
	case NLMSG_ERROR:
		return answer_of(body, n);
	case TCPDIAG_GETSOCK:
	case SOCK_DIAG_BY_FAMILY:
		if (!load_socket(body, n, &socket))
			return -EBADMSG;
		visit(argument, &socket);
		return 0;
	default:
		return 0;
	}
}

int lp_sockdiag_scan(const void *bytes, size_t n, uint32_t sequence,
		     lp_socket_visit *visit, void *argument)
{
	const uint8_t *at = bytes, *end = at + n;
	struct nlmsghdr header;
	int status = 0;

	while (end - at >= NLMSG_HDRLEN) {
		size_t left = (size_t)(end - at);

		memcpy(&header, at, sizeof(header));
		if (header.nlmsg_len < NLMSG_HDRLEN || header.nlmsg_len > left)
			return -EBADMSG;
		if (sequence == LP_SOCKDIAG_ANY || header.nlmsg_seq == sequence)
			status = scan_message(&header, at + NLMSG_HDRLEN, visit,
					      argument);
		if (status != 0)
			return status;
		at += NLMSG_ALIGN(header.nlmsg_len) > left
			      ? left
			      : NLMSG_ALIGN(header.nlmsg_len);
	}
	return at == end ? 0 : -EBADMSG;
}

bool lp_address_is_v4(const struct lp_address *address)
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };

	return memcmp(address->bytes, mapped, sizeof(mapped)) == 0;
}

const char *lp_address_format(const struct lp_address *address,
			      char text[LP_ADDRESS_TEXT])
{
	if (lp_address_is_v4(address))
		return inet_ntop(AF_INET, address->bytes + 12, text,
				 LP_ADDRESS_TEXT);
	return inet_ntop(AF_INET6, address->bytes, text, LP_ADDRESS_TEXT);
}
