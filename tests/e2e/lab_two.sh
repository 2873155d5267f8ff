#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Two labs in two directories are kept apart: their files, their faults, and
# their ends. Nor does it disturb them that others make and remove loop devices.
# shellcheck disable=SC1091,SC2154 # what lab.bash sets
. "$LIMPID_SOURCE/tests/e2e/lab.bash" || exit 1

: >text # until there is a status
small=(-q --servers 1 --clients 1 --layout sharded)
declare -A prefixes=()
# of LAB COMMAND...: lab.bash's words, of one of the two
of() {
  # shellcheck disable=SC2034 # they use it
  local lab=$work/$1 prefix=${prefixes[$1]-}
  shift
  "$@"
}
finish() {
  # What holds one of them is ended first.
  [ -n "$running" ] && kill -INT "$running" 2>/dev/null && wait "$running"
  running=
  touch enough
  of one down
  of two down
  clean
}
trap finish EXIT
learned_prefix() {
  learn_prefix
  echo "$prefix"
}
# carries RATE: what the link of s1 does
carries() {
  nsenter --net="$lab/s1/netns" tc qdisc show dev eth0 | grep -q " rate $1 "
}
says() {
  status >text || fail "no status"
  grep -qx -- "$1" text
}

# ---- up, while another makes and removes the next free loop device ----
# Such a device has left /sys while the kernel still holds its number.
python3 - <<'END' &
import fcntl, os
ADD, REMOVE = 0x4C80, 0x4C81
control = os.open("/dev/loop-control", os.O_RDWR)
number = next(n for n in range(999) if not os.path.exists(f"/sys/block/loop{n}"))
while not os.path.exists("enough"):
    try:
        fcntl.ioctl(control, ADD, number)
        fcntl.ioctl(control, REMOVE, number)
    except OSError:
        pass # one of the labs has it now
END
churn=$!
is_made_for_it() {
  local device
  device=$(status --json | python3 -c '
import json, sys
print(*[n["device"] for n in json.load(sys.stdin)["nodes"] if "device" in n])')
  grep -q "^+ loop-node ${device#loop} $lab/" "$lab/journal"
}
for name in one two; do
  of $name up "${small[@]}" || fail "$name is not up"
  of $name is_made_for_it || fail "$name has a loop device that it did not make"
  prefixes[$name]=$(of $name learned_prefix)
  [ -n "${prefixes[$name]}" ] || fail "$name has no prefix"
done
touch enough
wait $churn
[ "${prefixes[one]}" = "${prefixes[two]}" ] && fail "one prefix: ${prefixes[one]}"

# ---- each has its own files ----
for name in one two; do
  echo $name >$name/c1/mnt/whose || fail "cannot write to $name"
done
for name in one two; do
  [ "$(cat $name/c1/mnt/whose)" = $name ] || fail "$name has the other's file"
done

# ---- a fault of the one is not the other's ----
of one carries 150Mbit || fail "the link of one is not as usual"
"$LIMPID" lab fault slow-link --server s1 --dir "$work/one" >said 2>err &
running=$!
await 20 "the link of one is not slow" of one carries 15Mbit
of two carries 150Mbit || fail "the link of two is slow, too"
of one says 'fault   slow-link s1 15' || fail "one does not say it: $(cat text)"
of two says 'no fault is active' || fail "two says: $(cat text)"
kill -INT "$running"
wait "$running" || fail "the fault ended with $?"
running=
of one carries 150Mbit || fail "the link of one is still slow"

# ---- nor is the end of the one the other's ----
of one down || fail "one is not down"
of one nothing_left "down of one"
echo more >>two/c1/mnt/whose || fail "two is gone, too"
[ "$(tr '\n' ' ' <two/c1/mnt/whose)" = 'two more ' ] || fail "two lost something"
of two status >text || fail "two has no status"
grep -q '1 of 1 bricks serve' text || fail "two does not serve: $(cat text)"
of two down || fail "two is not down"
of two nothing_left "down of two"
echo "all is well"
