#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write a file as sysstat 10.2 did (format 0x2171): old_sa.py FILE

Three records of host "old1", ten minutes apart, with the CPUs, disk 8:16 and
interface eth0. The layout is that of a 64-bit little-endian machine.
"""
import struct
import sys
import time

START, UPTIME = 1400000000, 500000
UTSNAME_LEN = 65
ACTIVITIES = [  # id, magic, number, number of matrix columns, size
    (1, 0x8a, 2, 1, 160),
    (11, 0x8b, 1, 1, 64),
    (12, 0x8b, 1, 1, 128),
]


def cpu(i):
    return b"".join(struct.pack("<Q8x", 1000 + 60000 * i) for _ in range(10))


def disk(i):
    return struct.pack("<Q8xQQIIIIII8x", 100 + 1200 * i, 800 + 9600 * i,
                       1600 + 19200 * i, 50 + 2400 * i, 70 + 3600 * i,
                       40 + 6000 * i, 120 + 6000 * i, 8, 16)


def net(i):
    counters = (10 + 600 * i, 20 + 1200 * i, 1000 + 614400 * i,
                2000 + 1228800 * i, 0, 0, 0)
    return (b"".join(struct.pack("<Q8x", value) for value in counters)
            + b"eth0".ljust(16, b"\0"))


def main():
    with open(sys.argv[1], "wb") as out:
        out.write(struct.pack("<HHBBBB", 0xd596, 0x2171, 10, 2, 1, 0))
        out.write(struct.pack("<QIBBBB", START, len(ACTIVITIES), 13, 4, 114, 8))
        for text in (b"Linux", b"old1", b"3.2.0", b"x86_64"):
            out.write(text.ljust(UTSNAME_LEN, b"\0"))
        out.write(bytes(280 - 16 - 4 * UTSNAME_LEN))
        for activity in ACTIVITIES:
            out.write(struct.pack("<IIiii", *activity))
        for i in range(3):
            uptime = UPTIME + 60000 * i
            clock = time.gmtime(START + 600 * i)
            out.write(struct.pack("<Q8xQ8xQBBBB4x", uptime, uptime,
                                  START + 600 * i, 1, *clock[3:6]))
            out.write(cpu(i) + cpu(i) + disk(i) + net(i))


main()
