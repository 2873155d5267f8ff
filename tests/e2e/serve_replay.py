#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: serve_replay.py LIMPID EXAMPLES WORK

Recorded runs, replayed into the live service at speed: when all is read, the
service says what 'limpid diagnose' says of the same run, and the store has it.
"""

import json
import pathlib
import subprocess
import sys

from serve_client import Service

RUNS = [
    ("one/1-22-ddr-disk-busy-s1", "limpid"),
    ("one/1-16-iozonew-receive-pktloss-s3", "limpid"),
    ("one/1-05-ddw-read-network-hog-s5", "limpid"),
    ("ceph/1-07-ddr-disk-hog-s3", "limpid"),
    ("benign/1-02-ddr-client-added", "limpid"),
    ("one/1-22-ddr-disk-busy-s1", "cdf"),
]


def told(findings):
    """What counts of findings: who, of what, since when."""
    return sorted((f["component"], f["cause"], f["since"], f["until"])
                  for f in findings)


def diagnose(limpid, run, method):
    done = subprocess.run(
        [limpid, "diagnose", "--method", method, "--cluster",
         run / "cluster.conf", "--findings", "-", run],
        check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def check(limpid, run, method, state):
    offline = diagnose(limpid, run, method)
    with Service(limpid, ["--state", state, "--method", method, "--cluster",
                          run / "cluster.conf", "--replay", run,
                          "--speed", "100"]) as service:
        service.wait_for("event=replayed")
        live = service.get("/api/v1/report")
        stored = service.get("/api/v1/findings")["findings"]
        now = service.get("/api/v1/now")
    assert live["verdict"] == offline["verdict"], (run, live["verdict"])
    assert told(live["findings"]) == told(offline["findings"]), (
        run, told(live["findings"]), told(offline["findings"]))
    known = {(f["component"], f["cause"]) for f in stored}
    for finding in offline["findings"]:
        assert (finding["component"], finding["cause"]) in known, (run, known)
    assert now["late"] == 0, now
    print(f"{run.name} by {method}: {offline['verdict']}, "
          f"{len(offline['findings'])} findings, the same")


def main():
    limpid, examples, work = sys.argv[1:]
    for number, (run, method) in enumerate(RUNS):
        check(limpid, pathlib.Path(examples) / run, method,
              pathlib.Path(work) / f"state-{number}")


main()
