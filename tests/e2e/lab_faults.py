# SPDX-License-Identifier: Apache-2.0
"""usage: lab_faults.py SEEN.json

Is each fault, under ddr, seen on the victim and on nobody else? A server of
which nothing was measured is no answer.
"""

import json
import sys

VICTIM = "s3"
PEERS = ["s1", "s2", "s4", "s5", "s6"]


def missing(hosts):
    return [host for host in [VICTIM, *PEERS] if host not in hosts]


def above(factor, floor=0.0):
    return lambda mine, peers: mine > factor * peers and mine > floor


def below(factor):
    return lambda mine, peers: mine < factor * peers


# fault: metric, how the victim stands to the highest of its peers
EXPECTED = {
    "none": [("rd", lambda mine, peers: mine < 1.5 * peers),
             ("rx", lambda mine, peers: mine < 1.5 * peers)],
    "disk-hog": [("rd", above(1.5)), ("await", above(1.5))],
    "disk-busy": [("await", above(1.5)), ("rd", below(1.5))],
    "write-network-hog": [("rx", above(3, 5))],
    "read-network-hog": [("tx", above(1.3, 5))],
    "receive-pktloss": [("to_cwnd", below(0.5))],
    "send-pktloss": [("retrans", above(5, 5)), ("cwnd", below(0.5))],
}


def problems(results):
    seen = {r["fault"]: r["means"] for r in results}
    for fault, rules in EXPECTED.items():
        if fault not in seen:
            yield f"{fault}: not there"
            continue
        for metric, holds in rules:
            hosts = seen[fault].get(metric, {})
            if missing(hosts):
                yield f"{fault}: {metric} lacks {' '.join(missing(hosts))}"
                continue
            mine, peers = hosts[VICTIM], max(hosts[p] for p in PEERS)
            line = f"{fault}: {metric} {mine:.3g}, of its peers {peers:.3g}"
            print(line)
            if not holds(mine, peers):
                yield line


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        found = list(problems(json.load(file)))
    for line in found:
        print("unexpected:", line)
    return 1 if found else 0


sys.exit(main())
