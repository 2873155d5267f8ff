#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Foreign CSV files of production disks: each holds one disk after the other,
# under names of its own, with NA where nothing was measured. All values must
# be there after an import, and none besides.
set -eu
data=${LIMPID_DATA:-}/slow-disks/cluster_A.tar.zst
[ -r "$data" ] || { echo "skipped: \$LIMPID_DATA has no slow-disks"; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/limpid-e2e.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
tar --zstd -xf "$data" --wildcards '*host_1/*' '*host_10/*'
read -ra files <<<"$(find . -name '*.csv' -path '*host_*' | sort | xargs)"
map=time=ts,device=disk_id,await=latency,throughput=throughput
"$LIMPID" import --map $map --host-from-path -o out/ "${files[@]}"
"$LIMPID" import --map $map --host-from-path -o all.limpid "${files[@]}"
"$LIMPID" export -o all.csv all.limpid
"$LIMPID" export -o parts.csv out
cmp all.csv parts.csv

python3 - "${files[@]}" <<'END'
import csv
import datetime
import pathlib
import sys


def number(text):
    return None if text in ("", "NA") else float(text)


want = {}
for name in sys.argv[1:]:
    host = pathlib.Path(name).parent.name
    with open(name, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            pair = number(row["throughput"]), number(row["latency"])
            if pair != (None, None):
                want[host, int(row["ts"]), row["disk_id"]] = pair
got = {}
before = {}
with open("all.csv", encoding="utf-8") as file:
    for row in csv.DictReader(file):
        time = datetime.datetime.fromisoformat(row["time"][:-1] + "+00:00")
        at = int(time.timestamp())
        assert at >= before.get(row["host"], 0), f"{row} goes back"
        before[row["host"]] = at
        if row["device"]:
            got[row["host"], at, row["device"]] = (
                number(row["throughput"]), number(row["await"]))
assert got == want, f"{len(got)} rows, wanted {len(want)}"
print(len(got), "rows of", len(before), "hosts are the same")
END
