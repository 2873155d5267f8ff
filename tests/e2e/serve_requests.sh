#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Requests to the live service, good and bad; kills; alerts.
set -eu
[ -x "$LIMPID_BUILD/cmd/limpid-serve" ] || {
  echo "skipped: limpid-serve is not built"
  exit 77
}
work=$(mktemp -d "${TMPDIR:-/tmp}/limpid-e2e.XXXXXX")
trap 'rm -rf "$work"' EXIT
export PYTHONDONTWRITEBYTECODE=1
python3 "$LIMPID_SOURCE/tests/e2e/serve_requests.py" "$LIMPID" \
  "$LIMPID_SOURCE/examples/campaign" "$work"
