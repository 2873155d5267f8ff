#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# limpid's own detector against detector_peer.py, which was written from its
# description alone: both make the same scores of the same sums, on runs of
# every kept campaign and on made-up recordings with gaps.
set -eu -o pipefail

# A python3 of another place may come first in PATH, without its packages.
for python in python3 /usr/bin/python3 none; do
  "$python" -c 'import numpy' 2>/dev/null && break
done
if [ "$python" = none ]; then
  echo "skipped: python3 has no numpy (python3-numpy)"
  exit 77
fi
here=$LIMPID_SOURCE/tests/e2e
work=$(mktemp -d "${TMPDIR:-/tmp}/limpid-detector.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"

# dumped NAME FILE...: all scores into NAME.csv
dumped() {
  local name=$1
  shift
  "$LIMPID" diagnose --method limpid --dump "$name.csv" --no-cluster "$@" \
    >/dev/null
}

campaign=$LIMPID_SOURCE/examples/campaign
dumped one "$campaign/one/1-22-ddr-disk-busy-s1"
dumped dose "$campaign/dose/1-08-ddr-receive-pktloss-0.5-s4"
dumped benign "$campaign/benign/1-08-ddr-recorder-restart-s3"
dumped ceph "$campaign/ceph/1-07-ddr-disk-hog-s3"

# random NAME SEED SERVERS SAMPLES STEP
random() {
  mkdir "$1"
  "$python" "$here/detector_random.py" "$2" "$3" "$4" "$5" "$1"
  dumped "random-$1" "$1"
}
# Few, so that nobody is among its own peers, and longer than the history.
random few 2 4 1300 2
# Enough for one pool of all, and blocks of which samples are missing.
random many 1 9 1100 1
# Blocks that are longer than a minute.
random coarse 3 5 150 120

export PYTHONDONTWRITEBYTECODE=1
"$python" "$here/detector_compare.py" ./*.csv | tee report
# A comparison of nothing would find nothing.
for quantity in service latency read write receive send loss; do
  grep -q ",$quantity,level,.*,1$" ./*.csv ||
    { echo "no $quantity accuses anybody"; exit 1; }
done
