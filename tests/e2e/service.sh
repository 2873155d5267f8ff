#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The unit of the recorder: systemd understands every line, and thinks that the
# service can do little harm.
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
