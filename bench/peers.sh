#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# usage: bench/peers.sh BENCH_PEERS
#
# Peer comparison, then R's dist() on the same samples in the same run.
set -eu

bench=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d /tmp/limpid-bench-peers-XXXXXX)
trap 'rm -rf "$work"' EXIT
"$bench" >"$work/limpid"
cat "$work/limpid"
if ! command -v Rscript >/dev/null; then
  echo "R is not installed (r-base-core): nothing to compare with"
  exit 0
fi
for n in 384 768; do
  "$bench" data $n >"$work/$n"
done
Rscript "$here/peers.R" "$work/384" 384 "$work/768" 768 >"$work/r"
cat "$work/r"
awk '/^thesis load/ { limpid = $(NF - 4) } /dist\(\) alone/ { r = $6 }
  END { printf "R dist() / limpid: %.0f (goal 20)\n", r / limpid }' \
  "$work/limpid" "$work/r"
