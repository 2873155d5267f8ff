#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Every step of the peer comparison against a plain one in R.
set -eu -o pipefail

if ! command -v Rscript >/dev/null; then
  echo "skipped: R is not installed (r-base-core)"
  exit 77
fi
"$LIMPID_BUILD/tests/e2e/peers" |
  Rscript "$LIMPID_SOURCE/tests/e2e/peers.R"
