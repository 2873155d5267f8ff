#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compare what sadc and limpid recorded: sysstat_compare.py DIRECTORY LOOP...

Both keep the kernel's cumulative counters, so no tolerance is guessed:

  * Over the whole (nothing moves at either end) each counter grew by exactly
    the same number in both.
  * Each sample of sadc lies between two of limpid's by all of its counters,
    whatever time the two gave it: a busy machine may let either wait between
    its clock and its counters. These two bound what the counters can have grown
    by in an interval of sadc from below and from above, since counters only
    grow. What sadf prints must lie between, half a unit of its last digit
    (ROUNDING) aside. Where nothing moved around sadc's samples, the bounds are
    one number.
  * What limpid shows of its recording is made of these counters by sysstat's
    formulas.
  * What limpid makes of sadc's own file must be what sadf prints, within
    ROUNDING alone.
  * The table that limpid shows of that file has the columns of sar's own
    table, in its order, with the same numbers as far as both print digits.

Counters that did not move prove nothing: the loopback interface must have
carried packets, and the last LOOP discarded. Where it cannot discard, all else
is compared and the status is 77.
"""
import csv
import datetime
import json
import sys
import time

# Samples of limpid: a reading of sadc at the very time of one of them may have
# some counters before it and others after it.
APART = 2
# Seconds that a busy machine may put off the reading behind the clock.
LATE = 30
ROUNDING = 0.005 + 1e-9

# metric of sadf -j: (counters above, counters below, scale); nothing below:
# a rate. As in limpid-metrics(7).
IOS = ("rd_ios", "wr_ios", "dc_ios")
DISK = {
    "tps": (IOS, None, 1),
    "rd_sec": (("rd_sectors",), None, 1),
    "wr_sec": (("wr_sectors",), None, 1),
    "avgrq-sz": (("rd_sectors", "wr_sectors", "dc_sectors"), IOS, 1),
    "avgqu-sz": (("weighted_ms",), None, 0.001),
    "await": (("rd_ms", "wr_ms", "dc_ms"), IOS, 1),
    "util-percent": (("io_ms",), None, 0.1),
}
NET = {
    "rxpck": (("rx_packets",), None, 1),
    "txpck": (("tx_packets",), None, 1),
    "rxkB": (("rx_bytes",), None, 1 / 1024),
    "txkB": (("tx_bytes",), None, 1 / 1024),
}
# Raw labels of sadf (they claim to be rates) and limpid's counters.
RAW_DISK = {
    "tps": IOS, "rkB/s": ("rd_sectors",), "wkB/s": ("wr_sectors",),
    "dkB/s": ("dc_sectors",), "rd_ticks": ("rd_ms",), "wr_ticks": ("wr_ms",),
    "dc_ticks": ("dc_ms",), "tot_ticks": ("io_ms",),
    "aqu-sz": ("weighted_ms",),
}
RAW_NET = {
    "rxpck/s": ("rx_packets",), "txpck/s": ("tx_packets",),
    "rxkB/s": ("rx_bytes",), "txkB/s": ("tx_bytes",),
}

failures = []


def fail(text):
    failures.append(text)


# --- reading ---------------------------------------------------------------

def read_raw(path, marked):
    """sadf -r -O debug: uptimes in seconds; {name: [{label: value}]}.

    Names of other tests' devices that came or went are added to `marked`.
    """
    uptimes, rows = [], {}
    for line in open(path):
        words = [word.strip() for word in line.strip().split(";")]
        if words[0] == "# uptime_cs":
            uptimes.append(int(words[1]) / 100)
        elif words[0].isdigit():
            at = next(i for i, word in enumerate(words)
                      if word.split()[0] in ("DEV", "IFACE"))
            name, values = words[at + 1], {}
            if "[BCK]" in words[at] or words[at] == "IFACE [NEW]":
                marked.add(name)
            rest = words[at + 2:]
            while len(rest) >= 3 and rest[2].isdigit():
                values[rest[0].split()[0]] = (int(rest[1]), int(rest[2]))
                rest = rest[3:]
            rows.setdefault(name, []).append(values)
    return uptimes, rows


def read_recorded(path, kind):
    """limpid show --raw -i 0: {name: [(time, {column: grown by since the
    first})]}."""
    samples, grown = {}, {}
    for row in csv.DictReader(open(path)):
        if row["class"] != kind or row["metric"] == "in_flight":
            continue
        name = row["component"].split("/", 1)[-1]
        then = datetime.datetime.fromisoformat(
            row["time"].replace("Z", "+00:00")).timestamp()
        columns = grown.setdefault(name, {})
        columns[row["metric"]] = (columns.get(row["metric"], 0)
                                  + float(row["value"] or 0))
        times = samples.setdefault(name, [])
        if not times or times[-1][0] != then:
            times.append((then, {}))
        times[-1][1].update(columns)
    return samples


def total(values, columns):
    return sum(values.get(column, 0) for column in columns)


# --- limpid's own recording --------------------------------------------------

def grew(rows, label):
    return rows[-1][label][1] > rows[0][label][0]


def can_discard(name):
    with open(f"/sys/block/{name}/queue/discard_max_bytes") as limit:
        return int(limit.read()) > 0


def check_work(raw_disks, raw_nets, loops):
    """Whether there was something to compare."""
    for name in loops:
        if not grew(raw_disks[name], "tps"):
            fail(f"{name}: nothing was done, so nothing was tested")
    for label in RAW_NET:
        if not grew(raw_nets["lo"], label):
            fail(f"lo: {label} did not grow, so nothing was tested")
    if can_discard(loops[-1]) and not grew(raw_disks[loops[-1]], "dkB/s"):
        fail(f"{loops[-1]}: nothing was discarded, though it can")


def compare_totals(name, sadc_rows, limpid, labels):
    first, last = sadc_rows[0], sadc_rows[-1]
    for label, columns in labels.items():
        theirs = last[label][1] - first[label][0]
        ours = total(limpid[-1][1], columns)
        if theirs != ours:
            fail(f"{name}: {label} grew by {theirs} in sadc's file, "
                 f"by {ours:.0f} in limpid's")
    return len(labels)


def place(name, limpid, grown, then):
    """(i, j): limpid's last sample with no counter above sadc's, and its first
    with none below; grown: {columns: number since sadc's first sample}."""
    def all_of(sample, fits):
        return all(fits(total(sample, columns), number)
                   for columns, number in grown.items())

    before = [i for i, (_, sample) in enumerate(limpid)
              if all_of(sample, lambda ours, theirs: ours <= theirs)]
    after = [i for i, (_, sample) in enumerate(limpid)
             if all_of(sample, lambda ours, theirs: ours >= theirs)]
    if not before or not after or after[0] - before[-1] > APART:
        fail(f"{name}: {grown} at {then:.2f} lies nowhere between limpid's "
             "samples")
        return None
    i, j = before[-1], after[0]
    if not limpid[min(i, j)][0] - LATE <= then <= limpid[max(i, j)][0] + LATE:
        fail(f"{name}: {grown} was not read at {then:.2f}")
    return i, j


def places(name, sadc_rows, clock, limpid, labels):
    """Of each sample of sadc, or None."""
    first = sadc_rows[0]
    samples = [{columns: 0 for columns in labels.values()}]
    for row in sadc_rows:
        samples.append({columns: row[label][1] - first[label][0]
                        for label, columns in labels.items()})
    found = [place(name, limpid, grown, then)
             for grown, then in zip(samples, clock)]
    return found if all(found) else None


def bounds(limpid, since, until, columns):
    """The least and the most that the counters grew by in the interval."""
    def at(index):
        return total(limpid[index][1], columns)

    return (max(0, at(until[0]) - at(since[1])), at(until[1]) - at(since[0]))


def metric_bounds(limpid, since, until, seconds, how):
    above, below, scale = how
    low, high = bounds(limpid, since, until, above)
    if below is None:
        return low * scale / seconds, high * scale / seconds
    least, most = bounds(limpid, since, until, below)
    return (low * scale / most if most else 0,
            high * scale / least if least
            else (0 if most == 0 else float("inf")))


def compare_intervals(name, printed, clock, limpid, where, metrics):
    """printed: one {metric: value} an interval. (values, exact ones)"""
    count = exact = 0
    for i, row in enumerate(printed if where else []):
        for metric, how in metrics.items():
            low, high = metric_bounds(limpid, where[i], where[i + 1],
                                      clock[i + 1] - clock[i], how)
            if not low - ROUNDING <= row[metric] <= high + ROUNDING:
                fail(f"{name}: {metric} in interval {i + 1} is {row[metric]} "
                     f"by sadf; limpid says {low:.4f} to {high:.4f}")
            count += 1
            exact += high - low <= 1e-9
    return count, exact


def compare_shown(name, limpid, metrics, shown):
    """limpid show --csv -i 0 of its own recording, sample by sample."""
    count = 0
    for metric, (above, below, scale) in metrics.items():
        ours, factor = IMPORTED.get(metric, (metric, 1))
        values = shown.get((name, ours), [])
        # The first sample is there only where it has a level to show.
        skew = len(values) - len(limpid)
        if skew not in (0, -1):
            fail(f"{name}: {ours} has {len(values)} values of "
                 f"{len(limpid)} samples")
            continue
        for i in range(1, len(limpid)):
            (since, before), (until, after) = limpid[i - 1], limpid[i]
            grew = total(after, above) - total(before, above)
            by = (total(after, below) - total(before, below) if below
                  else until - since)
            right = grew * scale / by if by else 0
            value = values[i + skew]
            if abs(value * factor - right) > 1e-4 * max(1, abs(right)):
                fail(f"{name}: {ours} at sample {i} is shown as {value}, "
                     f"should be {right / factor}")
            count += 1
    return count


# --- the imported file ---------------------------------------------------------

# sadf -j's word: (limpid's metric, factor from limpid's unit to sadf's)
IMPORTED = {
    "util-percent": ("%util", 1), "rxkB": ("rxbyt", 1 / 1024),
    "txkB": ("txbyt", 1 / 1024),
}
# sadf -d's headings.
HEADINGS = {
    "tps": ("tps", 1), "rkB/s": ("rd_sec", 0.5), "wkB/s": ("wr_sec", 0.5),
    "areq-sz": ("avgrq-sz", 0.5), "aqu-sz": ("avgqu-sz", 1),
    "await": ("await", 1), "%util": ("%util", 1), "rxpck/s": ("rxpck", 1),
    "txpck/s": ("txpck", 1), "rxkB/s": ("rxbyt", 1 / 1024),
    "txkB/s": ("txbyt", 1 / 1024),
}


def read_show(path):
    """limpid show --csv: {(component, metric): [value]}, in time's order."""
    series = {}
    for row in csv.DictReader(open(path)):
        name = row["component"].split("/", 1)[-1]
        if row["value"]:
            series.setdefault((name, row["metric"]), []).append(
                float(row["value"]))
    return series


def compare_printed(what, name, metric, factor, theirs, shown):
    ours = shown.get((name, metric), [])
    if len(ours) != len(theirs):
        fail(f"imported {name}: {metric} has {len(ours)} values, "
             f"{what} prints {len(theirs)}")
        return 0
    for i, (a, b) in enumerate(zip(theirs, ours)):
        if abs(a - b * factor) > ROUNDING + 1e-9 * abs(a):
            fail(f"imported {name}: {metric} in interval {i + 1} is "
                 f"{b * factor}, {what} prints {a}")
    return len(theirs)


def compare_import_csv(path, shown, marked):
    rows = list(csv.reader(open(path), delimiter=";"))
    head, count = rows[0], 0
    for name in {row[3] for row in rows[1:]} - marked:
        mine = [row for row in rows[1:] if row[3] == name]
        for column, heading in enumerate(head):
            if heading in HEADINGS:
                metric, factor = HEADINGS[heading]
                count += compare_printed(
                    "sadf -d", name, metric, factor,
                    [float(row[column]) for row in mine], shown)
    return count


def compare_import_json(printed, metrics, shown, marked):
    count = 0
    for name, rows in printed.items():
        if name in marked:
            continue
        for metric in metrics:
            ours, factor = IMPORTED.get(metric, (metric, 1))
            count += compare_printed("sadf -j", name, ours, factor,
                                     [row[metric] for row in rows], shown)
    return count


# --- the table -----------------------------------------------------------------

# All columns of sar -d; of sar -n DEV those that limpid shows by itself.
TABLE_DISK = ("tps", "rkB/s", "wkB/s", "dkB/s", "areq-sz", "aqu-sz", "await",
              "%util")
TABLE_NET = ("rxpck/s", "txpck/s", "rxkB/s", "txkB/s")


def read_sar(path):
    """sar -d or -n DEV: the headings, and {device: [[value]]}."""
    head, rows = [], {}
    for line in open(path):
        words = line.split()
        if len(words) < 3 or words[0] in ("Linux", "Average:"):
            continue
        if words[1] in ("DEV", "IFACE"):
            head = words[2:]
        else:
            rows.setdefault(words[1], []).append(
                [float(word) for word in words[2:]])
    return head, rows


def read_table(path):
    """limpid show: the same."""
    head, rows = [], {}
    for line in open(path):
        words = line.split()
        if len(words) < 3 or words[0] in ("disk:", "net:"):
            continue
        if words[0] == "UTC":
            head = words[2:]
        elif "/" in words[1] and words[0].count(":") == 2:
            rows.setdefault(words[1].split("/", 1)[1], []).append(
                [None if word == "-" else float(word) for word in words[2:]])
    return head, rows


def last_digit(value):
    """limpid prints fewer decimals of larger numbers."""
    return 0.005 if value < 1e3 else 0.05 if value < 1e5 else 0.5


def compare_tables(directory, kind, wanted, marked):
    theirs, sar = read_sar(f"{directory}/{kind}.sar")
    ours, table = read_table(f"{directory}/{kind}.table")
    if ours != [name for name in theirs if name in wanted]:
        fail(f"limpid's table of {kind} has the columns {ours}; "
             f"sar's are {theirs}")
        return 0
    count = 0
    for name in set(sar) - marked:
        if len(sar[name]) != len(table.get(name, [])):
            fail(f"{name}: {len(table.get(name, []))} lines in limpid's "
                 f"table, {len(sar[name])} in sar's")
            continue
        for i, (a, b) in enumerate(zip(sar[name], table[name])):
            for column, value in zip(ours, b):
                right = a[theirs.index(column)]
                if value is None or abs(value - right) > (
                        ROUNDING + last_digit(right)):
                    fail(f"{name}: {column} in line {i + 1} is {value} in "
                         f"limpid's table, {right} in sar's")
                count += 1
    return count


# --- all ---------------------------------------------------------------------

def read_json(path):
    """sadf -j: disks and interfaces, {name: [{metric: value}]}."""
    disks, nets = {}, {}
    for element in json.load(open(path))["sysstat"]["hosts"][0]["statistics"]:
        for item in element["disk"]:
            disks.setdefault(item["disk-device"], []).append(item)
        for item in element["network"]["net-dev"]:
            nets.setdefault(item["iface"], []).append(item)
    return disks, nets


def main():
    directory, loops = sys.argv[1], sys.argv[2:]
    boot = time.time() - time.clock_gettime(time.CLOCK_BOOTTIME)
    marked = set()
    uptimes, raw_disks = read_raw(directory + "/disk.raw", marked)
    _, raw_nets = read_raw(directory + "/net.raw", marked)
    marked -= {"lo", *loops}
    clock = [boot + uptime for uptime in uptimes]
    disks, nets = read_json(directory + "/sa.json")
    our_disks = read_recorded(directory + "/recorded.csv", "disk")
    our_nets = read_recorded(directory + "/recorded.csv", "net")
    shown = read_show(directory + "/imported.csv")
    own = read_show(directory + "/metrics.csv")

    check_work(raw_disks, raw_nets, loops)
    counters = values = exact = formulas = imported = 0
    for name in loops:
        counters += compare_totals(name, raw_disks[name], our_disks[name],
                                   RAW_DISK)
        where = places(name, raw_disks[name], clock, our_disks[name], RAW_DISK)
        n, e = compare_intervals(name, disks[name], clock, our_disks[name],
                                 where, DISK)
        values, exact = values + n, exact + e
        formulas += compare_shown(name, our_disks[name], DISK, own)
    formulas += compare_shown("lo", our_nets["lo"], NET, own)
    counters += compare_totals("lo", raw_nets["lo"], our_nets["lo"], RAW_NET)
    where = places("lo", raw_nets["lo"], clock, our_nets["lo"], RAW_NET)
    n, e = compare_intervals("lo", nets["lo"], clock, our_nets["lo"], where,
                             NET)
    values, exact = values + n, exact + e
    imported += compare_import_json(disks, DISK, shown, marked)
    imported += compare_import_json(nets, NET, shown, marked)
    for path in ("disk.csv", "net.csv"):
        imported += compare_import_csv(directory + "/" + path, shown, marked)
    tables = compare_tables(directory, "disk", TABLE_DISK, marked)
    tables += compare_tables(directory, "net", TABLE_NET, marked)

    for text in failures[:20]:
        print("FAIL: " + text)
    if failures:
        sys.exit(1)
    print(f"{counters} counters grew by the same number in sadc and limpid")
    print(f"{values} values of {len(clock) - 1} intervals agree, {exact} of "
          "them exactly")
    print(f"{formulas} values that limpid shows are made of them as in sysstat")
    print(f"{imported} values that sadf prints are those of the imported file")
    print(f"{tables} numbers of sar's tables are those of limpid's")
    if not can_discard(loops[-1]):
        print("skipped: loop devices on this file system cannot discard")
        sys.exit(77)


main()
