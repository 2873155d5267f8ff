#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# usage: bench/peers.sh BENCH_PEERS
#
# Peer comparison, then R's dist() on the same samples in the same run.
set -eu

bench=$1
here=$(cd "$(dirname "$0")" && pwd)
"$bench"
if ! command -v Rscript >/dev/null; then
  echo "R is not installed (r-base-core): nothing to compare with"
  exit 0
fi
work=$(mktemp -d /tmp/limpid-bench-peers-XXXXXX)
trap 'rm -rf "$work"' EXIT
for n in 384 768; do
  "$bench" data $n >"$work/$n"
done
Rscript "$here/peers.R" "$work/384" 384 "$work/768" 768
