#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Faults of a daemon's software on a real cluster under load: each does what it
# says, on its victim only; each is undone when it ends, also when its command
# was killed; and the cluster serves as before.
# shellcheck disable=SC1091,SC2154 # what lab.bash sets
. "$LIMPID_SOURCE/tests/e2e/lab.bash" || exit 1
command -v strace >/dev/null || skip "there is no strace"

servers=(s1 s2 s3)

# brick NODE: the daemon that serves its disk
brick() {
  local pid
  for pid in $(pgrep -x glusterfsd); do
    [ "/proc/$pid/ns/net" -ef "$lab/$1/netns" ] && echo "$pid"
  done
}
# group NODE FILE: of its control group, in whichever version there is
group() {
  find /sys/fs/cgroup -path "*/$prefix-$1/$2" -exec cat '{}' +
}
# state: what a fault may set on any server, a line each
state() {
  local node pid
  for node in "${servers[@]}"; do
    pid=$(brick "$node")
    echo "$node quota $(group "$node" cpu.cfs_quota_us)$(group "$node" cpu.max)"
    echo "$node memory" \
      "$(group "$node" memory.limit_in_bytes)$(group "$node" memory.max)"
    echo "$node rules" \
      "$(nsenter --net="$lab/$node/netns" iptables -S | grep -c -- '-j limpid')"
    echo "$node orders" \
      "$(cat "/proc/$pid/root/var/lib/glusterd/vols/lab"/lab.*.vol | cksum)"
    echo "$node traced $(sed -n 's/^TracerPid:\t*//p' "/proc/$pid/status" |
      sed 's/[1-9][0-9]*/yes/')"
    echo "$node deeds $(compgen -G "$lab/$node/payload-*.page" | wc -l)"
  done
}
is_before() {
  state >now
  diff before now >text
}
# differs_on_s3 WHAT: that, and nothing else
differs_on_s3() {
  state >now
  diff before now >text
  [ "$(grep -c '^>' text)" = 1 ] && grep -q "^> s3 $1 " text
}
no_fault() { status >text && grep -qx 'no fault is active' text; }
# Its first line is what it is, the next what it does.
has_looked() {
  cat said >text
  [ "$(wc -l <said)" -ge 2 ]
}

begin() {
  local name=$1
  shift 2
  echo "$name" >>tried
  "$LIMPID" lab fault "$name" --server s3 --dir "$lab" "$@" >said 2>err &
  fault=$!
}
# bites FAULT WHAT OPTIONS...: it changes that; ends as by Ctrl-C
bites() {
  begin "$@"
  await 30 "$1: not only $2 of s3 differs" differs_on_s3 "$2"
  await 30 "$1 does not say what it does" has_looked
  kill -INT "$fault"
  wait "$fault" || fail "$1 did not bite: $(cat said err)"
  is_before || fail "$1 is not undone: $(cat text)"
}
# killed FAULT WHAT: that process alone, and all is as before
killed() {
  begin "$@"
  await 30 "$1: not only $2 of s3 differs" differs_on_s3 "$2"
  kill -9 "$fault"
  wait "$fault" 2>/dev/null
  await 30 "$1 is on though its command was killed" is_before
}

up -q --servers 3 --clients 1 || fail "no lab"
learn_prefix
state >before
grep -c ' ' before | grep -qx 18 || fail "a strange state: $(cat before)"

# Something has to be read and written.
"$LIMPID" lab run ddw --dir "$lab" >ran 2>&1 &
running=$!
moves() {
  [ "$(find "$lab/s3/brick" -type f -size +100k 2>text | wc -l)" -gt 0 ]
}
await 60 "the workload writes nothing" moves

bites spin deeds
bites poll deeds
bites checksum deeds
bites lock-convoy deeds
bites loaded-library deeds
bites trace-log orders
bites one-io-thread orders
bites debugger traced
bites firewall rules
bites cpu-quota quota --strength 1
bites memory-short memory

killed spin deeds
killed trace-log orders
killed debugger traced
killed cpu-quota quota
await 30 "a fault is still on" no_fault

# It still serves: the daemons are those of the beginning.
status >text || fail "no status"
grep -q '3 of 3 bricks serve' text || fail "it does not serve: $(cat text)"
kill -INT "$running"
wait "$running"
running=
down || fail "not down"
nothing_left "down"
echo "$(sort -u tried | wc -l) faults of software bite and are undone"
