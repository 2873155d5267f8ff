#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# A recorded /proc and /sys of a machine with multipath, md, bonded interfaces
# and InfiniBand: recorded by limpid, kept in an archive, told by inventory.
set -eu
skip() { echo "skipped: $1"; exit 77; }
tree=${LIMPID_DATA:-}/trees/proc-sys.tar.zst
[ -n "${LIMPID_DATA:-}" ] || skip "LIMPID_DATA is not set"
[ -f "$tree" ] || skip "there is no $tree"
for tool in zstd tar python3; do
  command -v $tool >/dev/null || skip "there is no $tool"
done

work=$(mktemp -d "${TMPDIR:-/tmp}/limpid-inventory.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir "$work/tree"
zstd -dcq "$tree" | tar -xf - -C "$work/tree"
root=$(dirname "$(find "$work/tree" -type d -name proc | head -n 1)")

"$LIMPID" record -o "$work/rec" -i 0.1 -n 3 --host oss1 --root "$root"
"$LIMPID" inventory "$work/rec" >"$work/text"
"$LIMPID" inventory --json "$work/rec" >"$work/json"
# A pipe gets whole names and identities, a terminal what it has room for.
if grep -n '~' "$work/text"; then
  echo "FAIL: something is cut though this is no terminal"
  exit 1
fi
COLUMNS=80 script -qec "'$LIMPID' inventory '$work/rec'" /dev/null |
  tr -d '\r' | sed '/^~ cut/q' >"$work/terminal"
grep -q '^~ cut' "$work/terminal"
awk 'length > 80 { print "too wide: " $0; bad = 1 } END { exit bad }' \
  "$work/terminal"
python3 - "$work/json" <<'EOF'
import json
import sys

found = json.load(open(sys.argv[1]))
by_name = {(c["class"], c["name"]): c for c in found["components"]}
failed = 0


def same(key, field, value):
    global failed
    component = by_name.get(key, {"labels": {}})
    have = component.get(field, component["labels"].get(field))
    if have != value:
        failed += 1
    print("ok" if have == value else "WRONG", key, field, have)


same(("disk", "dm-0"), "layer", "logical")
same(("disk", "dm-1"), "layer", "disk")
same(("disk", "dm-1"), "alias", "mpathA")
same(("disk", "dm-1"), "parents", "sdb sdc")
same(("disk", "dm-1"), "id", "wwid:360000000000001")
same(("disk", "sdb"), "layer", "path")
same(("disk", "sda"), "queue_scheduler", "bfq")
same(("disk", "sda"), "size_bytes", "1920383410176")
same(("disk", "md6"), "layer", "array")
same(("disk", "md6"), "md_sync_action", "recover")
same(("disk", "md6"), "md_degraded", "1")
same(("disk", "md5"), "parents", "sdaa sdn sdo sdp")
same(("disk", "md0"), "id", "md:155f29ff-1716-4107-b362-52307ef86cac")
same(("net", "eth0"), "speed_mbit", "1000")
same(("net", "eth0"), "id", "mac:01:01:01:01:01:01")
same(("ib", "mlx4_0:1"), "rate", "40 Gb/sec (4X QDR)")
same(("ib", "mlx5_0:1"), "id", "guid:0a7f:bc12:45ef:d23b:1")
same(("ib", "hfi1_0:1"), "state", "4: ACTIVE")
# In diskstats, but not in that sysfs: known by its name alone.
same(("disk", "nvme0n1p2"), "layer", "partition")
same(("disk", "nvme0n1p2"), "layer_guessed", True)
sys.exit(failed > 0)
EOF
