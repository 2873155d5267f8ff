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
# relabelled RUN NAME KEYS: a copy with other words about it, null: none
relabelled() {
  cp -r "runs/$1" "runs/$2"
  python3 - "runs/$2/truth.json" "$3" <<'END'
import json, sys
with open(sys.argv[1], encoding="utf-8") as file:
    truth = json.load(file)
truth.update(json.loads(sys.argv[2]))
with open(sys.argv[1], "w", encoding="utf-8") as file:
    json.dump({k: v for k, v in truth.items() if v is not None}, file)
END
}
# benign RUN NAME EVENT: as if it were of that campaign, and nobody at fault
benign() {
  relabelled "$1" "$2" '{"server": null, "cause": null, "fault": "none",
    "campaign": "benign", "event": "'"$3"'", "slowdown": 0.25}'
}
benign 1-01-ddr-disk-busy-s3 1-30-ddr-rebuild-s3 rebuild
benign 1-11-ddr-none 1-31-ddr-client-added client-added
relabelled 1-01-ddr-disk-busy-s3 1-40-ddr-disk-busy-s3 \
  '{"campaign": "dose", "strength": 4, "strength_unit": "x"}'
relabelled 1-01-ddr-disk-busy-s3 1-41-ddr-disk-busy-s2 \
  '{"campaign": "dose", "strength": 1.2, "strength_unit": "x", "server": "s2"}'
relabelled 1-11-ddr-none 1-50-ddr-none '{"campaign": "ceph", "slowdown": 0.01}'
mkdir -p runs/failed/1-31-ddr-client-added.1 runs/failed/1-32-ddw-none.1
echo "a disk ran full" >runs/failed/1-31-ddr-client-added.1/reason.txt
echo "a daemon died" >runs/failed/1-32-ddw-none.1/reason.txt

"$LIMPID_SOURCE/tools/accuracy" --limpid "$LIMPID" --out page.md runs

want() {
  grep -qF -- "$1" page.md || { echo "not in the page: $1"; cat page.md; exit 1; }
}
# shellcheck disable=SC2016 # Markdown's own
words=('`1-20-ddr-disk-busy-s5` (disk-busy under'
  'Not run: `one`.'
  '- `1-31-ddr-client-added` of `runs`: a disk ran full (repeated)'
  '- `1-32-ddw-none` of `runs`: a daemon died (not repeated yet)')
for word in "${words[@]}"; do want "$word"; done
# Of disk-busy one of two is found, and the other is a wrong server as well.
want '| disk-busy | 2 | 50 (1–99) | 50 (1–99) | 50 (1–99) | 50 (1–99) |'
want '| disk-hog | 1 | 100 (2–100) | 0 (0–97) | 100 (2–100) | 0 (0–97) |'
want '### cdf + cwnd, trained'
want '### median + cwnd, trained'
# It always names one: wrongly in seven controls and where labels are wrong.
want '| baseline busiest | 3 of 4 (19–99) | – | 1 of 2 (1–99) | – | – | – | 9 of 13 (39–91) | 0.53 '
want '| baseline mad | 2 of 4 (7–93) | – |'
want '| baseline plain | 3 of 4 (19–99) | 3 of 4 (19–99) |'
want '| mad, k trained | 50 (7–93) | 25 (3–65) |'
want '| cdf + cwnd | 4 | 90 | 90 | 0 | 0 |'
want '| disk-busy | 1.2 x | 1 | 0 | 0 | 0 |'
want 'from 2 controls '
want '| aggregate | 77.3 / 0.3 / 76 / 1.4 |'
want 's5 not detected; accused: s3/sdb'
# Nobody is ill in these: one alarm in two runs of 1.33 server-hours.
want '| rebuild | – | disk-busy.conf | -25 % | s3/sdb | s3/sdb | s3/sdb |'
want '| client-added | – | small | -25 % | – | – | – |'
want 'cdf + cwnd, untrained: false alarms per healthy server-hour: 0.38 (0.01–2.09); 1 in 2.7 h.'
# Line by line, the one whose label is wrong among them.
want '| disk-busy | 1.2 x | 1.00 x | disk-busy.conf | no | no | s3/sdb |'
want '| disk-busy | 4 x | 5.12 x | disk-busy.conf | yes | yes | – |'
want '| none | – | – | small | – | – | – | 1 % |'
grep -q polyline images/page/benign-1-30-ddr-rebuild-s3.svg
grep -q polyline images/page/run-1-20-ddr-disk-busy-s5.svg
mkdir empty
if "$LIMPID_SOURCE/tools/accuracy" --limpid "$LIMPID" --out none.md empty \
  2>why; then
  echo "a page without runs"; exit 1
fi
grep -q 'no runs' why
[ ! -e none.md ]
echo "the page says what evaluate says"
