#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# A campaign that is interrupted in the midst of its second run keeps the first,
# drops the second and takes its lab down; the same command goes on there.
# shellcheck disable=SC1091,SC2154 # what lab.bash sets
. "$LIMPID_SOURCE/tests/e2e/lab.bash" || exit 1

# Little is written, so that the disks come to rest soon.
cat >short.conf <<'END'
title = "short";
seed = 5;
phases = { healthy = 3; fault = 3; after = 0; jitter = 0; };
cluster = { servers = 1; clients = 1; layout = "sharded"; };
runs = ( { workloads = "ddw"; faults = "none"; repeats = 2; pace = 4; } );
END
first=1-01-ddw-none
second=1-02-ddw-none

campaign=("$LIMPID" lab campaign short.conf -o runs --dir "$lab")
first_truth() { stat -c '%i %y' "runs/$first/truth.json"; }

# ---- interrupted ----
"${campaign[@]}" >out 2>err &
running=$!
# The processes of the workload open their logs when they begin.
second_works() {
  cat out >text
  compgen -G "runs/.$second/work/*.csv" >/dev/null
}
await 150 "the second run does not begin" second_works
learn_prefix
[ -n "$prefix" ] || fail "no prefix"
kill -INT "$running"
wait "$running"
status=$?
running=
[ $status = 1 ] || fail "Ctrl-C: status $status: $(cat out)"
[ "$(wc -l <err)" = 1 ] || fail "Ctrl-C: not one line"
grep -q 'interrupted: finished runs are kept, the same command goes on' err ||
  fail "Ctrl-C: other words"
nothing_left "Ctrl-C"
kept=$(first_truth) || fail "the first run is not kept: $(cat out)"
[ -e "runs/$second" ] && fail "the second run was not interrupted"
[ -e "runs/.$second" ] && fail "something half made is left"
[ -e runs/failed ] && fail "it counts as failed"

# ---- and it goes on ----
"${campaign[@]}" >out 2>err || fail "not resumed: $(cat out)"
grep -qx '2 of 2 runs are in runs; made 1 now\.' out ||
  fail "other words: $(cat out)"
[ -s "runs/$second/truth.json" ] || fail "the second run was not made"
[ "$(first_truth)" = "$kept" ] || fail "the first run was made again"
nothing_left "the campaign"
echo "all is well"
