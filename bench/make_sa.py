#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Make a long sysstat file from a short one:
make_sa.py SHORT RECORDS LONG [STEP [SEED]]

SHORT is a file of sadc -S DISK with three or more equally long records, of
this machine's byte order. The last one is repeated, STEP seconds (1) later each
time, and every third disk does some I/O in between, by chance (SEED, 1).

A record begins with its head: uptime_cs and ust_time (unsigned long long),
extra_next (unsigned int), record_type, hour, minute, second (unsigned char).
A disk in it: nr_ios, wwn[2], rd_sect, wr_sect, dc_sect (unsigned long long),
rd_ticks, wr_ticks, tot_ticks, rq_ticks, major, minor ... (unsigned int).
"""
import random
import struct
import subprocess
import sys

HEAD = struct.Struct("<QQIBBBB")
IOS = struct.Struct("<Q")
REST = struct.Struct("<QQQIIIIII")
REST_OFFSET = 24


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


def last_disks(short):
    """The disks' values in the last record, as sadf tells them."""
    text = subprocess.run(
        ["sadf", "-r", "-U", "-O", "debug", short, "--", "-d"], check=True,
        capture_output=True, text=True, env={"PATH": "/usr/bin:/bin",
                                             "LC_ALL": "C"}).stdout
    disks = {}
    for line in text.splitlines():
        words = [word.strip() for word in line.split(";")]
        if len(words) < 30 or words[1] != "major":
            continue
        now = {words[i]: int(words[i + 2]) for i in range(7, 34, 3)}
        disks[int(words[2]), int(words[4])] = now
    return disks


def find_disks(body, disks):
    """[offset of the disk, its counters] of each."""
    found = []
    for (major, minor), now in disks.items():
        rest = [now["rkB/s"], now["wkB/s"], now["dkB/s"], now["rd_ticks"],
                now["wr_ticks"], now["tot_ticks"], now["aqu-sz"], major, minor]
        at = body.find(REST.pack(*rest))
        if at < REST_OFFSET:
            sys.exit("make_sa.py: disk %d:%d not found" % (major, minor))
        found.append([at - REST_OFFSET, now["tps"], rest])
    return found


def work(body, disks):
    for offset, ios, rest in disks[::3]:
        n = random.randrange(400)
        ios += n
        for i, each in enumerate((8, 16, 0, 1, 2, 1, 3)):
            rest[i] += n * each
        IOS.pack_into(body, offset, ios)
        REST.pack_into(body, offset + REST_OFFSET, *rest)


def main():
    short, count, long = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    seconds, seed = (sys.argv[4:] + ["1", "1"][len(sys.argv) - 4:])[:2]
    seconds = int(seconds)
    data = open(short, "rb").read()
    first, step = find_records(data)
    uptime, time, extra, kind, hour, minute, second = HEAD.unpack_from(
        data, len(data) - step)
    body = bytearray(data[len(data) - step + HEAD.size:])
    disks = find_disks(bytes(body), last_disks(short))
    random.seed(int(seed))
    with open(long, "wb") as out:
        out.write(data)
        for i in range(1, count - (len(data) - first) // step + 1):
            work(body, disks)
            out.write(HEAD.pack(uptime + 100 * seconds * i,
                                time + seconds * i, extra, kind, hour, minute,
                                second))
            out.write(body)


main()
