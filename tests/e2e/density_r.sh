#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Bandwidths, densities, extrema, clusters, quantiles and lines against R.
set -eu -o pipefail

if ! command -v Rscript >/dev/null; then
  echo "skipped: R is not installed (r-base-core)"
  exit 77
fi
"$LIMPID_BUILD/tests/e2e/densities" |
  Rscript "$LIMPID_SOURCE/tests/e2e/densities.R"
