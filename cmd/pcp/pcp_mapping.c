/* SPDX-License-Identifier: Apache-2.0 */
#include "pcp_mapping.h"

#include "base/memory.h"

#include <string.h>

#define NO_UNIT                                                                \
	{                                                                      \
		LP_PCP_COUNT, 1                                                \
	}
#define SPACE(bytes)                                                           \
	{                                                                      \
		LP_PCP_SPACE, bytes                                            \
	}
#define TIME(ns)                                                               \
	{                                                                      \
		LP_PCP_TIME, ns                                                \
	}
#define COUNT(metric, column)                                                  \
	{                                                                      \
		.name = metric, .to = column, .unit = NO_UNIT                  \
	}
/* The kernel's block is 512 bytes; PCP gives it no unit. */
#define SECTORS(metric, column) COUNT(metric, column)
/* KiB, rounded down: half as exact as the sectors they were made from. */
#define SECTORS_OF_KIB(metric, column, exact)                                  \
	{                                                                      \
		.name = metric, .to = column, .unit = SPACE(512),              \
		.better = exact                                                \
	}
#define MS(metric, column)                                                     \
	{                                                                      \
		.name = metric, .to = column, .unit = TIME(1000000)            \
	}
#define US(metric, column)                                                     \
	{                                                                      \
		.name = metric, .to = column, .unit = TIME(1000)               \
	}
/* The kernel's tick, 1/100 s whatever its own clock. */
#define TICKS(metric, column)                                                  \
	{                                                                      \
		.name = metric, .to = column, .unit = TIME(10000000)           \
	}
#define BYTES(metric, column)                                                  \
	{                                                                      \
		.name = metric, .to = column, .unit = SPACE(1)                 \
	}
#define KIB(metric, column)                                                    \
	{                                                                      \
		.name = metric, .to = column, .unit = SPACE(1024)              \
	}
#define WORDS(metric, column)                                                  \
	{                                                                      \
		.name = metric, .to = column, .unit = SPACE(4)                 \
	}
#define LABEL(metric, label)                                                   \
	{                                                                      \
		.name = metric, .target = LP_PCP_LABEL, .to = label,           \
		.unit = NO_UNIT                                                \
	}
#define LABEL_BYTES(metric, label)                                             \
	{                                                                      \
		.name = metric, .target = LP_PCP_LABEL, .to = label,           \
		.unit = SPACE(1)                                               \
	}

/*
 * disk.dev, disk.dm, disk.md and disk.partitions have the same metrics, the
 * last fewer. avactive is the time with any request in flight, aveq the sum
 * over requests; *_rawactive are the sums of reads, writes and so on.
 */
static const struct lp_pcp_rule disk_rules[] = {
	COUNT("read", "rd_ios"),
	COUNT("read_merge", "rd_merges"),
	SECTORS("blkread", "rd_sectors"),
	SECTORS_OF_KIB("read_bytes", "rd_sectors", "blkread"),
	MS("read_rawactive", "rd_ms"),
	COUNT("write", "wr_ios"),
	COUNT("write_merge", "wr_merges"),
	SECTORS("blkwrite", "wr_sectors"),
	SECTORS_OF_KIB("write_bytes", "wr_sectors", "blkwrite"),
	MS("write_rawactive", "wr_ms"),
	{ .name = "total", .to = "ios", .unit = NO_UNIT, .better = "read" },
	COUNT("inflight", "in_flight"),
	MS("avactive", "io_ms"),
	MS("aveq", "weighted_ms"),
	COUNT("discard", "dc_ios"),
	COUNT("discard_merge", "dc_merges"),
	SECTORS("blkdiscard", "dc_sectors"),
	SECTORS_OF_KIB("discard_bytes", "dc_sectors", "blkdiscard"),
	MS("discard_rawactive", "dc_ms"),
	COUNT("flush", "fl_ios"),
	MS("flush_rawactive", "fl_ms"),
	LABEL_BYTES("capacity", "size_bytes"),
	LABEL("scheduler", "queue_scheduler"),
};

static const struct lp_pcp_rule interface_rules[] = {
	BYTES("in.bytes", "rx_bytes"),
	COUNT("in.packets", "rx_packets"),
	COUNT("in.errors", "rx_errs"),
	COUNT("in.drops", "rx_drop"),
	COUNT("in.fifo", "rx_fifo"),
	COUNT("in.frame", "rx_frame"),
	COUNT("in.compressed", "rx_compressed"),
	COUNT("in.mcasts", "rx_multicast"),
	BYTES("out.bytes", "tx_bytes"),
	COUNT("out.packets", "tx_packets"),
	COUNT("out.errors", "tx_errs"),
	COUNT("out.drops", "tx_drop"),
	COUNT("out.fifo", "tx_fifo"),
	COUNT("collisions", "tx_colls"),
	COUNT("out.carrier", "tx_carrier"),
	COUNT("out.compressed", "tx_compressed"),
	LABEL_BYTES("mtu", "mtu"),
	{ .name = "hw_addr",
	  .target = LP_PCP_LABEL,
	  .to = "id",
	  .unit = NO_UNIT,
	  .prefix = "mac:" },
	{ .name = "virtual", .target = LP_PCP_VIRTUAL, .unit = NO_UNIT },
};

