#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: logs.sh LIMPID_LOGS [LINES]
#
# Processor time and memory of `limpid logs learn` and `classify`: on the
# published logs of Lustre, repeated, if LIMPID_DATA has them; on lines like
# them that are made here; and on a file that is ten times as long.
set -eu
logs=$1
lines=${2:-600000}
dir=$(mktemp -d /tmp/limpid-bench-XXXXXX)
trap 'rm -rf "$dir"' EXIT

# timed WHAT FILE COMMAND...: lines per second of user and system time
timed() {
  local what=$1 file=$2
  shift 2
  python3 - "$what" "$(wc -l <"$file")" "$@" <<'EOF'
import os
import resource
import subprocess
import sys
what, lines = sys.argv[1], int(sys.argv[2])
best = min_memory = None
for _ in range(3):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(sys.argv[3:], stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    best = spent if best is None else min(best, spent)
    min_memory = after.ru_maxrss / 1024
print(f"{what:32} {lines:9} lines {best:6.2f} s {lines / best / 1e6:6.2f} "
      f"million lines/s {min_memory:6.1f} MiB")
EOF
}

both() {
  timed "$1, learn" "$2" "$logs" learn --zone UTC -o "$dir/model" "$2"
  timed "$1, classify" "$2" "$logs" classify --zone UTC --model "$dir/model" "$2"
  timed "$1, without a model" "$2" "$logs" classify --zone UTC "$2"
}

made() {
  awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) printf \
    "00000100:%s:0.0F:%d.%06d:0:4835:0:(file%d.c:%d:function_%c()) " \
    "lustre-OST%04x: request %d of 10.0.%d.%d@tcp took %d us, rc = %d\n", \
    i % 50 ? "00080000" : "00020000", 1573931992 + i / 1000, i % 1000, i % 7, \
    i % 300, 97 + i % 26, i % 64, i, i % 8, i % 250, i % 977, -(i % 3) }'
}

if [ -n "${LIMPID_DATA-}" ] && [ -d "$LIMPID_DATA/failure-logs" ]; then
  for archive in "$LIMPID_DATA"/failure-logs/lustre*.tar.zst; do
    tar --zstd -xf "$archive" -C "$dir"
  done
  : >"$dir/real"
  while [ "$(wc -l <"$dir/real")" -lt "$lines" ]; do
    find "$dir" -path '*debug_buffer*' -type f -print0 | sort -z |
      xargs -0 cat >>"$dir/real"
  done
  both "published, of Lustre" "$dir/real"
fi
made "$lines" >"$dir/made"
both "made" "$dir/made"
for _ in 1 2 3 4 5 6 7 8 9 10; do cat "$dir/made"; done >"$dir/long"
both "made, ten times as long" "$dir/long"
