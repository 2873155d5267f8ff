#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# tools/accuracy on simulated runs: what is found, missed and wrong is counted
# as limpid evaluate counts it, and the pictures are there.
set -eu
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/limpid-accuracy.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"

mkdir runs
i=0
for fault in disk-busy disk-hog read-network-hog; do
  i=$((i + 1))
  "$LIMPID" simulate --print small | sed "s/disk-busy/$fault/" >"$fault.conf"
  "$LIMPID" simulate "$fault.conf" -o "runs/1-0$i-ddr-$fault-s3" >/dev/null
done
for seed in 1 2 3 4; do
  "$LIMPID" simulate small --no-events --seed $seed \
    -o "runs/1-1$seed-ddr-none" >/dev/null
done
# A label that is wrong: s3 was ill, and s5 is said to be.
cp -r runs/1-01-ddr-disk-busy-s3 runs/1-20-ddr-disk-busy-s5
sed -i '1s/"s3"/"s5"/' runs/1-20-ddr-disk-busy-s5/truth.json

"$LIMPID_SOURCE/tools/accuracy" --limpid "$LIMPID" --out page.md runs

want() {
  grep -qF -- "$1" page.md || { echo "not in the page: $1"; cat page.md; exit 1; }
}
# shellcheck disable=SC2016 # Markdown's own
words=('`1-20-ddr-disk-busy-s5` (disk-busy under'
  'Not run: `one`, `dose`, `benign`.')
for word in "${words[@]}"; do want "$word"; done
# Of disk-busy one of two is found, and the other is a wrong server as well.
want '| disk-busy | 2 | 50 (1–99) | 50 (1–99) | 50 (1–99) | 50 (1–99) |'
want '| disk-hog | 1 | 100 (2–100) | 0 (0–97) | 100 (2–100) | 0 (0–97) |'
want '### cdf + cwnd, trained'
want '### median + cwnd, trained'
want '| the busiest disk |'
want '| aggregate | 77.3 / 0.3 / 76 / 1.4 |'
want 's5 not indicted; accused: s3/sdb'
grep -q polyline images/page/1-20-ddr-disk-busy-s5.svg
mkdir empty
if "$LIMPID_SOURCE/tools/accuracy" --limpid "$LIMPID" --out none.md empty \
  2>why; then
  echo "a page without runs"; exit 1
fi
grep -q 'no runs' why
[ ! -e none.md ]
echo "the page says what evaluate says"
