#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# usage: bench/sysstat.sh LIMPID [RECORDS]
#
# Importing a sysstat file of 30 more disks than this machine has, one record a
# second, beside what sadf alone takes to print what is imported.
set -eu

limpid=$1
records=${2:-10800}
here=$(cd "$(dirname "$0")" && pwd)
sadc=/usr/lib/sysstat/sadc
skip() {
  echo "skipped: $1"
  exit 77
}
[ -x $sadc ] || skip "sysstat is not installed"
[ "$(id -u)" = 0 ] || skip "needs root for loop devices"

work=$(mktemp -d /tmp/limpid-bench-sysstat-XXXXXX)
loops=()
free_loops() {
  for loop in "${loops[@]}"; do losetup -d "$loop" || true; done
  loops=()
}
trap 'free_loops; rm -rf "$work"' EXIT
for i in $(seq 30); do
  truncate -s 1M "$work/disk$i"
  loops+=("$(losetup -f --show "$work/disk$i")")
  dd if=/dev/zero of="${loops[-1]}" bs=4k count=1 oflag=direct status=none
done
$sadc -S DISK 1 4 "$work/short"
free_loops
"$here/make_sa.py" "$work/short" "$records" "$work/sa"

export LC_ALL=C
TIMEFORMAT='%R %U %S'
# Best of three: wall, user and system seconds.
best() {
  for _ in 1 2 3; do
    { time "$@" >/dev/null 2>&1; } 2>&1
  done | sort -n | head -n 1
}
print_raw() {
  sadf -r -U -O debug "$work/sa" -- -d -j SID
  sadf -r -U -O debug "$work/sa" -- -n DEV,EDEV
}
rows=$(print_raw | grep -c '^[0-9].*; \(DEV\|IFACE\)')
echo "file: $records records, $rows rows, $(stat -c %s "$work/sa") bytes"
sadf_time=$(best print_raw)
import_time=$(best "$limpid" import -o "$work/out.limpid" "$work/sa")
echo "archive: $(stat -c %s "$work/out.limpid") bytes"
echo "sadf alone: $sadf_time (wall, user, system s)"
echo "limpid import: $import_time"
echo "$rows ${sadf_time%% *} ${import_time%% *}" | awk '{
  printf "import: %.0f rows/s, %.2f x the time of sadf alone\n",
         $1 / $3, $3 / $2 }'
