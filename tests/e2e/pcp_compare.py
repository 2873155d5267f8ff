# SPDX-License-Identifier: Apache-2.0
"""usage: pcp_compare.py exact|bracket ...

exact PMDUMPLOG DUMP    every value that `pmdumplog -x` prints of the metrics
                        below is in the dump at its time, and no other
bracket DUMP RECORD     every counter of the one lies between those that the
                        other recorded just before and just after
"""
import re
import sys
from datetime import datetime, timezone

# What limpid should make of PCP's metrics, written down a second time.
DISK = {"read": "rd_ios", "read_merge": "rd_merges", "blkread": "rd_sectors",
        "read_rawactive": "rd_ms", "write": "wr_ios",
        "write_merge": "wr_merges", "blkwrite": "wr_sectors",
        "write_rawactive": "wr_ms", "inflight": "in_flight",
        "avactive": "io_ms", "aveq": "weighted_ms", "discard": "dc_ios",
        "discard_merge": "dc_merges", "blkdiscard": "dc_sectors",
        "discard_rawactive": "dc_ms", "flush": "fl_ios",
        "flush_rawactive": "fl_ms"}
NET = {"in.bytes": "rx_bytes", "in.packets": "rx_packets",
       "in.errors": "rx_errs", "in.drops": "rx_drop", "in.fifo": "rx_fifo",
       "in.frame": "rx_frame", "in.compressed": "rx_compressed",
       "in.mcasts": "rx_multicast", "out.bytes": "tx_bytes",
       "out.packets": "tx_packets", "out.errors": "tx_errs",
       "out.drops": "tx_drop", "out.fifo": "tx_fifo",
       "out.carrier": "tx_carrier", "out.compressed": "tx_compressed",
       "collisions": "tx_colls"}
CPU = {"user": "cpu_user", "nice": "cpu_nice", "sys": "cpu_system",
       "idle": "cpu_idle", "wait.total": "cpu_iowait", "irq.hard": "cpu_irq",
       "irq.soft": "cpu_softirq", "steal": "cpu_steal"}
HOST = {"kernel.all.pswitch": "ctxt", "kernel.all.sysfork": "processes",
        "kernel.all.running": "procs_running",
        "kernel.all.blocked": "procs_blocked",
        "mem.util.dirty": "dirty", "mem.util.free": "mem_free",
        "mem.util.cached": "cached", "mem.util.bufmem": "buffers",
        "network.tcp.insegs": "tcp_in_segs",
        "network.tcp.outsegs": "tcp_out_segs",
        "network.tcp.retranssegs": "tcp_retrans_segs",
        "network.tcp.currestab": "tcp_curr_estab",
        "kernel.all.pressure.io.some.total": "psi_io_some"}

METRICS = {}
for prefix in ("disk.dev.", "disk.dm.", "disk.md."):
    for name, column in DISK.items():
        METRICS[prefix + name] = ("disk", column, 1)
for name, column in NET.items():
    METRICS["network.interface." + name] = ("net", column, 1)
for name, column in CPU.items():
    METRICS["kernel.all.cpu." + name] = ("host", column, 10)
for name, column in HOST.items():
    METRICS[name] = ("host", column, 1)
# Sectors made of KiB, where PCP recorded no sectors.
METRICS["disk.dm.read_bytes"] = ("disk", "rd_sectors", 0.5)

RECORD = re.compile(r"^\w+ (\w+ +\d+ [\d:]+)\.(\d+) (\d+) +(\d+ metrics?|<mark>)")
METRIC = re.compile(r"^    [\d.]+ \(([\w.]+)\):(.*)")
VALUE = re.compile(r'(?:inst \[\d+ or "([^"]*)"\] )?value (\d+)$')


