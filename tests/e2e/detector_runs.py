#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: detector_runs.py [--limpid PATH] [--z Z,...] [--runs] CAMPAIGN...
       detector_runs.py [--limpid PATH] [--z Z] --dump RUN
       detector_runs.py [--limpid PATH] [--z Z] --compare FILE RUN

What tests/e2e/detector_peer.py says of recorded runs, and how often it is
right. --runs shows every run, --dump all scores of one run as CSV. --compare
reads such CSV, with any of its columns, and says where it differs.
"""

import argparse
import csv
import datetime
import json
import pathlib
import statistics
import subprocess
import sys

import numpy as np

import detector_peer as peer

BLOCK_S = 10
COLUMNS = {
    "disk": ["io_ms", "rd_ios", "wr_ios", "rd_sectors", "wr_sectors", "rd_ms",
             "wr_ms"],
    "net": ["rx_bytes", "tx_bytes"],
    "tcp": ["bytes_sent", "bytes_retrans"],
}
KEYS = {"disk": ["host", "device"], "net": ["host", "interface"],
        "tcp": ["host", "local", "peer"]}
AFTER_S = 60  # a finding may begin so long after the fault


def seconds(text):
    return datetime.datetime.fromisoformat(
        text.replace("Z", "+00:00")).timestamp()


# ---- reading ----

def run_limpid(limpid, *words):
    return subprocess.run([limpid, *map(str, words)], check=True,
                          capture_output=True, text=True).stdout


def export(limpid, path, kind):
    """{key of row: [(time, counters)]} of one class."""
    text = run_limpid(limpid, "export", "--class", kind, path)
    rows = {}
    for row in csv.DictReader(text.splitlines()):
        values = [float(row[c]) if row[c] else np.nan for c in COLUMNS[kind]]
        key = tuple(row[k] for k in KEYS[kind])
        rows.setdefault(key, []).append((seconds(row["time"]), values))
    for some in rows.values():
        some.sort(key=lambda one: one[0])
    return rows


def read_run(limpid, path):
    recording = path / "recording.limpid"
    run = {kind: export(limpid, recording, kind) for kind in COLUMNS}
    run["inventory"] = json.loads(run_limpid(
        limpid, "inventory", "--json", "--cluster", path / "cluster.conf",
        recording))
    run["truth"] = json.loads((path / "truth.json").read_text("utf-8"))
    run["name"] = path.name
    return run


# ---- blocks ----

class Blocks:
    """The blocks of a run, aligned to the epoch. What happened between two
    samples belongs to the block, and second, of the middle between them."""

    def __init__(self, first, last, interval):
        self.first = int((first + interval / 2) // BLOCK_S)
        self.number = int((last - interval / 2) // BLOCK_S) - self.first + 1

    def second(self, t0, t1):
        return int((t0 + t1) / 2) - self.first * BLOCK_S

    def end(self, block):
        return (self.first + block + 1) * BLOCK_S


def steps_of(rows, blocks):
    """(second, duration, differences) of neighbours; None after a reset."""
    for (t0, old), (t1, new) in zip(rows, rows[1:]):
        step = np.subtract(new, old)
        if t1 - t0 <= BLOCK_S:
            yield (blocks.second(t0, t1), t1 - t0,
                   step if np.all(step >= 0) else None)


def block_sums(rows, width, blocks):
    """[counter][block] and seconds[block]; NaN where missing."""
    sums = np.zeros((width, blocks.number))
    time, samples = np.zeros(blocks.number), np.zeros(blocks.number)
    missing = np.zeros(blocks.number, bool)
    for second, duration, step in steps_of(rows, blocks):
        b = second // BLOCK_S
        if step is None:
            missing[b] = True
        else:
            samples[b] += 1
            sums[:, b] += step
            time[b] += duration
    missing |= samples < BLOCK_S / 2
    sums[:, missing] = np.nan
    return sums, np.where(missing, np.nan, time)


def disk_data(x):
    return {"io_ms": x[0], "ios": x[1] + x[2], "read": x[3], "written": x[4],
            "request_ms": x[5] + x[6]}


def net_data(x):
    return {"rx": x[0], "tx": x[1]}


def device_data(run, kind, names, blocks):
    """Counters of disks or interfaces."""
    make = disk_data if kind == "disk" else net_data
    data = {}
    for name in names:
        rows = run[kind].get(tuple(name.split("/", 1)), [])
        sums, time = block_sums(rows, len(COLUMNS[kind]), blocks)
        for key, x in (make(sums) | {"seconds": time}).items():
            data.setdefault(key, []).append(x)
    return {key: np.array(x) for key, x in data.items()}


def sockets_of(run, group):
    """{component: [rows]} of one group of sockets."""
    inventory = run["inventory"]
    owner = {address: host["host"] for host in inventory["hosts"]
             for address in host["labels"].get("addresses", "").split()}
    result = {name: [] for name in group["members"]}
    for one in inventory["components"]:
        if one["class"] == "tcp" and one["group"] == group["group"]:
            local, remote = one["name"].split(">")
            name = one["host"] + ">clients"
            if name not in result:
                name = "clients>" + owner.get(remote, remote)
            result[name].append(run["tcp"][one["host"], local, remote])
    return result


def second_sums(sockets, blocks):
    """[sent, sent again][second] of all sockets; NaN if none has a value."""
    total = np.full((2, blocks.number * BLOCK_S), np.nan)
    for rows in sockets:
        for second, _, step in steps_of(rows, blocks):
            if step is not None:
                total[:, second] = np.nan_to_num(total[:, second]) + step
    return total


def tcp_data(run, group, blocks):
    sockets = sockets_of(run, group)
    sums = np.array([second_sums(sockets[name], blocks)
                     for name in group["members"]])
    data = peer.loss_counters(sums[:, 0], sums[:, 1], BLOCK_S)
    samples = data.pop("samples")
    data["seconds"] = samples.astype(float)
    return {key: np.where(samples < BLOCK_S / 2, np.nan, x)
            for key, x in data.items()}


def groups_of(run):
    """Groups for the detector, and the blocks."""
    inventory = run["inventory"]
    blocks = Blocks(seconds(inventory["first"]), seconds(inventory["last"]),
                    inventory["interval_s"])
    result = []
    for group in inventory["groups"]:
        kind, names = group["class"], group["members"]
        if kind in COLUMNS:
            data = tcp_data(run, group, blocks) if kind == "tcp" \
                else device_data(run, kind, names, blocks)
            result.append(peer.Group(kind, names, data))
    return result, blocks


# ---- verdicts ----

def server_of(component):
    if component.startswith("clients>"):
        return component[len("clients>"):]
    return component.split("/")[0].split(">")[0]


def find(groups, measured, z_limit, options=peer.Options()):
    """Findings of all groups together."""
    found = []
    for group, one in zip(groups, measured):
        scored = peer.score_group(one, z_limit, options)
        found += peer.accusations(group, scored, z_limit)
    return peer.findings(found, server_of, BLOCK_S)


def servers_of(truth):
    servers = truth.get("server") or []
    return [servers] if isinstance(servers, str) else servers


def during(truth, blocks, finding):
    """True if a finding overlaps the fault."""
    return (blocks.end(finding.last) >= seconds(truth["start"])
            and blocks.end(finding.first) <= seconds(truth["end"]) + AFTER_S)


def count(truth, blocks, said):
    """ITP, DTP, IFP, DFP of one run, and seconds from onset to alarm."""
    servers = servers_of(truth)
    hits = [f for f in said if f.server in servers
            and during(truth, blocks, f)]
    right = [f for f in hits if f.cause == truth.get("cause")]
    false = [f for f in said if f.server not in servers]
    late = [blocks.end(f.first) - seconds(truth["start"]) for f in hits]
    return {"fault": bool(servers),
            "itp": bool(servers) and {f.server for f in hits} == set(servers),
            "dtp": bool(servers) and {f.server for f in right} == set(servers),
            "ifp": bool(false), "dfp": bool(false) or len(right) < len(hits),
            "late": min(late, default=None)}


def describe(run, blocks, counts, said):
    truth = run["truth"]
    marks = "".join(mark if counts[key] else "-" for mark, key in
                    zip("IDif", ("itp", "dtp", "ifp", "dfp")))
    start = seconds(truth["start"]) if "start" in truth else blocks.end(-1)
    print(f"{marks} {run['name']:34} {truth.get('cause', '-')}")
    for f in said:
        top = f.strongest
        metrics = ",".join(sorted({a.metric for a in f.accusations}))
        print(f"     {f.server} {f.cause}"
              + (f" also {','.join(f.also)}" if f.also else "")
              + f" {blocks.end(f.first) - start:+.1f}"
              f" to {blocks.end(f.last) - start:+.1f} s, z {top.z:.1f}"
              f" T {top.window} {top.metric} {top.how} {top.effect:.4g}"
              f" of {metrics}")


def summary(counts):
    late = [c["late"] for c in counts if c["late"] is not None]
    n = {key: sum(c[key] for c in counts)
         for key in ("fault", "itp", "dtp", "ifp", "dfp")}
    words = f"{statistics.median(late):.1f} s" if late else "-"
    return (f"ITP {n['itp']} DTP {n['dtp']} of {n['fault']}, IFP {n['ifp']}"
            f" DFP {n['dfp']} of {len(counts)}, median {words}")


def show_campaign(limpid, campaign, limits, verbose):
    counts = {z_limit: [] for z_limit in limits}
    for path in sorted(pathlib.Path(campaign).glob("*/truth.json")):
        run = read_run(limpid, path.parent)
        groups, blocks = groups_of(run)
        measured = [peer.measure_group(group) for group in groups]
        for z_limit in limits:
            said = find(groups, measured, z_limit)
            counts[z_limit].append(count(run["truth"], blocks, said))
            if verbose:
                print(f"Z {z_limit:g}", end=" ")
                describe(run, blocks, counts[z_limit][-1], said)
    for z_limit in limits:
        print(f"{pathlib.Path(campaign).name} Z {z_limit:g}:",
              summary(counts[z_limit]))


# ---- all scores ----

MEASURED = ["residual", "pooled", "s_w", "s_b", "s_c", "base", "s_level",
            "s_change"]
SCORED = ["z_level", "z_change", "effect_level", "effect_change",
          "passed_level", "passed_change", "accused"]
ROW = ["component", "metric", "T", "end"]
NAMES = ROW + MEASURED + SCORED
TOLERANCE, MOST_SHOWN = 1e-9, 20


def cells(one, i, t):
    values = [getattr(one.measured, name)[i, t] for name in MEASURED]
    values += [getattr(one, name)[i, t] for name in SCORED]
    return ["" if np.isnan(v) else str(int(v)) if isinstance(v, np.bool_)
            else repr(float(v)) for v in values]


def rows_of(limpid, path, z_limit):
    """{column: text} for each component, metric, T and block."""
    groups, blocks = groups_of(read_run(limpid, path))
    for group in groups:
        scored = peer.score_group(peer.measure_group(group), z_limit)
        for (metric, window), one in scored.items():
            for i, name in enumerate(group.names):
                for t in range(one.accused.shape[1]):
                    row = [name, metric, str(window), str(blocks.end(t))]
                    yield dict(zip(NAMES, row + cells(one, i, t)))


def dump(limpid, path, z_limit):
    out = csv.DictWriter(sys.stdout, NAMES)
    out.writeheader()
    out.writerows(rows_of(limpid, path, z_limit))


def differs(ours, theirs):
    if ours == "" or theirs == "":
        return ours != theirs
    a, b = float(ours), float(theirs)
    return not abs(a - b) <= TOLERANCE * max(1, abs(a))


def compare(limpid, path, z_limit, file):
    """How many values differ, of how many."""
    with open(file, encoding="utf-8") as text:
        theirs = {tuple(row[k] for k in ROW): row
                  for row in csv.DictReader(text)}
    values, wrong, missing = 0, [], []
    for ours in rows_of(limpid, path, z_limit):
        key = tuple(ours[k] for k in ROW)
        other = theirs.pop(key, None)
        if other is None:
            missing.append(key)
            continue
        for name in [n for n in MEASURED + SCORED if n in other]:
            values += 1
            if differs(ours[name], other[name]):
                wrong.append((*key, name, ours[name], other[name]))
    wrong += [(*key, "is missing") for key in missing]
    wrong += [(*key, "is not expected") for key in theirs]
    for one in wrong[:MOST_SHOWN]:
        print(*one)
    return len(wrong), values


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--limpid", default="./limpid")
    parser.add_argument("--z", default="5,6,8,10.6")
    parser.add_argument("--runs", action="store_true")
    parser.add_argument("--dump", action="store_true")
    parser.add_argument("--compare")
    parser.add_argument("path", nargs="+")
    args = parser.parse_args()
    limits = [float(z) for z in args.z.split(",")]
    for path in args.path:
        if args.compare:
            wrong, values = compare(args.limpid, pathlib.Path(path), limits[0],
                                    args.compare)
            print(f"{wrong} of {values} values differ")
            sys.exit(1 if wrong else 0)
        elif args.dump:
            dump(args.limpid, pathlib.Path(path), limits[0])
        else:
            show_campaign(args.limpid, path, limits, args.runs)


if __name__ == "__main__":
    main()
