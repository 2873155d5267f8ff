#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# An hour of the campaign quiet in half a minute: the load changes by itself,
# all clients do the same at the same time, also one that is added later, the
# truth says what was done, and the machine is recorded beside the nodes.
# shellcheck disable=SC1091,SC2154 # what lab.bash sets
. "$LIMPID_SOURCE/tests/e2e/lab.bash" || exit 1
command -v postmark >/dev/null || skip "there is no postmark"
command -v python3 >/dev/null || skip "there is no python3"

# Disks that are fast and small: the files that are read are written soon.
cat >varied.conf <<'END_OF_CONF'
title = "varied";
seed = 4;
machine = true;
phases = { healthy = 10; fault = 8; after = 4; jitter = 0; };
cluster = { servers = 3; disk_size = "320Mi"; disk_rate = "60M"; };
runs = ( { workloads = "varied"; pace = 12; event = "client-added";
           stages = { shortest = 3; longest = 5; }; } );
END_OF_CONF
run=runs/1-01-varied-client-added

"$LIMPID" lab campaign varied.conf -o runs --dir "$lab" >out 2>err ||
  fail "no run: $(cat out)"
nothing_left "the campaign"
"$LIMPID" archive info "$run/recording.limpid" >said || fail "no recording"
grep -q 'hosts .*machine' said || fail "the machine was not recorded: $(cat said)"
grep -q '^  host  *1 instance' said || fail "another host, too: $(cat said)"
"$LIMPID" diagnose --cluster "$run/cluster.conf" "$run" >verdict ||
  fail "cannot be diagnosed"
grep machine verdict >text
grep -q 'machine has no role in the cluster file and is left out' text ||
  fail "other words: $(cat text)"

"$LIMPID" evaluate --json runs >evaluated || fail "cannot be evaluated"

python3 - "$run" <<'END_OF_SCRIPT' || fail "not as it should be"
import json, pathlib, sys
run = pathlib.Path(sys.argv[1])
truth = json.loads((run / "truth.json").read_text())
rows = [line.split("\t") for line in
        (run / "throughput.tsv").read_text().splitlines()[1:]]
load = truth["load"]
print(json.dumps(load, indent=1))
assert truth["fault"] == "none" and truth["event"] == "client-added"
assert truth["slowdown"] is None
assert len(load) >= 4, "too few stages"
for one, next_one in zip(load, load[1:]):
    assert one["end"] == next_one["start"]
assert load[-1]["end"] == truth["last"]
assert len({(s["workload"], s["pace"]) for s in load}) > 1
assert sum(int(r[3]) for r in rows) > 0, "c1 did nothing"
# It was added in the tenth second.
assert not any(int(r[4]) for r in rows[:9]), "c2 is there too early"
assert any(int(r[4]) for r in rows[10:]), "c2 was never added"
# The machine is no server: three of them, for 22 seconds.
hours = json.loads(pathlib.Path("evaluated").read_text())
hours = hours["aggregate"]["server_hours"] * 3600
assert 2 * 22 < hours < 3.5 * 22, f"{hours} server-seconds"
END_OF_SCRIPT
echo "the load was varied"
