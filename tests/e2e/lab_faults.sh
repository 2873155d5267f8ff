#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Each fault of a real cluster is seen in a recording, on the victim only, and
# leaves nothing behind.
set -u

skip() { echo "$1"; exit 77; }
[ "$(id -u)" = 0 ] || skip "needs root"
[ -e /dev/fuse ] || skip "needs /dev/fuse"
for program in glusterd iptables tc ethtool mkfs.xfs; do
  command -v "$program" >/dev/null || skip "needs $program"
done

work=$(mktemp -d) || exit 1
lab=$work/lab
cleanup() {
  "$LIMPID" lab down --dir "$lab"
  rm -rf "$work"
}
trap cleanup EXIT

fail() { echo "FAIL: $1" >&2; exit 1; }

"$LIMPID" lab up --quiet --dir "$lab" || fail "no lab"
"$LIMPID_SOURCE/tools/lab-faults" --dir "$lab" --json --workload ddr \
  --seconds 5 --settle 2 >"$work/seen.json" || fail "no recording"
python3 "$LIMPID_SOURCE/tests/e2e/lab_faults.py" "$work/seen.json" ||
  fail "a fault is not seen as it should be"

# Everything is undone.
"$LIMPID" lab status --dir "$lab" | grep -qx "no fault is on" ||
  fail "a fault is still on"
bridge=$("$LIMPID" lab status --json --dir "$lab" |
  grep -o '"netns":"[^"]*bridge[^"]*"' | cut -d'"' -f4)
rules=$(nsenter --net="/run/netns/$bridge" iptables -S FORWARD | grep -c DROP)
[ "$rules" = 0 ] || fail "$rules rules still drop packets"
echo "all faults seen, all undone"
