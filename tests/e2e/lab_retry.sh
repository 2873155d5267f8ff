#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# A run of a campaign that fails, since a client dies in the midst of it, is put
# aside with its reason and repeated on a new cluster.
# shellcheck disable=SC1091,SC2154 # what lab.bash sets
. "$LIMPID_SOURCE/tests/e2e/lab.bash" || exit 1

cat >short.conf <<'END'
title = "short";
seed = 5;
phases = { healthy = 10; fault = 10; after = 0; jitter = 0; };
runs = ( { workloads = "ddw"; faults = "none"; cluster = { servers = 3; }; } );
END
run=1-01-ddw-none

# The client's process: noted in the journal, its last word the mount's path.
client() {
  local p
  sed -n 's/^+ process \([0-9]*\) .*/\1/p' "$lab/journal" | while read -r p; do
    tr '\0' '\n' <"/proc/$p/cmdline" 2>/dev/null | tail -n 1 |
      grep -qxF "$lab/c1/mnt" && echo "$p"
  done
}

"$LIMPID" lab campaign short.conf -o runs --dir "$lab" >out 2>err &
running=$!
for _ in $(seq 300); do
  [ -d "runs/.$run" ] && break
  sleep 0.2
done
[ -d "runs/.$run" ] || fail "the run did not begin"
learn_prefix
sleep 8
pid=$(client)
[ -n "$pid" ] || fail "no client is there"
kill -9 "$pid"
wait "$running" || fail "status $?"
running=

reason=runs/failed/$run.1/reason.txt
[ "$(wc -l <"$reason")" = 1 ] || fail "no reason in one line"
cat "$reason"
[ -s "runs/failed/$run.1/log.txt" ] || fail "nothing of the logs is kept"
grep -q "$run.*failed: $(head -c 20 "$reason")" out || fail "not said: $(cat out)"
grep -q '"attempt":2' "runs/$run/truth.json" || fail "not repeated"
[ -d "runs/.$run" ] && fail "something half made is left"
"$LIMPID" evaluate runs >evaluated || fail "cannot be evaluated"
nothing_left "the campaign"
