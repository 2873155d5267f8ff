#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Make a long sysstat file from a short one: make_sa.py SHORT RECORDS LONG

SHORT is a file of sadc with three or more equally long records. The last one
is repeated with its times moved on by a second each, and with it the counters
of no device: what is measured is reading, not what was read.

A record begins with uptime_cs and ust_time (unsigned long long), extra_next
(unsigned int), record_type, hour, minute, second (unsigned char).
"""
import struct
import sys

HEAD = struct.Struct("<QQIBBBB")


def heads(data, first, step):
    at = first
    while at + HEAD.size <= len(data):
        yield at, HEAD.unpack_from(data, at)
        at += step


def find_records(data):
    """Offset of the first record and their size: the times tell."""
    for first in range(0, len(data) - HEAD.size):
        uptime, time, extra, kind, *_ = HEAD.unpack_from(data, first)
        if kind != 1 or extra or not 1 << 30 < time < 1 << 33 or not uptime:
            continue
        for second in range(first + HEAD.size, len(data) - HEAD.size):
            up, then, extra, kind, *_ = HEAD.unpack_from(data, second)
            step = second - first
            if (0 < then - time <= 2 and 50 < up - uptime < 250 and kind == 1
                    and not extra and (len(data) - first) % step == 0):
                return first, step
    sys.exit("make_sa.py: no equal records found")


def main():
    short, count, long = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    data = open(short, "rb").read()
    first, step = find_records(data)
    uptime, time, extra, kind, hour, minute, second = HEAD.unpack_from(
        data, len(data) - step)
    body = data[len(data) - step + HEAD.size:]
    have = (len(data) - first) // step
    with open(long, "wb") as out:
        out.write(data)
        for i in range(1, count - have + 1):
            out.write(HEAD.pack(uptime + 100 * i, time + i, extra, kind, hour,
                                minute, second))
            out.write(body)


main()
