#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: detector_compare.py FILE...

Compares every score in files of limpid diagnose --method limpid --dump with
what detector_peer.py makes of the sums in the same file.
"""

import collections
import csv
import datetime
import sys

import numpy as np

import detector_peer as peer

NEAR = 1e-9
NOTHING = 1e-12  # what is left of 0 after some subtractions
# The sums that the other program calls otherwise.
NAMES = {
    "disk": {"io_ms": "busy_ms", "ios": "requests", "read": "out",
             "written": "in", "request_ms": "wait_ms"},
    "net": {"rx": "in", "tx": "out"},
    "tcp": {"sent": "out", "retrans": "resent", "lossy": "lossy_samples",
            "active": "active_samples"},
}
COARSE_S = 60
NUMBERS = ["z", "spread", "between", "within", "before", "effect"]


def seconds(text):
    return int(datetime.datetime.fromisoformat(
        text.replace("Z", "+00:00")).timestamp())


def number(text):
    return float(text) if text else np.nan


class Dumped:
    """What limpid wrote of one group."""

    def __init__(self):
        self.sums = collections.defaultdict(dict)  # name: {(who, time): sum}
        self.scores = {}  # (quantity, kind, blocks, who, time): row
        self.names, self.times = {}, {}
        self.limit = np.nan

    def add(self, row):
        who, time = row["component"], seconds(row["time"])
        self.names[who] = self.times[time] = None
        if row["kind"] == "sum":
            self.sums[row["quantity"]][who, time] = number(row["sum"])
        else:
            key = (row["quantity"], row["kind"], int(row["blocks"]), who, time)
            assert key not in self.scores, key
            self.scores[key] = row
            self.limit = number(row["limit"])

    def kind(self):
        if "active_samples" in self.sums:
            return "tcp"
        return "disk" if "requests" in self.sums else "net"

    def array(self, name):
        return np.array([[self.sums[name][who, time] for time in self.times]
                         for who in self.names])

    def group(self, block_s):
        data = {ours: self.array(theirs)
                for ours, theirs in NAMES[self.kind()].items()}
        there = np.any([~np.isnan(x) for x in data.values()], axis=0)
        data["seconds"] = np.where(there, block_s, np.nan)
        return peer.Group(self.kind(), list(self.names), data)


def read(path):
    """{group: Dumped}."""
    groups = collections.defaultdict(Dumped)
    with open(path, newline="", encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            groups[row["group"]].add(row)
    return groups


def block_length(times):
    steps = {b - a for a, b in zip(times, times[1:])}
    assert len(steps) == 1, f"blocks of different lengths: {steps}"
    return steps.pop()


def expected(quantity, kind, one, i, t):
    """What the other program says, by the names of limpid's columns."""
    m = one.measured
    level = kind == "level"
    found = {
        "z": (one.z_level if level else one.z_change)[i, t],
        "spread": (m.s_level if level else m.s_change)[i, t],
        "between": (m.s_b if level else m.s_c)[i, t],
        "within": m.s_w[i, t],
        "before": np.nan if level else m.base[i, t],
        "effect": (one.effect_level if level else one.effect_change)[i, t],
    }
    if quantity == "loss":
        found["within"] = np.nan
    passed = (one.passed_level if level else one.passed_change)[i, t]
    return found, passed


def is_near(a, b):
    if np.isnan(a) or np.isnan(b):
        return np.isnan(a) and np.isnan(b)
    return abs(a - b) <= max(NOTHING, NEAR * max(abs(a), abs(b)))


def differences(dumped, block_s):
    """Compares one group: (number of scores, [difference])."""
    options, limit = peer.Options(), dumped.limit
    if block_s > COARSE_S:
        options = peer.Options(windows=(3, 6, 12),
                               metrics=("service", "latency"))
    group = dumped.group(block_s)
    scored = peer.score_group(peer.measure_group(group, options), limit,
                              options)
    left, wrong = dict(dumped.scores), []
    for (quantity, window), one in scored.items():
        for i, who in enumerate(group.names):
            for t, time in enumerate(dumped.times):
                for kind in ("level", "change"):
                    key = (quantity, kind, window, who, time)
                    found, passed = expected(quantity, kind, one, i, t)
                    row = left.pop(key, None)
                    if row is None:
                        if not np.isnan(found["z"]):
                            wrong.append((key, "only in Python", found["z"]))
                        continue
                    for name in NUMBERS:
                        if not is_near(number(row[name]), found[name]):
                            wrong.append((key, name, row[name], found[name]))
                    accused = passed and found["z"] > limit
                    if bool(int(row["accused"])) != bool(accused) and \
                            not is_near(found["z"], limit):
                        wrong.append((key, "accused", row["accused"]))
    wrong += [(key, "only in C", row["z"]) for key, row in left.items()]
    return len(dumped.scores), wrong


def main():
    failed = False
    for path in sys.argv[1:]:
        for name, dumped in read(path).items():
            block_s = block_length(list(dumped.times))
            count, wrong = differences(dumped, block_s)
            windows = sorted({key[2] for key in dumped.scores})
            accused = sum(int(row["accused"])
                          for row in dumped.scores.values())
            print(f"{path}: {name}: {count} scores in windows of {windows},"
                  f" {accused} accuse, {len(wrong)} differ")
            for line in wrong[:10]:
                print("  ", *line)
            failed |= bool(wrong) or not (count or block_s > COARSE_S)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
