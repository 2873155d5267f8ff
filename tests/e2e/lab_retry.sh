#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# A run of a campaign that fails is put aside with its reason and repeated on a
# new cluster: the fault ended too early; a server's daemon died, of which the
# clients of a redundant file system notice nothing; a client died; a server
# missed what was written before the fault, and serves again at the end.
#
# While something is killed the campaign is stopped (SIGSTOP), so that its clock
# does not run on: what is on then stays on, however busy the machine is.
# shellcheck disable=SC1091,SC2154 # what lab.bash sets
. "$LIMPID_SOURCE/tests/e2e/lab.bash" || exit 1

# The fault is looked at 8 s after it began, and again at its end.
cat >short.conf <<'END'
title = "short";
seed = 5;
phases = { healthy = 10; fault = 20; after = 0; jitter = 0; };
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

# kill_now WHO: while the campaign is stopped
kill_now() {
  local pid
  pid=$($1)
  [ -n "$pid" ] || fail "there is no $1"
  kill -9 "$pid"
}

# kill_one N WHO: in the midst of the Nth attempt's fault
kill_one() {
  await 200 "attempt $1 does not begin" is_on "$1"
  learn_prefix
  sleep 9
  kill -STOP "$running"
  is_on "$1" || fail "too late: the fault of attempt $1 is over"
  kill_now "$2"
  kill -CONT "$running"
}

# has_reason DIR: or the campaign made its run, and there will be none
has_reason() {
  cat out >text
  [ -s "$1/reason.txt" ] || [ -d "runs/$run" ] || ! kill -0 "$running" 2>/dev/null
}

# reason N WORDS: of the Nth failure, in one line, said and kept with the logs
reason() {
  local dir=runs/failed/$run.$1
  await 60 "attempt $1 does not end" has_reason "$dir"
  [ -s "$dir/reason.txt" ] || fail "attempt $1 did not fail: $(cat out)"
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
# lost CLIENT: it knows that the brick of s2 is gone
lost() {
  cat "$lab/$1/mnt/.meta/graphs/active/lab-client-1/private" >text
  grep -qx 'connected = 0' text
}
serves() { status >text && grep -q '3 of 3 bricks serve' text; }
# It is away when the fault begins: what it missed the clients say only when it
# is back.
"${campaign[@]}" >out 2>err &
running=$!
await 100 "attempt 4 does not begin" works 4
kill -STOP "$running"
grep -q '^+ fault' "$lab/journal" && fail "too late: the fault is on"
kill_now brick
await 30 "c1 has its brick" lost c1
await 30 "c2 has its brick" lost c2
kill -CONT "$running"
await 60 "the fault of attempt 4 does not begin" is_on 4
kill -STOP "$running"
on s1 gluster --mode=script volume start lab force >text || fail "no brick again"
await 30 "the brick does not serve" serves
kill -CONT "$running"
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
