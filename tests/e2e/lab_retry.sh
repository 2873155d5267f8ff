#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# A run of a campaign that fails is put aside with its reason and repeated on a
# new cluster: the fault ended too early; a server's daemon died, of which the
# clients of a redundant file system notice nothing; a client died; a server
# missed what was written before the fault, and serves again at the end.
# shellcheck disable=SC1091,SC2154 # what lab.bash sets
. "$LIMPID_SOURCE/tests/e2e/lab.bash" || exit 1

# The fault is looked at 8 s after it began, and again at its end.
cat >short.conf <<'END'
title = "short";
seed = 5;
phases = { healthy = 10; fault = 14; after = 0; jitter = 0; };
cluster = { servers = 3; };
runs = ( { workloads = "ddw"; faults = "disk-hog"; pace = 4; } );
END
run=$("$LIMPID" lab campaign short.conf --dry-run | sed -n 's/^\(1-01-[^ ]*\).*/\1/p')
[ -n "$run" ] || fail "there is no plan"

# The process that makes the fault: the first that was noted after it.
hog() {
  sed -n '/^+ fault /,$s/^+ process \([0-9]*\) .*/\1/p' "$lab/journal" |
    head -n 1
}

# The daemon that serves the disk of s2. The pattern in a file: grep would find
# itself.
brick() {
  echo "$lab/s2/brick/data" >pattern
  grep -alF -f pattern /proc/[0-9]*/cmdline 2>/dev/null | cut -d/ -f3 | head -n 1
}

# The client's process: noted in the journal, its last word the mount's path.
client() {
  local p
  sed -n 's/^+ process \([0-9]*\) .*/\1/p' "$lab/journal" | while read -r p; do
    { tr '\0' '\n' <"/proc/$p/cmdline"; } 2>/dev/null | tail -n 1 |
      grep -qxF "$lab/c1/mnt" && echo "$p"
  done
}

# is_on N: the fault of the Nth attempt; not that of the lab before, whose
# journal is there for a moment more
is_on() {
  local pid
  cat out >text
  [ "$(compgen -G "runs/failed/$run.*" | wc -l)" = $(($1 - 1)) ] || return 1
  pid=$(hog 2>/dev/null)
  [ -n "$pid" ] && grep -q '^State:.[^Z]' "/proc/$pid/status" 2>/dev/null
}

# kill_one N WHO: in the midst of the Nth attempt's fault
kill_one() {
  local pid
  await 200 "attempt $1 does not begin" is_on "$1"
  learn_prefix
  sleep 9
  pid=$($2)
  [ -n "$pid" ] || fail "there is no $2"
  kill -9 "$pid"
}

# reason N WORDS: of the Nth failure, in one line, said and kept with the logs
reason() {
  local dir=runs/failed/$run.$1
  await 60 "attempt $1 did not fail" test -s "$dir/reason.txt"
  [ "$(wc -l <"$dir/reason.txt")" = 1 ] || fail "no reason in one line"
  cat "$dir/reason.txt"
  grep -q "$2" "$dir/reason.txt" || fail "attempt $1: other words"
}

campaign=("$LIMPID" lab campaign short.conf -o runs --dir "$lab")
"${campaign[@]}" >out 2>err &
running=$!
kill_one 1 hog
reason 1 'disk-hog did not last: .*signal 9'
kill_one 2 brick
reason 2 'only 2 of 3 bricks serve'
kill_one 3 client
reason 3 .
wait "$running" && fail "a run that failed three times is no success"
running=
[ -s "runs/failed/$run.3/log.txt" ] || fail "nothing of the logs is kept"
grep -q "$run.*failed: $(head -c 20 "runs/failed/$run.3/reason.txt")" out ||
  fail "not said: $(cat out)"
nothing_left "three failures"

# works N: the Nth attempt's healthy phase
works() {
  has_begun "runs/.$run" &&
    [ "$(compgen -G "runs/failed/$run.*" | wc -l)" = $(($1 - 1)) ]
}
"${campaign[@]}" >out 2>err &
running=$!
await 100 "attempt 4 does not begin" works 4
sleep 2
pid=$(brick)
[ -n "$pid" ] || fail "there is no brick"
kill -9 "$pid"
sleep 1
on s1 gluster --mode=script volume start lab force >text || fail "no brick again"
grep -q '^+ fault' "$lab/journal" && fail "too late: the fault is on"
reason 4 'a server missed data before the fault: c[12]/mnt.log: '
wait "$running" || fail "status $?"
running=
grep -q '"attempt":5' "runs/$run/truth.json" || fail "not repeated"
grep -q '"seen":"reads [0-9.]* MB/s through the device"' "runs/$run/truth.json" ||
  fail "what the fault did is not kept: $(cat "runs/$run/truth.json")"
[ "$(head -n 1 "runs/$run/throughput.tsv" | cut -f 4-)" = $'c1\tc2' ] ||
  fail "not each client's throughput is kept"
# Clients that both make it may find it half made on the first server.
grep 'MKDIR() /limpid-lab' "runs/$run/log.txt" &&
  fail "the clients made the same directory at once"
[ -d "runs/.$run" ] && fail "something half made is left"
"$LIMPID" evaluate runs >evaluated || fail "cannot be evaluated"
nothing_left "the campaign"
