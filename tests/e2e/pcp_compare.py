# SPDX-License-Identifier: Apache-2.0
"""usage: pcp_compare.py exact|bracket|metrics ...

exact PMDUMPLOG DUMP    every value that `pmdumplog -x` prints of the metrics
                        below is in the dump at its time, and no other
bracket DUMP RECORD     every reading of the one lies between two that the other
                        recorded just before and just after, all its counters
                        alike
metrics SHOW DUMP RECORD
                        every metric that `limpid show -i 0 --csv` prints
                        follows from the counters of the dump, and lies in
                        what those of the record allow
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


# Counters that either program takes from one reading of one kernel file.
READINGS = {"disk": [["rd_ios", "rd_merges", "rd_sectors", "rd_ms", "wr_ios",
                      "wr_merges", "wr_sectors", "wr_ms", "io_ms",
                      "weighted_ms", "dc_ios", "dc_sectors", "dc_ms",
                      "fl_ios"]],
            "net": [["rx_bytes", "rx_packets", "tx_bytes", "tx_packets"]],
            "host": [["cpu_user", "cpu_system", "ctxt"],
                     ["tcp_in_segs", "tcp_out_segs"]]}
# A reading of theirs lies between two of ours; if it was made at the very time
# of one of ours, that one may be half before it and half after it.
APART = 2
# Microseconds that a reading and the time it was given may be apart, when the
# machine lets one of the two wait. Which reading it was the counters say.
LATE = 30000000


def series(values):
    result = {}
    known = {c for columns in READINGS.values() for file in columns
             for c in file}
    for (time, name, instance, column), value in values.items():
        if column in known:
            result.setdefault((name, instance, column), []).append(
                (time, int(value)))
    return {key: sorted(points) for key, points in result.items()}


def readings(values):
    """{(class, instance, first column): [(time, {column: value})]}"""
    result = {}
    for (name, instance, column), points in series(values).items():
        for file in READINGS[name]:
            if column not in file:
                continue
            at = result.setdefault((name, instance, file[0]), {})
            for time, value in points:
                at.setdefault(time, {})[column] = value
    return {key: sorted(at.items()) for key, at in result.items()}


def place(ours, theirs):
    """The indices of our last reading that has none of its counters above
    theirs, and of our first that has none below: theirs was made between.
    Whenever it was made, and whatever time it was given."""
    both = [c for c in theirs if all(c in sample for _, sample in ours)]
    before = after = None
    for i, (_, sample) in enumerate(ours):
        if all(sample[c] <= theirs[c] for c in both):
            before = i
        if after is None and all(sample[c] >= theirs[c] for c in both):
            after = i
    return before, after


def places(ours, theirs):
    """{(key, time): (index before, index after)} of all their readings."""
    result = {}
    for key, samples in theirs.items():
        if key not in ours:
            fail("%s is in PCP's archive, not in limpid's" % (key,))
        for time, values in samples:
            before, after = place(ours[key], values)
            if before is None or after is None or after - before > APART:
                fail("%s at %d: %s lies nowhere between limpid's, %s and %s"
                     % (key, time, values, before, after))
            if not ours[key][min(before, after)][0] - LATE <= time \
                    <= ours[key][max(before, after)][0] + LATE:
                fail("%s at %d: it was read at another time" % (key, time))
            result[key, time] = before, after
    return result


def bracket(pcp_path, record_path):
    ours, theirs = readings(dump(record_path)), readings(dump(pcp_path))
    places(ours, theirs)
    compared = sum(len(values) for samples in theirs.values()
                   for _, values in samples)
    moved = sum(samples[-1][1].get(c, 0) > first
                for samples in theirs.values()
                for c, first in samples[0][1].items())
    if compared < 200 or moved < 12:
        fail("only %d values could be compared, %d counters moved"
             % (compared, moved))
    print("%d values between their neighbours, %d counters moved"
          % (compared, moved))


IOS = ["rd_ios", "wr_ios", "dc_ios"]
FORMULAS = {"tps": (1, IOS, None), "rd_sec": (1, ["rd_sectors"], None),
            "wr_sec": (1, ["wr_sectors"], None),
            "avgrq-sz": (1, ["rd_sectors", "wr_sectors", "dc_sectors"], IOS),
            "avgqu-sz": (0.001, ["weighted_ms"], None),
            "await": (1, ["rd_ms", "wr_ms", "dc_ms"], IOS),
            "%util": (0.1, ["io_ms"], None),
            "rxpck": (1, ["rx_packets"], None),
            "txpck": (1, ["tx_packets"], None),
            "rxbyt": (1, ["rx_bytes"], None),
            "txbyt": (1, ["tx_bytes"], None)}


def file_of(name, column):
    return next(file[0] for file in READINGS[name] if column in file)


def increase(record, where, name, column, begin, end):
    """The least and the most that a counter can have grown; None: unknown."""
    key = name + (file_of(name[0], column),)
    first, last = where.get((key, begin)), where.get((key, end))
    if not first or not last:
        return None
    samples = record[key]
    return (max(0, samples[last[0]][1][column] - samples[first[1]][1][column]),
            samples[last[1]][1][column] - samples[first[0]][1][column])


def total(record, where, name, columns, begin, end):
    low = high = 0
    for column in columns:
        grown = increase(record, where, name, column, begin, end)
        if grown is None:
            return None
        low, high = low + grown[0], high + grown[1]
    return low, high


def value_at(points, time):
    return dict(points)[time]


def computed(key, formula, counters, begin, end):
    """The metric over a time, from the counters at its ends; None: 0 / 0."""
    scale, above, below = formula
    grown = [sum(value_at(counters[key[:2] + (c,)], end)
                 - value_at(counters[key[:2] + (c,)], begin) for c in columns)
             for columns in (above, below or [])]
    divisor = grown[1] if below else (end - begin) / 1e6
    return scale * grown[0] / divisor if divisor else None


def allowed(key, formula, record, where, begin, end):
    """The least and the most that the metric can be; None: cannot tell."""
    scale, above, below = formula
    top = total(record, where, key[:2], above, begin, end)
    bottom = total(record, where, key[:2], below, begin, end) if below else \
        ((end - begin) / 1e6,) * 2
    if not top or not bottom or not bottom[0]:
        return None
    return scale * top[0] / bottom[1], scale * top[1] / bottom[0]


# Samples: the longer, the less it matters that the two read at other times.
WINDOW = 5


def metrics(show_path, pcp_path, record_path):
    pcp, record = dump(pcp_path), readings(dump(record_path))
    theirs, where = series(pcp), places(record, readings(pcp))
    times, checked = {}, dict.fromkeys(FORMULAS, 0)
    first = {key[:2]: points[0][0] for key, points in theirs.items()}
    for line in open(show_path).read().splitlines()[1:]:
        text, _, name, component, metric, value = line.split(",")
        key = (name, component.partition("/")[2], metric)
        if metric not in FORMULAS:
            continue
        formula, end = FORMULAS[metric], microseconds(text)
        seen = times.setdefault(key, [first[key[:2]]])
        want = computed(key, formula, theirs, seen[-1], end)
        if (value == "") != (want is None) or \
                value and abs(float(value) - want) > 1e-9 * abs(want):
            fail("%s at %d: limpid says %s, the counters %s" % (key, end, value,
                                                               want))
        seen.append(end)
        begin = seen[max(0, len(seen) - 1 - WINDOW)]
        limits = allowed(key, formula, record, where, begin, end)
        if limits:
            value = computed(key, formula, theirs, begin, end)
            if not limits[0] - 1e-9 <= value <= limits[1] + 1e-9:
                fail("%s at %d: %g is not in %s" % (key, end, value, limits))
            checked[metric] += 1
    for metric, count in checked.items():
        if not count:
            fail("%s: no value could be compared" % metric)
    print("%d metrics follow from the counters, and ours allow them"
          % sum(checked.values()))


if __name__ == "__main__":
    {"exact": exact, "bracket": bracket, "metrics": metrics}[sys.argv[1]](*sys.argv[2:])
