#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# A day of eight servers by sysstat at its default interval of ten minutes, one
# disk slow for six hours: limpid names it from the sa files as they are, and
# says that two hours are the shortest fault it surely sees.
#
# Real: sadc itself and every byte of its files; sixteen block devices (loop
# over limpid-disk, a file served like one spindle) and direct reads from them;
# the kernel's counters of these, in /proc/diskstats; the disk that is slow,
# since its spindle answers 18 ms later; the hosts' names, each in a namespace.
# Not real: time. Between two samples are about ten requests instead of ten
# minutes of them, while sadc's clock (libfaketime) and its /proc/uptime go on
# by ten minutes; so rates are low, but latencies true. And each host's view of
# /proc/diskstats is narrowed to its own two disks.
set -eu

skip() {
  echo "skipped: $1"
  exit 77
}
fail() {
  echo "FAIL: $1"
  cat verdict.txt
  exit 1
}

sadc=
for path in /usr/lib/sysstat/sadc /usr/lib64/sa/sadc /usr/lib/sa/sadc; do
  if [ -x $path ]; then sadc=$path; fi
done
[ -n "$sadc" ] || skip "sadc is not installed (package sysstat)"
faketime=
for path in /usr/lib/*/faketime/libfaketime.so.1 \
  /usr/lib64/faketime/libfaketime.so.1; do
  if [ -e "$path" ]; then faketime=$path; fi
done
[ -n "$faketime" ] || skip "libfaketime is not installed (package faketime)"
for tool in sadf python3 losetup unshare; do
  command -v $tool >/dev/null || skip "$tool is not installed"
done
[ "$(id -u)" = 0 ] || skip "needs root for loop devices and namespaces"
[ -c /dev/fuse ] || skip "there is no /dev/fuse"
disk=$LIMPID_BUILD/cmd/limpid-disk
[ -x "$disk" ] || skip "limpid-disk is not built (package libfuse3-dev)"
losetup -f >/dev/null || skip "no loop device can be made here"

work=$(mktemp -d /tmp/limpid-e2e-day-XXXXXX)
python=
cleanup() {
  if [ -n "$python" ]; then
    kill "$python" 2>/dev/null || true
    wait "$python" 2>/dev/null || true
  fi
  rm -rf --one-file-system "$work"
}
trap cleanup EXIT
cd "$work"
export TZ=UTC LC_ALL=C
# A day in which the machine itself was away, or let one healthy disk wait longer
# than the others, is made again: by what reads took, before limpid is asked. The
# fifth is taken as it is.
for day in 1 2 3 4 5; do
  mkdir "$work/$day" && cd "$work/$day"
  python3 "$LIMPID_SOURCE/tests/e2e/sysstat_day.py" "$disk" "$sadc" \
    "$faketime" &
  python=$!
  wait "$python" || skip "eight hosts cannot be made here"
  python=
  echo "disturbed: $(cat disturbed.txt) (share of the steps, one disk's excess)"
  awk '{ exit !($1 <= 0.03 && $2 <= 0.25) }' disturbed.txt && break
done
slow=$(cat slow.txt)

# sysstat's own reader takes the files for what they are.
records=$(sar -d -f sa.oss5 | grep -c "${slow#*/} ")
[ "$records" = 145 ] || fail "sar reads $records lines of $slow, not 144 + 1"

# The clock runs faster here than the disks do: of 10 minutes they work a moment,
# and limpid's own detector takes a disk that idles for none that slows anybody.
diagnose() { "$LIMPID" diagnose --method cdf "$@"; }
status=0
diagnose --check sa.oss? >verdict.txt || status=$?
[ $status = 3 ] || fail "status $status instead of 3"
grep -qx 'One component differs from its peers.' verdict.txt ||
  fail "not one finding"
# Windows begin every hour: right to one of them.
grep -A 1 "^$slow  SLOW DISK" verdict.txt | tr '\n' ' ' |
  grep -Eq "When: +2026-11-14T(08|09|10):00:00Z to .*\([567] h" ||
  fail "$slow was slow from 09:00 for 6 h"
grep -q '^Detects:  faults of 2 h or longer' verdict.txt ||
  fail "does not state the shortest fault"
diagnose --json sa.oss? | grep -q '"sure_fault_s":7200,' ||
  fail "does not state the shortest fault in JSON"

# The night before was like any other.
status=0
diagnose --check --until 2026-11-14T09:00 sa.oss? >verdict.txt ||
  status=$?
[ $status = 0 ] || fail "status $status of the night"

echo "eight sa files of a day: $slow named, floor of 2 h stated"
