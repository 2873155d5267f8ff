/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The host as a whole: /proc/stat, /proc/meminfo, /proc/pressure,
 * /proc/net/snmp and /proc/net/netstat. There is one instance, "-".
 *
 * The origin is FILE:KEY; for pressure FILE:RESOURCE.LINE, for snmp and netstat
 * FILE:PROTOCOL.NAME; for the cpu line of stat its position.
 */
#include "model/catalogue.h"

#include "base/memory.h"

#define TICKS(n, position, h)                                                  \
	{                                                                      \
		.name = n, .unit = "ticks", .kind = LP_COUNTER, .width = 64,   \
		.origin = "stat:cpu." position, .help = h                      \
	}
#define COUNTER(n, u, from, h)                                                 \
	{                                                                      \
		.name = n, .unit = u, .kind = LP_COUNTER, .width = 64,         \
		.origin = from, .help = h                                      \
	}
#define GAUGE(n, u, from, h)                                                   \
	{                                                                      \
		.name = n, .unit = u, .kind = LP_GAUGE, .origin = from,        \
		.help = h                                                      \
	}

static const struct lp_column columns[] = {
	TICKS("cpu_user", "0", "time in user mode, 1/100 s, all CPUs"),
	TICKS("cpu_nice", "1",
	      "time in user mode, low priority, 1/100 s, all CPUs"),
	TICKS("cpu_system", "2", "time in kernel mode, 1/100 s, all CPUs"),
	TICKS("cpu_idle", "3", "time idle, 1/100 s, all CPUs"),
	TICKS("cpu_iowait", "4",
	      "time idle with I/O outstanding, 1/100 s, all CPUs"),
	TICKS("cpu_irq", "5", "time in interrupts, 1/100 s, all CPUs"),
	TICKS("cpu_softirq", "6", "time in soft interrupts, 1/100 s, all CPUs"),
	TICKS("cpu_steal", "7",
	      "time taken by the hypervisor, 1/100 s, all CPUs"),
	COUNTER("ctxt", "switches", "stat:ctxt", "context switches"),
	COUNTER("processes", "processes", "stat:processes",
		"processes started"),
	GAUGE("procs_running", "processes", "stat:procs_running",
	      "processes ready to run"),
	GAUGE("procs_blocked", "processes", "stat:procs_blocked",
	      "processes waiting for I/O"),
	GAUGE("mem_total", "KiB", "meminfo:MemTotal", "memory"),
	GAUGE("mem_free", "KiB", "meminfo:MemFree", "unused memory"),
	GAUGE("mem_available", "KiB", "meminfo:MemAvailable",
	      "memory that programs could get"),
	GAUGE("buffers", "KiB", "meminfo:Buffers", "block device cache"),
	GAUGE("cached", "KiB", "meminfo:Cached", "page cache"),
	GAUGE("dirty", "KiB", "meminfo:Dirty",
	      "page cache waiting to be written"),
	GAUGE("writeback", "KiB", "meminfo:Writeback",
	      "page cache being written"),
	GAUGE("slab", "KiB", "meminfo:Slab", "kernel caches"),
	GAUGE("swap_total", "KiB", "meminfo:SwapTotal", "swap space"),
	GAUGE("swap_free", "KiB", "meminfo:SwapFree", "unused swap space"),
	COUNTER("psi_cpu_some", "us", "pressure:cpu.some",
		"time that some task waited for cpu"),
	COUNTER("psi_cpu_full", "us", "pressure:cpu.full",
		"time that all tasks waited for cpu"),
	COUNTER("psi_io_some", "us", "pressure:io.some",
		"time that some task waited for io"),
	COUNTER("psi_io_full", "us", "pressure:io.full",
		"time that all tasks waited for io"),
	COUNTER("psi_memory_some", "us", "pressure:memory.some",
		"time that some task waited for memory"),
	COUNTER("psi_memory_full", "us", "pressure:memory.full",
		"time that all tasks waited for memory"),
	COUNTER("tcp_active_opens", "connections", "snmp:Tcp.ActiveOpens",
		"connections opened"),
	COUNTER("tcp_passive_opens", "connections", "snmp:Tcp.PassiveOpens",
		"connections accepted"),
	COUNTER("tcp_attempt_fails", "connections", "snmp:Tcp.AttemptFails",
		"connections that failed to open"),
	COUNTER("tcp_estab_resets", "connections", "snmp:Tcp.EstabResets",
		"connections reset"),
	COUNTER("tcp_in_segs", "packets", "snmp:Tcp.InSegs",
		"segments received"),
	COUNTER("tcp_out_segs", "packets", "snmp:Tcp.OutSegs", "segments sent"),
	COUNTER("tcp_retrans_segs", "packets", "snmp:Tcp.RetransSegs",
		"segments retransmitted"),
	COUNTER("tcp_in_errs", "packets", "snmp:Tcp.InErrs",
		"bad segments received"),
	COUNTER("tcp_out_rsts", "packets", "snmp:Tcp.OutRsts", "resets sent"),
	COUNTER("udp_in", "packets", "snmp:Udp.InDatagrams",
		"datagrams received"),
	COUNTER("udp_out", "packets", "snmp:Udp.OutDatagrams",
		"datagrams sent"),
	COUNTER("udp_in_errors", "packets", "snmp:Udp.InErrors",
		"datagrams not delivered"),
	COUNTER("udp_rcvbuf_errors", "packets", "snmp:Udp.RcvbufErrors",
		"datagrams dropped, receive buffer full"),
	COUNTER("ip_in_discards", "packets", "snmp:Ip.InDiscards",
		"packets received and dropped"),
	COUNTER("ip_out_discards", "packets", "snmp:Ip.OutDiscards",
		"packets dropped before sending"),
	COUNTER("ip_reasm_fails", "packets", "snmp:Ip.ReasmFails",
		"packets that could not be reassembled"),
	GAUGE("tcp_curr_estab", "connections", "snmp:Tcp.CurrEstab",
	      "connections established"),
	COUNTER("tcp_lost_retrans", "events",
		"netstat:TcpExt.TCPLostRetransmit",
		"retransmitted segments that were lost again"),
	COUNTER("tcp_fast_retrans", "events", "netstat:TcpExt.TCPFastRetrans",
		"fast retransmits"),
	COUNTER("tcp_slow_start_retrans", "events",
		"netstat:TcpExt.TCPSlowStartRetrans",
		"retransmits in slow start"),
	COUNTER("tcp_timeouts", "events", "netstat:TcpExt.TCPTimeouts",
		"retransmission timeouts"),
	COUNTER("tcp_loss_probes", "events", "netstat:TcpExt.TCPLossProbes",
		"tail loss probes sent"),
	COUNTER("tcp_spurious_rtos", "events", "netstat:TcpExt.TCPSpuriousRTOs",
		"timeouts that were too early"),
	COUNTER("tcp_dsack_recv", "events", "netstat:TcpExt.TCPDSACKRecv",
		"duplicates that a peer reported"),
	COUNTER("tcp_sack_reorder", "events", "netstat:TcpExt.TCPSACKReorder",
		"reordering detected by SACK"),
	COUNTER("tcp_listen_overflows", "events",
		"netstat:TcpExt.ListenOverflows",
		"connections dropped, accept queue full"),
	COUNTER("tcp_listen_drops", "events", "netstat:TcpExt.ListenDrops",
		"connections dropped while listening"),
	COUNTER("tcp_backlog_drops", "events", "netstat:TcpExt.TCPBacklogDrop",
		"segments dropped, socket backlog full"),
	COUNTER("tcp_prune_called", "events", "netstat:TcpExt.PruneCalled",
		"receive buffers pruned"),
	COUNTER("tcp_rcv_collapsed", "events", "netstat:TcpExt.TCPRcvCollapsed",
		"segments merged because the receive buffer was full"),
	COUNTER("tcp_delayed_acks", "events", "netstat:TcpExt.DelayedACKs",
		"delayed acknowledgements sent"),
	COUNTER("tcp_to_zero_window", "events",
		"netstat:TcpExt.TCPToZeroWindowAdv", "receive windows closed"),
	COUNTER("tcp_from_zero_window", "events",
		"netstat:TcpExt.TCPFromZeroWindowAdv",
		"receive windows opened again"),
	GAUGE(LP_HOST_CLOCK_ERROR, "us", "adjtimex:esterror",
	      "estimated error of the clock, once a minute"),
};

