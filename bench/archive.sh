#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: archive.sh BENCH_ARCHIVE BUILD [SECONDS]
#
# The archive on server-days that are made, and then on counters of this machine:
# SECONDS of its disks and interfaces, ten samples a second, while it writes a
# little; as the recorder leaves it, and compacted. 1,200 samples, as many as of
# twenty minutes, are the default, 360 seconds have as many as an hour.
set -eu
bench=$1
build=$2
seconds=${3:-120}
dir=$(mktemp -d /tmp/limpid-bench-XXXXXX)
recorder=
clean() {
  [ -z "$recorder" ] || kill "$recorder" 2>/dev/null || true
  rm -rf "$dir"
}
trap clean EXIT

"$bench"

"$build/cmd/limpid-record" -o "$dir/live" -i 0.1 -n $((10 * seconds)) --no-tcp \
  --exclude 'host:*' --exclude 'ib:*' &
recorder=$!
while kill -0 "$recorder" 2>/dev/null; do
  dd if=/dev/zero of="$dir/load" bs=64k count=16 oflag=direct conv=notrunc \
    status=none 2>/dev/null || true
  sleep 0.2
done
wait "$recorder"
recorder=
echo "this machine, $seconds s, ten samples a second:" \
  "$(wc -l </proc/diskstats) disks," \
  "$(($(wc -l </proc/net/dev) - 2)) interfaces"
"$bench" "$dir"/live/*.limpid
