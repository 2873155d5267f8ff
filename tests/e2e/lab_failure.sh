#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Failures of a real cluster, end to end: a control, files that are missing, a
# node that is cut off, a disk that does not answer and hangs who uses it. The
# command is killed in its middle and goes on; all of it is in the report.
set -eu
skip() { echo "skipped: $1"; exit 77; }
[ "$(id -u)" = 0 ] || skip "a cluster takes root"
[ -e /dev/fuse ] || skip "there is no /dev/fuse"
for tool in glusterd iptables tc ethtool mkfs.xfs python3; do
  command -v "$tool" >/dev/null || skip "there is no $tool"
done

work=$(mktemp -d /var/tmp/limpid-failure.XXXXXX)
running=
finish() {
  [ -n "$running" ] && kill -9 "$running" 2>/dev/null
  "$LIMPID" lab down --dir "$work/lab" >/dev/null || true
  rm -rf --one-file-system "$work"
}
trap finish EXIT
smoke=$LIMPID_SOURCE/lab/campaigns/failure-smoke.conf
run=("$LIMPID_BUILD/cmd/limpid-failure" run "$smoke" -o "$work/runs"
  --dir "$work/lab")

# Killed in the second run; what it leaves is its own, and is removed.
"${run[@]}" >"$work/first" &
running=$!
until grep -q '^1/4' "$work/first"; do
  kill -0 "$running" 2>/dev/null || { echo "it ended early"; exit 1; }
  sleep 0.2
done
sleep 2
kill -9 "$running"
wait "$running" 2>/dev/null || true
running=
[ -e "$work/lab/journal" ] || { echo "it was not killed in a run"; exit 1; }
"${run[@]}" >"$work/second"
cat "$work/first" "$work/second"
[ -e "$work/lab/journal" ] && { echo "the lab is still there"; exit 1; }
grep -q 'made 3 now' "$work/second" || { echo "it did not go on"; exit 1; }

du -sk "$work/runs"/*/
"$LIMPID" failure report "$work/runs" --html "$work/page.html"
"$LIMPID" failure report "$work/runs" --json >"$work/report.json"
"$LIMPID" failure report "$work/runs" "$work/runs" --check >"$work/same"
python3 - "$work" <<'END'
import json
import pathlib
import sys

work = pathlib.Path(sys.argv[1])
cells = {c["failure"]: c
         for c in json.loads((work / "report.json").read_text())["cells"]}
assert set(cells) == {"none", "missing-files", "cut-off", "device-stuck"}
for cell in cells.values():
    assert cell["no_lab"] == cell["no_effect"] == cell["not_undone"] == 0, cell
    # An outage, and no loss: afterwards all is there.
    assert cell["read, undone"]["words"] == {"ok": 1}, cell
for column in ("warm read", "cold read", "async", "sync"):
    assert cells["none"][column]["words"] == {"ok": 1}, cells["none"]
assert cells["none"]["tool"]["words"] == {"normal": 1}, cells["none"]
stuck = json.loads(
    (work / "runs/1-server-device-stuck/outcome.json").read_text())
words = [w["word"] for w in stuck["work"].values()]
assert "hang" in words, words
for name in ("1-healthy", "2-failed", "3-used", "4-undone"):
    logs = work / "runs/1-server-cut-off/logs" / name
    assert list(logs.rglob("*.zst")), logs
assert (work / "runs/1-none/recording.limpid").stat().st_size > 0
page = (work / "page.html").read_text()
assert "http:" not in page and "https:" not in page and "src=" not in page
END