#define RATE(n, u, what, s, column, h)                                         \
	{                                                                      \
		.name = n, .unit = u, .resource = what, .scale = s,            \
		.above = { column }, .help = h                                 \
	}

#define KILOBYTES(n, sar, column, h)                                           \
	{                                                                      \
		.name = n, .unit = "KiB", .sar_name = sar, .sar_unit = "kB",   \
		.sar_factor = 1, .resource = LP_MEMORY, .scale = 1,            \
		.above = { column }, .help = h                                 \
	}

static const struct lp_metric metrics[] = {
	RATE("%user", "% of a CPU", LP_CPU, 1, "cpu_user",
	     "user mode; 100 is one CPU"),
	RATE("%system", "% of a CPU", LP_CPU, 1, "cpu_system",
	     "kernel mode; 100 is one CPU"),
	RATE("%iowait", "% of a CPU", LP_CPU, 1, "cpu_iowait",
	     "idle while I/O is outstanding"),
	RATE("%steal", "% of a CPU", LP_CPU, 1, "cpu_steal",
	     "taken by the hypervisor"),
	{ .name = "cswch",
	  .unit = "switches/s",
	  .sar_name = "cswch/s",
	  .sar_unit = "/s",
	  .sar_factor = 1,
	  .resource = LP_CPU,
	  .scale = 1,
	  .above = { "ctxt" },
	  .help = "context switches per second" },
	RATE("blocked", "processes", LP_STORAGE, 1, "procs_blocked",
	     "processes waiting for I/O"),
	KILOBYTES("available", "kbavail", "mem_available",
		  "memory that programs could get"),
	KILOBYTES("dirty", "kbdirty", "dirty",
		  "page cache waiting to be written"),
	RATE("writeback", "KiB", LP_MEMORY, 1, "writeback",
	     "page cache being written"),
	RATE("psi_cpu", "%", LP_CPU, 0.0001, "psi_cpu_some",
	     "share of time that some task waited for a CPU"),
	RATE("psi_io", "%", LP_STORAGE, 0.0001, "psi_io_some",
	     "share of time that some task waited for I/O"),
	RATE("psi_mem", "%", LP_MEMORY, 0.0001, "psi_memory_some",
	     "share of time that some task waited for memory"),
	LP_METRIC_PACKETS("tcp_retrans", LP_LOSS, LP_FLOW_OUT,
			  "tcp_retrans_segs",
			  "segments retransmitted per second"),
	RATE("tcp_timeouts", "events/s", LP_NETWORK, 1, "tcp_timeouts",
	     "retransmission timeouts per second"),
	LP_METRIC_PACKETS("tcp_in", LP_LOAD, LP_FLOW_IN, "tcp_in_segs",
			  "segments received per second"),
	LP_METRIC_PACKETS("tcp_out", LP_LOAD, LP_FLOW_OUT, "tcp_out_segs",
			  "segments sent per second"),
	RATE("clock_error", "us", LP_CPU, 1, LP_HOST_CLOCK_ERROR,
	     "estimated error of the clock"),
};

const struct lp_class lp_class_host = {
	.name = "host",
	.noun = "host",
	.separator = "",
	.layer = "host",
	.columns = columns,
	.n_columns = lp_array_size(columns),
	.metrics = metrics,
	.n_metrics = lp_array_size(metrics),
	.n_usual = 12,
};
