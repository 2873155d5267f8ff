#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The unit of the recorder: systemd understands every line, and thinks that the
# service can do little harm; the group limpid can read what it records.
set -u
command -v systemd-analyze >/dev/null || {
  echo "skipped: there is no systemd-analyze"
  exit 77
}
work=$(mktemp -d /tmp/limpid-service-XXXXXX)
trap 'rm -r "$work"' EXIT
unit=$work/limpid-record.service
# limpid need not be installed where this is run.
sed "s|^ExecStart=[^ ]*|ExecStart=$LIMPID|" \
  "$LIMPID_BUILD/packaging/limpid-record.service" >"$unit"

systemd-analyze verify --man=no "$unit" >"$work/said" 2>&1
status=$?
if [ $status != 0 ] || [ -s "$work/said" ]; then
  echo "FAILED: verify: status $status"
  cat "$work/said"
  exit 1
fi
# 0 is no harm, 10 is any; above 20 tenths it fails.
systemd-analyze security --offline=true --threshold=20 "$unit" >"$work/said" 2>&1 || {
  echo "FAILED: too much exposed"
  cat "$work/said"
  exit 1
}
grep Overall "$work/said"

# ---- the group may read, others may not ----
fail() {
  echo "FAILED: $*"
  exit 1
}
# value KEY: of the unit
value() { sed -n "s/^$1=//p" "$unit"; }
[ "$(value User) $(value Group)" = "limpid limpid" ] || fail "another user"
# It would keep the recordings in /var/log/private, which only root may enter.
[ -z "$(value DynamicUser)" ] || fail "DynamicUser="
[ "$(value LogsDirectory) $(value LogsDirectoryMode)" = "limpid 0750" ] ||
  fail "another directory"
umask "$(value UMask)"
mkdir "$work/recordings"
"$LIMPID" record -o "$work/recordings" -i 0.1 2>"$work/said" &
recorder=$!
trap 'kill $recorder 2>/dev/null; wait; rm -r "$work"' EXIT
# until_files N: there are N archives
until_files() {
  for _ in $(seq 600); do
    [ "$(find "$work/recordings" -name '*.limpid' | wc -l)" = "$1" ] && return
    sleep 0.1
  done
  fail "not $1 archives: $(cat "$work/said")"
}
until_files 1
sleep 1.1 # an archive is named after the second it begins in
# The first is closed and compacted, a second one begun.
kill -HUP $recorder
until_files 2
kill $recorder
wait $recorder || fail "the recorder ends with $?"
modes=$(find "$work/recordings" -name '*.limpid' -printf '%m\n' | sort -u)
[ "$modes" = 640 ] || fail "modes of recordings: $modes"
echo "recordings have mode 0640"
