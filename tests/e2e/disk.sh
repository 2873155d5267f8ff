#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The virtual disk under a real loop device: as fast and as slow as it was
# told, in fio's eyes and in the kernel's; its faults; its end in every way.
# shellcheck disable=SC1091,SC2154,SC2034 # what disk.bash sets and uses
# shellcheck disable=SC2317,SC2015 # functions that others call; fail exits
. "$LIMPID_SOURCE/tests/e2e/disk.bash"
need_lab
trap clean EXIT
cd "$work" || exit 1

# What the machine's other work can disturb may be tried thrice.
thrice() { "$@" || "$@" || "$@"; }

# serves HOW QUEUE SIZE RATE AWAIT: both within 20 %. With one request at a time
# fio's own share of the processor is in its rate, hence "-" where time is short.
serves() {
  load "$loop" "$1" "$2" "$3" 1500ms
  echo "$1, queue $2, $3 bytes: $rate B/s of $4, await $await ms of $5"
  near "$await" "$5" 20 && { [ "$4" = - ] || near "$rate" "$4" 20; }
}

start 1 --size 1Gi --rate 12M --seek 8
[ "$(figure 1 size)" = 1073741824 ] || fail "not the size that was asked for"
attach 1

# One request of 131072 bytes takes 10.9 ms at 12 MB/s; four wait for four.
thrice serves write 4 131072 12000000 43.7 || fail "writing at queue 4"
thrice serves read 4 131072 12000000 43.7 || fail "reading at queue 4"
thrice serves read 1 131072 - 10.9 || fail "reading at queue 1"
# 8 ms of seek and 0.34 ms of transfer.
thrice serves randread 1 4096 - 8.34 || fail "seeks"
[ "$(figure 1 seeks)" -gt 100 ] || fail "seeks are not counted"
ctl 1 rate 3M >/dev/null || fail "the rate cannot be changed in use"
thrice serves write 1 131072 3000000 43.7 || fail "another rate"
ctl 1 latency 30 >/dev/null
thrice serves read 1 131072 1778000 73.7 || fail "latency"
ctl 1 reset >/dev/null

# What was written is there, by both doors.
head -c 3000000 /dev/urandom >data
truncate -s 3002368 data
dd if=data of="$loop" bs=128k oflag=direct status=none || fail "cannot write"
cmp -n 3002368 data m1/under || fail "not the bytes that were written"
dd if="$loop" bs=128k count=23 iflag=direct status=none | cmp -n 3002368 data - ||
  fail "not the bytes that were written, by the loop device"
# Writing beneath costs time and leaves the bytes alone.
before=$(figure 1 under_bytes)
dd if=/dev/zero of=m1/under bs=128k count=8 status=none || fail "under: writing"
[ $(($(figure 1 under_bytes) - before)) = 1048576 ] || fail "not counted"
cmp -n 3002368 data m1/under || fail "writing beneath did harm"
dd if=/dev/zero of=m1/disk bs=4k count=1 status=none 2>/dev/null &&
  fail "the disk was truncated"
blkdiscard -o 1048576 -l 1048576 "$loop" || fail "cannot discard"
cmp -n 1048576 -i 0:1048576 /dev/zero m1/under || fail "not discarded"

# Load beneath the loop device: it waits longer, and has counted none of it.
beneath() {
  load "$loop" read 1 131072 1500ms --rate=2000k
  alone=$await
  before=$(figure 1 read_bytes)
  dd if=m1/under of=/dev/null bs=512k skip=800 iflag=direct status=none &
  reader=$!
  load "$loop" read 1 131072 1500ms --rate=2000k
  kill "$reader"
  wait "$reader" 2>/dev/null
  echo "await $alone ms alone, $await ms with load beneath"
  above "$await" "$(awk "BEGIN { print 2 * $alone }")" || return 1
  [ $(($(figure 1 read_bytes) - before)) = $((sectors * 512)) ]
}
moved=$(figure 1 under_bytes)
thrice beneath || fail "load beneath"
above "$(($(figure 1 under_bytes) - moved))" 5000000 || fail "no load beneath"

