#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# usage: bench/density.sh BENCH_DENSITY
#
# Densities of a million and of ten million durations, then R's density() of the
# same numbers in the same run; and how fast operations are classified.
set -eu

bench=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d /tmp/limpid-bench-density-XXXXXX)
trap 'rm -rf "$work"' EXIT
"$bench" >"$work/limpid"
cat "$work/limpid"
if ! command -v Rscript >/dev/null; then
  echo "R is not installed (r-base-core): nothing to compare with"
  exit 0
fi
for n in 1000000 10000000; do
  "$bench" data $n >"$work/data"
  Rscript "$here/density.R" "$work/data" $n >>"$work/r"
  rm "$work/data"
done
cat "$work/r"
awk '/^density of/ { limpid[$3 + 0] = $4 } /^R density\(\) of/ { r[$4 + 0] = $5 }
  END {
    for (n in r)
      printf "%d: R / limpid: %.1f (goal 8)\n", n, r[n] / limpid[n]
  }' "$work/limpid" "$work/r"
