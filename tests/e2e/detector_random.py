#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: detector_random.py SEED SERVERS SAMPLES STEP DIRECTORY

Writes the counters of disks, interfaces and sockets of made-up servers and two
clients as CSV: disk.csv, net.csv and tcp.csv. Servers rest, become slower, get
more load and lose packets at random. Samples are missing at random, from
single ones to minutes, and counters begin again.
"""

import pathlib
import random
import sys

START = 1794700800
CLIENTS = ("c1", "c2")
DISK = ["rd_ios", "rd_sectors", "rd_ms", "wr_ios", "wr_sectors", "wr_ms",
        "io_ms"]


class Component:
    """Its state changes now and then, its counters grow."""

    def __init__(self, chance, width):
        self.chance = chance
        self.counters = [0] * width
        self.factor = chance.uniform(0.97, 1.03)
        self.change(1)

    def change(self, step):
        """What it is until the next change, each for itself."""
        c = self.chance
        self.left = c.randint(20, 600) // step + 1
        self.slow = c.choice([1, 1, 1, 1, 1.15, 1.6, 4])
        self.load = c.choice([1, 1, 1, 1, 0.02, 2])
        self.loss = c.choice([0, 0, 0, 1e-4, 1e-2])

    def missing(self, step):
        """True during a gap."""
        self.left -= 1
        if self.left <= 0:
            self.change(step)
            self.gap = self.chance.choice([0, 0, 0, 1, 7, 90]) // step
            if self.chance.random() < 0.1:
                self.counters = [0] * len(self.counters)
        self.gap = getattr(self, "gap", 0) - 1
        return self.gap >= 0

    def add(self, increases):
        self.counters = [int(old + more) for old, more in
                         zip(self.counters, increases)]


def disk_work(one, work, step):
    c = one.chance
    reads, writes = (max(0, round(share * work * one.load * step
                                  + c.gauss(0, 2))) for share in (0.6, 0.4))
    size = c.uniform(120, 130)
    busy = 3.0 * one.factor * one.slow * c.uniform(0.97, 1.03)
    wait = busy * c.uniform(1.5, 2.0) * one.slow
    return [reads, reads * size, reads * wait, writes, writes * size,
            writes * wait, min(1000 * step, (reads + writes) * busy)]


def net_work(one, work, step):
    return [work * share * one.load * step * one.chance.uniform(0.95, 1.05)
            for share in (40e3, 90e3)]


def socket_work(one, work, step):
    sent = work * 50e3 * min(1, one.load) * step
    if one.chance.random() < 0.1:
        sent = 0
    return [sent, sent * one.loss * one.chance.uniform(0, 2)]


def sockets_of(servers):
    """(host, local, peer) of both ends of every connection."""
    for s in range(servers):
        for c, client in enumerate(CLIENTS):
            ends = f"10.0.0.{s + 1}:2049", f"10.0.1.{c + 1}:{7000 + s}"
            yield (f"s{s + 1}", *ends)
            yield (client, *reversed(ends))


def make(chance, servers):
    """{file: (header, work, {key: component})}."""
    hosts = [f"s{s + 1}" for s in range(servers)]
    return {
        "disk": ("device," + ",".join(DISK), disk_work,
                 {(h, "sdb"): Component(chance, 7) for h in hosts}),
        "net": ("interface,rx_bytes,tx_bytes", net_work,
                {(h, "eth0"): Component(chance, 2) for h in hosts}),
        "tcp": ("local,peer,bytes_sent,bytes_retrans", socket_work,
                {key: Component(chance, 2) for key in sockets_of(servers)}),
    }


def main():
    seed, servers, samples, step = map(int, sys.argv[1:5])
    chance = random.Random(seed)
    for name, (header, work_of, parts) in make(chance, servers).items():
        path = pathlib.Path(sys.argv[5]) / f"{name}.csv"
        with open(path, "w", encoding="utf-8") as out:
            print("time,host," + header, file=out)
            for t in range(samples):
                work = chance.uniform(30, 60)
                for key, one in parts.items():
                    one.add(work_of(one, work, step))
                    if not one.missing(step):
                        print(START + t * step, *key, *one.counters, sep=",",
                              file=out)


if __name__ == "__main__":
    main()