# Errors.
reads() { dd if="$loop" of=/dev/null bs=4k count=1 iflag=direct "$@" 2>dd.err; }
writes() { dd if=/dev/zero of="$loop" bs=4k count=1 oflag=direct "$@" 2>dd.err; }
ctl 1 errors read region 1Mi..2Mi >/dev/null
reads || fail "an error outside of its region"
reads skip=256 && fail "no error in the region"
has 'Input/output error' dd.err || fail "not EIO"
writes seek=256 || fail "a read's error for a write"
ctl 1 errors write after 8192 >/dev/null
writes && writes || fail "an error too soon"
writes && fail "no error after so many bytes"
reads || fail "a write's error for a read"
[ "$(figure 1 failed)" = 2 ] || fail "failed=$(figure 1 failed), not 2"
ctl 1 errors none >/dev/null
writes || fail "the error stays"

# Stuck: it waits; released, it goes on.
waiting() { [ "$(figure 1 waiting)" -gt 0 ]; }
ctl 1 stuck on >/dev/null
reads &
reader=$!
until_true waiting || fail "nothing waits at a stuck disk"
kill -0 $reader 2>/dev/null || fail "a stuck disk answered"
ctl 1 stuck off >/dev/null
wait "$reader" || fail "released, and not answered"

# Two disks on one bus have its rate together.
start 2 --size 64Mi --rate 12M --seek 0
ctl 1 bus "$work/bus" 6M >/dev/null || fail "no bus"
ctl 2 bus "$work/bus" >/dev/null || fail "no bus for the second"
both() {
  fio --thread --rw=read --bs=128k --direct=1 --size=64M --time_based \
    --runtime=1500ms --iodepth=4 --ioengine=libaio --output-format=terse \
    --terse-version=3 --name=one --filename=m1/under --name=two \
    --filename=m2/under 2>fio.err |
    awk -F';' 'NF > 60 { r += $7 * 1024 } END { printf "%d", r }' >both
  echo "two disks on a bus of 6 MB/s: $(cat both) B/s"
  near "$(cat both)" 6000000 20
}
thrice both || fail "a bus is not shared"
kill "${pid[2]}"
ended 2 || fail "a disk without requests does not end well"

# What cannot be.
refused() {
  local text=$1
  shift
  "$limpid_disk" "$@" >out 2>err && fail "not refused: $text"
  [ "$(wc -l <err)" = 1 ] && has "$text" err || fail "unclear: $text: $(cat err)"
}
mkdir -p m3
truncate -s 4096 b3
refused 'is in use by another disk' --backing b1 --mount m3 --control c3
refused 'a disk is already mounted at m1' --backing b4 --mount m1 \
  --control c3 --size 4096
refused 'another disk already listens at c1' --backing b4 --mount m3 --control c1 --size 4096
refused 'cannot mount at none' --backing b4 --mount none --control c3 \
  --size 4096
refused 'multiple of 4096' --backing b4 --mount m3 --control c3 --size 5000
refused 'has 4096 bytes, not 8192' --backing b3 --mount m3 --control c3 \
  --size 8192
refused 'needs --mount DIR' --backing b3
refused 'rate: expected' --backing b3 --mount m3 --control c3 --rate fast
refused 'stuck: expected on|off' ctl c1 stuck
refused 'no disk answers at c3' ctl c3 status
[ ! -e b4 ] && [ ! -e c3 ] || fail "something is left of what was refused"

# The end: what waits fails, nothing is left, though the loop device holds on.
ctl 1 stuck on >/dev/null
reads &
reader=$!
until_true waiting || fail "nothing waits"
kill "${pid[1]}"
ended 1 || fail "SIGTERM: status $?"
wait "$reader" && fail "read from a disk that had ended"
[ ! -e c1 ] || fail "the socket is left"
mountpoint -q m1 && fail "the mount is left"
[ -z "$(ls m1)" ] || fail "something is left"
detach "$loop"
loops=()

# Killed, and unmounted.
clear_again() { ls m1 >/dev/null 2>&1 && ! mountpoint -q m1; }
start 1
kill -9 "${pid[1]}"
ended 1 2>/dev/null
until_true clear_again || fail "a killed disk leaves a dead mount"
start 1
[ "$(head -c 4096 m1/under | wc -c)" = 4096 ] || fail "does not serve again"
umount m1 || fail "cannot unmount"
ended 1 || fail "unmounted: status $?"
exit 0
