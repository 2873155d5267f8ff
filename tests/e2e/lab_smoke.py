# SPDX-License-Identifier: Apache-2.0
"""usage: lab_smoke.py LIMPID RUNS [FAULT...]

disk-busy raises await on the victim only, send-pktloss raises retransmits on
the victim only, a control raises no alarm, diagnose names victim and cause of
both faults, or of those that are given.
"""

import collections
import csv
import datetime
import json
import pathlib
import statistics
import subprocess
import sys

LIMPID, RUNS = sys.argv[1], pathlib.Path(sys.argv[2])
CAUSES = {"disk-busy": "disk-busy", "send-pktloss": "packet-loss"}
NAMED = sys.argv[3:] or list(CAUSES)
# The phases of `smoke` are shorter than the default windows need.
WINDOWS = ["--method", "cdf,cwnd", "--window", "16", "--shift", "8",
           "--smooth", "5"]
# A fault takes a moment, and TCP needs some seconds to forget a good time.
RAMP_S = 5
# A peer on a busy machine may have so many times its value of before.
PEER_FACTOR = 3
failures = []


def check(true, text):
    print(("ok      " if true else "FAILED  ") + text)
    if not true:
        failures.append(text)


def seconds(text):
    return datetime.datetime.fromisoformat(
        text.replace("Z", "+00:00")).timestamp()


def medians(run, truth, kind, metric):
    """{server: (median before the fault, in it)}."""
    start, end = seconds(truth["start"]), seconds(truth["end"])
    rows = subprocess.run(
        [LIMPID, "show", "--csv", "--class", kind, "--metric", metric,
         str(run)], check=True, capture_output=True, text=True).stdout
    at = collections.defaultdict(lambda: collections.defaultdict(float))
    for row in csv.DictReader(rows.splitlines()):
        # A server has several sockets: their sum.
        if row["value"] and row["host"].startswith("s"):
            at[row["host"]][seconds(row["time"])] += float(row["value"])
    result = {}
    for host, values in at.items():
        before = [v for t, v in values.items() if t <= start]
        during = [v for t, v in values.items() if start + RAMP_S < t <= end]
        result[host] = (statistics.median(before), statistics.median(during))
    return result


def raises_on_victim_only(run, truth, kind, metric, factor):
    victim = truth["server"]
    seen = medians(run, truth, kind, metric)
    for host, (before, during) in sorted(seen.items()):
        print(f"        {host}: {metric} {before:.4g} -> {during:.4g}")
    peers = {host: pair for host, pair in seen.items() if host != victim}
    normal = statistics.median(during for _, during in peers.values())
    before, during = seen[victim]
    check(len(seen) == 6, f"{run.name}: all servers were recorded")
    check(during > factor * max(before, normal),
          f"{run.name}: {metric} of {victim} rises")
    check(all(p < during / factor for _, p in peers.values()),
          f"{run.name}: {metric} of no other server is as high")
    # Each is compared with its own past, too. Where that is about nothing, a
    # tenth of the victim's rise is no rise.
    slack = (during - before) / 10
    for host, (past, present) in sorted(peers.items()):
        check(present < max(PEER_FACTOR * past, past + slack),
              f"{run.name}: {metric} of {host} stays as it was")


def diagnosis(run):
    done = subprocess.run(
        [LIMPID, "diagnose", "--json", "--cluster", str(run / "cluster.conf"),
         *WINDOWS, str(run)], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def accused(verdict):
    return [(f["host"], f["cause"]) for f in verdict["findings"]]


def main():
    runs = {}
    for path in sorted(RUNS.glob("*/truth.json")):
        truth = json.loads(path.read_text("utf-8"))
        runs[truth["fault"]] = (path.parent, truth)
    check(set(runs) == {"none", *CAUSES},
          "all three runs were made")
    for fault, (run, truth) in runs.items():
        print(f"        {run.name}: {truth['throughput']}, "
              f"{truth['machine']}")
    raises_on_victim_only(*runs["disk-busy"], "disk", "await", 2)
    raises_on_victim_only(*runs["send-pktloss"], "tcp", "retrans", 2)
    verdict = diagnosis(runs["none"][0])
    check(verdict["verdict"] == "none",
          f"a control raises no alarm: {verdict['verdict']} "
          f"{accused(verdict)} {verdict['reason'] or ''}")
    for fault in NAMED:
        run, truth = runs[fault]
        said = accused(diagnosis(run))
        check(said == [(truth["server"], CAUSES[fault])],
              f"{run.name}: limpid accuses {said}")
    return 1 if failures else 0


sys.exit(main())