/* Sockets agent: levels are those of one socket, counters its own. */
static const struct lp_pcp_rule socket_rules[] = {
	{ .name = "dst",
	  .target = LP_PCP_PEER,
	  .to = "sockets",
	  .unit = NO_UNIT },
	{ .name = "state", .target = LP_PCP_STATE, .unit = NO_UNIT },
	COUNT("cwnd", "cwnd"),
	COUNT("ssthresh", "ssthresh"),
	MS("round_trip.rtt", "rtt_ms"),
	MS("round_trip.rttvar", "rttvar_ms"),
	BYTES("bytes_sent", "bytes_sent"),
	BYTES("bytes_acked", "bytes_acked"),
	BYTES("bytes_received", "bytes_received"),
	BYTES("bytes_retrans", "bytes_retrans"),
	COUNT("segs_out", "segs_out"),
	COUNT("segs_in", "segs_in"),
	BYTES("delivery_rate", "delivery_bps"),
};

static const struct lp_pcp_rule infiniband_rules[] = {
	WORDS("in.bytes", "rcv_data"),
	COUNT("in.packets", "rcv_packets"),
	WORDS("out.bytes", "xmit_data"),
	COUNT("out.packets", "xmit_packets"),
	COUNT("in.errors.drop", "rcv_switch_relay_errors"),
	COUNT("in.errors.filter", "rcv_constraint_errors"),
	COUNT("in.errors.local", "rcv_errors"),
	COUNT("in.errors.remote", "rcv_remote_errors"),
	COUNT("out.errors.drop", "xmit_discards"),
	COUNT("out.errors.filter", "xmit_constraint_errors"),
	COUNT("total.errors.link", "link_downed"),
	COUNT("total.errors.recover", "link_recoveries"),
	COUNT("total.errors.integrity", "integrity_errors"),
	COUNT("total.errors.vl15", "vl15_dropped"),
	COUNT("total.errors.overrun", "buffer_overruns"),
	COUNT("total.errors.symbol", "symbol_errors"),
	LABEL("guid", "port_guid"),
	LABEL("state", "state"),
	LABEL("rate", "rate"),
};

static const struct lp_pcp_rule kernel_rules[] = {
	TICKS("cpu.user", "cpu_user"),
	TICKS("cpu.nice", "cpu_nice"),
	TICKS("cpu.sys", "cpu_system"),
	TICKS("cpu.idle", "cpu_idle"),
	TICKS("cpu.wait.total", "cpu_iowait"),
	TICKS("cpu.irq.hard", "cpu_irq"),
	TICKS("cpu.irq.soft", "cpu_softirq"),
	TICKS("cpu.steal", "cpu_steal"),
	COUNT("pswitch", "ctxt"),
	COUNT("sysfork", "processes"),
	COUNT("running", "procs_running"),
	COUNT("blocked", "procs_blocked"),
	US("pressure.cpu.some.total", "psi_cpu_some"),
	US("pressure.cpu.full.total", "psi_cpu_full"),
	US("pressure.io.some.total", "psi_io_some"),
	US("pressure.io.full.total", "psi_io_full"),
	US("pressure.memory.some.total", "psi_memory_some"),
	US("pressure.memory.full.total", "psi_memory_full"),
	{ .name = "boottime",
	  .target = LP_PCP_BOOTTIME,
	  .unit = TIME(1000000000) },
	{ .name = "uptime", .target = LP_PCP_UPTIME, .unit = TIME(1) },
};

static const struct lp_pcp_rule memory_rules[] = {
	KIB("physmem", "mem_total"),
	KIB("util.free", "mem_free"),
	KIB("util.available", "mem_available"),
	KIB("util.bufmem", "buffers"),
	KIB("util.cached", "cached"),
	KIB("util.dirty", "dirty"),
	KIB("util.writeback", "writeback"),
	KIB("util.slab", "slab"),
	KIB("util.swapTotal", "swap_total"),
	KIB("util.swapFree", "swap_free"),
};

