#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# usage: bench/whole_way.sh LIMPID [ARRAYS[xLUNS] [HOURS]]
#
# From archives at 1 s to verdicts: a simulated day of Intrepid's storage, 128
# hosts with 72 LUNs each. Then the hourly list of await by cdf (goals: 12 s wall
# on 2 cores, 255 MiB), all its metrics (16 s, 400 MiB), and all that limpid's own
# detector compares (60 s, 512 MiB). A smaller size is for a quick look:
# bench/whole_way.sh build/cmd/limpid 4x24 6; with `make bench`,
# WHOLE_WAY="4x24 6" in the environment. The whole takes 0.8 GB in
# ${TMPDIR:-/tmp} and some minutes.
set -eu

limpid=$1
# shellcheck disable=SC2086 # two words
set -- ${2-${WHOLE_WAY-}} ${3-}
scale=${1-16x72}
hours=${2-24}
work=$(mktemp -d "${TMPDIR:-/tmp}/limpid-bench-way-XXXXXX")
trap 'rm -rf "$work"' EXIT

# measure WHAT COMMAND...: wall and CPU time, largest resident size.
measure() {
  local what=$1
  shift
  python3 - "$what" "$@" <<'END'
import resource
import subprocess
import sys
import time

begin = time.monotonic()
subprocess.run(sys.argv[2:], check=True, stdout=subprocess.DEVNULL)
wall = time.monotonic() - begin
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print("%s: wall %.1f s, CPU %.1f s, largest resident size %d MiB" % (
    sys.argv[1], wall, used.ru_utime + used.ru_stime, used.ru_maxrss >> 10))
END
}

date +%F
uname -sr
sed -n 's/^model name.*: //p' /proc/cpuinfo | sort | uniq -c
measure "simulate $scale, $hours h at 1 s" \
  "$limpid" simulate intrepid --interval 1 --hours "$hours" --scale "$scale" \
  -o "$work/day"
echo "$(find "$work/day" -name '*.limpid' | wc -l) archives," \
  "$(du -sm "$work/day" | cut -f 1) MB"
# Into the page cache: the disk is not what is measured.
cat "$work"/day/*.limpid >/dev/null
measure "hourly list of await (goal 12 s, 255 MiB)" \
  "$limpid" diagnose --method cdf --metric await --hourly --top 5 "$work/day"
measure "hourly list of all metrics that accuse (goal 16 s, 400 MiB)" \
  "$limpid" diagnose --method cdf --hourly --top 5 "$work/day"
measure "hourly list of all that limpid's own detector compares (goal 60 s, 512 MiB)" \
  "$limpid" diagnose --method limpid --hourly --top 5 "$work/day"
