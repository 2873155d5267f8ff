#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# docs/accuracy.md is what today's limpid says of the runs in examples/campaign.
set -eu
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/limpid-accuracy.XXXXXX")
trap 'rm -rf "$work"' EXIT

"$LIMPID_SOURCE/tools/accuracy" --limpid "$LIMPID" --out "$work/accuracy.md"
diff -u "$LIMPID_SOURCE/docs/accuracy.md" "$work/accuracy.md" ||
  { echo "docs/accuracy.md is not up to date: make accuracy"; exit 1; }
diff -r "$LIMPID_SOURCE/docs/images/accuracy" "$work/images/accuracy" >/dev/null ||
  { echo "docs/images/accuracy is not up to date: make accuracy"; exit 1; }
echo "the page is what limpid says today"
