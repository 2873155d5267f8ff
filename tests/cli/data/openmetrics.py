#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: openmetrics.py < TEXT

Reads OpenMetrics 1.0 text as strictly as the standard is written, for the
types that limpid writes, and says how many families and values there are.
"""

import re
import sys

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
META = re.compile(rf"# (TYPE|UNIT|HELP) ({NAME}) (.*)")
LABEL = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*"'
SAMPLE = re.compile(rf"({NAME})\{{({LABEL}(?:,{LABEL})*)\}} (\S+) (\S+)")
NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?")
SUFFIX = {"counter": "_total", "gauge": "", "info": "_info", "unknown": ""}


def seconds(text):
    """Exact: as nanoseconds."""
    whole, _, fraction = text.partition(".")
    assert re.fullmatch(r"-?\d+", whole) and len(fraction) <= 9, text
    return int(whole) * 10**9 + int(fraction.ljust(9, "0") or 0)


class Reader:
    def __init__(self):
        self.families, self.series = {}, set()
        self.family = self.labels = self.time = None
        self.values = 0

    def meta(self, kind, name, text):
        if kind == "TYPE":
            assert name not in self.families, f"{name} comes twice"
            assert text in SUFFIX and not name.endswith("_total"), text
            self.families[name] = text
            self.family = name
        assert name == self.family, f"{kind} of {name} in {self.family}"
        if kind == "UNIT":
            assert name.endswith("_" + text), f"{name} has no unit {text}"

    def sample(self, name, labels, value, time):
        kind = self.families[self.family]
        assert name == self.family + SUFFIX[kind], name
        assert NUMBER.fullmatch(value), value
        assert kind != "counter" or float(value) >= 0, value
        if (name, labels) != self.labels:
            assert (name, labels) not in self.series, f"{labels} interleaved"
            self.series.add((name, labels))
            self.labels, self.time = (name, labels), None
        now = seconds(time)
        assert self.time is None or now > self.time, f"{time} goes back"
        self.time = now
        self.values += 1

    def line(self, text):
        meta = META.fullmatch(text)
        if meta:
            return self.meta(*meta.groups())
        sample = SAMPLE.fullmatch(text)
        assert sample, f"not a line of the format: {text}"
        return self.sample(*sample.groups())


def main():
    lines = sys.stdin.read().split("\n")
    assert lines[-2:] == ["# EOF", ""], "no # EOF at the end"
    reader = Reader()
    for line in lines[:-2]:
        reader.line(line)
    print(len(reader.families), "families,", reader.values, "values")


main()
