#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# `make demo` from its first line to its last: this machine is recorded and shown,
# its load is seen, the ill server of the kept run is named, and nothing stays.
set -eu
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/limpid-demo.XXXXXX")
loop='' load=''
finish() {
  [ -z "$load" ] || kill "$load" 2>/dev/null || true
  wait
  [ -z "$loop" ] || losetup -d "$loop"
  rm -rf "$work"
}
trap finish EXIT
# Somebody else's disk at work, where one can be had: no business of the demo.
if truncate -s 16M "$work/image" &&
  loop=$(losetup -f --show "$work/image" 2>/dev/null); then
  while dd if=/dev/zero of="$loop" bs=64k count=64 oflag=direct \
    status=none 2>/dev/null; do sleep 0.1; done &
  load=$!
fi

"$LIMPID_SOURCE/tools/demo" "$LIMPID_BUILD" >"$work/out" 2>"$work/err" ||
  { cat "$work/out" "$work/err"; exit 1; }

want() {
  grep -q -- "$1" "$work/out" ||
    { echo "the demo does not say: $1"; cat "$work/out"; exit 1; }
}
want '^s1/loop0  SLOW DISK (disk-busy)$'
want '^  disk-busy on s1 from'
# Ten MB/s go through lo for four seconds of ten: some second has a thousand kB.
awk '/^UTC/ { net = /interface/ }
  net && /\/lo / && $NF ~ /^[0-9.]+$/ && $NF > 1e3 { seen = 1 }
  END { exit !seen }' "$work/out" ||
  { echo "the traffic on lo is not shown"; cat "$work/out"; exit 1; }
# The kept run has loop devices of its own.
if [ -n "$loop" ] && sed '/^5\. /,$d' "$work/out" | grep -q "/${loop#/dev/} "
then
  echo "the demo shows somebody else's disk"
  cat "$work/out"
  exit 1
fi
if grep -v 'idle components left out' "$work/err"; then
  echo "the demo complains"
  exit 1
fi
[ -z "$(find "$LIMPID_BUILD" -maxdepth 1 -name 'demo.*')" ] ||
  { echo "the demo leaves its files"; exit 1; }
echo "the demo ends in a verdict"
