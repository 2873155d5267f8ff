#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# A real cluster, a slow disk, a lossy link and a control, end to end: what the
# recordings show, and what limpid says of them.
set -eu
skip() { echo "skipped: $1"; exit 77; }
[ "$(id -u)" = 0 ] || skip "a cluster takes root"
[ -e /dev/fuse ] || skip "there is no /dev/fuse"
for tool in glusterd iptables tc ethtool mkfs.xfs python3; do
  command -v "$tool" >/dev/null || skip "there is no $tool"
done

# Short: sockets in it have paths of at most 107 bytes. Not in memory: disks
# are files there.
work=$(mktemp -d /var/tmp/limpid-smoke.XXXXXX)
finish() {
  "$LIMPID" lab down --dir "$work/lab" >/dev/null || true
  rm -rf "$work"
}
trap finish EXIT

"$LIMPID" lab campaign "$LIMPID_SOURCE/lab/campaigns/smoke.conf" \
  -o "$work/runs" --dir "$work/lab"
[ -e "$work/lab/journal" ] && { echo "the lab is still there"; exit 1; }
du -sk "$work/runs"/*/

python3 "$LIMPID_SOURCE/tests/e2e/lab_smoke.py" "$LIMPID" "$work/runs"