static const struct lp_pcp_rule network_rules[] = {
	COUNT("tcp.activeopens", "tcp_active_opens"),
	COUNT("tcp.passiveopens", "tcp_passive_opens"),
	COUNT("tcp.attemptfails", "tcp_attempt_fails"),
	COUNT("tcp.estabresets", "tcp_estab_resets"),
	COUNT("tcp.insegs", "tcp_in_segs"),
	COUNT("tcp.outsegs", "tcp_out_segs"),
	COUNT("tcp.retranssegs", "tcp_retrans_segs"),
	COUNT("tcp.inerrs", "tcp_in_errs"),
	COUNT("tcp.outrsts", "tcp_out_rsts"),
	COUNT("tcp.currestab", "tcp_curr_estab"),
	COUNT("tcp.lostretransmit", "tcp_lost_retrans"),
	COUNT("tcp.fastretrans", "tcp_fast_retrans"),
	COUNT("tcp.slowstartretrans", "tcp_slow_start_retrans"),
	COUNT("tcp.timeouts", "tcp_timeouts"),
	COUNT("tcp.lossprobes", "tcp_loss_probes"),
	COUNT("tcp.spuriousrtos", "tcp_spurious_rtos"),
	COUNT("tcp.dsackrecv", "tcp_dsack_recv"),
	COUNT("tcp.sackreorder", "tcp_sack_reorder"),
	COUNT("tcp.listenoverflows", "tcp_listen_overflows"),
	COUNT("tcp.listendrops", "tcp_listen_drops"),
	COUNT("tcp.backlogdrop", "tcp_backlog_drops"),
	COUNT("tcp.prunecalled", "tcp_prune_called"),
	COUNT("tcp.rcvcollapsed", "tcp_rcv_collapsed"),
	COUNT("tcp.delayedacks", "tcp_delayed_acks"),
	COUNT("tcp.tozerowindowadv", "tcp_to_zero_window"),
	COUNT("tcp.fromzerowindowadv", "tcp_from_zero_window"),
	COUNT("udp.indatagrams", "udp_in"),
	COUNT("udp.outdatagrams", "udp_out"),
	COUNT("udp.inerrors", "udp_in_errors"),
	COUNT("udp.recvbuferrors", "udp_rcvbuf_errors"),
	COUNT("ip.indiscards", "ip_in_discards"),
	COUNT("ip.outdiscards", "ip_out_discards"),
	COUNT("ip.reasmfails", "ip_reasm_fails"),
};

static const struct lp_pcp_rule uname_rules[] = {
	LABEL("release", "kernel"),
	LABEL("machine", "arch"),
};

static const struct lp_pcp_rule hardware_rules[] = {
	LABEL("ncpu", "cpus"),
	LABEL_BYTES("physmem", "memory_bytes"),
};

static const struct lp_pcp_rule dm_map_rules[] = {
	LABEL("dmname", "dev"),
};

static const struct lp_pcp_rule md_map_rules[] = {
	LABEL("mdname", "dev"),
};

static const struct lp_pcp_rule scsi_map_rules[] = {
	LABEL("scsi_id", "hctl"),
};

#define RULES(table) .rules = table, .n_rules = lp_array_size(table)

/*
 * The agent tells disks from partitions by their names alone, and takes sr0 for
 * a partition; of interfaces it tells nothing here. Such layers are left to
 * whoever guesses them. hinv.map's metrics have the instances of different
 * families.
 */
const struct lp_pcp_family lp_pcp_families[] = {
	{ .prefix = "disk.dev.", .class = &lp_class_disk, RULES(disk_rules) },
	{ .prefix = "disk.dm.",
	  .class = &lp_class_disk,
	  .layer = "logical",
	  .aliased = true,
	  RULES(disk_rules) },
	{ .prefix = "disk.md.",
	  .class = &lp_class_disk,
	  .layer = "array",
	  .aliased = true,
	  RULES(disk_rules) },
	{ .prefix = "disk.partitions.",
	  .class = &lp_class_disk,
	  RULES(disk_rules) },
	{ .prefix = "network.interface.",
	  .class = &lp_class_net,
	  RULES(interface_rules) },
	{ .prefix = "network.persocket.",
	  .class = &lp_class_tcp,
	  .sockets = true,
	  RULES(socket_rules) },
	{ .prefix = "infiniband.port.",
	  .class = &lp_class_ib,
	  .layer = "port",
	  .accumulated = true,
	  RULES(infiniband_rules) },
	{ .prefix = "kernel.all.",
	  .class = &lp_class_host,
	  RULES(kernel_rules) },
	{ .prefix = "mem.", .class = &lp_class_host, RULES(memory_rules) },
	{ .prefix = "network.", .class = &lp_class_host, RULES(network_rules) },
	{ .prefix = "kernel.uname.", RULES(uname_rules) },
	{ .prefix = "hinv.", RULES(hardware_rules) },
	{ .prefix = "hinv.map.",
	  .class = &lp_class_disk,
	  .layer = "logical",
	  .aliased = true,
	  RULES(dm_map_rules) },
	{ .prefix = "hinv.map.",
	  .class = &lp_class_disk,
	  .layer = "array",
	  .aliased = true,
	  RULES(md_map_rules) },
	{ .prefix = "hinv.map.",
	  .class = &lp_class_disk,
	  RULES(scsi_map_rules) },
	{ 0 },
};

static const struct lp_pcp_rule *find_rule(const struct lp_pcp_family *family,
					   const char *name)
{
	for (size_t i = 0; i < family->n_rules; i++)
		if (strcmp(family->rules[i].name, name) == 0)
			return &family->rules[i];
	return NULL;
}

const struct lp_pcp_rule *lp_pcp_find(const char *metric,
				      const struct lp_pcp_family **family)
{
	const struct lp_pcp_family *f;

	for (f = lp_pcp_families; f->prefix; f++) {
		size_t n = strlen(f->prefix);
		const struct lp_pcp_rule *rule = NULL;

		if (strncmp(metric, f->prefix, n) == 0)
			rule = find_rule(f, metric + n);
		if (rule) {
			*family = f;
			return rule;
		}
	}
	return NULL;
}