def pmdumplog(path):
    """{(microseconds, class, instance, column): value}, and the marks."""
    values, marks, now, metric = {}, 0, None, None
    for line in open(path):
        record = RECORD.match(line)
        if record:
            time = datetime.strptime(record[1] + " " + record[3],
                                     "%b %d %H:%M:%S %Y")
            now = int(time.replace(tzinfo=timezone.utc).timestamp()) * 10**6 \
                + int(record[2].ljust(6, "0")[:6])
            marks += record[4] == "<mark>"
            continue
        named = METRIC.match(line)
        if named:
            metric = METRICS.get(named[1])
            line = named[2]
        found = VALUE.search(line.rstrip())
        if found and metric and now is not None:
            key = (now, metric[0], found[1] or "-", metric[1])
            values[key] = int(int(found[2]) / metric[2]) \
                if metric[2] == 0.5 else int(found[2]) // metric[2]
    return values, marks


def microseconds(text):
    whole, _, rest = text.rstrip("Z").partition(".")
    time = datetime.strptime(whole, "%Y-%m-%dT%H:%M:%S")
    return int(time.replace(tzinfo=timezone.utc).timestamp()) * 10**6 \
        + int(rest.ljust(6, "0")[:6] or 0)


def dump(path):
    values = {}
    for line in open(path):
        field = line.rstrip("\n").split("\t")
        if field[0] == "value":
            time, _, name, instance, column, _, value = field[1:]
            values[(microseconds(time), name, instance, column)] = value
    return values


def fail(text):
    print(text)
    sys.exit(1)


# limpid puts fetches that are this close into one tick.
TICK = 5000


def exact(log_path, dump_path):
    logged, _ = pmdumplog(log_path)
    got = dump(dump_path)
    known = {key[1:] for key in logged}
    got = {k: v for k, v in got.items() if k[1:] in known}
    if len(logged) < 100:
        fail("pmdumplog printed only %d values" % len(logged))
    if len(logged) != len(got):
        fail("%d values in PCP's archive, %d in limpid's" % (len(logged),
                                                            len(got)))
    times = {}
    for key in got:
        times.setdefault(key[1:], []).append(key[0])
    for (time, *rest), value in sorted(logged.items()):
        near = [t for t in times[tuple(rest)] if 0 <= time - t <= TICK]
        if len(near) != 1:
            fail("%s at %d: %d values near" % (rest, time, len(near)))
        if int(got[(near[0], *rest)]) != value:
            fail("%s at %d: %s, not %d" % (rest, time,
                                           got[(near[0], *rest)], value))
    print("%d values, each exact" % len(logged))


COUNTERS = {"disk": ["rd_ios", "rd_merges", "rd_sectors", "rd_ms", "wr_ios",
                     "wr_merges", "wr_sectors", "wr_ms", "io_ms",
                     "weighted_ms", "dc_ios", "dc_sectors", "fl_ios"],
            "net": ["rx_bytes", "rx_packets", "tx_bytes", "tx_packets"],
            "host": ["cpu_user", "cpu_system", "ctxt", "tcp_in_segs",
                     "tcp_out_segs"]}
# Between the time of a sample and its reading.
SLACK = 100000


def series(values):
    result = {}
    for (time, name, instance, column), value in values.items():
        if column in COUNTERS.get(name, []):
            result.setdefault((name, instance, column), []).append(
                (time, int(value)))
    return {key: sorted(points) for key, points in result.items()}


def bracket(pcp_path, record_path):
    ours, theirs = series(dump(record_path)), series(dump(pcp_path))
    compared = moved = 0
    for key, points in theirs.items():
        if key not in ours:
            fail("%s is in PCP's archive, not in limpid's" % (key,))
        moved += points[-1][1] > points[0][1]
        for time, value in points:
            below = [v for t, v in ours[key] if t <= time - SLACK]
            above = [v for t, v in ours[key] if t >= time + SLACK]
            if not below or not above:
                continue
            if not below[-1] <= value <= above[0]:
                fail("%s at %d: %d is not in [%d, %d]"
                     % (key, time, value, below[-1], above[0]))
            compared += 1
    if compared < 200 or moved < 12:
        fail("only %d values could be compared, %d counters moved"
             % (compared, moved))
    print("%d values between their neighbours, %d counters moved"
          % (compared, moved))


if __name__ == "__main__":
    {"exact": exact, "bracket": bracket}[sys.argv[1]](*sys.argv[2:])
